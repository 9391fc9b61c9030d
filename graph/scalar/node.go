package scalar

// Node is any object with an id.
type Node any

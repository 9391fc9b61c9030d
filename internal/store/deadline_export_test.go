package store

// For tests: what fills tables takes long, and what the driver says is a fault.
var (
	Patiently = patiently
	Translate = translate
)

package store

// For tests: what fills tables takes long, and what the driver says is a fault.
var (
	WithoutDeadline = withoutDeadline
	Translate       = translate
)

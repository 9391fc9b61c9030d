package server

// These are headerTimeout and idleTimeout.
const (
	HeaderTimeout = headerTimeout
	IdleTimeout   = idleTimeout
)

package server

// ReadHeaderTimeout is readHeaderTimeout.
const ReadHeaderTimeout = readHeaderTimeout

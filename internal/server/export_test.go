package server

// ReadHeaderTimeout is readHeaderTimeout.
const ReadHeaderTimeout = readHeaderTimeout

// ShareOf is shareOf.
var ShareOf = shareOf

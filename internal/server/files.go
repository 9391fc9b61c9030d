package server

import (
	"math"
	"syscall"
)

// Every connection is an open file, and the number of open files is limited.
const (
	// reservedFiles are kept for the listeners, the operator's connections, the log, and the runtime; those of the database come on top.
	reservedFiles = 64
	// leastConnections is how many clients are served even if too few files may be open.
	leastConnections = 4
)

// OpenFiles is how many files this process may have open at once. Go has raised its limit as far as it may.
func OpenFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return math.MaxInt32 // unknown: Accept will tell
	}
	return int(min(limit.Cur, math.MaxInt32))
}

// ConnectionsFor returns how many clients may be connected at once, by the limit on open files and the size of the database's pool. Half
// of the unreserved files are left for calls to models: each chat may have one.
func ConnectionsFor(files, pool int) int {
	reserved := min(reservedFiles+pool, files/2)
	return min(max((files-reserved)/2, leastConnections), MaxConnections)
}

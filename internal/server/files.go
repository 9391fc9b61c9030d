package server

import (
	"math"
	"syscall"
)

// Every connection is an open file, and the number of open files is limited.
const (
	// reservedFiles are kept for the listeners, the operator's connections, the log, and the runtime;
	// those of the database come on top.
	reservedFiles = 64
	// leastConnections is the least number of connections, even if too few files may be open.
	leastConnections = 4
)

// OpenFiles returns the limit on open files of this process, which Go has raised to its maximum.
func OpenFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return math.MaxInt32 // unknown: Accept will tell
	}
	return int(min(limit.Cur, math.MaxInt32))
}

// ConnectionsFor returns the limit on connections for a limit on open files and a size of the
// database's pool. Half of the unreserved files are left for model calls: each chat may need one.
func ConnectionsFor(files, pool int) int {
	reserved := min(reservedFiles+pool, files/2)
	return min(max((files-reserved)/2, leastConnections), MaxConnections)
}

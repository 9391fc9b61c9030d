package server

import (
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// MaxConnections is the most clients connected at once; more wait in the kernel's queue.
const MaxConnections = 10_000

// warnWhenFull returns a server's ConnState callback. It warns when all connections are in use, at
// most once a minute.
func warnWhenFull(limit int, logger *slog.Logger) func(net.Conn, http.ConnState) {
	var open atomic.Int64
	full := rate.Sometimes{Interval: time.Minute}
	return func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			if open.Add(1) >= int64(limit) {
				full.Do(func() {
					logger.Warn("all connections are in use, and other clients wait: "+
						"limit the connections of one address in your proxy, start more replicas, "+
						"or allow more open files if those are the limit", slog.Int("limit", limit))
				})
			}
		case http.StateClosed:
			open.Add(-1)
		}
	}
}

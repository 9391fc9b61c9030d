// Package e2e tests the real binary from outside: processes, sockets and signals, on a real PostgreSQL. It holds tests only.
package e2e

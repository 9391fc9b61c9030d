// Package e2e tests the real binary from outside, with processes, sockets and signals, on a real
// PostgreSQL. It contains only tests.
package e2e

// Package failpoint marks the places at which the fault bench lets the service fail. In an ordinary build a mark does nothing;
// with the build tag failpoints it fails as a file says that a test has laid down.
package failpoint

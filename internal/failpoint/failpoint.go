// Package failpoint marks the places at which tests make the service fail. In an ordinary build a
// fail point does nothing. With the build tag failpoints, it fails in the way that a test has
// written to a file.
package failpoint

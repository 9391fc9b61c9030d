// Package frontend holds the control panel's files.
package frontend

import (
	"embed"
	"io/fs"
)

// dist holds the output of the panel's build. It also holds a placeholder page, so that the binary
// builds without Node and says what is missing. A build adds index.html, explorer.html and assets/;
// then the placeholder is no longer served.
//
//go:embed all:dist
var dist embed.FS

// Files returns the panel's files: index.html, explorer.html and assets/ of a build, or
// placeholder.html alone.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // only for a malformed path, and this one is fixed
	}
	return files
}

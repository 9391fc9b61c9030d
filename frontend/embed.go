// Package frontend holds the control panel's files.
package frontend

import (
	"embed"
	"io/fs"
)

// dist is what the panel's build writes. A placeholder page is kept there, so that the binary builds without Node and says
// what is missing; a build writes index.html, explorer.html and assets/ beside it, and the placeholder is then no longer served.
//
//go:embed all:dist
var dist embed.FS

// Files returns the panel's files: index.html, explorer.html and assets/ of a build, or placeholder.html alone.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // only for a malformed path, and this one is fixed
	}
	return files
}

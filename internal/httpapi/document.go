package httpapi

import (
	"bytes"
	"net/http"
	"time"
)

// Versioned puts the version of the service into an OpenAPI description of the repository.
func Versioned(description []byte, version string) []byte {
	// A JSON string is also a YAML string. .ci/release replaces the same line.
	return bytes.Replace(description, []byte("  version: unreleased\n"), []byte("  version: "+string(Encode(version))+"\n"), 1)
}

// NewDocument returns a handler that serves a public document to GET and HEAD requests, including
// conditional ones.
func NewDocument(mediaType string, document []byte) http.Handler {
	etag := ETag(document)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		if !ReadOnly(w, r) {
			return
		}
		header.Set("Content-Type", mediaType)
		header.Set("Cache-Control", "no-cache")
		header.Set("ETag", etag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(document))
	})
}

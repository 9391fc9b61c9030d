package httpapi

import (
	"bytes"
	"net/http"
	"time"
)

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

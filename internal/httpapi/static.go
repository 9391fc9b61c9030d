package httpapi

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
)

// ReadOnly reports whether the method is GET or HEAD, and answers 405 otherwise.
func ReadOnly(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	http.Error(w, "This path accepts only GET and HEAD.", http.StatusMethodNotAllowed)
	return false
}

// ETag returns a strong entity tag of content, in quotes.
func ETag(content []byte) string {
	sum := sha256.Sum256(content)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

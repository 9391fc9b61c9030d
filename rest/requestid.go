package rest

import (
	"net/http"

	"github.com/google/uuid"
)

const (
	headerRequestID    = "X-Request-Id"
	maxRequestIDLength = 128
)

// requestID is the caller's own X-Request-Id when there is exactly one and it is well-formed, else a new UUIDv7. Anything
// else would let a caller write into logs what no id should hold.
func requestID(r *http.Request) string {
	if values := r.Header[headerRequestID]; len(values) == 1 && wellFormedRequestID(values[0]) {
		return values[0]
	}
	return uuid.Must(uuid.NewV7()).String() // its only error is crypto/rand's, which never fails
}

func wellFormedRequestID(id string) bool {
	if id == "" || len(id) > maxRequestIDLength {
		return false
	}
	for i := range len(id) {
		c := id[i]
		alphanumeric := '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
		if !alphanumeric && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

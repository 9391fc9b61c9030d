package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"agentchat/internal/fault"
)

// CheckDeclaredSize refuses a body by its Content-Length, before any of it is read, and closes the connection after the answer rather
// than wait for it all. limit is in bytes. Fault: PayloadTooLarge.
func CheckDeclaredSize(w http.ResponseWriter, r *http.Request, limit int64) error {
	if r.ContentLength > limit {
		w.Header().Set("Connection", "close")
		return tooLarge(limit)
	}
	return nil
}

func tooLarge(limit int64) error {
	return &fault.Error{
		Kind:    PayloadTooLarge,
		Message: fmt.Sprintf("The body is larger than %d KiB. Send a shorter one.", limit>>10),
		Details: map[string]any{"limit": limit},
	}
}

// ReadBody reads the body to its end, trailer included: only then does net/http watch for a client that leaves. Bodies bounds the
// time. limit is in bytes.
//
// Faults: PayloadTooLarge, RequestTimeout, and InvalidJSON for a body that is cut short or badly chunked. After each of them
// the connection cannot be used again, so it is closed after the answer.
func ReadBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	var buf bytes.Buffer
	if r.ContentLength > 0 {
		buf.Grow(int(min(r.ContentLength, limit)) + bytes.MinRead)
	}
	_, err := buf.ReadFrom(http.MaxBytesReader(w, r.Body, limit))
	if err == nil {
		return buf.Bytes(), nil
	}
	w.Header().Set("Connection", "close")
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		return nil, tooLarge(limit)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, fault.New(RequestTimeout, "The body took too long to arrive. Send the request again.")
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fault.New(InvalidJSON, "The body ended before its announced length. Send it whole.")
	}
	return nil, fault.New(InvalidJSON, "The body could not be read: its transfer coding is broken. Send it with a Content-Length.")
}

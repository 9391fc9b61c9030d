package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"agentchat/internal/fault"
)

// CheckDeclaredSize refuses a body by its Content-Length, before any of it is read. limit is in bytes. Fault: PayloadTooLarge.
func CheckDeclaredSize(r *http.Request, limit int64) error {
	if r.ContentLength > limit {
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

// BoundBody gives the body until timeout to arrive, counted from now. This also bounds net/http's own reading, which drains
// what a refused request left unread before the answer goes out.
//
// A request without a body is left alone: net/http is watching its connection already, and would take the deadline for a
// client that left.
func BoundBody(w http.ResponseWriter, r *http.Request, timeout time.Duration) {
	if r.Body == nil || r.Body == http.NoBody {
		return
	}
	// Recorders in tests have no deadlines and answer ErrNotSupported.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(timeout))
}

// ReadBody reads the body to its end, trailer included: only then does net/http watch for a client that leaves. It lifts the
// read deadline afterwards, but keeps it after a failure, so that nothing waits for the same client again. limit is in bytes.
//
// Faults: PayloadTooLarge, RequestTimeout, and InvalidJSON for a body that is cut short or badly chunked. After each of them
// the connection cannot be used again.
func ReadBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	var buf bytes.Buffer
	if r.ContentLength > 0 {
		buf.Grow(int(min(r.ContentLength, limit)) + bytes.MinRead)
	}
	_, err := buf.ReadFrom(http.MaxBytesReader(w, r.Body, limit))
	if err == nil {
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // as in BoundBody
		return buf.Bytes(), nil
	}
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

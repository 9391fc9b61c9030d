package rest

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"agentchat/internal/fault"
)

// maxBodyBytes is the largest body that is accepted.
const maxBodyBytes = 256 << 10

// checkDeclaredSize refuses a body by its Content-Length, before any of it is read. Fault: payload_too_large.
func checkDeclaredSize(r *http.Request) error {
	if r.ContentLength > maxBodyBytes {
		return tooLarge()
	}
	return nil
}

func tooLarge() error {
	return &fault.Error{
		Kind:    payloadTooLarge,
		Message: "The body is larger than 256 KiB. Send a shorter message.",
		Details: map[string]any{"limit": maxBodyBytes},
	}
}

// boundBody gives the body until timeout to arrive, counted from now. It bounds net/http's own reading as well, which
// drains what a refused request left unread before the answer goes out.
//
// A request without a body is left alone: net/http watches its connection already, and would take the deadline for a
// client that left.
func boundBody(w http.ResponseWriter, r *http.Request, timeout time.Duration) {
	if r.Body == nil || r.Body == http.NoBody {
		return
	}
	// Writers that know no deadlines (recorders in tests) answer ErrNotSupported: nothing arrives slowly there.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(timeout))
}

// readBody reads the body to its end, trailer included: only then does net/http begin to watch for a client that leaves.
// The read deadline is lifted afterwards, but stays after a failure, so that nothing waits for the same client again.
//
// Faults: payload_too_large, request_timeout, and invalid_json for a body that is cut short or badly chunked. After each of
// them the connection cannot be used again.
func readBody(w http.ResponseWriter, r *http.Request, timeout time.Duration) ([]byte, error) {
	boundBody(w, r, timeout)
	var buf bytes.Buffer
	if r.ContentLength > 0 {
		buf.Grow(int(min(r.ContentLength, maxBodyBytes)) + bytes.MinRead)
	}
	_, err := buf.ReadFrom(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	if err == nil {
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // as in boundBody
		return buf.Bytes(), nil
	}
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		return nil, tooLarge()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, fault.New(requestTimeout, "The body took too long to arrive. Send the request again.")
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fault.New(invalidJSON, "The body ended before its announced length. Send it whole.")
	}
	return nil, fault.New(invalidJSON, "The body could not be read: its transfer coding is broken. Send it with a Content-Length.")
}

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

// LargeBody is the size in bytes above which ReadLargeBody wants to know who sends a body. Nearly all messages are shorter, so that a
// chat needs no statement more.
const LargeBody = 16 << 10

// ReadBody reads the body to its end, trailer included: only then does net/http watch for a client that leaves. Bodies bounds the
// time and the memory. limit is in bytes. The announced length costs nothing: the buffer grows with the body.
//
// Faults: PayloadTooLarge, RequestTimeout, Unavailable when there is no memory, and InvalidJSON for a body that is cut short or badly
// chunked. After each of them the connection cannot be used again, so it is closed after the answer.
func ReadBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	return ReadLargeBody(w, r, limit, func() error { return nil })
}

// ReadLargeBody is ReadBody for bodies that not everybody may send. Before it reads more than LargeBody it calls admission, and returns
// its error: at once if the announced length is greater, and otherwise when it has read that much.
func ReadLargeBody(w http.ResponseWriter, r *http.Request, limit int64, admission func() error) ([]byte, error) {
	var buf bytes.Buffer
	body := http.MaxBytesReader(w, r.Body, limit)
	if r.ContentLength < 0 { // in chunks
		if _, err := buf.ReadFrom(io.LimitReader(body, LargeBody+1)); err != nil {
			return nil, unread(w, err, limit)
		}
	}
	if r.ContentLength > LargeBody || buf.Len() > LargeBody {
		if err := admission(); err != nil {
			w.Header().Set("Connection", "close") // or net/http would read the body before it sends the answer
			return nil, err
		}
	}
	if _, err := buf.ReadFrom(body); err != nil {
		return nil, unread(w, err, limit)
	}
	return buf.Bytes(), nil
}

// unread returns the fault for an error of a body.
func unread(w http.ResponseWriter, err error, limit int64) error {
	w.Header().Set("Connection", "close")
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		return tooLarge(limit)
	}
	if errors.Is(err, errNoMemory) {
		return &fault.Error{Kind: fault.Unavailable, RetryAfter: 2 * time.Second,
			Message: "The service has no memory left for this request. Try again shortly."}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fault.New(RequestTimeout, "The body took too long to arrive. Send the request again.")
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.New(InvalidJSON, "The body ended before its announced length. Send it whole.")
	}
	return fault.New(InvalidJSON, "The body could not be read: its transfer coding is broken. Send it with a Content-Length.")
}

package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"

	"agentchat/internal/fault"
	"agentchat/internal/memory"
)

// CheckDeclaredSize refuses a body by its Content-Length, before reading it, and closes the
// connection after the response instead of waiting for the body. limit is in bytes. Fault:
// PayloadTooLarge.
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

// LargeBody is the size in bytes above which ReadLargeBody checks the sender. Nearly all messages
// are shorter, so chats need no extra statement.
const LargeBody = 16 << 10

// ReadBody reads the body to its end, including the trailer: only then does net/http watch for a
// client that leaves. Bodies bounds the time and the memory. limit is in bytes. The announced
// length allocates nothing: the buffer grows with the body.
//
// If there is no memory for the body, ReadBody calls identify and retries once: identify may find
// the account of the request and move its hold there. An error of identify is returned.
//
// Faults: PayloadTooLarge, RequestTimeout, Unavailable if there is no memory, and InvalidJSON for a
// body that is truncated or badly chunked. After each of them the connection cannot be reused, so
// it is closed after the response.
func ReadBody(w http.ResponseWriter, r *http.Request, limit int64,
	identify func() error) ([]byte, error) {
	return readBody(w, r, limit, limit, identify)
}

// ReadLargeBody is ReadBody for bodies that only known callers may send. Before it reads more than
// LargeBody it calls admission as well: at once if the announced length is greater, and otherwise
// when it has read that much. Calls after the first must return the same.
func ReadLargeBody(w http.ResponseWriter, r *http.Request, limit int64,
	admission func() error) ([]byte, error) {
	return readBody(w, r, limit, LargeBody, admission)
}

func readBody(w http.ResponseWriter, r *http.Request, limit, large int64,
	admission func() error) (body []byte, err error) {
	var buf bytes.Buffer
	read := func(most int64) error {
		err := readTo(w, r, &buf, most, limit)
		if errors.Is(err, memory.ErrUsedUp) {
			if err = admission(); err == nil {
				err = readTo(w, r, &buf, most, limit)
			}
		}
		return err
	}
	if r.ContentLength < 0 { // chunked
		err = read(large + 1)
	}
	if err == nil && (r.ContentLength > large || int64(buf.Len()) > large) {
		err = admission()
	}
	if err == nil {
		err = read(math.MaxInt64)
	}
	if err != nil {
		// Otherwise net/http would read the body before it sends the response.
		w.Header().Set("Connection", "close")
		return nil, err
	}
	return buf.Bytes(), nil
}

// readTo reads until the buffer has most bytes, or the body ends.
func readTo(w http.ResponseWriter, r *http.Request, buf *bytes.Buffer, most, limit int64) error {
	have := int64(buf.Len())
	_, err := buf.ReadFrom(io.LimitReader(http.MaxBytesReader(w, r.Body, limit-have), most-have))
	return Unread(err, limit)
}

// Unread returns the fault for an error of reading a body: a fault of ReadBody, or an error over
// memory.ErrUsedUp unchanged.
func Unread(err error, limit int64) error {
	if err == nil || errors.Is(err, memory.ErrUsedUp) {
		return err
	}
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		return tooLarge(limit)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fault.New(RequestTimeout, "The body took too long to arrive. Send the request again.")
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.New(InvalidJSON,
			"The body ended before its announced length. Send the complete body.")
	}
	return fault.New(InvalidJSON,
		"The body could not be read: its transfer coding is invalid. Send it with a Content-Length.")
}

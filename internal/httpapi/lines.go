package httpapi

import (
	"encoding/json"
	"net/http"
)

// pieceBytes is the length of lines that are sent at once.
const pieceBytes = 32 << 10

// Lines sends a response as lines of JSON. The response begins with the first piece, so that an
// error before it can have a status of its own.
type Lines struct {
	Exchange  *Exchange
	MediaType string
	// Before is called before each piece is sent. Its error keeps the piece back; nil for no check.
	Before func() error

	stream   *Events
	buffered []byte
}

// Write adds a line. It returns the error of Before, or http.ErrAbortHandler if the client has left.
func (l *Lines) Write(line json.RawMessage) error {
	if l.buffered = append(append(l.buffered, line...), '\n'); len(l.buffered) < pieceBytes {
		return nil
	}
	return l.Flush()
}

// Flush sends what is left. Its errors are those of Write.
func (l *Lines) Flush() error {
	if l.Before != nil {
		if err := l.Before(); err != nil {
			return err
		}
	}
	if l.stream == nil {
		l.stream = l.Exchange.StartStream(l.MediaType, WriteTimeout)
	}
	if !l.stream.Write(string(l.buffered)) {
		return http.ErrAbortHandler
	}
	l.buffered = l.buffered[:0]
	return nil
}

// Started reports whether the response has begun. An error must then break the connection, so that
// the client does not mistake a part for the whole.
func (l *Lines) Started() bool { return l.stream != nil }

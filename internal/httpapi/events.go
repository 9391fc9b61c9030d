package httpapi

import (
	"net/http"
	"time"
)

// Times of an event stream.
const (
	// CommentInterval is how often a comment is sent while there is nothing else, so that no proxy closes the connection.
	CommentInterval = 15 * time.Second
	// WriteTimeout is how long a client may take to receive one write.
	WriteTimeout = 30 * time.Second
)

// Comment is sent to keep a quiet stream's connection open.
const Comment = ":\n\n"

// Events writes an answer as a stream of server-sent events (HTML Standard, 9.2). Only one goroutine may use it at a time.
type Events struct {
	ex      *Exchange
	control *http.ResponseController
	timeout time.Duration
	gone    bool
}

// StartEvents sends the status and headers of a stream. timeout bounds each write.
func (ex *Exchange) StartEvents(timeout time.Duration) *Events {
	return ex.StartStream(mediaTypeEvents+"; charset=utf-8", timeout) // else some clients read text/* as Latin-1
}

// StartStream is StartEvents for another media type.
func (ex *Exchange) StartStream(mediaType string, timeout time.Duration) *Events {
	header := ex.W.Header()
	header.Set("Content-Type", mediaType)
	header.Set("Cache-Control", "no-cache, no-transform")
	header.Set("X-Accel-Buffering", "no") // proxies must not hold events back
	ex.WriteHeader(http.StatusOK)
	return &Events{ex: ex, control: http.NewResponseController(ex.W), timeout: timeout}
}

// Event is one event; data must have no line breaks, like JSON.
func Event(name string, data []byte) string {
	return "event: " + name + "\ndata: " + string(data) + "\n\n"
}

// Write sends whole events, or a comment, and flushes them. It reports whether the client is still there; one that takes longer
// than the timeout counts as gone. A client whose request context has ended may have closed only its sending side, so it is
// written to until that fails.
func (e *Events) Write(text string) bool {
	if e.gone {
		return false
	}
	_ = e.control.SetWriteDeadline(time.Now().Add(e.timeout)) // recorders in tests have no deadlines
	_, err := e.ex.W.Write([]byte(text))
	if err == nil {
		err = e.control.Flush()
	}
	e.gone = err != nil
	return !e.gone
}

// Gone reports whether a write has failed.
func (e *Events) Gone() bool { return e.gone }

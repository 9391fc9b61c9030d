package httpapi

import (
	"net/http"
	"time"
)

// Time limits of an event stream.
const (
	// CommentInterval is the time between comments on an idle stream, which keep proxies from closing
	// the connection.
	CommentInterval = 15 * time.Second
	// WriteTimeout is the time in which a client must receive one write.
	WriteTimeout = 30 * time.Second
)

// Comment is sent to keep an idle stream's connection open.
const Comment = ":\n\n"

// Events writes a response as a stream of server-sent events (HTML Standard, 9.2). Only one
// goroutine may use it at a time.
type Events struct {
	ex      *Exchange
	control *http.ResponseController
	timeout time.Duration
	gone    bool
}

// StartEvents sends the status and headers of a stream. timeout bounds each write.
func (ex *Exchange) StartEvents(timeout time.Duration) *Events {
	ex.W.Header().Set("Cache-Control", StreamCaching)
	// Without charset, some clients decode text/* as Latin-1.
	return ex.StartStream(mediaTypeEvents+"; charset=utf-8", timeout)
}

// StreamCaching is the Cache-Control of streams that clients may reconnect to.
const StreamCaching = "no-cache, no-transform"

// StartStream is StartEvents for another media type, without StreamCaching.
func (ex *Exchange) StartStream(mediaType string, timeout time.Duration) *Events {
	header := ex.W.Header()
	header.Set("Content-Type", mediaType)
	header.Set("X-Accel-Buffering", "no") // proxies must not buffer events
	ex.WriteHeader(http.StatusOK)
	return &Events{ex: ex, control: http.NewResponseController(ex.W), timeout: timeout}
}

// Event formats one event; data must not contain line breaks, like JSON.
func Event(name string, data []byte) string {
	return "event: " + name + "\ndata: " + string(data) + "\n\n"
}

// Write sends whole events, or a comment, and flushes them. It reports whether the client is still
// connected; one that takes longer than the timeout counts as gone. A client whose request context
// has ended may have closed only its sending side, so Write continues until it fails.
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

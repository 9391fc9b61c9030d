package bridge

import (
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"time"
)

const (
	// maxAnswer is the most bytes of an answer of the service, a stream's text included.
	maxAnswer = 16 << 20
	// maxRefusal is the most bytes of an error.
	maxRefusal = 64 << 10
	// connectTime bounds a connection to the service and its TLS handshake.
	connectTime = 5 * time.Second
	// idleTime is shorter than the service's limit on idle connections.
	idleTime = 20 * time.Second
	// defaultSilence is the longest silence of a stream: the service sends a comment every 15 s.
	defaultSilence = 45 * time.Second
	// maxIdle is the most connections that are kept.
	maxIdle = 256
)

// defaultPauses are the waits before a message is repeated, unless the service names one. After the
// crash of a replica, the second repeat joins the turn until it is released, and the third begins
// another one. If the service restarts later, the third comes after the release, within 20 s.
var defaultPauses = []time.Duration{500 * time.Millisecond, 8 * time.Second, 15 * time.Second}

// client sends messages to the service. It follows no redirect and uses no proxy.
type client struct {
	url       string
	transport *http.Transport
	pauses    []time.Duration
	silence   time.Duration
	// repeated is called before a message is repeated.
	repeated func(reason string)
}

func newClient(url string, repeated func(reason string)) *client {
	return &client{
		url:      url,
		repeated: repeated,
		pauses:   defaultPauses,
		silence:  defaultSilence,
		transport: &http.Transport{
			DialContext:            (&net.Dialer{Timeout: connectTime, KeepAlive: 15 * time.Second}).DialContext,
			TLSHandshakeTimeout:    connectTime,
			IdleConnTimeout:        idleTime,
			MaxIdleConnsPerHost:    maxIdle,
			MaxResponseHeaderBytes: 64 << 10,
			DisableCompression:     true,
		},
	}
}

// lost is the end of an attempt without an answer. The service may have stored a reply.
type lost struct {
	reason string
	err    error
}

func (l *lost) Error() string { return l.reason + ": " + l.err.Error() }
func (l *lost) Unwrap() error { return l.err }

// The reasons of a lost attempt.
const (
	lostConnection = "connection"
	lostStream     = "cut"
)

// errGone means that the client has left.
var errGone = errors.New("the client has left")

// pause waits, unless the deadline comes first or the client leaves. It reports whether it has waited.
func pause(ctx context.Context, wait time.Duration) bool {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

const (
	mediaTypeJSON   = "application/json"
	mediaTypeEvents = "text/event-stream"
)

func mediaType(response *http.Response) string {
	name, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	return name
}

// watched is the body of an answer. A stream that stays silent is cut.
type watched struct {
	io.ReadCloser
	quiet   *time.Timer
	silence time.Duration
	left    int
}

var (
	errTooLong = errors.New("the answer is too long")
	errSilent  = errors.New("the stream was silent for too long")
)

// Read reads the body on arrival.
func (w *watched) Read(p []byte) (int, error) {
	if w.left <= 0 {
		return 0, errTooLong
	}
	n, err := w.ReadCloser.Read(p[:min(len(p), w.left)])
	w.left -= n
	if w.quiet.Stop() {
		w.quiet.Reset(w.silence)
	}
	return n, err
}

package bridge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"agentchat/internal/fault"
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
	return &client{url: url, repeated: repeated, pauses: defaultPauses, silence: defaultSilence, transport: &http.Transport{
		DialContext:            (&net.Dialer{Timeout: connectTime, KeepAlive: 15 * time.Second}).DialContext,
		TLSHandshakeTimeout:    connectTime,
		IdleConnTimeout:        idleTime,
		MaxIdleConnsPerHost:    maxIdle,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true,
	}}
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

// request is a message on its way to the service.
type request struct {
	header http.Header
	body   []byte
	// paths are the client's paths by the chat API's.
	paths map[string]string
	// random says that a retry of the client would be a new message.
	random bool
	// receive reads an answer of status 200. It may be called again after a *lost error.
	receive func(*http.Response) error
	// answered is called with the header of each answer.
	answered func(http.Header)
}

// do sends a message until it is answered. It repeats an attempt whose outcome is unknown, and one
// that the service could not answer now, with the same idempotency key. Errors: *refusal, errGone,
// errDiffers.
func (c *client) do(ctx context.Context, r *request) error {
	for n := 0; ; n++ {
		err := c.attempt(ctx, r)
		if err == nil {
			return nil
		}
		reason, wait := c.repeatable(err, n)
		again := ctx.Err() == nil && reason != "" && n < len(c.pauses) && pause(ctx, wait)
		switch {
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			return gatewayTimeout()
		case ctx.Err() != nil:
			return errGone
		case reason == "":
			return err
		case !again:
			return r.givenUp(err)
		}
		c.repeated(reason)
	}
}

// repeatable returns why the n-th attempt is repeated, and the wait before that; empty if it is not.
func (c *client) repeatable(err error, n int) (reason string, wait time.Duration) {
	wait = c.pauses[min(n, len(c.pauses)-1)]
	if l, ok := errors.AsType[*lost](err); ok {
		return l.reason, wait
	}
	refused, ok := errors.AsType[*refusal](err)
	if !ok || refused.final {
		return "", 0
	}
	switch refused.code {
	case string(fault.Internal), string(fault.Unavailable), string(fault.RequestInProgress):
	default:
		return "", 0
	}
	if named, err := strconv.Atoi(refused.retryAfter); err == nil {
		wait = time.Duration(named) * time.Second
	}
	return refused.code, wait
}

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

// givenUp returns the error of a message that was repeated in vain.
func (r *request) givenUp(err error) error {
	refused, ok := errors.AsType[*refusal](err)
	if !ok {
		refused = unavailable("The service behind the bridge cannot be reached. Try again shortly.")
		refused.cause = err
	}
	refused.final = r.random
	return refused
}

// attempt sends the message once.
func (c *client) attempt(ctx context.Context, r *request) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	sent, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(r.body))
	if err != nil {
		return err
	}
	sent.Header = r.header
	response, err := c.transport.RoundTrip(sent)
	if err != nil {
		return &lost{lostConnection, err}
	}
	quiet := time.AfterFunc(c.silence, func() { cancel(errSilent) })
	defer quiet.Stop()
	if mediaType(response) != mediaTypeEvents {
		quiet.Stop()
	}
	response.Body = &watched{ReadCloser: response.Body, quiet: quiet, silence: c.silence, left: maxAnswer}
	defer func() { _ = response.Body.Close() }()
	r.answered(response.Header)
	if response.StatusCode == http.StatusOK {
		err = r.receive(response)
	} else {
		err = r.refused(response)
	}
	if l, ok := errors.AsType[*lost](err); ok && errors.Is(context.Cause(ctx), errSilent) {
		l.err = errSilent
	}
	return err
}

// refused reads an error of the service.
func (r *request) refused(response *http.Response) error {
	var body struct {
		Error serviceError `json:"error"`
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxRefusal))
	if response.StatusCode < http.StatusBadRequest || mediaType(response) != mediaTypeJSON ||
		err == nil && (json.Unmarshal(text, &body) != nil || body.Error.Code == "") {
		return badGateway(fmt.Sprintf("an answer with status %d is no error of the chat API", response.StatusCode))
	}
	if err != nil {
		return &lost{lostConnection, err}
	}
	return body.Error.refusalOf(response.StatusCode, response.Header.Get("Retry-After"), r.paths)
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

// readReply reads a whole reply.
func readReply(response *http.Response) (*reply, error) {
	if mediaType(response) != mediaTypeJSON {
		return nil, badGateway("the answer is not JSON")
	}
	text, err := io.ReadAll(response.Body)
	switch {
	case errors.Is(err, errTooLong):
		return nil, badGateway(err.Error())
	case err != nil:
		return nil, &lost{lostConnection, err}
	}
	return parseReply(text)
}

func parseReply(text []byte) (*reply, error) {
	out := new(reply)
	if err := json.Unmarshal(text, out); err != nil || !out.isUsable() {
		return nil, badGateway("the answer is no reply of the chat API")
	}
	return out, nil
}

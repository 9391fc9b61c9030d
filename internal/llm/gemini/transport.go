package gemini

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"time"
)

// limits bound one call.
type limits struct {
	// connect bounds the connection and, again, its TLS handshake.
	connect time.Duration
	// firstByte bounds the wait from the request to the header of the answer.
	firstByte time.Duration
	// refusal bounds the reading of an answer that is not 200.
	refusal time.Duration
	// pause is the mean wait before the retry.
	pause time.Duration
}

var defaultLimits = limits{
	connect: 5 * time.Second, firstByte: 30 * time.Second, refusal: 2 * time.Second, pause: 500 * time.Millisecond,
}

const (
	// maxReply bounds an answer in bytes, after decompression.
	maxReply = 1 << 20
	// maxRefusal bounds, in bytes, what is read of an answer that is not 200.
	maxRefusal = 64 << 10
	// longestPause is the longest wait that the provider can ask for and still be asked again within the same call.
	longestPause = 2 * time.Second
	// attemptTime is the least time that a retry is worth beginning with.
	attemptTime = time.Second
)

// call is what one call to Generate and the transport below the library share. Both run on one goroutine.
type call struct {
	body          io.Closer // of the answer
	input, output *int64    // the usage, nil where nothing credible was reported
}

// close ends the answer's connection, or gives it back when the answer was read whole.
func (c *call) close() {
	if c.body != nil {
		_ = c.body.Close()
	}
}

type callKey struct{}

func withCall(ctx context.Context, c *call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// transport is the http.RoundTripper below the library. It returns every answer but 200 as an error, so that no redirect is
// followed and the library, whose methods retry a 503 for up to ten minutes, sees no status that it could retry.
type transport struct {
	base   *http.Transport
	key    string
	limits limits
}

func newTransport(key string, l limits) *transport {
	return &transport{key: key, limits: l, base: &http.Transport{
		// Never a proxy for loopback addresses: that is how ProxyFromEnvironment works.
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: l.connect, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:    l.connect,
		ResponseHeaderTimeout:  l.firstByte,
		MaxResponseHeaderBytes: 64 << 10,
		ForceAttemptHTTP2:      true,
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 5 * time.Second},
		MaxIdleConns:           256,
		MaxIdleConnsPerHost:    256, // the default, 2, makes a new connection for nearly every message under load
		IdleConnTimeout:        90 * time.Second,
	}}
}

// RoundTrip sends the request, at most twice.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer func() { _ = req.Body.Close() }()
	}
	resp, err := t.attempt(req)
	wait, again := t.retryIn(req.Context(), err)
	if !again {
		return resp, err
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return t.attempt(req)
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
}

// retryIn says whether and when a failed attempt is worth another: nobody was reached, or the provider said that it is busy.
// The wait is spread, so that callers who failed together do not come back together.
func (t *transport) retryIn(ctx context.Context, err error) (wait time.Duration, again bool) {
	wait = t.limits.pause/2 + rand.N(t.limits.pause)
	if refused, ok := errors.AsType[*statusError](err); ok {
		if refused.status != http.StatusTooManyRequests && refused.status != http.StatusServiceUnavailable {
			return 0, false
		}
		wait = max(wait, refused.retryAfter)
	} else if err == nil || !isDial(err) {
		return 0, false
	}
	deadline, ok := ctx.Deadline()
	return wait, wait <= longestPause && ctx.Err() == nil && (!ok || time.Until(deadline) > wait+attemptTime)
}

// attempt sends the request once. An answer that it returns has the status 200 and a body that is bounded and normalised.
func (t *transport) attempt(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	out := req.Clone(ctx)
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			cancel()
			return nil, err
		}
		out.Body = body
	}
	out.Header.Set("X-Goog-Api-Key", t.key)
	resp, err := t.base.RoundTrip(out)
	if err != nil {
		cancel()
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		defer cancel()
		return nil, t.refusal(resp, cancel)
	}
	shared, ok := req.Context().Value(callKey{}).(*call)
	if !ok {
		shared = &call{}
	}
	resp.Body = newReplyBody(resp.Body, cancel, shared)
	shared.body = resp.Body
	return resp, nil
}

// refusal reads an answer that is not 200, and closes it. A body that is slow or long costs its details only; cancel ends
// the request.
func (t *transport) refusal(resp *http.Response, cancel context.CancelFunc) error {
	timer := time.AfterFunc(t.limits.refusal, cancel)
	defer timer.Stop()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal)) // what was read is enough
	_ = resp.Body.Close()
	return newStatusError(resp.StatusCode, resp.Header, body)
}

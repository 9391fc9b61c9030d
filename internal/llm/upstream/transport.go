package upstream

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptrace"
	"time"
)

// Limits bound one call in time. The whole of it is bounded by its context.
type Limits struct {
	// Connect bounds the connection and, again, its TLS handshake.
	Connect time.Duration
	// FirstByte bounds the wait from the request to the header of the answer.
	FirstByte time.Duration
	// Rest bounds the reading of the body of a refusal, which is worth having and not worth waiting for.
	Rest time.Duration
	// Pause is the mean wait before the retry.
	Pause time.Duration
}

// DefaultLimits are the service's.
var DefaultLimits = Limits{
	Connect: 5 * time.Second, FirstByte: 30 * time.Second, Rest: 2 * time.Second, Pause: 500 * time.Millisecond,
}

const (
	// connectionBuffer is for each direction of a connection. Streams wait more than they read, a thousand at once; what is longer
	// than the buffer is read and written past it.
	connectionBuffer = 1 << 10
	// maxRefusal bounds, in bytes, what is read of an answer that is not 200.
	maxRefusal = 64 << 10
	// longestPause is the longest wait that the provider can ask for and still be asked again within the same call.
	longestPause = 2 * time.Second
	// attemptTime is the least time that a retry is worth beginning with.
	attemptTime = time.Second
)

// transport is the http.RoundTripper below a library. It returns every answer but 200 as an error of the call, so that no
// redirect is followed and the library, which may have ideas of its own on retries, sees no status that it could retry.
type transport struct {
	base     *http.Transport
	plain    plain // for what needs neither TLS nor a proxy, with the settings of base
	provider Provider
}

func newTransport(p Provider) *transport {
	t := &transport{provider: p, base: &http.Transport{
		// Never a proxy for loopback addresses: that is how ProxyFromEnvironment works.
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: p.Limits.Connect, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:    p.Limits.Connect,
		ResponseHeaderTimeout:  p.Limits.FirstByte,
		MaxResponseHeaderBytes: 64 << 10,
		ForceAttemptHTTP2:      true,
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 5 * time.Second},
		MaxIdleConns:           256,
		MaxIdleConnsPerHost:    256, // the default, 2, makes a new connection for nearly every message under load
		IdleConnTimeout:        90 * time.Second,
		ReadBufferSize:         connectionBuffer,
		WriteBufferSize:        connectionBuffer,
	}}
	t.plain.settings = t.base
	return t
}

var errOneRequest = errors.New("a call is one request, and a request is of a call")

// RoundTrip takes a library's request for its call, which sends it later, and returns what will be the answer then.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer func() { _ = req.Body.Close() }()
	}
	call, ok := req.Context().Value(callKey{}).(*call)
	if !ok || call.asked {
		return nil, errOneRequest
	}
	call.asked = true
	var err error
	if call.request, err = newRequest(req, t.header(req.Header)); err != nil {
		return nil, err
	}
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, ContentLength: -1, Body: call, Request: req,
	}, nil
}

// sentHeaders are the headers that a library may set. The others tell of this machine, or come from its environment.
var sentHeaders = []string{"Accept", "Content-Type", "User-Agent"}

// header is what is sent of a library's header, and the key.
func (t *transport) header(from http.Header) http.Header {
	header := make(http.Header, len(sentHeaders)+1)
	for _, name := range sentHeaders {
		if value := from.Get(name); value != "" {
			header.Set(name, value)
		}
	}
	if t.provider.Key != "" {
		header.Set(t.provider.KeyHeader, t.provider.KeyPrefix+t.provider.Key)
	}
	return header
}

// open sends a call's request, at most twice, and gives the call its answer.
func (t *transport) open(ctx context.Context, c *call) error {
	err := t.attempt(ctx, c)
	wait, again := t.retryIn(ctx, err)
	if !again {
		return err
	}
	if err := pause(ctx, wait); err != nil {
		return err
	}
	return t.attempt(ctx, c)
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// retryIn says whether and when a failed attempt is worth another: nobody was reached, or the provider said that it is busy.
// The wait is spread, so that callers who failed together do not come back together.
func (t *transport) retryIn(ctx context.Context, err error) (wait time.Duration, again bool) {
	wait = t.provider.Limits.Pause/2 + rand.N(t.provider.Limits.Pause)
	if refused, ok := errors.AsType[*StatusError](err); ok {
		if refused.Status != http.StatusTooManyRequests && refused.Status != http.StatusServiceUnavailable {
			return 0, false
		}
		wait = max(wait, refused.RetryAfter)
	} else if !worthAnother(err) {
		return 0, false
	}
	deadline, ok := ctx.Deadline()
	return wait, wait <= longestPause && ctx.Err() == nil && (!ok || time.Until(deadline) > wait+attemptTime)
}

// worthAnother reports whether no connection was made, for a reason that may pass.
func worthAnother(err error) bool {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return false
	}
	_, ok := errors.AsType[*unreachedError](err)
	return ok
}

// attempt sends the request once. An answer that the call then has is one of the status 200, with a body that is bounded and
// plain; an attempt without one is told here.
func (t *transport) attempt(ctx context.Context, c *call) error {
	own, cancel := context.WithCancel(ctx)
	resp, err := t.send(own, c.request)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = t.refusal(resp, cancel)
	}
	if err != nil {
		cancel()
		report(ctx, err)
		return err
	}
	c.request, resp.Request, resp.Header = nil, nil, nil // the body holds the response for as long as it is read
	c.source, c.cancel = resp.Body, cancel
	c.body = t.provider.Body(own, &bounded{source: resp.Body, left: maxReply})
	return nil
}

// unreachedError says that no connection was made, so that the request cannot have reached anybody.
type unreachedError struct{ err error }

func (e *unreachedError) Error() string { return e.err.Error() }
func (e *unreachedError) Unwrap() error { return e.err }

// send sends the request. Its error is an unreachedError when nobody was reached.
func (t *transport) send(ctx context.Context, req *request) (*http.Response, error) {
	if t.isPlain(req.like) {
		return t.plain.roundTrip(req.in(ctx))
	}
	reached := false
	out := req.in(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		// net/http itself asks again when an idle connection turns out to be dead: then nobody was reached as yet.
		GetConn: func(string) { reached = false },
		GotConn: func(httptrace.GotConnInfo) { reached = true },
	}))
	resp, err := t.base.RoundTrip(out)
	if err != nil && !reached && ctx.Err() == nil {
		return nil, &unreachedError{err}
	}
	return resp, err
}

// isPlain reports whether a request goes to its server itself, without TLS.
func (t *transport) isPlain(req *http.Request) bool {
	if req.URL.Scheme != "http" {
		return false
	}
	proxy, err := t.base.Proxy(req)
	return proxy == nil && err == nil
}

// refusal reads an answer that is not 200, and closes it. A body that is slow or long costs its details only; cancel ends
// the request.
func (t *transport) refusal(resp *http.Response, cancel context.CancelFunc) error {
	timer := time.AfterFunc(t.provider.Limits.Rest, cancel)
	defer timer.Stop()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal)) // what was read is enough
	_ = resp.Body.Close()
	refused := t.provider.Refusal(resp.StatusCode, body)
	if after := retryAfter(resp.Header.Get("Retry-After"), time.Now()); after > 0 {
		refused.RetryAfter = after
	}
	return refused
}

// Package upstream is the one policy by which the service reaches model providers over HTTP, whatever they speak.
//
// An adapter's library never sees the network: all of its traffic passes through the transport here, which adds the key as
// a header (so that no address, and so no error, can hold it), does the only retry, bounds the times and the size, follows no
// redirect, and tells how each attempt ended. What an adapter brings is its provider's own: how a refusal is read, and how
// an answer is made plain for its library.
//
// A call mostly waits, with a thousand others. So it waits here, on a small stack, and holds neither its request, once that was
// sent, nor what the library made of it: the library runs aside, when there is something to send or to read.
package upstream

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"agentchat/internal/aside"
	"agentchat/internal/llm"
)

// longestCall bounds a call whose context has no deadline of its own.
const longestCall = 10 * time.Minute

// Provider is what the policy has to know of one provider.
type Provider struct {
	// Name is the provider's name in the log.
	Name string
	// Key is the provider's secret, "" for none; KeyHeader is the header that carries it, after KeyPrefix.
	Key, KeyHeader, KeyPrefix string
	// Refusal reads the body of an answer that is not 200.
	Refusal func(status int, body []byte) *StatusError
	// Body makes the body of an answer plain for the library; source is bounded, and its errors are to be returned as they are.
	Body func(ctx context.Context, source io.Reader) Body
	// Limits bound each call.
	Limits Limits
}

// Body is the body of an answer. One that is an io.Reader too is what the library reads.
type Body interface {
	// Await waits until something has come that is worth a call of Next, or the answer has ended. It does no more than that
	// takes, for what it needs of stack stays while it waits.
	Await()
	// Begun reports whether more has begun to come already, so that it need not be waited for.
	Begun() bool
}

// Next has the library read what has come of an answer, at least one piece. It says whether there is more to come.
type Next func(body Body) (more bool, err error)

// Client calls one provider. It is safe for concurrent use.
type Client struct {
	// HTTP is what the provider's library is given. It takes a request of Do's only, which is not sent before the library has
	// come back.
	HTTP *http.Client

	provider  Provider
	transport *transport
}

// New returns the client of a provider. It opens no connection.
func New(p Provider) *Client {
	t := newTransport(p)
	return &Client{provider: p, transport: t, HTTP: &http.Client{Transport: t}}
}

// Text gathers a reply's text as it arrives. It may hold U+0000: package chat makes texts fit to be stored.
type Text struct {
	text    strings.Builder
	emit    func(string) error
	stopped error // emit's own
}

// Add appends a piece and passes it on. An error is the caller's, and ends the call.
func (t *Text) Add(piece string) error {
	if piece == "" {
		return nil
	}
	t.text.WriteString(piece)
	if t.emit != nil {
		t.stopped = t.emit(piece)
	}
	return t.stopped
}

// Empty reports whether no text has arrived.
func (t *Text) Empty() bool { return t.text.Len() == 0 }

// Do makes one call. ask hands a request to the client's HTTP in the context that it is given, and returns what reads the answer
// and adds the reply's text. Do returns the whole text. Its errors are faults (ModelError, ModelUnavailable, ModelTimeout,
// ContentBlocked) whose causes hold neither key nor provider text; an error of emit is returned as it is. Every attempt is told to
// llm.ReportAttempt once, unless its caller gave it up.
func (c *Client) Do(
	ctx context.Context, emit func(string) error, ask func(ctx context.Context, text *Text) (Next, error),
) (string, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		return c.doWithin(ctx, longestCall, emit, ask)
	}
	call := &call{text: Text{emit: emit}}
	defer call.close()
	err := c.exchange(context.WithValue(ctx, callKey{}, call), call, ask)
	return c.result(ctx, call, err)
}

func (c *Client) doWithin(
	ctx context.Context, limit time.Duration, emit func(string) error, ask func(ctx context.Context, text *Text) (Next, error),
) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return c.Do(ctx, emit, ask)
}

// exchange sends what ask asks for, and reads the answer to its end.
func (c *Client) exchange(ctx context.Context, call *call, ask func(ctx context.Context, text *Text) (Next, error)) (err error) {
	var next Next
	aside.Do(func() { next, err = ask(ctx, &call.text) })
	if err == nil && call.request != nil {
		err = c.transport.open(ctx, call)
	}
	for more := true; more && err == nil; {
		if call.body != nil {
			call.body.Await()
		}
		aside.Do(func() {
			more, err = next(call.body)
			for more && err == nil && call.body != nil && call.body.Begun() {
				more, err = next(call.body)
			}
		})
	}
	return err
}

// result is what Do returns for a call that ended with an error, or nil.
func (c *Client) result(ctx context.Context, call *call, err error) (string, error) {
	if call.text.stopped != nil {
		return "", call.text.stopped
	}
	if call.body != nil { // the attempts without an answer were told by the transport
		report(ctx, err)
	}
	if err != nil {
		return "", c.provider.fault(ctx, err)
	}
	return call.text.text.String(), nil
}

// report tells how an attempt ended: err is nil when it was answered. One that its caller gave up is not told.
func report(ctx context.Context, err error) {
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return
	}
	llm.ReportAttempt(ctx, llm.Attempt{Outage: err != nil && isOutage(ctx, err)})
}

// CheckKey returns what is wrong with a key, without repeating it.
func CheckKey(key string) error {
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the API key holds a character that no key has; copy it again, without spaces or quotes")
	}
	return nil
}

// ParseBase reads a base URL: http or https, a host and a path, and nothing else. ok is false for any other.
func ParseBase(text string) (base *url.URL, ok bool) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		(u.Scheme != "http" && u.Scheme != "https") {
		return nil, false
	}
	return u, true
}

// Package upstream is the one policy by which the service reaches model providers over HTTP, whatever they speak.
//
// An adapter's library never sees the network: all of its traffic passes through the transport here, which adds the key as
// a header (so that no address, and so no error, can hold it), does the only retry, bounds the times and the size, follows no
// redirect, and tells how each attempt ended. What an adapter brings is its provider's own: how a refusal is read, and how
// an answer is made plain for its library.
package upstream

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

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
	Body func(ctx context.Context, source io.Reader) io.Reader
	// Limits bound each call.
	Limits Limits
}

// Client calls one provider. It is safe for concurrent use.
type Client struct {
	// HTTP is what the provider's library is given.
	HTTP *http.Client

	provider Provider
}

// New returns the client of a provider. It opens no connection.
func New(p Provider) *Client {
	return &Client{provider: p, HTTP: &http.Client{Transport: newTransport(p)}}
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

// Do makes one call. ask sends the request by the client's HTTP in the context that it is given, and adds the reply's text as it
// comes. Do returns the whole text. Its errors are faults (ModelError, ModelUnavailable, ModelTimeout, ContentBlocked) whose
// causes hold neither key nor provider text; an error of emit is returned as it is. Every attempt is told to
// llm.ReportAttempt once, unless its caller gave it up.
func (c *Client) Do(
	ctx context.Context, emit func(string) error, ask func(ctx context.Context, text *Text) error,
) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, longestCall)
	defer cancel()
	call := &call{}
	defer call.close()
	text := &Text{emit: emit}
	err := ask(context.WithValue(ctx, callKey{}, call), text)
	if text.stopped != nil {
		return "", text.stopped
	}
	if call.body != nil { // the attempts without an answer were told by the transport
		report(ctx, err)
	}
	if err != nil {
		return "", c.provider.fault(ctx, err)
	}
	return text.text.String(), nil
}

// call is what one call and the transport below its library share. Both run on one goroutine.
type call struct {
	body   io.Closer // of the answer, nil while there is none
	cancel func()    // ends the answer's request
	timer  *time.Timer
}

// close ends the answer's connection, or gives it back when the answer was read whole.
func (c *call) close() {
	if c.timer != nil {
		c.timer.Stop()
	}
	if c.body != nil {
		_ = c.body.Close()
	}
}

type callKey struct{}

// EndSoon ends the request of an answer after a while. It is for a Body that has read all it needs and would have the rest, if
// only so that the connection can be used again. The context is the Body's.
func EndSoon(ctx context.Context, after time.Duration) {
	call, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		return
	}
	if call.timer != nil {
		call.timer.Stop()
	}
	call.timer = time.AfterFunc(after, call.cancel)
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

// Package upstream sends requests to model providers over HTTP, with the same policy for every
// provider.
//
// An adapter sends a request with Client.Post or Client.Send, reads the answer in its own
// goroutine, and passes the outcome to Client.Finish. The client sends the key as a header, so that
// no address and no error can contain it. It makes the only retry, limits the time and the size of
// an answer, follows no redirects, reports each attempt, and turns errors into faults that are safe
// to log. The adapters know what differs between providers: the format of requests, answers and
// refusals.
package upstream

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"agentchat/internal/llm"
	"agentchat/internal/memory"
)

// LongestCall is the time limit of a call whose context has no deadline.
const LongestCall = 10 * time.Minute

// Provider describes one provider.
type Provider struct {
	// Name is the provider's name in the log.
	Name string
	// Key is the provider's secret, "" for none. It is sent in the header KeyHeader, after KeyPrefix.
	Key, KeyHeader, KeyPrefix string
	// Header is sent with every request of Post.
	Header map[string]string
	// Refusal parses the body of a response whose status is not 200.
	Refusal func(status int, body []byte) *StatusError
	// Limits bound each call.
	Limits Limits
}

// Limits bound one call in time. The context bounds the call as a whole.
type Limits struct {
	// Connect bounds making the connection and, separately, the TLS handshake.
	Connect time.Duration
	// FirstByte bounds the wait for the response header.
	FirstByte time.Duration
	// Refusal bounds reading the body of a refusal.
	Refusal time.Duration
	// Pause is the mean wait before the retry.
	Pause time.Duration
}

// DefaultLimits are the limits of the service.
var DefaultLimits = Limits{
	Connect: 5 * time.Second, FirstByte: 30 * time.Second, Refusal: 2 * time.Second, Pause: 500 * time.Millisecond,
}

// Client calls one provider. It is safe for concurrent use.
type Client struct {
	provider Provider
	// header is that of every request of Post, but for the key.
	header    http.Header
	transport *http.Transport
}

// New returns the client of a provider. It opens no connection.
func New(p Provider) *Client {
	header := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"agentchat"}}
	for name, value := range p.Header {
		header.Set(name, value)
	}
	return &Client{provider: p, header: header, transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, // never used for loopback addresses
		DialContext: (&net.Dialer{
			Timeout:   p.Limits.Connect,
			KeepAlive: 30 * time.Second,
		}).DialContext,
		TLSHandshakeTimeout:    p.Limits.Connect,
		ResponseHeaderTimeout:  p.Limits.FirstByte,
		MaxResponseHeaderBytes: 64 << 10,
		ForceAttemptHTTP2:      true,
		HTTP2: &http.HTTP2Config{
			SendPingTimeout: 15 * time.Second,
			PingTimeout:     5 * time.Second,
		},
		MaxIdleConns: 256,
		// With the default of 2, a busy service opens a connection for nearly every message.
		MaxIdleConnsPerHost: 256,
		IdleConnTimeout:     90 * time.Second,
	}}
}

// Finish ends a call of a model: it takes the adapter's error, nil for none, and returns the error
// for the caller. That is an error of emit, unchanged, or a fault (ModelError, ModelUnavailable,
// ModelTimeout, ContentBlocked, or Unavailable if memory ran out) whose text contains neither the
// key nor text of the provider. A refusal has an llm.ProviderError in its chain.
func (c *Client) Finish(ctx context.Context, model string, err error) error {
	if stopped, ok := errors.AsType[*emitError](err); ok {
		return stopped.err
	}
	if errors.Is(err, memory.ErrUsedUp) { // not the provider's fault
		if errors.Is(err, llm.ErrAnswered) {
			return fmt.Errorf("%w: %w", llm.ErrAnswered, memory.UsedUp())
		}
		return memory.UsedUp()
	}
	if err == nil {
		return nil
	}
	return c.provider.fault(ctx, model, err)
}

// CheckKey returns an error that says what is wrong with a key, without quoting it.
func CheckKey(key string) error {
	if strings.ContainsFunc(key, func(r rune) bool { return !isOfKey(r) }) {
		return errors.New("the API key contains an invalid character; copy it again, without spaces or quotes")
	}
	return nil
}

// isOfKey reports whether a key may contain a character.
func isOfKey(r rune) bool { return r > ' ' && r <= '~' }

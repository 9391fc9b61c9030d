// Package upstream is the policy by which the service reaches model providers over HTTP. It is the same for every provider.
//
// An adapter sends a request with Client.Post or Client.Send, reads the answer in its own goroutine, and passes the outcome to
// Client.Finish. The client adds the key as a header, so that no address and no error can contain it. It makes the only retry,
// limits the time and the size of an answer, follows no redirect, reports each attempt, and turns errors into faults
// that are safe to log. What differs between providers stays in the adapters: the format of requests, answers and refusals.
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

// Provider describes one provider to the policy.
type Provider struct {
	// Name is the provider's name in the log.
	Name string
	// Key is the provider's secret, "" for none. It is sent in the header KeyHeader, after KeyPrefix.
	Key, KeyHeader, KeyPrefix string
	// Header is sent with every request of Post.
	Header map[string]string
	// Refusal reads the body of an answer whose status is not 200.
	Refusal func(status int, body []byte) *StatusError
	// Limits bound each call.
	Limits Limits
}

// Limits bound one call in time. The context bounds the call as a whole.
type Limits struct {
	// Connect bounds making the connection and, separately, the TLS handshake.
	Connect time.Duration
	// FirstByte bounds the wait for the header of the answer.
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
	provider  Provider
	transport *http.Transport
}

// New returns the client of a provider. It opens no connection.
func New(p Provider) *Client {
	return &Client{provider: p, transport: &http.Transport{
		Proxy:                  http.ProxyFromEnvironment, // never used for loopback addresses
		DialContext:            (&net.Dialer{Timeout: p.Limits.Connect, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:    p.Limits.Connect,
		ResponseHeaderTimeout:  p.Limits.FirstByte,
		MaxResponseHeaderBytes: 64 << 10,
		ForceAttemptHTTP2:      true,
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 5 * time.Second},
		MaxIdleConns:           256,
		MaxIdleConnsPerHost:    256, // the default, 2, opens a new connection for nearly every message under load
		IdleConnTimeout:        90 * time.Second,
	}}
}

// Finish ends a call of Generate: it takes the adapter's error, nil for none, and returns the error for the caller. That is a fault
// (ModelError, ModelUnavailable, ModelTimeout, ContentBlocked, and Unavailable without memory) whose cause contains neither the key nor
// provider text, or the error of emit as it is.
func (c *Client) Finish(ctx context.Context, err error) error {
	if stopped, ok := errors.AsType[*emitError](err); ok {
		return stopped.err
	}
	if errors.Is(err, memory.ErrUsedUp) { // which says nothing about the provider
		if errors.Is(err, llm.ErrAnswered) {
			return fmt.Errorf("%w: %w", llm.ErrAnswered, memory.UsedUp())
		}
		return memory.UsedUp()
	}
	if err == nil {
		return nil
	}
	return c.provider.fault(ctx, err)
}

// CheckKey returns what is wrong with a key, without repeating it.
func CheckKey(key string) error {
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the API key contains an invalid character; copy it again, without spaces or quotes")
	}
	return nil
}

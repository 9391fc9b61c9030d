package upstream

import (
	"context"
	"net"
)

// DialBy replaces the function with which a client opens connections.
func DialBy(c *Client, dial func(ctx context.Context, network, address string) (net.Conn, error)) {
	c.transport.DialContext = dial
}

// RetryAfter parses a Retry-After header.
var RetryAfter = retryAfter

// Redact removes the key from a text.
var Redact = redact

// Masked removes what may be a secret from a provider's text.
var Masked = masked

// CloseIdle closes a client's idle connections.
func CloseIdle(c *Client) { c.transport.CloseIdleConnections() }

package upstream

import (
	"context"
	"net"
)

// DialBy makes a client open its connections in another way.
func DialBy(c *Client, dial func(ctx context.Context, network, address string) (net.Conn, error)) {
	c.transport.base.DialContext = dial
}

// RetryAfter reads a Retry-After header.
var RetryAfter = retryAfter

// Redact takes the key out of a text.
var Redact = redact

// Package outgoing posts to addresses that owners choose, but never to the operator's own network.
// No other package makes HTTP clients, except for the operator's webhook and for model providers.
//
// A name is checked when it is dialed, not when it is stored: it can resolve to another address at
// any time.
package outgoing

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"agentchat/internal/fault"
)

const (
	// connectWithin is the time limit for resolving, connecting and the TLS handshake, and postWithin
	// that of a whole request.
	connectWithin = 5 * time.Second
	postWithin    = 10 * time.Second
	maxURL        = 2048
	maxHeader     = 16 << 10
	// maxBody is the most that is read of a response's body. Its content is not used.
	maxBody = 64 << 10
)

// Client posts to public addresses and to those that the operator allows. It keeps no connection,
// follows no redirect and uses no proxy.
type Client struct {
	allow Allow
	// resolver is nil for the machine's.
	resolver *net.Resolver
	// ownAddresses returns the addresses of this machine's interfaces, which can change.
	ownAddresses func() ([]net.Addr, error)
}

// New returns a client.
func New(allow Allow) *Client { return &Client{allow: allow, ownAddresses: net.InterfaceAddrs} }

// Answer is a response.
type Answer struct {
	// Status is its HTTP status; 0 if none arrived.
	Status int
	Took   time.Duration
}

// failure is an error whose reason owners may know.
type failure struct {
	reason string
	err    error
}

func (f *failure) Error() string { return f.reason + ": " + f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

var (
	errAddress = &failure{"address", errors.New("the address is not allowed")}
	errStatus  = &failure{"status", errors.New("the status is not 2xx")}
)

// Reason returns the word for owners that classifies an error of Post: address (not allowed, or not
// found), connect (no connection, or it broke), tls, timeout or status (a response other than 2xx).
func Reason(err error) string {
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return "timeout"
	}
	if f, ok := errors.AsType[*failure](err); ok {
		return f.reason
	}
	// Otherwise owners could find out which names the operator's own network has.
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return "address"
	}
	return "connect"
}

// CheckURL checks the form of a URL, and its address if the host is one. Fault: InvalidInput, with a
// message for owners.
func (c *Client) CheckURL(raw string) error {
	_, err := c.parse(raw)
	return err
}

// target is a URL's destination.
type target struct {
	*url.URL
	port uint16
}

func (c *Client) parse(raw string) (target, error) {
	u, err := url.Parse(raw)
	if err != nil || len(raw) > maxURL || u.Hostname() == "" || u.Opaque != "" || u.User != nil ||
		u.Scheme != "https" && u.Scheme != "http" || strings.ContainsFunc(raw, isRefused) {
		return target{}, wrongURL("Write an https address without a user name, # or spaces, of at most 2,048 bytes.")
	}
	standard := map[string]string{"https": "443", "http": "80"}[u.Scheme]
	port, err := strconv.ParseUint(cmp.Or(u.Port(), standard), 10, 16)
	to := target{u, uint16(port)}
	exempt := c.allow.host(u, to.port)
	if ip, notIP := netip.ParseAddr(u.Hostname()); notIP == nil {
		exempt = exempt || c.allow.address(ip, to.port)
		if !exempt && !c.isPublic(ip) {
			return to, wrongURL("This address is not public.")
		}
	} else {
		exempt = exempt || c.allow.port(to.port)
	}
	switch {
	case exempt && err == nil:
		return to, nil
	case u.Scheme != "https":
		return to, wrongURL("The address must begin with https://.")
	case err != nil || port != 443:
		return to, wrongURL("Only port 443 is allowed.")
	}
	return to, nil
}

// isRefused reports whether a URL must not contain r: a fragment, spaces, and control characters,
// which could change what operators see in a terminal.
func isRefused(r rune) bool { return r == '#' || r == ' ' || !unicode.IsPrint(r) }

func wrongURL(message string) error {
	return fault.Invalid(fault.Field{Path: "url", Reason: fault.InvalidValue, Message: message})
}

// Post sends a body and waits for the response. Its error, which Reason classifies, is nil only
// after a 2xx status.
func (c *Client) Post(ctx context.Context, raw string, header http.Header, body []byte) (Answer, error) {
	to, err := c.parse(raw)
	if err != nil {
		return Answer{}, errAddress
	}
	ctx, cancel := context.WithTimeout(ctx, postWithin)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, raw, bytes.NewReader(body))
	if err != nil {
		return Answer{}, errAddress
	}
	maps.Copy(request.Header, header)
	began := time.Now()
	response, err := c.transport(to).RoundTrip(request) // follows no redirect
	if err != nil {
		return Answer{Took: time.Since(began)}, err
	}
	defer func() { _ = response.Body.Close() }()
	// The status is enough. After a 101 the body is the connection, and reading it has no time limit.
	if response.StatusCode != http.StatusSwitchingProtocols {
		_, _ = io.CopyN(io.Discard, response.Body, maxBody)
	}
	answer := Answer{response.StatusCode, time.Since(began)}
	if answer.Status < 200 || answer.Status > 299 {
		return answer, errStatus
	}
	return answer, nil
}

// transport returns the transport for one request to a target.
func (c *Client) transport(to target) *http.Transport {
	dial := (&net.Dialer{
		Resolver: c.resolver,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			return c.check(to, address)
		},
	}).DialContext
	return &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, connectWithin)
			defer cancel()
			return dial(ctx, network, address)
		},
		DialTLSContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, connectWithin)
			defer cancel()
			plain, err := dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			name, _, _ := net.SplitHostPort(address)
			conn := tls.Client(plain, &tls.Config{ServerName: name, MinVersion: tls.VersionTLS12})
			if err := conn.HandshakeContext(ctx); err != nil {
				_ = plain.Close()
				return nil, &failure{"tls", err}
			}
			return conn, nil
		},
		DisableKeepAlives:      true,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHeader,
	}
}

// check refuses a resolved address, right before it is connected to.
func (c *Client) check(to target, address string) error {
	resolved, err := netip.ParseAddrPort(address)
	switch {
	case err != nil:
		return errAddress
	case c.allow.host(to.URL, to.port), c.allow.address(resolved.Addr(), resolved.Port()):
		return nil
	case to.Scheme != "https" || resolved.Port() != 443 || !c.isPublic(resolved.Addr()):
		return errAddress
	}
	return nil
}

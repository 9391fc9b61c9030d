package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"golang.org/x/time/rate"
)

// Clients determines the addresses of clients. Create it with NewClients.
type Clients struct {
	trusted []netip.Prefix
	logger  *slog.Logger
	warning rate.Sometimes
}

// NewClients returns Clients that trust the X-Forwarded-For of the given proxies only. The logger
// gets a warning about entries that are not addresses, at most once a minute.
func NewClients(trusted []netip.Prefix, logger *slog.Logger) *Clients {
	return &Clients{trusted: trusted, logger: logger, warning: rate.Sometimes{Interval: time.Minute}}
}

type clientKey struct{}

// Handler serves each request with its client's address, for ClientAddress.
func (c *Clients) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), clientKey{}, c.Address(r))))
	})
}

// ClientAddress returns the address of the request's client, without a port or a zone. Outside of
// Clients.Handler it is the peer's. It is invalid if the request did not come over a network.
func ClientAddress(r *http.Request) netip.Addr {
	if address, found := r.Context().Value(clientKey{}).(netip.Addr); found {
		return address
	}
	return peer(r)
}

func peer(r *http.Request) netip.Addr {
	address, _ := parseAddress(r.RemoteAddr)
	return address
}

// Address returns the last address that is not a trusted proxy's: the peer of the outermost one.
// Each proxy appends its own peer to the header, and entries before that are only claims.
func (c *Clients) Address(r *http.Request) netip.Addr {
	hop := peer(r)
	header := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	if strings.Trim(header, ", \t") == "" {
		return hop
	}
	for _, entry := range slices.Backward(strings.Split(header, ",")) {
		if !c.trusts(hop) {
			break
		}
		next, ok := parseAddress(strings.TrimSpace(entry))
		if !ok {
			c.warn(r.Context(), hop)
			break
		}
		hop = next
	}
	return hop
}

func (c *Clients) trusts(hop netip.Addr) bool {
	return slices.ContainsFunc(c.trusted, func(network netip.Prefix) bool {
		return network.Contains(hop)
	})
}

func (c *Clients) warn(ctx context.Context, proxy netip.Addr) {
	c.warning.Do(func() {
		c.logger.WarnContext(ctx,
			"a trusted proxy's X-Forwarded-For has an entry that is not an IP address; "+
				"the proxy's own address is used for the client", slog.String("proxy", proxy.String()))
	})
}

// parseAddress parses an address with or without a port; an IPv6 address may be in brackets. It
// normalizes addresses for comparing and storing: IPv4 addresses have one form, and zones, which
// are only valid on one host, are dropped.
func parseAddress(text string) (netip.Addr, bool) {
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if err != nil {
		var withPort netip.AddrPort
		withPort, err = netip.ParseAddrPort(text)
		address = withPort.Addr()
	}
	return address.Unmap().WithZone(""), err == nil
}

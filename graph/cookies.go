package graph

import (
	"net/http"
	"net/netip"
	"time"

	"github.com/go-chi/chi/v5/middleware"
)

// cookies reads and writes the two cookies of a sign-in. Both are HttpOnly and SameSite=Strict, without a Domain; under https
// the name's __Host- prefix makes browsers hold them to that (RFC 6265bis, 4.1.3).
type cookies struct {
	r      *http.Request
	secure bool
}

const (
	refreshCookie = "agentchat_refresh"
	browserCookie = "agentchat_browser"
	hostPrefix    = "__Host-"
	// browserFor is how long a browser stays known to the account that signed in with it.
	browserFor = 365 * 24 * time.Hour
)

func (h *endpoint) cookies(r *http.Request) cookies { return cookies{r: r, secure: h.secure} }

func (c cookies) name(base string) string {
	if c.secure {
		return hostPrefix + base
	}
	return base
}

// get returns a cookie's value, "" when it is absent or came twice.
func (c cookies) get(base string) string {
	if c.r == nil {
		return ""
	}
	found := c.r.CookiesNamed(c.name(base))
	if len(found) != 1 {
		return ""
	}
	return found[0].Value
}

func (ex *exchange) setCookie(base, value string, lives time.Duration) {
	age := int(lives.Seconds())
	if value == "" {
		age = -1
	}
	http.SetCookie(ex.w, &http.Cookie{Name: ex.cookies.name(base), Value: value, Path: "/", MaxAge: age, HttpOnly: true,
		Secure: ex.cookies.secure, SameSite: http.SameSiteStrictMode})
}

// client is where a request comes from: the address as the trusted proxies tell it.
func (h *endpoint) client(r *http.Request) clientInfo {
	address := middleware.GetClientIP(r.Context())
	if address == "" {
		if peer, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
			address = peer.Addr().Unmap().String()
		}
	}
	return clientInfo{address: address, browser: r.UserAgent()}
}

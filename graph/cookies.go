package graph

import (
	"net/http"
	"time"

	"agentchat/internal/httpapi"
	"agentchat/internal/identity"
)

// The two cookies of a sign-in. Both are HttpOnly and SameSite=Strict, without a Domain; under
// https the name's __Host- prefix makes browsers enforce that (RFC 6265bis, 4.1.3).
const (
	refreshCookie = "agentchat_refresh"
	browserCookie = "agentchat_browser"
	hostPrefix    = "__Host-"
	// browserFor is the time for which a browser stays known to the account that signed in there.
	browserFor = 365 * 24 * time.Hour
)

func (req *request) cookieName(base string) string {
	if req.secure {
		return hostPrefix + base
	}
	return base
}

// cookie returns a cookie's value. It is "" if the cookie is absent, was sent twice, or came with a
// GET: any link can send a GET.
func (req *request) cookie(base string) string {
	if req.R.Method != http.MethodPost {
		return ""
	}
	found := req.R.CookiesNamed(req.cookieName(base))
	if len(found) != 1 {
		return ""
	}
	return found[0].Value
}

// setCookie sets a cookie, or removes it when value is empty.
func (req *request) setCookie(base, value string, lifetime time.Duration) {
	age := int(lifetime.Seconds())
	if value == "" {
		age = -1
	}
	http.SetCookie(
		req.W,
		&http.Cookie{Name: req.cookieName(base), Value: value, Path: "/", MaxAge: age, HttpOnly: true,
			Secure: req.secure, SameSite: http.SameSiteStrictMode},
	)
}

// begin sets the cookies of a sign-in.
func (req *request) begin(in identity.SignedIn) {
	req.signedIn = &in.Principal
	req.setCookie(refreshCookie, in.RefreshToken, time.Until(in.RefreshExpiresAt))
	req.setCookie(browserCookie, in.KnownBrowser, browserFor)
}

// end removes the refresh cookie. The browser stays known.
func (req *request) end() { req.setCookie(refreshCookie, "", 0) }

// clientOf returns the client of the request: its address, browser and cookies.
func (req *request) clientOf() identity.Client {
	return identity.Client{
		Address:      httpapi.ClientAddress(req.R),
		Browser:      req.R.UserAgent(),
		KnownBrowser: req.cookie(browserCookie),
		RefreshToken: req.cookie(refreshCookie),
	}
}

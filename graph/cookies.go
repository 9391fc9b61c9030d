package graph

import (
	"net/http"
	"time"

	"agentchat/internal/httpapi"
	"agentchat/internal/identity"
)

// The two cookies of a sign-in. Both are HttpOnly and SameSite=Strict, without a Domain; under https the name's __Host- prefix
// makes browsers enforce that (RFC 6265bis, 4.1.3).
const (
	refreshCookie = "agentchat_refresh"
	browserCookie = "agentchat_browser"
	hostPrefix    = "__Host-"
	// browserFor is how long a browser stays known to the account that signed in with it.
	browserFor = 365 * 24 * time.Hour
)

func (ex *exchange) cookieName(base string) string {
	if ex.secure {
		return hostPrefix + base
	}
	return base
}

// cookie returns a cookie's value. It is "" when the cookie is absent, was sent twice, or came with a GET: any link
// can send one.
func (ex *exchange) cookie(base string) string {
	if ex.R.Method != http.MethodPost {
		return ""
	}
	found := ex.R.CookiesNamed(ex.cookieName(base))
	if len(found) != 1 {
		return ""
	}
	return found[0].Value
}

// setCookie sets a cookie, or removes it when value is empty.
func (ex *exchange) setCookie(base, value string, lifetime time.Duration) {
	age := int(lifetime.Seconds())
	if value == "" {
		age = -1
	}
	http.SetCookie(ex.W, &http.Cookie{Name: ex.cookieName(base), Value: value, Path: "/", MaxAge: age, HttpOnly: true,
		Secure: ex.secure, SameSite: http.SameSiteStrictMode})
}

// begin gives the client a sign-in's cookies.
func (ex *exchange) begin(in identity.SignedIn) {
	ex.signedIn = &in.Principal
	ex.setCookie(refreshCookie, in.RefreshToken, time.Until(in.RefreshExpiresAt))
	ex.setCookie(browserCookie, in.KnownBrowser, browserFor)
}

// end removes the refresh cookie. The browser stays known.
func (ex *exchange) end() { ex.setCookie(refreshCookie, "", 0) }

// clientOf is where the request comes from.
func (ex *exchange) clientOf() identity.Client {
	return identity.Client{Address: httpapi.ClientAddress(ex.R), Browser: ex.R.UserAgent(), KnownBrowser: ex.cookie(browserCookie),
		RefreshToken: ex.cookie(refreshCookie)}
}

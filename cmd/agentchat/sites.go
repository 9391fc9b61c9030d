package main

import (
	"log/slog"
	"net/netip"
	"net/url"

	"golang.org/x/net/publicsuffix"
)

// warnOfOtherSites logs the origins whose panels don't get the refresh cookie from browsers,
// because it is SameSite=Strict.
func warnOfOtherSites(origins []string, publicURL string, logger *slog.Logger) {
	for _, origin := range origins {
		if siteOf(origin) != siteOf(publicURL) {
			logger.Warn("panels of this origin cannot renew their sign-ins, because browsers send the cookie only within the "+
				"site of PUBLIC_URL: use an origin of that site in ALLOWED_ORIGINS",
				slog.String("origin", origin), slog.String("public_url", publicURL))
		}
	}
}

// siteOf returns the site of an address as browsers define it: the scheme and the registrable
// domain, or the host if it has none.
func siteOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	host := u.Hostname()
	if _, err := netip.ParseAddr(host); err == nil {
		return u.Scheme + "://" + host
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		host = domain
	}
	return u.Scheme + "://" + host
}

package graph_test

import (
	"net/http"
	"strings"
	"testing"

	"agentchat/graph"
)

const (
	renew   = `mutation { renewAccess { accessToken expiresAt } }`
	signOut = `mutation { signOut { ok } }`
)

// secured configures a bench with an https address.
func secured(o *options) { o.graph.Info.BaseURL = "https://chat.example.com" }

// cookie returns the only cookie that a response sets under a name.
func (a answer) cookie(t *testing.T, name string) *http.Cookie {
	t.Helper()
	var found []*http.Cookie
	for _, c := range a.cookies {
		if c.Name == name {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d cookies %s in %v", len(found), name, a.header.Values("Set-Cookie"))
	}
	return found[0]
}

func TestCookies(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change []func(*options)
		prefix string
		secure bool
	}{"http": {}, "https": {[]func(*options){secured}, "__Host-", true}} {
		b := newBench(t, c.change...)
		u := signedIn(t, b)
		check := func(what string, a answer, names ...string) {
			t.Helper()
			if len(a.cookies) != len(names) {
				t.Errorf("%s, %s: cookies %v", name, what, a.header.Values("Set-Cookie"))
			}
			for _, base := range names {
				got := a.cookie(t, c.prefix+base)
				if !got.HttpOnly || got.SameSite != http.SameSiteStrictMode || got.Domain != "" ||
					got.Path != "/" || got.Secure != c.secure {
					t.Errorf("%s, %s: flags of %s", name, what, got)
				}
				if strings.Contains(a.body, got.Value) && got.Value != "" {
					t.Errorf("%s, %s: a cookie's value is in the body", name, what)
				}
			}
		}
		in := b.do(t, call{query: signInDocument, vars: vars{"email": u.account.Email, "password": password}})
		check("signIn", in, graph.RefreshCookie, graph.BrowserCookie)
		if age := in.cookie(t, c.prefix+graph.RefreshCookie).MaxAge; age < 6*24*3600 || age > 7*24*3600 {
			t.Errorf("%s: the refresh cookie lives %d s, want seven days", name, age)
		}
		if age := in.cookie(t, c.prefix+graph.BrowserCookie).MaxAge; age < 300*24*3600 {
			t.Errorf("%s: the browser's mark lives %d s", name, age)
		}
		renewed := b.do(t, call{query: renew, cookies: in.cookies})
		check("renewAccess", renewed.wantNone(t, "renewAccess"), graph.RefreshCookie, graph.BrowserCookie)
		out := b.do(t, call{query: signOut, cookies: renewed.cookies})
		check("signOut", out, graph.RefreshCookie)
		if gone := out.cookie(t, c.prefix+graph.RefreshCookie); gone.MaxAge >= 0 || gone.Value != "" {
			t.Errorf("%s: signOut leaves %s", name, gone)
		}
		check("a refusal", b.do(t, call{query: renew, cookies: renewed.cookies}))
		check("signUp", b.do(t, call{query: signUp, vars: vars{"input": vars{"email": "a@example.com",
			"password": password, "name": "A"}}}),
			graph.RefreshCookie, graph.BrowserCookie)
		all := u.do(t, everyEnd, nil)
		check("signOutEverywhere", all, graph.RefreshCookie)
	}
}

// Under https, a cookie without the prefix, which another site of the domain could set, is ignored.
func TestCookieOfTheOtherNameIsIgnored(t *testing.T) {
	t.Parallel()
	b := newBench(t, secured)
	u := signedIn(t, b)
	token := (answer{cookies: u.cookies}).cookie(t, "__Host-"+graph.RefreshCookie).Value
	for what, cookies := range map[string][]*http.Cookie{
		"without the prefix": {{Name: graph.RefreshCookie, Value: token}},
		"twice": {{Name: "__Host-" + graph.RefreshCookie, Value: token}, {
			Name: "__Host-" + graph.RefreshCookie, Value: token}},
		"none":             nil,
		"altered":          {{Name: "__Host-" + graph.RefreshCookie, Value: token[:len(token)-1]}},
		"the access token": {{Name: "__Host-" + graph.RefreshCookie, Value: u.token}},
	} {
		a := b.do(t, call{query: renew, cookies: cookies})
		a.want(t, what, http.StatusOK, "UNAUTHENTICATED")
	}
	b.do(t, call{query: renew, cookies: u.cookies}).wantNone(t, "the right one")
}

// Signing in or up again in a browser ends its earlier sign-in.
func TestSigningInAgainEndsTheCookiesSignIn(t *testing.T) {
	t.Parallel()
	b := newBench(t, secured)
	u := signedIn(t, b)
	in := call{query: signInDocument, vars: vars{"email": u.account.Email, "password": password}}
	in.cookies = u.cookies
	again := b.do(t, in).wantNone(t, "again")
	u.do(t, viewer, nil).want(t, "the earlier one", http.StatusUnauthorized, "UNAUTHENTICATED")
	up := vars{"email": "grace@example.com", "password": password, "name": "G"}
	b.do(t, call{query: signUp, vars: vars{"input": up}, cookies: again.cookies}).
		wantNone(t, "signing up")
	b.do(t, call{query: renew, cookies: again.cookies}).want(t, "after signing up",
		http.StatusOK, "UNAUTHENTICATED")
}

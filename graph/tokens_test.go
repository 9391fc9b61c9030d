package graph_test

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/graph"
)

// signed signs claims under a header as the service does, with changes to the claims; nil removes one.
func (u *user) signed(t *testing.T, header string, changes map[string]any) string {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(strings.Split(u.token, ".")[1])
	if err != nil {
		t.Fatal(err)
	}
	claims := map[string]any{}
	if err := json.Unmarshal(raw, &claims); err != nil {
		t.Fatal(err)
	}
	for name, value := range changes {
		claims[name] = value
		if value == nil {
			delete(claims, name)
		}
	}
	body, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	key, err := hkdf.Key(sha256.New, []byte("a signing secret of 32 bytes or more"), nil, "agentchat access token", 32)
	if err != nil {
		t.Fatal(err)
	}
	text := base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString(body)
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return text + "." + base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

func TestOddAccessTokens(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	const header = `{"alg":"HS256","typ":"JWT"}`
	b.do(t, call{query: viewer, token: u.signed(t, header, nil)}).wantNone(t, "signed rightly by the test")
	parts := strings.Split(u.token, ".")
	last := map[bool]string{true: "A", false: "B"}[!strings.HasSuffix(parts[2], "A")]
	now := time.Now().Unix()
	refresh := (answer{cookies: u.cookies}).cookie(t, graph.RefreshCookie).Value
	odd := map[string]string{
		"one letter": "x", "two dots": "..", "no signature": parts[0] + "." + parts[1] + ".", "no third part": parts[0] + "." + parts[1],
		"alg none":    base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + parts[1] + ".",
		"alg nOnE":    u.signed(t, `{"alg":"nOnE","typ":"JWT"}`, nil),
		"HS512":       u.signed(t, `{"alg":"HS512","typ":"JWT"}`, nil),
		"kid":         u.signed(t, `{"alg":"HS256","kid":"../../dev/null","typ":"JWT"}`, nil),
		"jku":         u.signed(t, `{"alg":"HS256","jku":"https://evil.example/keys","typ":"JWT"}`, nil),
		"no exp":      u.signed(t, header, map[string]any{"exp": nil}),
		"expired":     u.signed(t, header, map[string]any{"exp": now - 3600}),
		"exp a text":  u.signed(t, header, map[string]any{"exp": "9999999999"}),
		"nbf ahead":   u.signed(t, header, map[string]any{"nbf": now + 3600}),
		"iat ahead":   u.signed(t, header, map[string]any{"iat": now + 3600}),
		"no iat":      u.signed(t, header, map[string]any{"iat": nil}),
		"wrong aud":   u.signed(t, header, map[string]any{"aud": "another"}),
		"no aud":      u.signed(t, header, map[string]any{"aud": nil}),
		"wrong iss":   u.signed(t, header, map[string]any{"iss": "another"}),
		"no sub":      u.signed(t, header, map[string]any{"sub": nil}),
		"other's sub": u.signed(t, header, map[string]any{"sub": other.account.ID.String()}),
		"wrong typ":   u.signed(t, header, map[string]any{"typ": "refresh"}),
		"no sid":      u.signed(t, header, map[string]any{"sid": nil}),
		"random sid":  u.signed(t, header, map[string]any{"sid": uuid.NewString()}),
		"altered":     u.token[:len(u.token)-1] + last, "padded": u.token + "=", "longer": u.token + "A",
		"the refresh token": refresh, "another word after": u.token + " x", "4 KiB": u.token + strings.Repeat("A", 4096),
		"its claims, other signature": parts[0] + "." + parts[1] + "." + strings.Split(other.token, ".")[2],
	}
	before := b.statements.n.Load()
	for what, token := range odd {
		a := b.do(t, call{query: viewer, token: token})
		a.want(t, what, http.StatusUnauthorized, "UNAUTHENTICATED")
		// Where no token is needed it is as if there were none.
		b.do(t, call{query: `{ serviceInfo { version } }`, token: token}).wantNone(t, what+", serviceInfo")
	}
	if n := b.statements.n.Load() - before; n > 9 {
		t.Errorf("%d statements ran, more than for the nine tokens that are signed rightly and name account and sign-in", n)
	}
	stale := odd["expired"]
	b.do(t, call{query: signInDocument, token: stale, vars: vars{"email": u.account.Email, "password": password}}).wantNone(t, "signIn")
	b.do(t, call{query: renew, token: stale, cookies: u.cookies}).wantNone(t, "renewAccess")
	b.do(t, call{query: signOut, token: stale}).wantNone(t, "signOut")
	u.do(t, viewer, nil).wantNone(t, "the good one still")
	for what, value := range map[string]string{"Basic": "Basic " + u.token, "no scheme": u.token, "two": "Bearer " + u.token + ", Bearer " + u.token} {
		b.do(t, call{query: viewer, header: map[string]string{"Authorization": value}}).want(t, what, http.StatusUnauthorized, "UNAUTHENTICATED")
	}
	b.do(t, call{query: viewer, header: map[string]string{"Authorization": "bearer  " + u.token}}).wantNone(t, "lower case, two spaces")
	t.Logf("%d odd tokens, none accepted", len(odd))
}

package auth_test

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"agentchat/internal/auth"
	"agentchat/internal/fault"
)

var secret = []byte("a signing secret of 32 bytes or more")

var (
	userID   = uuid.MustParse("01920000-0000-7000-8000-000000000001")
	signInID = uuid.MustParse("01920000-0000-7000-8000-000000000002")
	issuedAt = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
)

func newTokens(t *testing.T) *auth.Tokens {
	t.Helper()
	tokens, err := auth.NewTokens(secret)
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}

// accessKey derives the key of access tokens by RFC 5869, to sign invalid tokens with the right
// key.
func accessKey(t *testing.T) []byte {
	t.Helper()
	key, err := hkdf.Key(sha256.New, secret, nil, "agentchat access token", 32)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// good returns the claims of a token that is valid at issuedAt.
func good() map[string]any {
	return map[string]any{"iss": "agentchat", "aud": "agentchat-panel", "sub": userID.String(), "sid": signInID.String(),
		"typ": "access", "iat": issuedAt.Unix(), "exp": issuedAt.Add(15 * time.Minute).Unix()}
}

// with returns the good claims with some changed; nil removes a claim.
func with(changes map[string]any) map[string]any {
	out := good()
	maps.Copy(out, changes)
	maps.DeleteFunc(out, func(_ string, v any) bool { return v == nil })
	return out
}

func segment(t *testing.T, v any) string {
	t.Helper()
	text, ok := v.(string)
	if !ok {
		encoded, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		text = string(encoded)
	}
	return base64.RawURLEncoding.EncodeToString([]byte(text))
}

// sign signs a header and claims, given as values or as JSON text, with HMAC-SHA256, whatever the
// header says.
func sign(t *testing.T, header, claims any) string {
	t.Helper()
	text := segment(t, header) + "." + segment(t, claims)
	h := hmac.New(sha256.New, accessKey(t))
	h.Write([]byte(text))
	return text + "." + base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

const plainHeader = `{"alg":"HS256","typ":"JWT"}`

// signedBy signs the good claims by the library, with any of its methods.
func signedBy(t *testing.T, method jwt.SigningMethod, key any) string {
	t.Helper()
	token, err := jwt.NewWithClaims(method, jwt.MapClaims(good())).SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestAccessTokenForm(t *testing.T) {
	t.Parallel()
	tokens := newTokens(t)
	token, expires := tokens.IssueAccess(userID, signInID, issuedAt.Add(300*time.Millisecond))
	if want := issuedAt.Add(15 * time.Minute); !expires.Equal(want) {
		t.Errorf("expires %v, want %v", expires, want)
	}
	parts := strings.Split(token, ".")
	var claims map[string]any
	payload, _ := base64.RawURLEncoding.DecodeString(parts[1])
	if err := json.Unmarshal(payload, &claims); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"iss": "agentchat", "aud": "agentchat-panel", "sub": userID.String(), "sid": signInID.String(),
		"typ": "access", "iat": float64(issuedAt.Unix()), "exp": float64(issuedAt.Add(15 * time.Minute).Unix())}
	if !maps.Equal(claims, want) {
		t.Errorf("claims %v, want %v", claims, want)
	}
	if header, _ := base64.RawURLEncoding.DecodeString(parts[0]); string(header) != plainHeader {
		t.Errorf("header %s", header)
	}
}

func TestAccessTokenTimes(t *testing.T) {
	t.Parallel()
	tokens := newTokens(t)
	token, expires := tokens.IssueAccess(userID, signInID, issuedAt)
	early := sign(t, plainHeader, with(map[string]any{"nbf": issuedAt.Add(time.Minute).Unix()}))
	for name, c := range map[string]struct {
		token string
		now   time.Time
		want  bool
	}{
		"at once":                        {token, issuedAt, true},
		"by a clock 30 s behind":         {token, issuedAt.Add(-30 * time.Second), true},
		"by a clock 31 s behind":         {token, issuedAt.Add(-31 * time.Second), false},
		"just before its end and leeway": {token, expires.Add(30*time.Second - time.Nanosecond), true},
		"at its end and leeway":          {token, expires.Add(30 * time.Second), false},
		"long after":                     {token, expires.Add(24 * time.Hour), false},
		"before nbf":                     {early, issuedAt, false},
		"at nbf less the leeway":         {early, issuedAt.Add(30 * time.Second), true},
	} {
		p, err := tokens.ParseAccess(c.token, c.now)
		switch {
		case c.want && (err != nil || p != auth.Principal{UserID: userID, SignInID: signInID}):
			t.Errorf("%s: %+v, %v", name, p, err)
		case !c.want && (!fault.Is(err, fault.Unauthorized) || p != auth.Principal{}):
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}

// oddTokens returns tokens that must be refused at issuedAt. Signed ones have the right key. The
// header is compared as text, so a few headers are enough.
func oddTokens(t *testing.T) map[string]string {
	t.Helper()
	tokens := newTokens(t)
	key := accessKey(t)
	valid, _ := tokens.IssueAccess(userID, signInID, issuedAt)
	parts := strings.Split(valid, ".")
	odd := map[string]string{
		"empty":                              "",
		"words":                              "not a token",
		"HS512 with the same key":            signedBy(t, jwt.SigningMethodHS512, key),
		"HS256 with the secret itself":       signedBy(t, jwt.SigningMethodHS256, secret),
		"HS256 with an empty key":            signedBy(t, jwt.SigningMethodHS256, []byte{}),
		"alg none":                           signedBy(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType),
		"alg none over the right signature":  sign(t, `{"alg":"none","typ":"JWT"}`, good()),
		"alg RS256 over an HMAC":             sign(t, `{"alg":"RS256","typ":"JWT"}`, good()),
		"no alg":                             sign(t, `{"typ":"JWT"}`, good()),
		"alg twice":                          sign(t, `{"alg":"none","alg":"HS256","typ":"JWT"}`, good()),
		"another typ in the header":          sign(t, `{"alg":"HS256","typ":"at+jwt"}`, good()),
		"kid":                                sign(t, `{"alg":"HS256","kid":"../../dev/null","typ":"JWT"}`, good()),
		"crit":                               sign(t, `{"alg":"HS256","crit":["exp"],"typ":"JWT"}`, good()),
		"header null":                        sign(t, `null`, good()),
		"no signature":                       parts[0] + "." + parts[1] + ".",
		"two parts":                          parts[0] + "." + parts[1],
		"one part":                           strings.Join(parts, ""),
		"four parts":                         valid + ".",
		"another token's signature":          parts[0] + "." + segment(t, with(map[string]any{"sub": uuid.NewString()})) + "." + parts[2],
		"last character altered":             alterLast(valid),
		"padded":                             valid + "=",
		"line break in the signature":        valid[:len(valid)-5] + "\n" + valid[len(valid)-5:],
		"line break at the end":              valid + "\r\n",
		"blank in front":                     " " + valid,
		"4 KB of signature":                  valid + strings.Repeat("A", 4096),
		"10 MB":                              parts[0] + "." + strings.Repeat("A", 10<<20) + "." + parts[2],
		"10 MB of dots":                      strings.Repeat(".", 10<<20),
		"refresh token":                      tokens.MintRefresh(signInID, 1),
		"refresh token as signature":         parts[0] + "." + parts[1] + "." + tokens.MintRefresh(signInID, 1),
		"claims null":                        sign(t, plainHeader, `null`),
		"claims a list":                      sign(t, plainHeader, `[]`),
		"claims and more after them":         sign(t, plainHeader, string(mustJSON(t, good()))+"{}"),
		"sub twice":                          sign(t, plainHeader, `{"sub":"`+uuid.NewString()+`",`+string(mustJSON(t, good()))[1:]),
		"signed, then more than 4 KB":        sign(t, plainHeader, with(map[string]any{"more": strings.Repeat("x", 4096)})),
		"an api key":                         "agc_0123456789abcdef0123456789abcdefABCDEF",
		"another service's secret":           foreign(t),
		"standard base64 instead of urlsafe": strings.NewReplacer("-", "+", "_", "/").Replace(valid) + "+",
	}
	for name, claims := range oddClaims() {
		odd[name] = sign(t, plainHeader, with(claims))
	}
	return odd
}

// oddClaims returns changes to the good claims that make a token invalid.
func oddClaims() map[string]map[string]any {
	at := func(d time.Duration) int64 { return issuedAt.Add(d).Unix() }
	return map[string]map[string]any{
		"no exp":                       {"exp": nil},
		"exp 0":                        {"exp": 0},
		"exp negative":                 {"exp": -1},
		"expired beyond the leeway":    {"exp": at(-31 * time.Second)},
		"exp as a text":                {"exp": "1769861700"},
		"exp with a fraction":          {"exp": json.Number("1769861700.5")},
		"exp as a power":               {"exp": json.Number("1e10")},
		"exp true":                     {"exp": true},
		"exp past 64 bits":             {"exp": json.Number("99999999999999999999")},
		"EXP":                          {"exp": nil, "EXP": at(time.Hour)},
		"nbf ahead":                    {"nbf": at(time.Minute)},
		"nbf as a text":                {"nbf": "0"},
		"iat ahead":                    {"iat": at(time.Minute)},
		"no iat":                       {"iat": nil},
		"no aud":                       {"aud": nil},
		"wrong aud":                    {"aud": "agentchat-api"},
		"aud a list with another":      {"aud": []string{"agentchat-panel", "other"}},
		"aud an empty list":            {"aud": []string{}},
		"wrong iss":                    {"iss": "agentchat.example"},
		"no iss":                       {"iss": nil},
		"no sub":                       {"sub": nil},
		"sub not an id":                {"sub": "admin"},
		"sub in braces":                {"sub": "{" + userID.String() + "}"},
		"sub in upper case":            {"sub": "ABCDEF00-0000-7000-8000-000000000001"},
		"sub without dashes":           {"sub": strings.ReplaceAll(userID.String(), "-", "")},
		"sub the nil id":               {"sub": uuid.Nil.String()},
		"sub a number":                 {"sub": 1},
		"no sid":                       {"sid": nil},
		"sid not an id":                {"sid": "1 OR 1=1"},
		"typ refresh":                  {"typ": "refresh"},
		"typ in upper case":            {"typ": "ACCESS"},
		"no typ":                       {"typ": nil},
		"typ a list that has the word": {"typ": []string{"access"}},
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// alterLast changes the last character by one, which of a 32-byte signature changes only bits that
// a lax decoder drops.
func alterLast(token string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := strings.IndexByte(alphabet, token[len(token)-1])
	return token[:len(token)-1] + string(alphabet[last^1])
}

func foreign(t *testing.T) string {
	t.Helper()
	other, err := auth.NewTokens(bytes.Repeat([]byte("x"), 32))
	if err != nil {
		t.Fatal(err)
	}
	token, _ := other.IssueAccess(userID, signInID, issuedAt)
	return token
}

func TestOddAccessTokens(t *testing.T) {
	t.Parallel()
	tokens := newTokens(t)
	// The good claims are valid, so each row is refused for its change.
	if _, err := tokens.ParseAccess(sign(t, plainHeader, good()), issuedAt); err != nil {
		t.Fatalf("the good claims: %v", err)
	}
	for name, token := range oddTokens(t) {
		p, err := tokens.ParseAccess(token, issuedAt)
		if !fault.Is(err, fault.Unauthorized) || p != (auth.Principal{}) {
			t.Errorf("%s: %+v, %v, want unauthorized", name, p, err)
		}
		if text := fault.ClientMessage(err); text != fault.ClientMessage(fault.Wrap(fault.Unauthorized, nil)) {
			t.Errorf("%s: the client reads %q", name, text)
		}
	}
	if _, err := (auth.AccessToken{}).At(issuedAt); !fault.Is(err, fault.Unauthorized) {
		t.Errorf("the zero token: %v", err)
	}
}

// TestEveryBitCounts checks that a token with any bit flipped is refused.
func TestEveryBitCounts(t *testing.T) {
	t.Parallel()
	tokens := newTokens(t)
	token, _ := tokens.IssueAccess(userID, signInID, issuedAt)
	for i := range len(token) * 8 {
		turned := []byte(token)
		turned[i/8] ^= 1 << (i % 8)
		if _, err := tokens.ParseAccess(string(turned), issuedAt); !fault.Is(err, fault.Unauthorized) {
			t.Fatalf("bit %d turned: %v", i, err)
		}
	}
}

func TestShortSecrets(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 31} {
		if tokens, err := auth.NewTokens(make([]byte, n)); err == nil || tokens != nil {
			t.Errorf("a secret of %d bytes was taken", n)
		}
	}
	if _, err := auth.NewTokens(make([]byte, 32)); err != nil {
		t.Errorf("a secret of 32 bytes: %v", err)
	}
}

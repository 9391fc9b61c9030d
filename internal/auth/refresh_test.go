package auth_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/auth"
)

func TestRefreshTokens(t *testing.T) {
	t.Parallel()
	tokens := newTokens(t)
	for _, generation := range []uint32{1, 2, 255, 256, math.MaxInt32} {
		token := tokens.MintRefresh(signInID, generation)
		parsed, ok := tokens.ParseRefresh(token)
		id, got := parsed.SignInID, parsed.Generation
		if !ok || id != signInID || got != generation {
			t.Errorf("generation %d came back as %v, %d, %v", generation, id, got, ok)
		}
		if token != newTokens(t).MintRefresh(signInID, generation) {
			t.Errorf("generation %d is not the same at every replica", generation)
		}
		if len(token) != 70 || strings.ContainsAny(token, "+/=;, \"") {
			t.Errorf("%q cannot be stored in a cookie without escaping", token)
		}
	}
	if tokens.MintRefresh(signInID, 1) == tokens.MintRefresh(signInID, 2) ||
		tokens.MintRefresh(signInID, 1) == tokens.MintRefresh(userID, 1) {
		t.Error("two generations or sign-ins share a token")
	}
	if auth.RefreshHash("a") == auth.RefreshHash("b") {
		t.Error("the hash does not depend on the token")
	}
}

func TestOddRefreshTokens(t *testing.T) {
	t.Parallel()
	tokens := newTokens(t)
	valid := tokens.MintRefresh(signInID, 7)
	access, _ := tokens.IssueAccess(userID, signInID, issuedAt)
	foreignTokens, err := auth.NewTokens(append([]byte("x"), secret...))
	if err != nil {
		t.Fatal(err)
	}
	for name, token := range map[string]string{
		"empty":                      "",
		"cut":                        valid[:69],
		"longer":                     valid + "A",
		"padded":                     valid + "==",
		"last character altered":     alterLast(valid),
		"line break for a character": valid[:69] + "\n",
		"another generation":         tokens.MintRefresh(signInID, 8)[:28] + valid[28:],
		"another sign-in":            tokens.MintRefresh(userID, 7)[:24] + valid[24:],
		"another secret":             foreignTokens.MintRefresh(signInID, 7),
		"an access token":            access,
		"its first 70":               access[:70],
		"a known browser":            tokens.MintKnownBrowser(userID),
		"zeros":                      strings.Repeat("A", 70),
		"generation 0":               tokens.MintRefresh(signInID, 0),
		"generation 2^31":            tokens.MintRefresh(signInID, 1<<31),
		"10 MB":                      strings.Repeat("A", 10<<20),
	} {
		if parsed, ok := tokens.ParseRefresh(token); ok {
			id, generation := parsed.SignInID, parsed.Generation
			t.Errorf("%s: read as %v, %d", name, id, generation)
		}
	}
	for i := range len(valid) * 8 {
		turned := []byte(valid)
		turned[i/8] ^= 1 << (i % 8)
		if _, ok := tokens.ParseRefresh(string(turned)); ok {
			t.Fatalf("bit %d turned is accepted", i)
		}
	}
}

func TestKnownBrowsers(t *testing.T) {
	t.Parallel()
	tokens := newTokens(t)
	mark := tokens.MintKnownBrowser(userID)
	if !newTokens(t).IsKnownBrowser(userID, mark) {
		t.Error("the account's own mark is not known")
	}
	for name, text := range map[string]string{"empty": "", "another account's": tokens.MintKnownBrowser(signInID), "cut": mark[1:],
		"altered": alterLast(mark), "a refresh token": tokens.MintRefresh(userID, 1), "the id": userID.String()} {
		if tokens.IsKnownBrowser(userID, text) {
			t.Errorf("%s: known", name)
		}
	}
}

func TestThrottleKeys(t *testing.T) {
	t.Parallel()
	tokens := newTokens(t)
	seen := map[[32]byte]string{}
	for _, k := range [][2]string{{"sign-in", "a@example.com"}, {"sign-in", "b@example.com"}, {"sign-up", "a@example.com"},
		{"sign-ina", "@example.com"}, {"password", uuid.NewString()}} {
		key := tokens.ThrottleKey(k[0], k[1])
		if other, ok := seen[key]; ok {
			t.Errorf("%v and %s share a key", k, other)
		}
		seen[key] = k[0] + " " + k[1]
		if key != newTokens(t).ThrottleKey(k[0], k[1]) {
			t.Errorf("%v: not the same at every replica", k)
		}
	}
	other, err := auth.NewTokens(append([]byte("x"), secret...))
	if err != nil {
		t.Fatal(err)
	}
	if other.ThrottleKey("sign-in", "a@example.com") == tokens.ThrottleKey("sign-in", "a@example.com") {
		t.Error("the key can be computed without the secret")
	}
}

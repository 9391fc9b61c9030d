package auth_test

import (
	"strings"
	"testing"

	"agentchat/internal/auth"
)

// TestDownloadTokens tests that every replica with the secret reads a token and rejects anything else.
func TestDownloadTokens(t *testing.T) {
	t.Parallel()
	want := auth.Download{AccountID: userID, UserID: signInID, SignInID: userID, ExpiresAt: issuedAt.UTC()}
	token := newTokens(t).MintDownload(want)
	if got, ok := newTokens(t).ParseDownload(token); !ok || got != want {
		t.Errorf("%+v came back as %+v, %t", want, got, ok)
	}
	if strings.ContainsAny(token, "+/=&?# ") {
		t.Errorf("%q cannot be in a URL without escaping", token)
	}
	foreign, err := auth.NewTokens(append([]byte("x"), secret...))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"empty": "", "cut": token[1:], "longer": token + "A", "line break": token[:70] + "\n" + token[70:],
		"another secret": foreign.MintDownload(want), "a refresh token": newTokens(t).MintRefresh(signInID, 1), "10 MB": strings.Repeat("A", 10<<20)} {
		if got, ok := newTokens(t).ParseDownload(text); ok {
			t.Errorf("%s: read as %+v", name, got)
		}
	}
	for i := range len(token) * 8 {
		turned := []byte(token)
		turned[i/8] ^= 1 << (i % 8)
		if _, ok := newTokens(t).ParseDownload(string(turned)); ok {
			t.Fatalf("bit %d turned is accepted", i)
		}
	}
}

package topup_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/topup"
)

// TestLink compares with a MAC from: openssl dgst -sha256 -hmac SECRET -binary | base64
func TestLink(t *testing.T) {
	t.Parallel()
	shop := topup.Shop{
		URL:    "https://pay.example.com/{account}?token={token}#{account}",
		Secret: "0123456789abcdef0123456789abcdef",
	}
	const account = "0198c2f0-6f5e-7d3a-9d51-5a3f0c6a2b1e"
	got := shop.Link(uuid.MustParse(account), time.Date(2026, 1, 1, 0, 0, 0, 999, time.UTC))
	want := "https://pay.example.com/" + account + "?token=" + account +
		".1767226500.G4gPSySpVPOk6tRbuYHsW1ADhXooIgb5qSo1dGiktsY#" + account
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCheckURL(t *testing.T) {
	t.Parallel()
	const places = "/?account={account}&token={token}"
	for text, want := range map[string]string{
		"https://pay.example.com" + places:                  "",
		"https://pay.example.com/{account}#{token}":         "",
		"http://127.0.0.1:8000" + places:                    "",
		"http://[::1]:8000" + places:                        "",
		"http://localhost" + places:                         "",
		"http://pay.example.com" + places:                   "must begin with https://",
		"http://127.0.0.1.hush.com" + places:                "must begin with https://",
		"ftp://127.0.0.1" + places:                          "must begin with https://",
		"javascript:alert('{account}{token}hush')":          "is not the URL",
		"javascript://hush/%0aalert('{account}{token}')":    "must begin with https://",
		"data:text/html,hush{account}{token}":               "is not the URL",
		"https:" + places + "hush":                          "is not the URL",
		"pay.example.com" + places:                          "is not the URL",
		"https://user:hush@pay.example.com" + places:        "is not the URL",
		"https://{account}.example.com/{token}":             "is not the URL",
		"https://pay.example.com/ hush" + places:            "is not the URL",
		"https://pay.example.com/?token={token}":            "must contain {account} and {token}",
		"https://pay.example.com/?account={account}&hush=1": "must contain {account} and {token}",
	} {
		err := topup.CheckURL(text)
		if want == "" && err != nil ||
			want != "" && (err == nil || !strings.Contains(err.Error(), want) ||
				strings.Contains(err.Error(), "hush")) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

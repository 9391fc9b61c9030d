package apikey_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentchat/internal/apikey"
)

// kinds are keys and tokens: how each is created and recognized, and how the other kind is
// recognized.
var kinds = map[string]struct {
	mint         func() apikey.Key
	parse, other func(string) (apikey.Key, bool)
}{
	apikey.Prefix:      {apikey.Mint, apikey.Parse, apikey.ParseToken},
	apikey.TokenPrefix: {apikey.MintToken, apikey.ParseToken, apikey.Parse},
}

func TestMintedKeysAreRecognised(t *testing.T) {
	t.Parallel()
	for prefix, kind := range kinds {
		seen := map[string]bool{}
		for range 1000 {
			key := kind.mint()
			text := key.Reveal()
			if len(text) != apikey.Length || !strings.HasPrefix(text, prefix) || seen[text] {
				t.Fatalf("minted %d characters, seen before: %v", len(text), seen[text])
			}
			seen[text] = true
			parsed, ok := kind.parse(text)
			if !ok || parsed.Hash() != key.Hash() || !apikey.HasShape("x="+text+"&") {
				t.Fatalf("a minted %s is not recognised", prefix)
			}
			if _, ok := kind.other(text); ok {
				t.Fatalf("a minted %s is accepted as the other kind", prefix)
			}
		}
	}
}

// TestThePublishedPattern shows that keys and tokens match the patterns for secret scanners in
// SECURITY.md.
func TestThePublishedPattern(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	for prefix, kind := range kinds {
		pattern := regexp.MustCompile("`(" + regexp.QuoteMeta(`\b`+prefix) + "[^`]+)`").FindSubmatch(text)
		if pattern == nil || !regexp.MustCompile(string(pattern[1])).MatchString("key: "+
			kind.mint().Reveal()+"\n") {
			t.Errorf("%s: %q", prefix, pattern)
		}
	}
}

// TestAnyChangeIsRefused shows that the CRC detects every change of one character.
func TestAnyChangeIsRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(apikey.Mint().Reveal())
		i := rapid.IntRange(0, len(text)-1).Draw(t, "place")
		c := rapid.Byte().Draw(t, "character")
		if text[i] == c {
			t.Skip("no change")
		}
		text[i] = c
		if _, ok := apikey.Parse(string(text)); ok {
			t.Fatalf("accepted with place %d changed to %q", i, c)
		}
	})
}

func TestMalformedKeysAreRefused(t *testing.T) {
	t.Parallel()
	text := apikey.Mint().Reveal()
	for _, bad := range []string{"", "agc_", "agt_" + text[4:], text[:len(text)-1], text + "a",
		" " + text, text + " ", strings.ToUpper(text), "agd_" + text[4:],
		strings.Repeat("a", 10_000), "' or 1=1--", "\xe9\xff", text[:10] + "\xe9\xff" + text[12:]} {
		if _, ok := apikey.Parse(bad); ok {
			t.Errorf("accepted %d characters", len(bad))
		}
	}
}

// TestKeysDoNotLeak prints a key and a token in every way that a log or an error could.
func TestKeysDoNotLeak(t *testing.T) {
	t.Parallel()
	for prefix, kind := range kinds {
		key := kind.mint()
		secret := key.Reveal()[len(prefix) : apikey.Length-4]
		encoded, err := json.Marshal(struct{ Key apikey.Key }{key})
		if err != nil {
			t.Fatal(err)
		}
		var logged strings.Builder
		slog.New(slog.NewJSONHandler(&logged, nil)).Info("key", slog.Any("key", key),
			slog.Any("nested", struct{ K apikey.Key }{key}))
		outputs := []string{key.String(), string(encoded), logged.String(), key.Hint()}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			outputs = append(outputs, fmt.Sprintf(verb, key), fmt.Sprintf(verb, struct{ K apikey.Key }{key}),
				fmt.Sprintf(verb, &key))
		}
		for _, out := range outputs {
			if strings.Contains(out, secret) || strings.Contains(out, fmt.Sprintf("%x", secret)) {
				t.Errorf("the key shows in %q", out)
			}
		}
		if key.String() != prefix+"[redacted]" {
			t.Errorf("printed as %q", key)
		}
		if hint := key.Hint(); !strings.HasPrefix(hint, prefix) ||
			!strings.HasSuffix(hint, key.Reveal()[apikey.Length-4:]) {
			t.Errorf("hint %q", hint)
		}
	}
}

package apikey_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentchat/internal/apikey"
)

func TestMintedKeysAreRecognised(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 1000 {
		key := apikey.Mint()
		text := key.Reveal()
		if len(text) != apikey.Length || !strings.HasPrefix(text, apikey.Prefix) || seen[text] {
			t.Fatalf("minted %d characters, seen before: %v", len(text), seen[text])
		}
		seen[text] = true
		parsed, ok := apikey.Parse(text)
		if !ok || parsed.Hash() != key.Hash() || !apikey.HasShape("x="+text+"&") {
			t.Fatal("a minted key is not recognised")
		}
	}
}

// TestAnyChangeIsRefused: a CRC finds every change of a single character.
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
	for _, bad := range []string{"", "agc_", text[:len(text)-1], text + "a", " " + text, text + " ", strings.ToUpper(text), "agd_" + text[4:],
		strings.Repeat("a", 10_000), "' or 1=1--", "\xe9\xff", text[:10] + "\xe9\xff" + text[12:]} {
		if _, ok := apikey.Parse(bad); ok {
			t.Errorf("accepted %d characters", len(bad))
		}
	}
}

// TestKeysDoNotLeak prints a key in every way that a log or an error could.
func TestKeysDoNotLeak(t *testing.T) {
	t.Parallel()
	key := apikey.Mint()
	secret := key.Reveal()[len(apikey.Prefix) : apikey.Length-4]
	encoded, err := json.Marshal(struct{ Key apikey.Key }{key})
	if err != nil {
		t.Fatal(err)
	}
	var logged strings.Builder
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("key", slog.Any("key", key), slog.Any("nested", struct{ K apikey.Key }{key}))
	outputs := []string{key.String(), string(encoded), logged.String(), key.Hint()}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		outputs = append(outputs, fmt.Sprintf(verb, key), fmt.Sprintf(verb, struct{ K apikey.Key }{key}), fmt.Sprintf(verb, &key))
	}
	for _, out := range outputs {
		if strings.Contains(out, secret) || strings.Contains(out, fmt.Sprintf("%x", secret)) {
			t.Errorf("the key shows in %q", out)
		}
	}
	if hint := key.Hint(); !strings.HasPrefix(hint, apikey.Prefix) || !strings.HasSuffix(hint, key.Reveal()[apikey.Length-4:]) {
		t.Errorf("hint %q", hint)
	}
}

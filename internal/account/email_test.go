package account_test

import (
	"strings"
	"testing"

	"agentchat/internal/account"
)

func TestMailbox(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"a.b@example.com": "a.b@example.com", "a.b+c@example.com": "a.b@example.com",
		"a+b+c@example.com": "a@example.com", "a+@example.com": "a@example.com", "+a@example.com": "@example.com"} {
		if got := account.Mailbox(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestParseEmail(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a@example.com": "a@example.com", "  A.B+c@Example.COM\t": "a.b+c@example.com", "a_1-b'c@localhost": "a_1-b'c@localhost",
		// NFC, in lower case, from every form.
		"josé@example.com": "josé@example.com", "jose\u0301@example.com": "josé@example.com", "JOSE\u0301@example.com": "josé@example.com",
		"I\u0307@example.com": "i@example.com", "\u0130@example.com": "i@example.com", "\u212a@example.com": "k@example.com",
		// Domains in ASCII.
		"a@Bücher.example": "a@xn--bcher-kva.example", "a@bu\u0308cher.example": "a@xn--bcher-kva.example",
		"a@XN--BCHER-KVA.example": "a@xn--bcher-kva.example", "a@ｅxample\u3002com": "a@example.com", "a@straße.example": "a@xn--strae-oqa.example",
		"a@ex\u00adample.com": "a@example.com", "a@еxample.com": "a@xn--xample-2of.com",
		// One script, or those that one language has.
		"владелец1@example.com": "владелец1@example.com", "山田たろうタロー@example.com": "山田たろうタロー@example.com",
		"金민수@example.com": "金민수@example.com", "王ㄨㄤˊ@example.com": "王ㄨㄤˊ@example.com", "محمد@example.com": "محمد@example.com",
	} {
		got, err := account.ParseEmail(in)
		if got != want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", in, got, err, want)
		}
	}
	for in, want := range map[string]string{
		"": "email missing", "  ": "email missing", "a": "email invalid_value", "a@": "email invalid_value", "@b": "email invalid_value",
		"Ada <a@example.com>": "email invalid_value", "a@b@c": "email invalid_value", "a@example.com, b@example.com": "email invalid_value",
		"a\x00@example.com": "email invalid_value", "a\n@example.com": "email invalid_value", "\xff@example.com": "email invalid_value",
		"a@\xff.com": "email invalid_value", `"a b"@example.com`: "email invalid_value", "a@example.com.": "email invalid_value",
		"a@example..com": "email invalid_value", "a@-a.com": "email invalid_value", "a@a b.com": "email invalid_value",
		"a@xn--a.com": "email invalid_value", "a@" + strings.Repeat("a", 64) + ".com": "email invalid_value", "a@[127.0.0.1]": "email invalid_value",
		strings.Repeat("a", 250) + "@example.com":          "email too_long",
		strings.Repeat("a", 210) + "@" + "ü.ü.ü.ü.ü.ü.ü.ü": "email too_long", // in ASCII
		// Look like owner@example.com.
		"оwner@example.com": "email invalid_character", "οwner@example.com": "email invalid_character", "owner\u200b@example.com": "email invalid_character",
		"own\u00ader@example.com": "email invalid_character", "owne\u034fr@example.com": "email invalid_character",
		"owner\ufe0f@example.com": "email invalid_character", "owner\u3164@example.com": "email invalid_character",
		"ｏwner@example.com": "email invalid_character", "𝐨wner@example.com": "email invalid_character", "\u202eowner@example.com": "email invalid_character",
		"山田taro@example.com": "email invalid_character", "たろう수@example.com": "email invalid_character",
	} {
		if got, err := account.ParseEmail(in); reasonOf(err) != want {
			t.Errorf("%q: got %q, %v, want %s", in, got, err, want)
		}
	}
}

// FuzzParseEmail checks that parsing a parsed address again does not change it.
func FuzzParseEmail(f *testing.F) {
	for _, seed := range []string{"I\u0307@example.com", "josE\u0301@Bu\u0308cher.example",
		"ς@ß.example", "\u1e9e@xn--bcher-kva.example"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once, err := account.ParseEmail(text)
		if err != nil {
			return
		}
		if twice, err := account.ParseEmail(once); twice != once || err != nil ||
			len(once) > account.MaxEmailBytes {
			t.Errorf("%q becomes %q, and that %q, %v", text, once, twice, err)
		}
		_, domain, _ := strings.Cut(once, "@")
		if domain != strings.ToLower(domain) ||
			strings.ContainsFunc(domain, func(r rune) bool { return r > '~' }) {
			t.Errorf("the domain of %q", once)
		}
	})
}

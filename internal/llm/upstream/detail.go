package upstream

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"agentchat/internal/llm"
)

const (
	// maxDetail is the longest message of an llm.ProviderError, in code points.
	maxDetail = 300
	// maxMasked is the longest text that is masked, in bytes: the time may grow with its square.
	maxMasked = 2_000
	// mask replaces what may be a secret.
	mask = "•••"
)

var (
	// maskable matches URLs, email addresses, host names and addresses with what follows them, and
	// words that are long enough for a key. The path of a field, such as tools[0].function.name, is
	// matched from its bracket on, so that its end is no host name.
	maskable = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>]+` +
		`|[^\s"'<>()\[\]{},;:=@]+@[^\s"'<>()\[\]{},;:=@]+` +
		`|\](?:\.[A-Za-z_]+)+` +
		`|(?:\b(?:localhost|(?:\d{1,3}\.){3}\d{1,3}` +
		`|(?:[A-Za-z0-9-]+\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9])\b` +
		`|\[[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\])(?::\d+)?(?:[/?#][^\s"'<>]*)?` +
		`|[A-Za-z0-9_-]{16,}`)
	// harmless matches the end of a field's path, and long words that are no keys.
	harmless = regexp.MustCompile(`^(?:\].*|[A-Za-z_-]{16,})$`)
)

// explained adds what the people of an account may know of a refusal to its cause. Texts about the
// key, the quota or the hosts are the operator's.
func (p Provider) explained(model string, refused *StatusError, cause error) error {
	out := &llm.ProviderError{Status: refused.Status, Code: refused.Word, Err: cause}
	if refused.isForMessage() {
		out.Message = masked(p.Key, model, refused.Detail)
	}
	return out
}

// masked returns the beginning of a provider's text as one line without secrets. The model's own
// name may look like one.
func masked(key, model, text string) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text))
	if len(text) > maxMasked { // not the part of a word: it may be half of a key
		text = strings.TrimRightFunc(strings.ToValidUTF8(text[:maxMasked], ""), isOfKey)
	}
	text = withoutKey(key, text, mask)
	own := maskable.FindAllString(model, -1)
	text = maskable.ReplaceAllStringFunc(text, func(found string) string {
		if harmless.MatchString(found) || slices.Contains(own, found) {
			return found
		}
		return mask
	})
	runes := []rune(text)
	return string(runes[:min(len(runes), maxDetail)])
}

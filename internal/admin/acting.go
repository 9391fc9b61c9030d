package admin

import (
	"context"
	"strings"
	"unicode"

	"agentchat/internal/account"
	"agentchat/internal/store/audit"
)

// acting returns a context that records the request's changes, and its reads of personal data, as
// the operator's command of that name.
func (ex *exchange) acting(command string) context.Context {
	return audit.Acting(ex.R.Context(), ex.does(command))
}

func (ex *exchange) does(command string) audit.Entry {
	return audit.Entry{
		Actor:    audit.ByOperator,
		Operator: operatorName(ex.R.Header.Get("X-Operator")),
		Action:   command,
	}
}

// operatorName returns the name in a header without unprintable characters, cut to the length of an
// account's name.
func operatorName(header string) string {
	shown := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(header, ""))
	name := []rune(strings.TrimSpace(shown))
	return strings.TrimSpace(string(name[:min(len(name), account.MaxName)]))
}

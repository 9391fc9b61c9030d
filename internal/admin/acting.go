package admin

import (
	"context"
	"strings"
	"unicode"

	"agentchat/internal/account"
	"agentchat/internal/store/audit"
)

// acting has what the request changes, or reads of what is personal, recorded as the command that does the same, by the operator.
func (ex *exchange) acting(command string) context.Context {
	return audit.Acting(ex.R.Context(), ex.does(command))
}

func (ex *exchange) does(command string) audit.AuditEntry {
	return audit.AuditEntry{Actor: audit.ByOperator, Operator: operatorName(ex.R.Header.Get("X-Operator")), Action: command}
}

// operatorName is the name that a header gives, as far as it is one: without what cannot be shown, and as long as that of an account.
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

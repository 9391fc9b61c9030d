package account_test

import (
	"errors"
	"strings"
	"testing"

	"agentchat/internal/account"
	"agentchat/internal/fault"
)

// reasonOf returns the field and reason of a refusal, "" for none.
func reasonOf(err error) string {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != fault.InvalidInput || len(f.Fields) != 1 || f.Fields[0].Message == "" {
		return ""
	}
	return f.Fields[0].Path + " " + string(f.Fields[0].Reason)
}

func TestParseName(t *testing.T) {
	t.Parallel()
	if got, err := account.ParseName("  Ada \u00a0"); got != "Ada" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := account.ParseName(strings.Repeat("é", account.MaxName)); err != nil {
		t.Errorf("a name of the full length: %v", err)
	}
	for in, want := range map[string]string{"": "name blank", "\u00a0\t": "name blank", strings.Repeat("é", account.MaxName+1): "name too_long",
		"a\x00b": "name invalid_character", "a\nb": "name invalid_character", "a\xff": "name invalid_character"} {
		if _, err := account.ParseName(in); reasonOf(err) != want {
			t.Errorf("%q: got %v, want %s", in, err, want)
		}
	}
}

func TestAvailable(t *testing.T) {
	t.Parallel()
	if got := (account.Account{CreditBalance: 10, CreditsHeld: 3}).CreditsAvailable(); got != 7 {
		t.Errorf("got %d, want 7", got)
	}
}

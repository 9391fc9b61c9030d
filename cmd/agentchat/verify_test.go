package main

import (
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
)

func TestVerifyConsistent(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	storetest.AnswerTurn(t, s, storetest.Seed(t, s, storetest.Options{Credits: 5}).Key, nil)
	r := invoke(t, onDatabase(t, url), "", "verify")
	if r.code != exitOK || r.stdout != "the ledger is consistent: 1 accounts, 1 turns, 2 entries\n" ||
		r.stderr != "" {
		t.Errorf("as text: %+v", r)
	}
	got := invoke(t, onDatabase(t, url), "", "verify", "--json").object(t)
	if got["consistent"] != true || got["accounts"] != 1.0 || got["turns"] != 1.0 || got["entries"] != 2.0 ||
		got["violation_count"] != 0.0 || len(got["violations"].([]any)) != 0 {
		t.Errorf("as JSON: %v", got)
	}
	invoke(t, onDatabase(t, storetest.EmptyURL(t)), "", "verify").expectLine(t, exitFailed, "agentchat migrate")
}

func TestVerifyNamesViolations(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	f := storetest.Seed(t, s, storetest.Options{Credits: 5})
	storetest.Unguard(t, s)
	change := func(query string) {
		if _, err := s.SQL().ExecContext(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	change(`UPDATE accounts SET credit_balance = 7, credits_held = 2`)
	r := invoke(t, onDatabase(t, url), "", "verify")
	lines := strings.Split(strings.TrimSuffix(r.stdout, "\n"), "\n")
	if r.code != exitFailed || len(lines) != 2 || !strings.Contains(r.stderr, "not consistent: 2 violations") {
		t.Errorf("two violations: %+v", r)
	}
	for _, line := range []string{"balance_is_not_the_history: account " + f.Account.ID.String() +
		": balance 7, sum of 1 entries 5",
		"held_is_not_the_pending_turns: account " + f.Account.ID.String() +
			": held 2, price of 0 pending turns 0"} {
		if !strings.Contains(r.stdout, line+"\n") {
			t.Errorf("stdout does not say %q: %s", line, r.stdout)
		}
	}
	change(`INSERT INTO accounts (id, name, credit_balance) SELECT gen_random_uuid(), 'N', 1 FROM generate_series(1, 200) n`)
	r = invoke(t, onDatabase(t, url), "", "verify", "--json")
	body, _ := decodeLine(t, r.stderr)["error"].(map[string]any)
	got := r.object(t)
	list := got["violations"].([]any)
	if r.code != exitFailed || got["consistent"] != false || got["violation_count"] != 202.0 ||
		len(list) != maxViolations ||
		body["code"] != "failed" || list[0].(map[string]any)["kind"] == "" {
		t.Errorf("many violations: code %d, %v of %d, %v", r.code, got["violation_count"], len(list), body)
	}
	if strings.Contains(r.stdout+r.stderr, "@example.com") {
		t.Errorf("an address is printed: %+v", r)
	}
}

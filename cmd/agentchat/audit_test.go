package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/store"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/users"
)

// TestEachCommandLeavesOneEntry runs every command with --as. Each leaves one entry, or none if it
// changes nothing. Then agentchat audit shows the entries, the newest first, even of the deleted
// account.
func TestEachCommandLeavesOneEntry(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	env, s := onDatabase(t, url), storetest.Open(t, url)
	ada := []string{"--email", "ada@example.com"}
	do := func(args ...string) {
		t.Helper()
		if r := invoke(t, env, goodPassword, append(args, "--as", "Grace")...); r.code != exitOK {
			t.Fatalf("%q: %+v", args, r)
		}
	}
	do("account", "create", "--email", "ada@example.com", "--name", "Ada")
	owner, err := operator.On(s).AccountByEmail(t.Context(), "ada@example.com")
	if err != nil {
		t.Fatal(err)
	}
	made := storetest.Publish(t, s, storetest.SeedAgent(t, s, owner.ID, storetest.Options{}))
	export, err := exports.On(s).CreateExport(t.Context(), owner.ID,
		agent.Export{AgentID: made.ID, Name: "Website", RatePerMinute: 1}, apikey.Mint())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "agent.json")
	if err := os.WriteFile(file, []byte(`{"name": "Shop", "instructions": "a text"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	credits := []string{"--amount", "5", "--note", "Invoice 7", "--reference", "7"}
	of := []string{"--id", export.ID.String()}
	account, user, one := owner.ID.String(), owner.OwnerID.String(), export.ID.String()
	hook := uuid.NewString()
	storetest.Exec(t, s, `INSERT INTO webhooks (id, account_id, url, events, secret, last_entry)
		VALUES ($1, $2, 'https://example.com', '{credits.low}', '', 0)`, hook, owner.ID)
	covered := []string{"account create"}
	for _, c := range []struct {
		command string
		args    []string
		subject string
		again   bool // a repetition does it once more
	}{
		{"account password", ada, user, true},
		{"account unlock", ada, user, true},
		{"account export", ada, account, true},
		{"account suspend", ada, account, false}, {"account resume", ada, account, false},
		{"user reset-link", ada, user, true}, {"user sign-out", ada, user, false},
		{"user sign-out", []string{"--all"}, user, false}, {"user clear-second-factor", ada, user, false},
		{"credits grant", slices.Concat(ada, credits), account, false},
		{"credits adjust",
			slices.Concat(ada, []string{"--amount=-2", "--note", "Refund", "--reference", "r"}), account,
			false},
		{"export pause", of, one, false},
		{"export resume", of, one, false},
		{"export remove", append([]string{"--yes"}, of...), one, false},
		{"agent import", append(ada, file), "", true}, {"mail retry", []string{"--all"}, user, false},
		{"webhook retry", []string{"--all"}, account, false},
		{"webhook stop", []string{hook}, hook, false}, {"webhook allow", []string{hook}, hook, false},
		{"account delete", append([]string{"--yes"}, ada...), account, false},
	} {
		covered = append(covered, c.command)
		prepareFor(t, s, c.command)
		seen := allEntries(t, s, account, user)
		args := append(strings.Fields(c.command), c.args...)
		do(args...)
		got := allEntries(t, s, account, user)[len(seen):]
		if len(got) != 1 || !strings.HasPrefix(got[0], "OPERATOR|Grace|"+c.command+"|"+c.subject) {
			t.Errorf("%s left %q and not an entry about %s", c.command, got, c.subject)
		}
		if !c.again {
			_ = invoke(t, env, goodPassword, append(args, "--as", "Grace")...) // which may fail by now
			if more := allEntries(t, s, account, user)[len(seen)+1:]; len(more) != 0 {
				t.Errorf("%s, repeated, left %q", c.command, more)
			}
		}
	}
	if all := takingNames(t); !slices.Equal(slices.Compact(slices.Sorted(slices.Values(covered))), all) {
		t.Errorf("the commands with --as are %q, and this test runs %q", all, covered)
	}
	for _, marker := range []string{goodPassword, "ada@example.com", "Invoice", "Refund", "a text", "Website"} {
		if n := storetest.Traces(t, s, marker)["audit_entries"]; n > 0 {
			t.Errorf("%d entries hold %q", n, marker)
		}
	}
	checkAudit(t, env, account)
}

// prepareFor creates the objects that a command needs.
func prepareFor(t *testing.T, s *store.DB, command string) {
	t.Helper()
	c, err := users.On(s).CredentialsByEmail(t.Context(), "ada@example.com")
	if err != nil {
		t.Fatal(err)
	}
	id := uuid.New()
	if command == "user sign-out" || command == "user clear-second-factor" {
		if _, err := users.On(s).CreateSignIn(t.Context(), c, users.NewSignIn{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	statement := ""
	switch command {
	case "user clear-second-factor":
		by := audit.Entry{Actor: audit.ByUser, Action: "confirmSecondFactor"}
		if err := users.On(s).StartSecondFactor(t.Context(), c.UserID, id, []byte("encrypted")); err != nil {
			t.Fatal(err)
		}
		err = users.On(s).SetSecondFactor(t.Context(),
			users.FactorChange{UserID: c.UserID, SignInID: id, By: by}, []byte("encrypted"), 1, [][32]byte{{1}})
	case "webhook retry":
		statement = `INSERT INTO outbox (id, kind, message, address, data, due_at, failed_at)
			SELECT gen_random_uuid(), 'WEBHOOK', 'account.suspended', '', json_build_object('account_id', m.account_id), NULL, now()
			FROM memberships m CROSS JOIN generate_series(1, 2)`
	case "mail retry":
		statement = `INSERT INTO outbox (id, kind, message, address, due_at, failed_at)
			SELECT gen_random_uuid(), 'MAIL', 'NEW_BROWSER', address, NULL, now() FROM unnest(ARRAY['ada@example.com', 'nobody@example.com']) address`
	}
	if err == nil && statement != "" {
		_, err = s.SQL().ExecContext(t.Context(), statement)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// allEntries returns the entries of an account and its user, the oldest first.
func allEntries(t *testing.T, s *store.DB, account, user string) (out []string) {
	t.Helper()
	rows, err := s.SQL().QueryContext(t.Context(), `SELECT actor || '|' || operator || '|' || action || '|' || subject FROM audit_entries
		WHERE account_id = $1::uuid OR user_id = $2::uuid ORDER BY id`, account, user)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
	return out
}

// takingNames returns the commands with --as.
func takingNames(t *testing.T) (out []string) {
	t.Helper()
	helped := false
	parser, err := newParser(&cli{}, environment{}, process{}, &helped)
	if err != nil {
		t.Fatal(err)
	}
	for _, leaf := range parser.Model.Leaves(false) {
		for _, flag := range leaf.Flags {
			if flag.Name == "as" {
				out = append(out, strings.TrimPrefix(leaf.FullPath(), "agentchat "))
			}
		}
	}
	slices.Sort(out)
	return out
}

// checkAudit checks the output of agentchat audit for the account, which is deleted by now.
func checkAudit(t *testing.T, env []string, account string) {
	t.Helper()
	lines := func(args ...string) (out []string) {
		t.Helper()
		r := invoke(t, env, "", append([]string{"audit"}, args...)...)
		if r.code != exitOK {
			t.Fatalf("%q: %+v", args, r)
		}
		return strings.Split(strings.TrimSuffix(r.stdout, "\n"), "\n")
	}
	all := lines("--id", account)
	if len(all) != 13 || !strings.Contains(all[0], "  operator  Grace  account delete  "+account) ||
		!strings.Contains(all[12], "account export") {
		t.Errorf("the trail: %q", all)
	}
	var newest struct{ Action, Actor, Operator, Subject string }
	objects := lines("--id", account, "--json")
	if err := json.Unmarshal([]byte(objects[0]), &newest); err != nil ||
		newest.Action != "account delete" || newest.Actor != "OPERATOR" || len(objects) != 13 {
		t.Errorf("%q: %v", objects, err)
	}
	if none := lines("--id", account, "--to", "2026-01-01"); !slices.Equal(none, []string{""}) {
		t.Errorf("before: %q", none)
	}
	if since := lines("--id", account, "--from", "2026-01-01"); len(since) != 13 {
		t.Errorf("since: %q", since)
	}
	invoke(t, env, "", "audit", "--email", "ada@example.com").
		expectLine(t, exitFailed, "There is no account ada@example.com.")
	invoke(t, env, "", "audit", "--id", uuid.NewString()).expectLine(t, exitFailed, "There is no account ")
	invoke(t, env, "", "audit").expectLine(t, exitUsage, "--email or by --id")
	invoke(t, env, "", "audit", "--id", account, "--from", "2026-02-01", "--to",
		"2026-01-01").expectLine(t, exitUsage, "--to must be after --from")
}

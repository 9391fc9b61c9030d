package main

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

// TestAnAddressOfSeveralAccounts tests that a command for a user with several accounts lists their
// IDs and does nothing.
func TestAnAddressOfSeveralAccounts(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	o := commandLine{t: t, env: onDatabase(t, url)}
	o.create("Ada")
	first, second := o.do("account", "show", "--email", "ada@example.com")["id"].(string), uuid.NewString()
	for _, statement := range []string{
		`INSERT INTO accounts (id, name) VALUES ($1::uuid, 'Second')`,
		`INSERT INTO memberships (account_id, user_id, role) SELECT $1::uuid, id, 'OWNER' FROM users`,
	} {
		if _, err := storetest.Open(t, url).SQL().ExecContext(t.Context(), statement, second); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"account show", "account suspend", "account resume",
		"account export", "account delete --yes",
		"credits grant --amount 1 --note n --reference r", "credits adjust --amount 1 --note n --reference r", "export list"} {
		r := invoke(t, o.env, "", append(strings.Fields(command), "--email", "ada@example.com")...)
		r.expectLine(t, exitUsage, first, second)
	}
	for _, id := range []string{first, second} {
		if shown := o.do("account", "show", "--id", id); shown["state"] != "ACTIVE" {
			t.Errorf("%v", shown)
		}
	}
}

package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/internal/identity"
	"agentchat/internal/store/storetest"
)

// commandLine runs commands, next to a running service with its demo if it has one.
type commandLine struct {
	t   *testing.T
	env []string
	*service
}

func newOperator(t *testing.T) commandLine {
	t.Helper()
	env := onDatabase(t, storetest.URL(t))
	return commandLine{t, env, startService(t, env, "--demo")}
}

// do runs a command that succeeds, and returns its object.
func (o commandLine) do(args ...string) map[string]any {
	o.t.Helper()
	r := invoke(o.t, o.env, "", append(args, "--json")...)
	if r.code != exitOK {
		o.t.Fatalf("%v: %+v", args, r)
	}
	return r.object(o.t)
}

// create opens an account whose address is its name at example.com.
func (o commandLine) create(name string) {
	o.t.Helper()
	email := strings.ToLower(name) + "@example.com"
	r := invoke(o.t, o.env, goodPassword, "account", "create", "--email", email, "--name", name)
	if r.code != exitOK {
		o.t.Fatalf("account create: %+v", r)
	}
}

// chat sends a message with the demo's key, and returns the status.
func (o commandLine) chat(message string) int {
	o.t.Helper()
	code, _ := say(o.t, o.Chat, o.Demo.APIKey, "session", message)
	return code
}

func TestAccountsAreListed(t *testing.T) {
	t.Parallel()
	env := onDatabase(t, storetest.URL(t))
	o := commandLine{t: t, env: env}
	for _, name := range []string{"Ada", "Bob", "Cy"} {
		o.create(name)
	}
	emails := func(args ...string) (out []string, next any) {
		listed := o.do(append([]string{"account", "list"}, args...)...)
		for _, a := range listed["accounts"].([]any) {
			out = append(out, a.(map[string]any)["email"].(string))
		}
		return out, listed["next"]
	}
	first, next := emails("--limit", "2")
	if fmt.Sprint(first) != "[ada@example.com bob@example.com]" || next == nil {
		t.Errorf("the first two: %v, next %v", first, next)
	}
	if rest, end := emails("--after", fmt.Sprint(next)); fmt.Sprint(rest) != "[cy@example.com]" || end != nil {
		t.Errorf("the rest: %v, next %v", rest, end)
	}
	if found, _ := emails("--search", "BOB"); fmt.Sprint(found) != "[bob@example.com]" {
		t.Errorf("found: %v", found)
	}
	if found, _ := emails("--search", "%"); found != nil {
		t.Errorf("a percent sign finds %v", found)
	}
	for _, bad := range []string{
		"account show",
		"account show --id x",
		"account show --email ada@example.com --id x",
		"account list --limit 0",
		"account list --after x",
		"account delete --email ada@example.com",
		"agent import --email ada@example.com /nowhere",
		"credits adjust --email ada@example.com --amount 0 --note n --reference r",
		"export pause --id x",
		"usage --from 2026-02-01 --to 2026-02-01",
		"usage --from 2026-01-01T12:00:00+01:00 --to 2026-01-01T11:00:00Z",
		"usage --from yesterday --to 2026-02-01",
		"usage --from 2026-01-01 --to 2026-02-01 --by day,day",
		"usage --from 2026-01-01 --to 2026-02-01 --by user",
	} {
		invoke(t, env, "", strings.Fields(bad)...).expectLine(t, exitUsage)
	}
	const unknown = "0198c2f0-6f5e-7d3a-9d51-5a3f0c6a2b1e"
	for _, missing := range []string{
		"account show --email unknown@example.com",
		"account suspend --id " + unknown,
		"account delete --yes --id " + unknown,
		"agent export --id " + unknown,
		"export pause --id " + unknown,
		"request req-0",
	} {
		invoke(t, env, "", strings.Fields(missing)...).expectLine(t, exitFailed, "There is no ")
	}
}

func TestAccountAndExportStates(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	f := storetest.Seed(t, storetest.Open(t, url), storetest.Options{})
	o := commandLine{t: t, env: onDatabase(t, url)}
	who := []string{"--email", f.Account.Email}
	shown := o.do(append([]string{"account", "show"}, who...)...)
	if shown["state"] != "ACTIVE" || shown["agents"] != 1.0 || shown["exports"] != 1.0 ||
		shown["created_at"] == nil {
		t.Errorf("shown: %v", shown)
	}
	export := f.Export.ID.String()
	invoke(t, o.env, "yes\n", "export", "remove", "--id", export).expectLine(t, exitUsage, "--yes")
	for _, c := range []struct{ command, state string }{
		{"account suspend --email " + f.Account.Email, "SUSPENDED"},
		{"account resume --id " + f.Account.ID.String(), "ACTIVE"},
		{"export pause --id " + export, "PAUSED"},
		{"export resume --id " + export, "ACTIVE"},
		{"export remove --yes --id " + export, "REMOVED"},
	} {
		if got := o.do(strings.Fields(c.command)...); got["state"] != c.state {
			t.Errorf("%s: %v", c.command, got)
		}
	}
	if left := o.do(append([]string{"export", "list"}, who...)...)["exports"].([]any); len(left) != 0 {
		t.Errorf("exports in use: %v", left)
	}
}

func TestUnlock(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	for range identity.MaxGuesses {
		o.signIn("a wrong password")
	}
	if got := o.signIn(o.Demo.Password); got != "RATE_LIMITED" {
		t.Fatalf("before: %s", got)
	}
	o.do("account", "unlock", "--email", o.Demo.Email)
	if got := o.signIn(o.Demo.Password); got != "ok" {
		t.Errorf("after: %s", got)
	}
	without := slices.DeleteFunc(slices.Clone(o.env),
		func(s string) bool { return strings.HasPrefix(s, "JWT_SECRET=") })
	invoke(t, without, "", "account", "unlock", "--email", o.Demo.Email).expectLine(t, exitUsage, "JWT_SECRET")
}

func TestUsageAndRequest(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	if got := o.chat("hello"); got != http.StatusOK {
		t.Fatalf("status %d", got)
	}
	now := time.Now()
	span := []string{"usage", "--from", now.Add(-time.Hour).Format(time.RFC3339Nano), "--to",
		now.AddDate(0, 0, 2).Format(time.DateOnly)}
	for _, by := range []string{"", "account", "account,agent,model,day"} {
		rows := o.do(append(span, "--by="+by)...)["rows"].([]any)
		row := rows[0].(map[string]any)
		if len(rows) != 1 || row["messages"] != 1.0 || row["credits"] == nil ||
			row["input_tokens"].(float64) < 1 || by == "account" && row["email"] != o.Demo.Email {
			t.Errorf("by %q: %v", by, rows)
		}
	}
	empty := []string{"usage", "--from", "2001-01-01", "--to", "2001-01-02"}
	if rows := o.do(empty...)["rows"].([]any); len(rows) != 0 {
		t.Errorf("long ago: %v", rows)
	}
	body := strings.NewReader(`{"message": ""}`)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, o.Chat, body)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Authorization": "Bearer " + o.Demo.APIKey,
		"Content-Type": "application/json", "X-Request-ID": "complaint-1"} {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	until(t, "the refused request is recorded",
		func() bool { return invoke(t, o.env, "", "request", "complaint-1").code == exitOK })
	found := o.do("request", "complaint-1")
	if found["outcome"] != "REFUSED" || found["code"] != "invalid_request" ||
		found["status"] != 400.0 || found["account_id"] == nil || found["client_address"] != "127.0.0.1" {
		t.Errorf("found: %v", found)
	}
}

// TestAccountIsExportedAndDeleted leaves the contents of an export to package dataexport.
func TestAccountIsExportedAndDeleted(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.AnswerTurn(t, s, f.Key, nil)
	o := commandLine{t: t, env: onDatabase(t, url)}
	exported := invoke(t, o.env, "", "account", "export", "--email", f.Account.Email)
	for _, kind := range []string{"account", "turn", "api_export"} {
		if strings.Count(exported.stdout, `{"type":"`+kind+`"`) != 1 || exported.code != exitOK {
			t.Errorf("not one %s: %+v", kind, exported)
		}
	}
	if strings.Contains(exported.stdout, f.Key.Reveal()) {
		t.Error("the export contains a key")
	}
	deleted := o.do("account", "delete", "--yes", "--email", f.Account.Email)
	if deleted["deleted"] != true || deleted["id"] != f.Account.ID.String() {
		t.Errorf("deleted: %v", deleted)
	}
	for _, account := range [][]string{{"--email", f.Account.Email}, {"--id", f.Account.ID.String()}} {
		invoke(t, o.env, "", append([]string{"account", "show"}, account...)...).
			expectLine(t, exitFailed, "There is no account")
	}
	if got := o.do("verify"); got["consistent"] != true {
		t.Errorf("verify: %v", got)
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
	"agentchat/internal/store/users"
)

// graphQL sends an operation to the panel's API, and returns its first error's code, or "ok".
func (o commandLine) graphQL(query string, input map[string]string) string {
	o.t.Helper()
	body, _ := json.Marshal(map[string]any{
		"query":     query,
		"variables": map[string]any{"input": input},
	})
	url := strings.TrimSuffix(o.Chat, "/v1/agent/chat") + "/graphql" // whatever PUBLIC_URL is
	response, err := http.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		o.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Errors []struct{ Extensions struct{ Code string } }
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		o.t.Fatal(err)
	}
	if len(answer.Errors) == 0 {
		return "ok"
	}
	return answer.Errors[0].Extensions.Code
}

// signIn signs the demo's owner in, and returns the code.
func (o commandLine) signIn(password string) string {
	o.t.Helper()
	return o.graphQL(`mutation($input: SignInInput!) { signIn(input: $input) { accessToken } }`,
		map[string]string{"email": o.Demo.Email, "password": password})
}

func TestSignInsEnd(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	o, s := commandLine{t: t, env: onDatabase(t, url)}, storetest.Open(t, url)
	for _, name := range []string{"Ada", "Bob"} {
		o.create(name)
		c, err := users.On(s).CredentialsByEmail(t.Context(), strings.ToLower(name)+"@example.com")
		if err == nil {
			_, err = users.On(s).CreateSignIn(t.Context(), c, users.NewSignIn{ID: uuid.New()})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	signOut := []string{"user", "sign-out", "--email", "Ada@example.com"}
	if got := o.do(signOut...); got["ended"] != 1.0 || got["email"] != "ada@example.com" {
		t.Errorf("user sign-out: %v", got)
	}
	if r := invoke(t, o.env, "", signOut...); r.stdout != "Sign-ins of ada@example.com that have ended: 0.\n" {
		t.Errorf("twice: %+v", r)
	}
	if got := o.do("user", "sign-out", "--all")["ended"]; got != 1.0 {
		t.Errorf("--all ended %v", got)
	}
	for _, wrong := range [][]string{
		{}, {"--all", "--email", "ada@example.com"}, {"--email", "ada"},
		{"--all", "--as", strings.Repeat("x", 101)}, {"--all", "--as", "a\x1bb"},
	} {
		invoke(t, o.env, "", append([]string{"user", "sign-out"}, wrong...)...).expectLine(t, exitUsage)
	}
	invoke(t, o.env, "", "user", "sign-out", "--email", "eve@example.com").
		expectLine(t, exitFailed, "There is no user eve@example.com.")
}

// TestClearingASecondFactor tests that clearing a factor deletes its recovery codes and ends the
// user's sign-ins, and that doctor counts factors that no configured secret decrypts.
func TestClearingASecondFactor(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	env, s := onDatabase(t, url, "GEMINI_API_KEY=none", "DATABASE_MAX_CONNS=9"), storetest.Open(t, url)
	commandLine{t: t, env: env}.create("Ada")
	clearing := []string{"user", "clear-second-factor", "--email", "Ada@example.com"}
	invoke(t, env, "", clearing...).expectLine(t, exitFailed, "ada@example.com has no second factor.")
	invoke(t, env, "", "user", "clear-second-factor", "--email", "unknown@example.com").
		expectLine(t, exitFailed, "There is no user unknown@example.com.")
	c, err := users.On(s).CredentialsByEmail(t.Context(), "ada@example.com")
	if err != nil {
		t.Fatal(err)
	}
	prepareFor(t, s, "user clear-second-factor") // a factor that no secret decrypts
	if r := invoke(t, env, "", "doctor"); r.code != exitFailed ||
		!strings.Contains(r.stdout, "so that only recovery codes work: 1.") {
		t.Errorf("doctor: %+v", r)
	}
	if r := invoke(t, env, "", clearing...); r.code != exitOK ||
		r.stdout != "The second factor of ada@example.com is off, and every sign-in has ended.\n" {
		t.Errorf("%+v", r)
	}
	signIns, err := users.On(s).ListSignIns(t.Context(), c.UserID)
	if err != nil || len(signIns) != 0 {
		t.Errorf("%d sign-ins, %v", len(signIns), err)
	}
	left, err := users.On(s).RecoveryCodesLeft(t.Context(), c.UserID)
	if user, userErr := users.On(s).User(t.Context(), c.UserID); user.SecondFactor || left != 0 ||
		err != nil || userErr != nil {
		t.Errorf("%+v, %d recovery codes, %v %v", user, left, err, userErr)
	}
	if r := invoke(t, env, "", "doctor"); r.code != exitOK {
		t.Errorf("doctor: %+v", r)
	}
}

// TestUsersAreListed lists users page by page, or one by address, with exactly the documented
// fields.
func TestUsersAreListed(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	o := commandLine{t: t, env: onDatabase(t, url)}
	for _, name := range []string{"Ada", "Bob", "Cy"} {
		o.create(name)
	}
	ada := o.do("account", "show", "--email", "ada@example.com")["id"].(string)
	bob, err := users.On(storetest.Open(t, url)).UserByEmail(t.Context(), "bob@example.com")
	if err != nil {
		t.Fatal(err)
	}
	own := o.do("account", "show", "--email", "bob@example.com")["id"].(string)
	_, err = storetest.Open(t, url).SQL().ExecContext(t.Context(), `
		WITH verified AS (UPDATE users SET email_verified_at = now() WHERE id = $2)
		INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'VIEWER')`, ada, bob.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"users":[{"id":"` + bob.ID.String() + `","email":"bob@example.com","name":"Bob","created_at":"` +
		bob.CreatedAt.UTC().Format(time.RFC3339Nano) +
		`","email_verified":true,"second_factor":false,"accounts":[` +
		`{"id":"` + own + `","name":"Bob","role":"OWNER"},{"id":"` + ada +
		`","name":"Ada","role":"VIEWER"}]}]}` + "\n"
	list := func(args ...string) result {
		return invoke(t, o.env, "", append([]string{"user", "list"}, args...)...)
	}
	if r := list("--email", " Bob@Example.com", "--json"); r.code != exitOK || r.stdout != want {
		t.Errorf("%+v, want %s", r, want)
	}
	lines := bob.ID.String() + "  " + bob.CreatedAt.UTC().Format(time.DateOnly) +
		"  verified    no second factor  " +
		"bob@example.com  Bob  owner of " + own + " Bob, viewer of " + ada + " Ada\n" +
		"There are more: repeat the command with --after " + bob.ID.String() + "\n"
	if r := list("--limit", "2"); !strings.HasSuffix(r.stdout, lines) {
		t.Errorf("%+v, want %s", r, lines)
	}
	rest := o.do("user", "list", "--after", bob.ID.String())
	users := rest["users"].([]any)
	if len(users) != 1 || users[0].(map[string]any)["email"] != "cy@example.com" || rest["next"] != nil {
		t.Errorf("the rest: %v", rest)
	}
	list("--email", "nobody@example.com").expectLine(t, exitFailed, "There is no user nobody@example.com.")
	list("--email", "nobody").expectLine(t, exitUsage)
}

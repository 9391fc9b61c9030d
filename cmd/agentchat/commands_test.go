package main

import (
	"strings"
	"testing"

	"agentchat/internal/account"
	"agentchat/internal/auth"
	"agentchat/internal/store/storetest"
)

const goodPassword = "correct horse battery staple"

func TestAccountCommands(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	env := onDatabase(t, url, "STARTING_CREDITS=25")
	create := []string{"account", "create", "--email", " Ada@Example.com", "--name", "Ada"}
	created := invoke(t, env, goodPassword+"\n", append(create, "--json")...).object(t)
	if created["email"] != "ada@example.com" || created["name"] != "Ada" || created["balance"] != 25.0 || created["id"] == "" {
		t.Errorf("account create: %v", created)
	}
	expectPassword(t, url, "ada@example.com", goodPassword, true)
	invoke(t, env, goodPassword, create...).expectLine(t, exitFailed, "already exists")

	password := []string{"account", "password", "--email", "ADA@example.com"}
	r := invoke(t, env, "another good one\r\n", password...)
	if r.code != exitOK || !strings.Contains(r.stdout, "ada@example.com") {
		t.Errorf("account password: %+v", r)
	}
	expectPassword(t, url, "ada@example.com", "another good one", true)
	expectPassword(t, url, "ada@example.com", goodPassword, false)
	unknown := invoke(t, env, goodPassword, "account", "password", "--email", "nobody@example.com")
	unknown.expectLine(t, exitFailed, "nobody@example.com")
}

// Spaces are part of a password; only the line break at its end is not.
func TestPasswordInput(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	env := onDatabase(t, url)
	if r := invoke(t, env, "kTq3vbX9", "account", "create", "--email", "ada@example.com", "--name", "Ada"); r.code != exitOK {
		t.Fatalf("create: %+v", r)
	}
	set := []string{"account", "password", "--email", "ada@example.com"}
	for input, want := range map[string]string{
		"  spaces kept  \n": "  spaces kept  ", "no line break": "no line break",
		"пароль-密码-🔑\n": "пароль-密码-🔑",
	} {
		if r := invoke(t, env, input, set...); r.code != exitOK {
			t.Errorf("%q: %+v", input, r)
			continue
		}
		expectPassword(t, url, "ada@example.com", want, true)
	}
	for _, c := range []struct{ name, input, say string }{
		{"nothing", "", "no password"}, {"an empty line", "\n", "no password"}, {"too short", "seven77\n", "at least 8"},
		{"the first guess", "qwertyuiop\n", "harder to guess"}, {"the address", "ada@example.com\n", "harder to guess"},
		{"two lines", "first line\nsecond line\n", "one line"}, {"an empty line behind", "good password\n\n", "one line"},
		{"too long", strings.Repeat("x", 257), "at most 256"}, {"endless", strings.Repeat("x", 1<<20), "too long"},
		{"not UTF-8", "bad\xff\xfepassword\n", "UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := invoke(t, env, c.input, set...)
			r.expectLine(t, exitUsage, c.say)
			if c.input != "" && len(c.input) > 3 && strings.Contains(r.stderr, strings.TrimSpace(c.input)) {
				t.Errorf("stderr tells the password: %q", r.stderr)
			}
		})
	}
}

func TestCreditsGrant(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	env := onDatabase(t, url, "STARTING_CREDITS=0")
	for _, email := range []string{"ada@example.com", "bob@example.com"} {
		if r := invoke(t, env, goodPassword, "account", "create", "--email", email, "--name", "N"); r.code != exitOK {
			t.Fatalf("create: %+v", r)
		}
	}
	grant := func(email, amount, reference string) result {
		return invoke(t, env, "", "credits", "grant", "--json",
			"--email", email, "--amount", amount, "--note", "Invoice", "--reference", reference)
	}
	for _, c := range []struct {
		email, amount, reference string
		balance                  float64
		repeated                 bool
	}{
		{"ada@example.com", "50", "inv-1", 50, false}, {"ADA@example.com", "50", "inv-1", 50, true},
		{"ada@example.com", "1", "inv-2", 51, false}, {"bob@example.com", "50", "inv-1", 50, false},
		{"ada@example.com", "50", " inv-1\n", 51, true},
	} {
		got := grant(c.email, c.amount, c.reference).object(t)
		if got["balance"] != c.balance || got["repeated"] != c.repeated || got["email"] != strings.ToLower(c.email) {
			t.Errorf("grant %+v: %v", c, got)
		}
	}
	for _, c := range []struct {
		email, amount, reference, code string
		exit                           int
	}{
		{"ada@example.com", "51", "inv-1", "conflict", exitFailed},
		{"nobody@example.com", "1", "inv-1", "not_found", exitFailed},
		{"ada@example.com", "9007199254740991", "inv-3", "usage", exitUsage},
		{"ada@example.com", "50", "inv-1\u200b", "usage", exitUsage},
	} {
		r := grant(c.email, c.amount, c.reference)
		body, _ := decodeLine(t, r.stderr)["error"].(map[string]any)
		if r.code != c.exit || body["code"] != c.code || r.stdout != "" {
			t.Errorf("grant %+v: code %d, %v", c, r.code, body)
		}
	}
	if r := invoke(t, env, "", "credits", "grant", "--email", "ada@example.com", "--amount", "9", "--note", "n", "--reference",
		"inv-9"); !strings.Contains(r.stdout, "the balance is 60") {
		t.Errorf("the text: %+v", r)
	}
	storetest.Audit(t, storetest.Open(t, url))
}

// expectPassword checks a password against what is stored for an account.
func expectPassword(t *testing.T, url, email, password string, want bool) {
	t.Helper()
	address, err := account.ParseEmail(email)
	if err != nil {
		t.Fatal(err)
	}
	var hash string
	row := storetest.Open(t, url).SQL().QueryRowContext(t.Context(),
		`SELECT password_hash FROM users WHERE email = $1`, address)
	if err := row.Scan(&hash); err != nil {
		t.Fatal(err)
	}
	if got, err := auth.NewHasher().Verify(t.Context(), hash, password); err != nil || got != want {
		t.Errorf("the password of %s matches: %v, %v; want %v", email, got, err, want)
	}
}

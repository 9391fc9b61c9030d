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
	if created["email"] != "ada@example.com" || created["name"] != "Ada" ||
		created["balance"] != 25.0 || created["id"] == "" {
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

// TestPasswordInput tests that spaces are part of a password, unlike the line break at its end.
func TestPasswordInput(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	env := onDatabase(t, url)
	if r := invoke(t, env, "kTq3vbX9", "account", "create", "--email", "ada@example.com", "--name",
		"Ada"); r.code != exitOK {
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
		{"nothing", "", "no password"},
		{"an empty line", "\n", "no password"},
		{"too short", "seven77\n", "at least 8"},
		{"the first guess", "qwertyuiop\n", "too common"},
		{"the address", "ada@example.com\n", "too common"},
		{"two lines", "first line\nsecond line\n", "one line"},
		{"an empty line behind", "good password\n\n", "one line"},
		{"too long", strings.Repeat("x", 257), "at most 256"}, {"endless", strings.Repeat("x", 1<<20), "too long"},
		{"not UTF-8", "bad\xff\xfepassword\n", "UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := invoke(t, env, c.input, set...)
			r.expectLine(t, exitUsage, c.say)
			if c.input != "" && len(c.input) > 3 && strings.Contains(r.stderr, strings.TrimSpace(c.input)) {
				t.Errorf("stderr contains the password: %q", r.stderr)
			}
		})
	}
}

// TestCreditCommands tests grants and adjustments: each reference applies once, and a correction
// cannot make the balance negative.
func TestCreditCommands(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	env := onDatabase(t, url, "STARTING_CREDITS=0")
	o := commandLine{t: t, env: env}
	o.create("Ada")
	credits := func(kind, amount, reference string) []string {
		return []string{"credits", kind, "--email", "ADA@example.com", "--amount=" + amount,
			"--note", "Invoice", "--reference", reference}
	}
	for _, c := range []struct {
		kind, amount, reference string
		balance                 float64
		repeated                bool
	}{
		{"grant", "50", "inv-1", 50, false},
		{"grant", "50", " inv-1\n", 50, true},
		{"adjust", "5", "a", 55, false},
		{"adjust", "-12", "b", 43, false},
		{"adjust", "-12", "b", 43, true},
	} {
		got := o.do(credits(c.kind, c.amount, c.reference)...)
		if got["balance"] != c.balance || got["repeated"] != c.repeated || got["email"] != "ada@example.com" {
			t.Errorf("%+v: %v", c, got)
		}
	}
	for _, c := range []struct {
		kind, amount, reference string
		exit                    int
		say                     string
	}{
		{"grant", "51", "inv-1", exitFailed, "another amount"},
		{"grant", "5", "a", exitFailed, "another amount"},
		{"adjust", "-44", "d", exitFailed, "Only 43 credits are available"},
		{"grant", "9007199254740991", "inv-3", exitUsage, "exceed"},
		{"grant", "50", "inv-1\u200b", exitUsage, "--reference"},
	} {
		invoke(t, env, "", credits(c.kind, c.amount, c.reference)...).expectLine(t, c.exit, c.say)
	}
	if r := invoke(t, env, "",
		credits("grant", "9", "inv-9")...); !strings.Contains(r.stdout, "the balance is 52") {
		t.Errorf("the text: %+v", r)
	}
	storetest.Audit(t, storetest.Open(t, url))
}

// expectPassword checks a password against the stored hash of an account.
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

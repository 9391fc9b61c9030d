package main

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/mail/mailtest"
	"agentchat/internal/store/storetest"
)

func TestMailTest(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, nil, false)
	env := []string{"SMTP_URL=" + server.URL(), "MAIL_FROM=Agent Chat <chat@example.com>",
		"MAIL_REPLY_TO=help@example.com"}
	r := invoke(t, env, "", "mail", "test", "--to", "Ada@Example.com")
	if r.code != exitOK || r.stdout != "Handed over to the mail server, which said: 2.0.0 OK: queued\n" {
		t.Fatalf("%+v", r)
	}
	if got := invoke(t, env, "", "mail", "test", "--to", "ada@example.com",
		"--json").object(t); got["said"] != "2.0.0 OK: queued" {
		t.Errorf("--json: %v", got)
	}
	if got := server.Messages(); len(got) != 2 || got[0].To != "ada@example.com" ||
		got[0].Header.Get("Reply-To") != "<help@example.com>" {
		t.Errorf("it got %+v", got)
	}
	server.Answer(func(mailtest.Message) error { return mailtest.Refuse(550, "No such user") })
	invoke(t, env, "", "mail", "test", "--to", "ada@example.com").expectLine(t, exitFailed, "No such user")
	invoke(t, nil, "", "mail", "test", "--to", "ada@example.com").expectLine(t, exitUsage, "SMTP_URL is not set")
	invoke(t, env[:1], "", "mail", "test", "--to", "ada@example.com").expectLine(t, exitUsage, "MAIL_FROM")
	invoke(t, env, "", "mail", "test", "--to", "ada").expectLine(t, exitUsage, "name@example.com")
}

const (
	requestReset = `mutation($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { ok } }`
	resetByLink  = `mutation($input: ResetPasswordInput!) { resetPassword(input: $input) { ok } }`
)

// TestMailsThatFail also tests that a link begins with PUBLIC_URL, whatever address serves.
func TestMailsThatFail(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, nil, false)
	env := onDatabase(t, storetest.URL(t), "SMTP_URL="+server.URL(), "MAIL_FROM=chat@example.com",
		"PUBLIC_URL=https://chat.example.com")
	o := commandLine{t: t, service: startService(t, env), env: env}
	o.create("Ada")
	server.Answer(func(mailtest.Message) error { return mailtest.Refuse(550, "No such user") })
	if code := o.graphQL(requestReset, map[string]string{"email": "ada@example.com"}); code != "ok" {
		t.Fatal(code)
	}
	o.retries("mail", "mail", "failed  PASSWORD_RESET  ada@example.com", "tries: 1  550",
		func() { server.Answer(nil) })
	mail := server.Messages()[0]
	if !strings.Contains(mail.Text, "\nhttps://chat.example.com/reset#token=") ||
		strings.Contains(o.stderr.String(), mail.Token()) ||
		strings.Contains(o.stderr.String(), "ada@example.com") {
		t.Errorf("the mail %s, the log %s", mail.Text, o.stderr.String())
	}
}

// TestMailsWaitForTheOperator tests that mails wait while the server refuses the operator's
// settings, and that the operator sees the reason.
func TestMailsWaitForTheOperator(t *testing.T) {
	t.Parallel()
	refusing := mailtest.Script(t, map[string]string{"MAIL": "530 5.7.0 Must issue a STARTTLS command first"})
	env := onDatabase(t, storetest.URL(t), "SMTP_URL=smtp://"+refusing, "MAIL_FROM=chat@example.com")
	o := commandLine{t: t, service: startService(t, env, "--demo"), env: env}
	if code := o.graphQL(requestReset, map[string]string{"email": o.Demo.Email}); code != "ok" {
		t.Fatal(code)
	}
	const why = "530 at MAIL FROM"
	until(t, "it waits", func() bool {
		return strings.Contains(read(t, o.Ops+"/readyz?verbose"),
			`"mail":"1 waiting, 0 failed; the oldest waits because: `+why+`: 5.7.0 Must issue a STARTTLS command first"`)
	})
	if got := read(t,
		o.Ops+"/metrics"); !strings.Contains(got, `agentchat_oldest_mail_seconds{why="`+why+`"} `) {
		t.Errorf("the metrics: %s", got)
	}
	r := invoke(t, o.env, "", "mail", "list")
	if r.code != exitOK ||
		!strings.Contains(r.stdout, "waits  PASSWORD_RESET  "+o.Demo.Email+"  tries: 1  "+why) {
		t.Errorf("mail list: %+v", r)
	}
	invoke(t, o.env, "", "mail", "test", "--to", "ada@example.com").expectLine(t, exitFailed, why)
}

// TestResetLinkByHand tests a link that the operator passes on without mail.
func TestResetLinkByHand(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	r := invoke(t, append(o.env, "PUBLIC_URL=https://chat.example.com"), "", "user", "reset-link",
		"--email", o.Demo.Email)
	link, _, _ := strings.Cut(r.stdout, "\n")
	token, found := strings.CutPrefix(link, "https://chat.example.com/reset#token=")
	if r.code != exitOK || !found {
		t.Fatalf("%+v", r)
	}
	in := map[string]string{"token": token, "newPassword": "another good password"}
	if code := o.graphQL(resetByLink, in); code != "ok" {
		t.Errorf("resetting: %s", code)
	}
	if code := o.signIn("another good password"); code != "ok" {
		t.Errorf("signing in: %s", code)
	}
	invoke(t, o.env, "", "user", "reset-link", "--email", "unknown@example.com").
		expectLine(t, exitFailed, "There is no user unknown@example.com.")
	invoke(t, o.env, "", "user", "reset-link", "--email", "nobody").expectLine(t, exitUsage, "name@example.com")
}

func read(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

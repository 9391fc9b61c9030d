package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/internal/mail/mailtest"
)

func TestServeRefusesMailThatCannotBeSent(t *testing.T) {
	t.Parallel()
	const elsewhere, from = "SMTP_URL=smtp://u:hunter2@mail.example.com:587", "MAIL_FROM=chat@example.com"
	for name, c := range map[string]struct {
		env []string
		say string
	}{
		"no sender":             {[]string{elsewhere, "PUBLIC_URL=https://chat.example.com"}, "SMTP_URL needs MAIL_FROM"},
		"links to localhost":    {[]string{elsewhere, from}, "SMTP_URL needs PUBLIC_URL"},
		"not a URL":             {[]string{"SMTP_URL=smtp://u:hunter2@host:port", from}, "SMTP_URL is not the address of a mail server"},
		"not a URL, in a file":  {[]string{"SMTP_URL_FILE=" + writeFile(t, "http://u:hunter2@host"), from}, "SMTP_URL is not the address"},
		"not a sender":          {[]string{elsewhere, "MAIL_FROM=nobody"}, "MAIL_FROM must be an e-mail address"},
		"nowhere to answer":     {[]string{elsewhere, from, "MAIL_REPLY_TO=a@b@c"}, "MAIL_REPLY_TO must be an e-mail address"},
		"a sender alone":        {[]string{from}, "need SMTP_URL"},
		"an address in a quote": {[]string{"SMTP_URL='smtp://u:hunter2@host'"}, "SMTP_URL is in quotes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "data")
			r := invoke(t, settings(dir, c.env...), "", "serve")
			r.expectLine(t, exitUsage, c.say)
			if strings.Contains(r.stderr, "hunter2") || strings.Contains(r.stderr, "--smtp") {
				t.Errorf("stderr: %s", r.stderr)
			}
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Errorf("something was started: %v", err)
			}
		})
	}
}

// Flags can be seen by everybody on the machine.
func TestMailIsNoFlag(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"serve", "--smtp-url=smtp://u:hunter2@host"}, {"serve", "--smtp-url", "smtp://u:hunter2@host"},
		{"doctor", "--mail-from=a@example.com"}, {"mail", "test", "--to=a@example.com", "--smtp-url=smtp://u:hunter2@host"}} {
		r := invoke(t, settings(t.TempDir()), "", args...)
		r.expectLine(t, exitUsage, "is not taken from the command line", "_FILE")
		if strings.Contains(r.stderr, "hunter2") {
			t.Errorf("stderr: %s", r.stderr)
		}
	}
	help := invoke(t, nil, "", "serve", "--help").stdout
	if !strings.Contains(help, "SMTP_URL") || strings.Contains(help, "--smtp-url") {
		t.Errorf("help: %s", help)
	}
}

func TestMailTest(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, nil, false)
	env := []string{"SMTP_URL=" + server.URL(), "MAIL_FROM=Agent Chat <chat@example.com>", "MAIL_REPLY_TO=help@example.com"}
	r := invoke(t, env, "", "mail", "test", "--to", "Ada@Example.com")
	if r.code != exitOK || r.stdout != "Handed over to the mail server, which said: 2.0.0 OK: queued\n" {
		t.Fatalf("%+v", r)
	}
	if got := invoke(t, env, "", "mail", "test", "--to", "ada@example.com", "--json").object(t); got["said"] != "2.0.0 OK: queued" {
		t.Errorf("--json: %v", got)
	}
	if got := server.Messages(); len(got) != 2 || got[0].To != "ada@example.com" || got[0].Header.Get("Reply-To") != "<help@example.com>" {
		t.Errorf("it got %+v", got)
	}
	server.Answer(func(mailtest.Message) error { return mailtest.Refuse(550, "No such user") })
	invoke(t, env, "", "mail", "test", "--to", "ada@example.com").expectLine(t, exitFailed, "No such user")
	invoke(t, nil, "", "mail", "test", "--to", "ada@example.com").expectLine(t, exitUsage, "SMTP_URL is not set")
	invoke(t, env[:1], "", "mail", "test", "--to", "ada@example.com").expectLine(t, exitUsage, "MAIL_FROM")
	invoke(t, env, "", "mail", "test", "--to", "ada").expectLine(t, exitUsage, "name@example.com")
}

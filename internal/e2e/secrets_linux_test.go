package e2e_test

import (
	"encoding/base32"
	"fmt"
	"io"
	"net/http"
	neturl "net/url"
	"os"
	"strings"
	"testing"
	"time"

	"agentchat/internal/auth"
	"agentchat/internal/mail/mailtest"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestSignInsLeaveNoSecrets signs up by mail, adds and removes a second factor, and resets the
// password. No address, password, token, secret or recovery code is then in the log, the metrics,
// the audit trail or the output of ps. Only the chat API has traces.
func TestSignInsLeaveNoSecrets(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	post := mailtest.Start(t, nil, false)
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	smtp := neturl.URL{
		Scheme: "smtp",
		Host:   post.Addr,
		User:   neturl.UserPassword(mailtest.User, mailtest.Password),
	}
	r := start(t, url, "SMTP_URL="+smtp.String(), "MAIL_FROM=chat@example.com",
		"PUBLIC_URL=https://chat.example.com")
	const email = "ada.lovelace@example.com"
	const next, wrong = "another password of hers", "a guess at the password"
	secrets := map[string]string{
		"address":                     email,
		"password":                    ownersPassword,
		"new password":                next,
		"wrong password":              wrong,
		"password of the mail server": mailtest.Password,
		"password in SMTP_URL":        neturl.QueryEscape(mailtest.Password),
	}

	b := newBrowser(t, "User-Agent", "curl/8")
	b.must(r, mutation("signUp", "mailSent"),
		map[string]any{"email": email, "name": "Ada", "password": ownersPassword})
	eventually(t, "the mail of the sign-up", func() bool { return len(post.Messages()) > 0 })
	secrets["token of the sign-up"] = post.Messages()[0].Token()
	b.must(r, mutation("verifyEmail", "ok"),
		map[string]any{"token": secrets["token of the sign-up"], "password": ownersPassword})
	got, err := b.signIn(r, signInQuery, email, wrong)
	if err != nil || got.code() != "INVALID_CREDENTIALS" {
		t.Fatalf("a wrong password: %v %s", err, got.Raw)
	}
	if got, err := b.signIn(r, signInQuery, email, ownersPassword); err != nil || got.code() != "ok" {
		t.Fatalf("signing in: %v %s", err, got.Raw)
	}
	secrets["access token"] = b.Token
	var begun struct{ Secret string }
	b.must(r, `mutation { startSecondFactor { secret } }`, nil).into(t, "startSecondFactor", &begun)
	secrets["secret of the factor"] = begun.Secret
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(begun.Secret)
	if err != nil {
		t.Fatal(err)
	}
	var on struct{ RecoveryCodes []string }
	b.must(r, mutation("confirmSecondFactor", "recoveryCodes"),
		map[string]any{"code": auth.TOTP(key, time.Now().Unix()/30)}).into(t, "confirmSecondFactor", &on)
	for i, code := range on.RecoveryCodes {
		secrets[fmt.Sprint("recovery code ", i)] = code
	}
	b.must(r, mutation("removeSecondFactor", "ok"),
		map[string]any{"password": ownersPassword, "code": on.RecoveryCodes[0]})
	eventually(t, "the notices arrive", func() bool { return len(post.Messages()) >= 4 })
	mails := len(post.Messages())
	b.must(r, mutation("requestPasswordReset", "ok"), map[string]any{"email": email})
	eventually(t, "the mail of the reset", func() bool {
		for _, m := range post.Messages()[mails:] {
			if m.Token() != "" {
				secrets["token of the reset"] = m.Token()
			}
		}
		return secrets["token of the reset"] != ""
	})
	b.must(r, mutation("resetPassword", "ok"),
		map[string]any{"token": secrets["token of the reset"], "newPassword": next})

	shown, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", r.command.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the reset is logged", func() bool {
		return strings.Contains(r.log.String(), "resetPassword")
	})
	resp, err := http.Get(r.Ops + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	metrics, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	for what, secret := range secrets {
		for place, text := range map[string]string{
			"the log":     r.log.String(),
			"the metrics": string(metrics),
			"ps":          string(shown),
		} {
			if strings.Contains(text, secret) {
				t.Errorf("the %s is in %s", what, place)
			}
		}
		if n := storetest.Traces(t, s, secret)["audit_entries"]; n > 0 {
			t.Errorf("the %s is in %d entries of the audit trail", what, n)
		}
	}
}

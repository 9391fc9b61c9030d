package mail_test

import (
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/mail/mailtest"
	"agentchat/internal/store/operator"
)

// Owners are told with names that are no links and not in the subject, and where to go; nobody is told of what is gone.
func TestMailsAboutEvents(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, err := operator.On(b.DB).AccountByEmail(t.Context(), ada)
	if err != nil {
		t.Fatal(err)
	}
	const export = "00000000-0000-0000-0000-000000000002"
	b.exec(t, `UPDATE accounts SET name = 'Win at evil.example' WHERE id = $1`, owner.ID)
	b.exec(t, `INSERT INTO agents (id, account_id, name) VALUES ('00000000-0000-0000-0000-000000000001', $1, 'A')`, owner.ID)
	b.exec(t, `INSERT INTO api_exports (id, account_id, agent_id, name) VALUES ($1, $2,
		'00000000-0000-0000-0000-000000000001', '<b>Web</b>')`, export, owner.ID)
	tell := func(event, address, data string) {
		t.Helper()
		b.exec(t, `INSERT INTO outbox (id, kind, message, address, data) VALUES (gen_random_uuid(), 'MAIL', $1, $2, $3)`, event, address,
			fmt.Sprintf(`{"account_id": %q%s}`, owner.ID, data))
	}
	b.run(t, b.DB)
	const ofExport = `, "export_id": "` + export + `"`
	for i, c := range []struct{ event, data, subject, text, link string }{
		{"credits.low", `, "credits_available": 9, "low_credits_at": 10`, "Credits for Agent Chat are low",
			"has 9 credits left. Its owners are notified at 10 or fewer.", "/usage/credits"},
		{"credits.used_up", `, "credits_available": 0`, "Credits for Agent Chat are used up", "has 0 credits left", "/usage/credits"},
		{"export.limit_near", ofExport + `, "period": "day", "used": 90, "limit": 100`, "An API export at Agent Chat is near its limit",
			"has used 90 of the 100 credits of its limit for this day (UTC)", "/exports/" + export},
		{"key.stops_soon", ofExport + `, "key_hint": "agc_…abcd", "stops_at": "2026-11-30T10:05:00Z"`, "A key at Agent Chat expires soon",
			"agc_…abcd, that expires at 2026-11-30 10:05 UTC", "/exports/" + export},
		{"key.stops_soon", ofExport, "A key at Agent Chat expires soon", "an unknown time", "/exports/" + export},
	} {
		tell(c.event, ada, c.data)
		b.waits(t, 0)
		got := b.server.Messages()
		if len(got) != i+1 {
			t.Fatalf("%s: %d mails", c.event, len(got))
		}
		m := got[i]
		if m.Header.Get("Subject") != c.subject || !strings.Contains(m.Text, c.text) || !strings.Contains(m.Text, "\n"+panel+c.link+"\n") ||
			!strings.Contains(m.Text, "“Win at evil. example”") || strings.Contains(m.HTML, "<b>") {
			t.Errorf("%s: %s\n%s", c.event, m.Header.Get("Subject"), m.Text)
		}
	}
	b.exec(t, `UPDATE api_exports SET removed_at = now()`)
	tell("key.stops_soon", ada, ofExport)
	tell("credits.low", "bob@example.com", "")
	b.exec(t, `UPDATE memberships SET role = 'EDITOR'`)
	tell("credits.low", ada, "")
	b.waits(t, 0)
	if got := b.server.Messages(); len(got) != 5 {
		t.Errorf("somebody was told of what is gone: %s", got[len(got)-1].Text)
	}
}

// What waits while the mail server is away is sent once it is back, to each owner once.
func TestEventsWaitForTheMailServer(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, err := operator.On(b.DB).AccountByEmail(t.Context(), ada)
	if err != nil {
		t.Fatal(err)
	}
	b.server.Answer(func(mailtest.Message) error { return mailtest.Refuse(451, "Try later") })
	stop := b.run(t, b.DB)
	b.exec(t, `INSERT INTO outbox (id, kind, message, address, data) VALUES (gen_random_uuid(), 'MAIL', 'credits.used_up', $1, $2)`, ada,
		fmt.Sprintf(`{"account_id": %q, "credits_available": 0}`, owner.ID))
	b.waits(t, 1)
	stop()
	b.server.Answer(nil)
	b.run(t, b.open(t))
	b.run(t, b.open(t))
	b.hurry(t)
	b.waits(t, 0)
	if got := b.server.Messages(); len(got) != 1 || got[0].To != ada {
		t.Errorf("%+v", got)
	}
}

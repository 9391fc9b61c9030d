package mail_test

import (
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/store/operator"
	"agentchat/internal/store/storetest"
)

// TestMailsAboutEvents shows that owners are notified with a link to the panel and with names that
// are not links and not in the subject, and that no mail is sent about removed things.
func TestMailsAboutEvents(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, err := operator.On(b.DB).AccountByEmail(t.Context(), ada)
	if err != nil {
		t.Fatal(err)
	}
	b.exec(t, `UPDATE accounts SET name = 'Win at evil.example' WHERE id = $1`, owner.ID)
	a := storetest.SeedAgent(t, b.DB, owner.ID, storetest.Options{})
	seeded, _, _ := storetest.SeedExport(t, b.DB, owner.ID, a.ID, 1)
	b.exec(t, `UPDATE api_exports SET name = '<b>Web</b>'`)
	export := seeded.ID.String()
	queue := func(event, address, data string) {
		t.Helper()
		b.exec(t, `INSERT INTO outbox (id, kind, message, address, data) VALUES (gen_random_uuid(), 'MAIL', $1, $2, $3)`, event, address,
			fmt.Sprintf(`{"account_id": %q%s}`, owner.ID, data))
	}
	b.run(t, b.DB)
	ofExport := `, "export_id": "` + export + `"`
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
		queue(c.event, ada, c.data)
		b.waits(t, 0)
		got := b.server.Messages()
		if len(got) != i+1 {
			t.Fatalf("%s: %d mails", c.event, len(got))
		}
		m := got[i]
		if m.Header.Get("Subject") != c.subject || !strings.Contains(m.Text, c.text) ||
			!strings.Contains(m.Text, "\n"+panel+c.link+"\n") ||
			!strings.Contains(m.Text, "“Win at evil. example”") || strings.Contains(m.HTML, "<b>") {
			t.Errorf("%s: %s\n%s", c.event, m.Header.Get("Subject"), m.Text)
		}
	}
	failing := `INSERT INTO outbox (id, kind, message, address, account_id) VALUES (gen_random_uuid(), 'MAIL', 'WEBHOOK_FAILING', $1, $2)`
	b.exec(t, failing, ada, owner.ID)
	b.waits(t, 0)
	if got := b.server.Messages(); len(got) != 6 || !strings.Contains(got[5].Text, "“Win at evil. example” at") ||
		!strings.Contains(got[5].Text, "\n"+panel+"/settings/webhooks\n") {
		t.Errorf("a webhook that fails: %+v", got[len(got)-1])
	}
	b.exec(t, `UPDATE api_exports SET removed_at = now()`)
	queue("key.stops_soon", ada, ofExport)
	queue("credits.low", "bob@example.com", "")
	b.exec(t, `UPDATE memberships SET role = 'EDITOR'`)
	queue("credits.low", ada, "")
	b.exec(t, failing, ada, owner.ID)
	b.waits(t, 0)
	if got := b.server.Messages(); len(got) != 6 {
		t.Errorf("a mail about a removed thing was sent: %s", got[len(got)-1].Text)
	}
}

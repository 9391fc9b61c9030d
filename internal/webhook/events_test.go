package webhook_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	netmail "net/mail"
	"testing"
	"time"

	"agentchat/internal/agent"
	"agentchat/internal/mail"
	"agentchat/internal/mail/mailtest"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/storetest"
)

// TestEventsAreSentOnce follows an event from an account's credits to its owner and the operator:
// while both servers are down, replicas start and stop, and the credits are checked twice, it
// waits; then it is sent once to each.
func TestEventsAreSentOnce(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	f := storetest.Seed(t, r.DB, storetest.Options{Credits: 10})
	low := int64(20)
	if _, err := accounts.On(r.DB).UpdateAccount(t.Context(), f.Account.ID, accounts.AccountChange{
		LowCreditsAt: agent.Change[int64]{Set: true, Value: &low}}); err != nil {
		t.Fatal(err)
	}
	r.exec(t, `DELETE FROM outbox`)
	server := mailtest.Start(t, nil, false)
	server.Answer(func(mailtest.Message) error { return mailtest.Refuse(451, "Try later") })
	r.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	replica := func() (stop func()) {
		s := r.open(t)
		mails, err := mail.NewWorker(mail.Config{Store: s, LookEvery: 20 * time.Millisecond, Panel: "https://chat.example.com",
			Server: mail.Server{URL: server.URL(), From: &netmail.Address{Address: "chat@example.com"}}, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err := notifications.On(s).NotifyLowCredits(t.Context(), 100); err != nil {
				t.Fatal(err)
			}
		}
		stopMail, stopPosts := start(t, mails.Worker), r.run(t, s)
		return func() { stopMail(); stopPosts() }
	}
	for range 3 {
		stop := replica()
		r.hurry(t)
		r.tried(t, 1)
		stop()
	}
	if _, err := notifications.On(r.DB).ClaimOutgoing(t.Context(), notifications.WebhookKind); err == nil {
		t.Fatal("an event is tried again before its pause is over")
	}
	before := len(r.posts())
	r.answers(nil)
	server.Answer(nil)
	replica()
	replica()
	r.hurry(t)
	r.tried(t, 0)
	if got := server.Messages(); len(got) != 1 || got[0].To != f.Account.Email {
		t.Errorf("mails: %+v", got)
	}
	posts := r.posts()[before:]
	var event struct {
		Type string
		Data notifications.EventData
	}
	if len(posts) != 1 || json.Unmarshal([]byte(posts[0].body), &event) != nil ||
		event.Type != "credits.low" ||
		event.Data.AccountID != f.Account.ID || *event.Data.CreditsAvailable != 10 ||
		*event.Data.LowCreditsAt != 20 {
		t.Errorf("posts: %+v", posts)
	}
}

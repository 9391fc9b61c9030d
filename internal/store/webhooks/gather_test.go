package webhooks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/usage"
)

// TestGather: every answered message of the API is in one row, in the order of the ledger, from the
// webhook's creation on, however many rows wait meanwhile. Failed messages are queued when they are
// counted. Messages of deleted conversations and of other sources are not.
func TestGather(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.exchange(t, 1, conversation.Answered)
	w := l.add(t, l.Account.ID, notifications.MessageCompleted, notifications.MessageFailed)
	want := l.exchange(t, 130, conversation.Answered)
	failed := l.exchange(t, 2, conversation.Failed)
	for _, state := range []conversation.TurnState{conversation.Answered, conversation.Failed} { // in deleted conversations
		var b turns.Begin
		storetest.BeginTurn(t, l.db, l.Key, func(begin *turns.Begin) {
			begin.Session, begin.IdempotencyKey = "gone", string(state)
			b = *begin
		})
		if state == conversation.Answered {
			storetest.FinishTurn(t, l.db, b.TurnID, state)
		}
		must(t, erasure.On(l.db).DeleteConversation(t.Context(), l.Account.ID, b.ConversationID))
		if state == conversation.Failed {
			storetest.FinishTurn(t, l.db, b.TurnID, state)
		}
	}
	storetest.AnswerInPlayground(t, l.db, l.Fixture, "playground")
	must(t, storetest.ErrOnly(usage.On(l.db).CountFailedTurns(t.Context(), 100)))
	if got := messages(t, l.deliveries(t, w, nil)); !slices.Equal(got, failed) {
		t.Errorf("failed messages %v, want %v", got, failed)
	}
	storetest.Exec(t, l.db, `INSERT INTO outbox (id, kind, message, address, webhook_id, data)
		SELECT gen_random_uuid(), 'OWNER_WEBHOOK', 'webhook.test', '', $1, '{}' FROM generate_series(1, 99)`, w.ID)
	gather := func(after, want uuid.UUID) {
		t.Helper()
		if next, full, err := l.Gather(t.Context(), after, 1); next != want || full || err != nil {
			t.Fatalf("gathered after %s; next: %s, want %s; full: %t, %v", after, next, want, full, err)
		}
	}
	gather(uuid.Nil, uuid.Nil) // 101 rows wait
	storetest.Exec(t, l.db, `DELETE FROM outbox WHERE kind = 'OWNER_WEBHOOK'`)
	gather(uuid.Nil, w.ID) // another webhook could be next
	l.exchange(t, 1, conversation.Answered)
	gather(w.ID, uuid.Nil) // a pass reads each webhook once
	rows := l.deliveries(t, w, nil)
	if got := messages(t, rows); !slices.Equal(got, want) || len(rows) != 2 {
		t.Errorf("%d messages in %d rows, want 130 in 2", len(got), len(rows))
	}
}

// TestFailuresBeforeADeletion: a command, which does not queue events, deletes an account. The failed
// messages of other accounts are reported nevertheless.
func TestFailuresBeforeADeletion(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	w := l.add(t, l.Account.ID, notifications.MessageFailed)
	want := l.exchange(t, 1, conversation.Failed)
	other := storetest.Seed(t, l.db, storetest.Options{})
	command, err := store.Open(t.Context(), store.Config{URL: l.url})
	must(t, err)
	must(t, erasure.On(command).DeleteAnyAccount(t.Context(), other.Account.ID, storetest.ByUser))
	must(t, command.Close())
	must(t, storetest.ErrOnly(usage.On(l.db).CountFailedTurns(t.Context(), 100)))
	if got := messages(t, l.deliveries(t, w, nil)); !slices.Equal(got, want) {
		t.Errorf("failed messages %v, want %v", got, want)
	}
}

// TestRatingGiven tests that each change of a caller's rating is reported, including withdrawals.
func TestRatingGiven(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	w := l.add(t, l.Account.ID, notifications.RatingGiven)
	id := l.exchange(t, 1, conversation.Answered)[0]
	turn := uuid.MustParse(id)
	storetest.GiveRating(t, l.db, l.Fixture, turn, conversation.ByTeam, conversation.Up, "text-")
	for _, value := range []conversation.RatingValue{-1, -1, 0, 0} {
		note := ""
		if value != 0 {
			note = "text-"
		}
		storetest.GiveRating(t, l.db, l.Fixture, turn, conversation.ByCaller, value, note)
	}
	var got []string
	for _, d := range l.deliveries(t, w, nil) {
		got = append(got, string(d.Event)+" "+d.Data)
	}
	about := `rating.given {"account_id":"` + l.Account.ID.String() + `","message_id":"` + id + `","value":`
	if want := []string{about + `-1}`, about + `0}`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestEvents: each change is reported in its transaction, to the webhooks that chose its event,
// without texts. While 1,000 rows wait, events are dropped and counted.
func TestEvents(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	w := l.add(t, l.Account.ID, notifications.VersionPublished, notifications.MemberAddedEvent,
		notifications.MemberRoleChangedEvent, notifications.MemberRemovedEvent, notifications.CreditsUsedUp)
	other := l.add(t, l.Account.ID, notifications.MemberRemovedEvent)
	storetest.SeedAgent(t, l.db, l.Account.ID, storetest.Options{Instructions: "text-"})
	member := l.addMember(t)
	change := accounts.MemberChange{AccountID: l.Account.ID, UserID: member, By: l.Account.OwnerID}
	must(t, storetest.ErrOnly(accounts.On(l.db).SetMemberRole(t.Context(), change, account.Editor)))
	storetest.Exec(t, l.db, `INSERT INTO outbox (id, kind, message, address, webhook_id, data)
		SELECT gen_random_uuid(), 'OWNER_WEBHOOK', 'webhook.test', '', $1, '{}' FROM generate_series(1, 1000)`, other.ID)
	must(t, accounts.On(l.db).RemoveMember(t.Context(), change, false))
	l.exchange(t, 1, conversation.Answered)
	storetest.Exec(t, l.db, `UPDATE accounts SET credit_balance = 0`)
	must(t, storetest.ErrOnly(notifications.On(l.db).NotifyUsedUp(t.Context(), 10)))
	var got []string
	for _, d := range l.deliveries(t, w, nil) {
		got = append(got, string(d.Event))
		if !strings.Contains(d.Data, l.Account.ID.String()) || strings.Contains(d.Data, "text-") {
			t.Errorf("%s: %s", d.Event, d.Data)
		}
		if strings.HasPrefix(string(d.Event), "member.") && !strings.Contains(d.Data, member.String()) {
			t.Errorf("%s: %s", d.Event, d.Data)
		}
	}
	want := "version.published member.added member.role_changed member.removed credits.used_up"
	if strings.Join(got, " ") != want {
		t.Errorf("events %v, want %s", got, want)
	}
	other, err := l.Webhook(t.Context(), l.Account.ID, other.ID)
	if n := storetest.CountRows(t, l.db, `SELECT count(*) FROM outbox WHERE webhook_id = $1`, other.ID); n != 1000 ||
		other.Dropped != 1 || err != nil {
		t.Errorf("%d rows, %d events dropped, %v", n, other.Dropped, err)
	}
	if _, err := l.Test(t.Context(), l.Account.ID, other.ID); !fault.Is(err, fault.Conflict) {
		t.Errorf("a test above 1,000 waiting rows: %v", err)
	}
}

// addMember adds a new user by an invitation.
func (l lab) addMember(t *testing.T) uuid.UUID {
	t.Helper()
	shown := [32]byte{1}
	_, err := accounts.On(l.db).Invite(t.Context(), accounts.NewInvitation{AccountID: l.Account.ID,
		Email: "text-@example.com", Role: account.Viewer, By: l.Account.OwnerID, Shown: shown})
	must(t, err)
	must(t, storetest.ErrOnly(accounts.On(l.db).AcceptInvitation(t.Context(),
		accounts.Acceptance{Token: shown, Name: "text-", PasswordHash: "none", By: storetest.ByUser})))
	members, err := accounts.On(l.db).Members(t.Context(), l.Account.ID)
	must(t, err)
	return members[1].UserID
}

package conversations_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestLatestEndUsers tests that pages of any size, cut short or not, have each end user once in the
// order of the latest conversations, for every filter. End users without a conversation come last.
func TestLatestEndUsers(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	other := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	export, _, key := storetest.SeedExport(t, s, f.Account.ID, other.ID, agent.MaxRatePerMinute)
	start := storetest.Time("2026-03-01T00:00:00Z")
	after := func(minutes int) *time.Time {
		at := start.Add(time.Duration(minutes) * time.Minute)
		return &at
	}
	for _, c := range []struct {
		user   string
		minute int
		second bool
	}{
		{"ada", 1, false}, {"ada", 9, true}, {"bob", 8, false}, {"", 7, false}, {"bob", 2, false},
		{"cy", 5, true}, {"dan", 3, false}, {"eve", 3, true},
	} {
		var id uuid.UUID
		by := f.Key
		if c.second {
			by = key
		}
		storetest.AnswerTurn(t, s, by, func(b *turns.Begin) {
			if storetest.InOwnSession(c.user)(b); c.user == "" {
				b.UserID = nil
			}
			id = b.TurnID
		})
		storetest.Exec(t, s, `
			WITH t AS (UPDATE turns SET created_at = $2 WHERE id = $1 RETURNING conversation_id)
			UPDATE conversations c SET last_turn_at = $2 FROM t WHERE c.id = t.conversation_id`,
			id, after(c.minute))
	}
	for _, user := range []string{"ada", "tester", "zed"} { // test conversations name them, but they sent nothing
		storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) {
			b.Source, b.AccountID, b.AgentID = conversation.Test, f.Account.ID, f.Agent.ID
			b.Session, b.UserID = user, &user
		})
	}
	storetest.Block(t, s, f, "aaa", true)
	storetest.Block(t, s, f, "cy", true)
	storetest.SetOwnLimit(t, s, f, "zed", new(3))
	for what, c := range map[string]struct {
		filter conversations.EndUserFilter
		want   string
	}{
		"all":             {want: "ada bob cy eve dan aaa zed"},
		"of an agent":     {conversations.EndUserFilter{AgentID: &f.Agent.ID}, "bob dan ada"},
		"of an export":    {conversations.EndUserFilter{ExportID: &export.ID}, "ada cy eve"},
		"of no export":    {conversations.EndUserFilter{ExportID: &uuid.Max}, ""},
		"by a part of id": {conversations.EndUserFilter{Search: " D "}, "ada dan zed"},
		"blocked":         {conversations.EndUserFilter{Blocked: new(true)}, "cy aaa"},
		"not blocked":     {conversations.EndUserFilter{Blocked: new(false)}, "ada bob eve dan zed"},
		"from":            {conversations.EndUserFilter{From: after(4)}, "ada bob cy"},
		"to":              {conversations.EndUserFilter{To: after(4)}, "ada bob eve dan"},
	} {
		for first, until := range map[int]time.Time{1: {}, 2: time.Now().Add(time.Hour), 100: {}} {
			q := conversations.EndUserQuery{First: first, Filter: c.filter, Latest: true}
			if got := latest(t, s, f.Account.ID, q, until); got != c.want {
				t.Errorf("%s, pages of %d until %v: %s, want %s", what, first, until, got, c.want)
			}
		}
	}
	q := conversations.EndUserQuery{First: 1, Latest: true}
	page, err := conversations.On(s).EndUserPage(t.Context(), f.Account.ID, q)
	if err != nil || len(page.Items) != 1 {
		t.Fatal(page, err)
	}
	if u := page.Items[0]; u.Messages != 2 || u.Conversations != 2 || !u.LastSeenAt.Equal(*after(9)) {
		t.Errorf("the latest: %+v", u)
	}
	// After a message, an end user is on top, and not in the rest of the list.
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("dan"))
	q.After = page.Looked
	rest := latest(t, s, f.Account.ID, q, time.Time{})
	if rest != "bob cy eve aaa zed" {
		t.Errorf("the rest after a message of dan: %s", rest)
	}
}

// latest reads the pages of a query, each until a time, and returns the ids.
func latest(
	t *testing.T, s *store.DB, me uuid.UUID, q conversations.EndUserQuery, until time.Time,
) string {
	t.Helper()
	var ids []string
	for more := true; more; {
		page, err := conversations.LatestEndUsersUntil(conversations.On(s), t.Context(), me, q, until)
		if err != nil || len(page.Items) > q.First || len(ids) > 20 {
			t.Fatal(page, err)
		}
		for _, u := range page.Items {
			ids = append(ids, u.UserID)
			if place := page.Places[u.UserID]; place.Text == "" && place.ID == uuid.Nil {
				t.Errorf("%s has no cursor", u.UserID)
			}
		}
		q.After, more = page.Looked, page.HasNext
	}
	return strings.Join(ids, " ")
}

package conversations_test

import (
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

// endUsers reads the end users of an account in pages.
func endUsers(
	t *testing.T, s *store.DB, me uuid.UUID, first int, filter conversations.EndUserFilter,
) (found []conversation.EndUser) {
	t.Helper()
	query := conversations.EndUserQuery{First: first, Filter: filter}
	for more := true; more; {
		page, err := conversations.On(s).EndUserPage(t.Context(), me, query)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, page.Items...)
		if more = page.HasNext; more {
			query.After = &store.Cursor{Text: found[len(found)-1].UserID}
		}
	}
	return found
}

func userIDs(users []conversation.EndUser) (ids []string) {
	for _, u := range users {
		ids = append(ids, u.UserID)
	}
	return ids
}

// TestMessagesAroundMidnight tests that today's messages count for each end user of a page,
// whatever the filter. That includes a conversation whose last_turn_at was written before midnight,
// a moment before its turn began.
func TestMessagesAroundMidnight(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 1_000})
	midnight := time.Now().UTC().Truncate(24 * time.Hour)
	want := map[string]int{}
	for _, c := range []struct {
		user   string
		latest time.Duration   // of the conversation, after midnight
		began  []time.Duration // its turns, after midnight
		also   string          // changes its turns
		today  int
	}{
		{"at midnight", -time.Second, []time.Duration{0}, "", 1},
		{"before", -time.Microsecond, []time.Duration{-time.Microsecond}, "", 0},
		{"written after", 0, []time.Duration{-time.Hour, time.Second}, "", 1},
		{"failed", 0, []time.Duration{-time.Hour, 0}, `state = 'FAILED'`, 0},
		{"long ago", -48 * time.Hour, []time.Duration{-48 * time.Hour}, "", 0},
		{"twice", time.Minute, []time.Duration{0, time.Minute}, "", 2},
		{"under way", time.Minute, []time.Duration{time.Minute}, `state = 'PENDING'`, 1},
	} {
		want[c.user] = c.today
		for _, began := range c.began {
			var id uuid.UUID
			storetest.AnswerTurn(t, s, f.Key,
				func(b *turns.Begin) { b.Session, b.UserID, id = c.user, &c.user, b.TurnID })
			storetest.Exec(t, s, `UPDATE turns SET created_at = $2 WHERE id = $1`, id, midnight.Add(began))
		}
		storetest.Exec(t, s,
			`UPDATE conversations SET last_turn_at = $2 WHERE user_id = $1`, c.user, midnight.Add(c.latest))
		if c.also != "" {
			storetest.Exec(t, s,
				`UPDATE turns SET `+c.also+` WHERE conversation_id = (SELECT id FROM conversations WHERE user_id = $1)`, c.user)
		}
	}
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("limited"))
	storetest.SetOwnLimit(t, s, f, "limited", storetest.SetTo(9).Value)
	storetest.Exec(t, s, `UPDATE limit_counters SET used = 0`)
	want["limited"] = 0
	all := map[string]int{}
	for what, filter := range map[string]conversations.EndUserFilter{"all": {}, "of the agent": {AgentID: &f.Agent.ID},
		"of the export": {ExportID: &f.Export.ID}, "from": {From: &midnight}, "to": {To: &midnight}} {
		for _, first := range []int{store.MaxPage, 1} {
			found := endUsers(t, s, f.Account.ID, first, filter)
			all[what] = len(found)
			for _, u := range found {
				if u.MessagesToday != want[u.UserID] && time.Now().UTC().Before(midnight.AddDate(0, 0, 1)) {
					t.Errorf("%s: %s: %d messages today, want %d", what, u.UserID, u.MessagesToday, want[u.UserID])
				}
			}
		}
	}
	if n := all["all"]; n != 8 || all["of the agent"] != 8 || all["of the export"] != 8 || all["from"] != 6 || all["to"] != 4 {
		t.Errorf("found: %v", all)
	}
}

// TestNearestLimitsOfAPage tests that each end user has the limit with the fewest messages left. Of
// equal limits it is the first export's.
func TestNearestLimitsOfAPage(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	second, _, secondKey := storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID,
		agent.MaxRatePerMinute)
	withSecond := f
	withSecond.Export = second
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("uncounted"))
	storetest.SetLimits(t, s, f, storetest.LimitKinds(3)[store.UserDay])
	storetest.SetLimits(t, s, withSecond, storetest.LimitKinds(3)[store.UserDay])
	for _, user := range []string{"a", "b", "b", "c", "d"} {
		storetest.AnswerTurn(t, s, secondKey, storetest.InOwnSession(user))
	}
	for _, user := range []string{"a", "b", "d"} {
		storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession(user))
	}
	storetest.SetOwnLimit(t, s, f, "d", storetest.SetTo(9).Value)
	want := map[string]conversation.EndUserExportLimit{
		"a": {ExportID: f.Export.ID, DailyMessageLimit: 3, MessagesToday: 1},
		"b": {ExportID: second.ID, DailyMessageLimit: 3, MessagesToday: 2},
		"c": {ExportID: second.ID, DailyMessageLimit: 3, MessagesToday: 1},
	}
	for _, first := range []int{store.MaxPage, 1} {
		found := endUsers(t, s, f.Account.ID, first, conversations.EndUserFilter{})
		if len(found) != 5 {
			t.Errorf("found: %+v", found)
		}
		for _, u := range found {
			got, nearest := u.NearestExportLimit(), want[u.UserID]
			if got == nil && nearest.DailyMessageLimit != 0 || got != nil && *got != nearest {
				t.Errorf("%s: %+v, want %+v", u.UserID, got, nearest)
			}
		}
	}
}

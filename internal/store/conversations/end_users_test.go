package conversations_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestConversationsBelongToTheirFirstUser: a conversation refuses messages of another end user or
// of none. A conversation without an end user refuses messages that have one.
func TestConversationsBelongToTheirFirstUser(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	of := func(session, user string) func(*turns.Begin) {
		return func(b *turns.Begin) {
			if b.Session = session; user != "" {
				b.UserID = &user
			}
		}
	}
	for _, c := range []struct {
		session, user string
		want          turns.Outcome
	}{
		{"of a", "a", turns.Begun}, {"of a", "b", turns.OtherUser}, {"of a", "", turns.OtherUser}, {"of a", "a", turns.Begun},
		{"of none", "", turns.Begun}, {"of none", "a", turns.OtherUser}, {"of none", "", turns.Begun},
	} {
		b := storetest.NewBegin(f.Key)
		of(c.session, c.user)(&b)
		got, err := turns.On(s).BeginTurn(t.Context(), b)
		if err != nil || got.Outcome != c.want {
			t.Errorf("%s by %q: %s %v, want %s", c.session, c.user, got.Outcome, err, c.want)
		}
		if got.Outcome == turns.Begun {
			storetest.FinishTurn(t, s, b.TurnID, conversation.Answered)
		}
	}
	required := true
	storetest.SetLimits(t, s, f, agent.ExportChanges{RequireUserID: storetest.SetTo(required)})
	if got := storetest.BeginTurn(t, s, f.Key, of("new", "")); got.Outcome != turns.UserMissing {
		t.Errorf("without the required id: %s", got.Outcome)
	}
}

// TestEndUserPage lists end users with their use, page by page and by every filter.
func TestEndUserPage(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 1_000})
	other := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	export, _, key := storetest.SeedExport(t, s, f.Account.ID, other.ID, agent.MaxRatePerMinute)
	stranger := storetest.Seed(t, s, storetest.Options{})
	storetest.AnswerTurn(t, s, stranger.Key, storetest.InOwnSession("stranger"))
	storetest.AnswerTurn(t, s, f.Key, nil) // without an end user
	for i := range 5 {
		user := fmt.Sprintf("user-%d", i)
		for range i + 1 {
			storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession(user))
		}
		storetest.AnswerTurn(t, s, key, storetest.InOwnSession(user))
		b := storetest.NewBegin(f.Key)
		storetest.InOwnSession(user)(&b)
		if got, err := turns.On(s).BeginTurn(t.Context(), b); err != nil || got.Outcome != turns.Begun {
			t.Fatal(got, err)
		}
		storetest.FinishTurn(t, s, b.TurnID, conversation.Failed)
	}
	list := func(filter conversations.EndUserFilter) []conversation.EndUser {
		t.Helper()
		return endUsers(t, s, f.Account.ID, 2, filter)
	}
	all := list(conversations.EndUserFilter{})
	if got := fmt.Sprint(userIDs(all)); got != "[user-0 user-1 user-2 user-3 user-4]" {
		t.Fatalf("all: %v", got)
	}
	if u := all[4]; u.Messages != 6 || u.Credits != 6 || u.Conversations != 7 ||
		u.LastSeenAt.Before(u.FirstSeenAt) {
		t.Errorf("the use: %+v", u)
	}
	if got := list(conversations.EndUserFilter{AgentID: &other.ID}); len(got) != 5 || got[4].Messages != 1 || got[4].Conversations != 1 {
		t.Errorf("of an agent: %+v", got)
	}
	if got := list(conversations.EndUserFilter{ExportID: &export.ID}); len(got) != 5 || got[4].Credits != 1 {
		t.Errorf("of an export: %+v", got)
	}
	from, to := all[2].LastSeenAt, all[3].FirstSeenAt
	if got := list(conversations.EndUserFilter{From: &from, To: &to}); len(got) != 1 || got[0].UserID != "user-2" || got[0].Messages != 0 {
		t.Errorf("by time: %+v", got)
	}
	page, err := conversations.On(s).ConversationPage(t.Context(), f.Account.ID, conversations.ConversationQuery{First: 10,
		Filter: conversations.ConversationFilter{UserID: &all[4].UserID}})
	if err != nil || len(page.Items) != 7 || *page.Items[0].UserID != "user-4" {
		t.Errorf("conversations of an end user: %+v %v", page, err)
	}
}

// TestEraseEndUser: once DeleteEndUser returns, no read finds the end user's conversations. A
// background job erases their text in batches.
func TestEraseEndUser(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	ctx, me := t.Context(), f.Account.ID
	for i := range 25 {
		storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) {
			b.UserID, b.Session, b.IdempotencyKey = new("gone"), fmt.Sprint("s", i%3), fmt.Sprint(i)
		})
	}
	storetest.AnswerTurn(t, s, f.Key,
		func(b *turns.Begin) { b.UserID, b.Session = new("kept"), "kept" })
	if n, err := erasure.On(s).DeleteEndUser(ctx, me, "gone", &f.Agent.ID); n != 3 || err != nil {
		t.Fatalf("%d conversations, %v", n, err)
	}
	users, err := conversations.On(s).EndUserPage(ctx, me, conversations.EndUserQuery{First: 10})
	if err != nil || len(users.Items) != 1 || users.Items[0].UserID != "kept" {
		t.Errorf("end users: %+v %v", users.Items, err)
	}
	left := storetest.SessionsOf(t, s, me, conversations.ConversationQuery{First: 10}, nil)
	if !slices.Equal(left, []string{"kept"}) {
		t.Errorf("conversations: %v", left)
	}
	batches := 0
	for n := 4; n == 4; batches++ {
		if n, err = erasure.On(s).EraseEndUsers(ctx, 4); err != nil {
			t.Fatal(err)
		}
	}
	if batches < 4 { // 25 turns, 8 at once
		t.Errorf("%d batches", batches)
	}
}

// TestVariablesAreChecked: the statement that begins a turn checks the variables of its message. A
// refusal leaves nothing behind.
func TestVariablesAreChecked(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	standard := "standard"
	storetest.Edit(t, s, f.Agent, agent.Changes{Instructions: storetest.SetTo(strings.Repeat("{{plan}}", 32) + "{{name}}"), Variables: storetest.SetTo([]agent.Variable{
		{Name: "name", Required: true}, {Name: "plan", Default: &standard}, {Name: "empty"}})})
	storetest.PublishNoted(t, s, f.Agent, "")
	longest := strings.Repeat("ü", 4_000)
	for _, c := range []struct {
		values   map[string]string
		want     turns.Outcome
		variable string
	}{
		{map[string]string{"name": "a"}, turns.Begun, ""},
		{map[string]string{"name": "", "plan": "", "empty": ""}, turns.Begun, ""},
		{nil, turns.VariableMissing, "name"},
		{map[string]string{"plan": "x"}, turns.VariableMissing, "name"},
		{map[string]string{"name": "x", "Plan": "x"}, turns.VariableUnknown, "Plan"},
		{map[string]string{"Plan": "x"}, turns.VariableUnknown, "Plan"},
		{map[string]string{"name": longest}, turns.Begun, ""},
		{map[string]string{"name": strings.Repeat("ü", 3_072), "plan": longest}, turns.Begun, ""}, // 131,072 in all
		{map[string]string{"name": strings.Repeat("ü", 3_073), "plan": longest}, turns.InstructionsTooLong, ""},
	} {
		b := storetest.NewBegin(f.Key)
		b.Session, b.Variables = b.TurnID.String(), c.values
		admitted, err := turns.On(s).BeginTurn(t.Context(), storetest.KeyCheck(b))
		if want := c.want; err != nil || admitted.Outcome != want && (want != turns.Begun || admitted.Outcome != turns.Admitted) {
			t.Errorf("%d values: admit %s %v, want %s", len(c.values), admitted.Outcome, err, want)
		}
		got, err := turns.On(s).BeginTurn(t.Context(), b)
		if err != nil || got.Outcome != c.want || got.Variable != c.variable {
			t.Errorf("%d values: %s %q %v, want %s %q", len(c.values), got.Outcome, got.Variable, err,
				c.want, c.variable)
		}
		if got.Outcome != turns.Begun {
			continue
		}
		filled := agent.Fill(got.Settings.Instructions, got.Settings.Variables, c.values)
		if n := len([]rune(filled)); n > agent.MaxFilledInstructions || strings.Contains(filled, "{{") {
			t.Errorf("%d values: filled %d", len(c.values), n)
		}
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM turns`); n != 4 {
		t.Errorf("%d turns, want those of the accepted messages", n)
	}
	if _, held := storetest.Credits(t, s, f.Account.ID); held != 4 {
		t.Errorf("held %d", held)
	}
}

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
		{"pending", time.Minute, []time.Duration{time.Minute}, `state = 'PENDING'`, 1},
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

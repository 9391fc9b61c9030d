package conversations_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestConversationsBelongToTheirFirstUser: another end user, or none, is refused in a conversation;
// so is one in a conversation that has none.
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
	storetest.AnswerTurn(t, s, f.Key, nil) // has none
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
	if got := userIDs(all); !slices.Equal(got, []string{"user-0", "user-1", "user-2", "user-3", "user-4"}) {
		t.Fatalf("all: %v", got)
	}
	if u := all[4]; u.Messages != 6 || u.Credits != 6 || u.Conversations != 7 || u.LastSeenAt.Before(u.FirstSeenAt) {
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

// TestEraseEndUser: with the answer no read finds an end user's conversations, and the background
// erases their text in batches.
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

// TestVariablesAreChecked with every message, by the statement that begins the turn: a refusal
// leaves nothing behind.
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
	var turns int
	if err := s.SQL().QueryRowContext(t.Context(),
		`SELECT count(*) FROM turns`).Scan(&turns); err != nil || turns != 4 {
		t.Errorf("%d turns, %v; refusals leave none", turns, err)
	}
	if _, held := storetest.Credits(t, s, f.Account.ID); held != 4 {
		t.Errorf("held %d", held)
	}
}

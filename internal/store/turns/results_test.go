package turns_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// brings makes a begin one of results for a turn.
func brings(turn uuid.UUID, results ...string) func(*turns.Begin) {
	list := make([]conversation.ActionResult, len(results))
	for i, id := range conversation.ActionCallIDs(turn, len(results)) {
		list[i] = conversation.ActionResult{ID: id, Result: []byte(results[i])}
	}
	return func(b *turns.Begin) { b.Message, b.Results = "", conversation.NewActionResults(list) }
}

// TestResultsGoOn: results are given the chain that they go on with, whole, and the turns before
// it.
func TestResultsGoOn(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	var asked uuid.UUID
	storetest.AskForActions(t, s, f, 1, nil)
	storetest.AskForActions(t, s, f, 2, func(b *turns.Begin) { asked, b.Message = b.TurnID, "Where is it?" })
	last := asked
	storetest.AskForActions(t, s, f, 1, func(b *turns.Begin) { last = b.TurnID; brings(asked, `{"b":"\u0000","a":1}`, `2`)(b) })
	got := storetest.BeginTurn(t, s, f.Key, brings(last, `null`))
	if got.Outcome != turns.Begun || len(got.Chain) != 2 || len(got.History) != 1 {
		t.Fatalf("%+v", got)
	}
	if e := got.History[0]; e.Message != "hello" || e.Reply != "Let me look.\n\n(The actions that I asked for here were not run.)" {
		t.Errorf("history: %+v", e)
	}
	first, second := got.Chain[0], got.Chain[1]
	if first.Message != "Where is it?" || first.Results != nil || len(first.Calls) != 2 || first.Provider != "raw" ||
		string(first.Calls[1].Arguments) != `{"a":"\u0000"}` || first.Model != storetest.SandboxModel {
		t.Errorf("first: %+v", first)
	}
	if second.Message != "" || len(second.Results) != 2 || string(second.Results[0].Result) != `{"b":"\u0000","a":1}` || len(second.Calls) != 1 {
		t.Errorf("second: %+v", second)
	}
	storetest.Audit(t, s)
}

// TestResultsThatFit: which results begin a turn, by the session's newest reply.
func TestResultsThatFit(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	var f storetest.Fixture
	var asked uuid.UUID
	for _, c := range []struct {
		name    string
		credits int64
		arrange func()
		change  func(b *turns.Begin)
		want    turns.Outcome
		open    int
	}{
		{name: "all of them", want: turns.Begun},
		{name: "one is missing", change: func(b *turns.Begin) { brings(asked, `1`)(b) }, want: turns.ActionMismatch, open: 2},
		{name: "one too many", change: func(b *turns.Begin) { brings(asked, `1`, `2`, `3`)(b) }, want: turns.ActionMismatch, open: 2},
		{name: "of nobody", change: func(b *turns.Begin) { brings(uuid.Must(uuid.NewV7()), `1`, `2`)(b) }, want: turns.ActionMismatch, open: 2},
		{name: "a session that is unknown", change: func(b *turns.Begin) { b.Session = "other" }, want: turns.ActionMismatch},
		{name: "a message came", arrange: func() { storetest.AskForActions(t, s, f, 0, nil) }, want: turns.ActionMismatch},
		{name: "a message failed", arrange: func() {
			var id uuid.UUID
			storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { id = b.TurnID })
			storetest.FinishTurn(t, s, id, conversation.Failed)
		}, want: turns.Begun},
		{name: "a message is under way", arrange: func() { storetest.BeginTurn(t, s, f.Key, nil) }, want: turns.Busy},
		{name: "the results failed", arrange: func() {
			var id uuid.UUID
			storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { id = b.TurnID; brings(asked, `1`, `2`)(b) })
			storetest.FinishTurn(t, s, id, conversation.Failed)
		}, want: turns.Begun},
		{name: "they were answered", arrange: func() { storetest.AskForActions(t, s, f, 0, brings(asked, `1`, `2`)) }, want: turns.Replay},
		{name: "others were answered", arrange: func() { storetest.AskForActions(t, s, f, 0, brings(asked, `1`, `"2"`)) }, want: turns.ActionMismatch},
		{name: "they were answered, and the reply asks again", arrange: func() { storetest.AskForActions(t, s, f, 1, brings(asked, `1`, `2`)) }, want: turns.Replay},
		{name: "they were answered before a message", arrange: func() {
			storetest.AskForActions(t, s, f, 0, brings(asked, `1`, `2`))
			storetest.AskForActions(t, s, f, 0, nil)
		}, want: turns.ActionMismatch},
		{name: "the conversation was deleted", arrange: func() {
			storetest.Exec(t, s, `UPDATE conversations SET deleted_at = now(), session_id = ''`)
			storetest.Exec(t, s, `DELETE FROM turns WHERE agent_id = $1`, f.Agent.ID)
		}, want: turns.ActionMismatch},
		{name: "a session that is unknown, of a version that needs values", arrange: func() {
			storetest.Exec(t, s, `UPDATE agent_versions SET settings = settings || '{"variables": [{"name": "plan", "required": true}]}' WHERE agent_id = $1`, f.Agent.ID)
		}, change: func(b *turns.Begin) { b.Session = "other" }, want: turns.ActionMismatch},
		{name: "without credits", credits: 1, want: turns.InsufficientCredits},
		{name: "a mismatch without credits", credits: 1, change: func(b *turns.Begin) { brings(asked, `1`)(b) }, want: turns.ActionMismatch, open: 2},
	} {
		f = storetest.Seed(t, s, storetest.Options{Credits: c.credits})
		storetest.AskForActions(t, s, f, 2, func(b *turns.Begin) { asked = b.TurnID })
		if c.arrange != nil {
			c.arrange()
		}
		got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) {
			brings(asked, `1`, `2`)(b)
			if c.change != nil {
				c.change(b)
			}
		})
		if got.Outcome != c.want || got.Asked != c.open || got.Asked > 0 && got.AskedBy != asked {
			t.Errorf("%s: %s with %d open of %s, want %s with %d", c.name, got.Outcome, got.Asked, got.AskedBy, c.want, c.open)
		}
		if got.Outcome == turns.Replay && got.ReplayOf == uuid.Nil {
			t.Errorf("%s: a replay of nothing", c.name)
		}
	}
}

// TestResultsKeepTheirVersion: one version with one set of values answers a message and what
// follows it.
func TestResultsKeepTheirVersion(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Instructions: "First {{name}}"})
	asked := uuid.Nil
	storetest.Exec(t, s, `UPDATE agent_versions SET settings = settings || '{"variables": [{"name": "name"}]}' WHERE agent_id = $1`, f.Agent.ID)
	storetest.AskForActions(t, s, f, 1, func(b *turns.Begin) { asked, b.Variables = b.TurnID, map[string]string{"name": "Ada"} })
	storetest.Exec(t, s, `INSERT INTO agent_versions (agent_id, account_id, id, number, settings, note)
		SELECT agent_id, account_id, gen_random_uuid(), 2, settings || '{"instructions": "Second", "variables": []}', '' FROM agent_versions WHERE agent_id = $1`, f.Agent.ID)
	storetest.Exec(t, s, `UPDATE agents SET published_version = 2 WHERE id = $1`, f.Agent.ID)
	got := storetest.BeginTurn(t, s, f.Key, brings(asked, `1`))
	if got.Outcome != turns.Begun || got.Version != 1 || got.Settings.Instructions != "First {{name}}" || got.Given["name"] != "Ada" {
		t.Errorf("results: %+v", got)
	}
	if other := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session = "other" }); other.Version != 2 || other.Given != nil {
		t.Errorf("a message: %+v", other)
	}
}

// TestLimitsAndResults: a limit of credits counts every reply, one of messages only messages.
func TestLimitsAndResults(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.Exec(t, s, `UPDATE api_exports SET daily_credit_limit = 3, user_daily_message_limit = 1 WHERE id = $1`, f.Export.ID)
	asked := uuid.Nil
	user := func(b *turns.Begin) { b.UserID = new("ada") }
	storetest.AskForActions(t, s, f, 1, func(b *turns.Begin) { user(b); asked = b.TurnID })
	for range 2 {
		next := uuid.Nil
		storetest.AskForActions(t, s, f, 1, func(b *turns.Begin) { user(b); next = b.TurnID; brings(asked, `1`)(b) })
		asked = next
	}
	for name, change := range map[string]func(*turns.Begin){"DAY": brings(asked, `1`), "USER_DAY": func(b *turns.Begin) {}} {
		got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { user(b); change(b) })
		if got.Outcome != turns.LimitReached || string(got.Limit.Period) != name && name == "DAY" {
			t.Errorf("%s: %s of %+v", name, got.Outcome, got.Limit)
		}
	}
	if person, err := conversations.On(s).EndUser(t.Context(), f.Account.ID, "ada"); err != nil || person.MessagesToday != 1 || person.Messages != 3 {
		t.Errorf("%+v, %v", person, err)
	}
	storetest.Audit(t, s)
	var used string
	err := s.SQL().QueryRowContext(t.Context(), `SELECT string_agg(period || ' ' || used, ', ' ORDER BY period) FROM limit_counters
		WHERE counted_for = $1`, f.Export.ID).Scan(&used)
	if err != nil || used != "DAY 3, USER_DAY 1" {
		t.Errorf("used: %s, %v", used, err)
	}
}

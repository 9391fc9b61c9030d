package turns_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// brings changes a begin: it sends results for a turn instead of a message.
func brings(turn uuid.UUID, results ...string) func(*turns.Begin) {
	list := make([]conversation.ActionResult, len(results))
	for i, id := range conversation.ActionCallIDs(turn, len(results)) {
		list[i] = conversation.ActionResult{ID: id, Result: []byte(results[i])}
	}
	return func(b *turns.Begin) { b.Message, b.Results = "", conversation.NewActionResults(list) }
}

// TestResultsContinueTheirChain: results get their whole chain, and the turns before it. They are
// not messages, so they begin even if their end user has reached a limit.
func TestResultsContinueTheirChain(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.SetLimits(t, s, f, storetest.LimitKinds(2)[store.UserDay])
	var asked, last uuid.UUID
	storetest.AskForActions(t, s, f, 1, ofUser)
	storetest.AskForActions(t, s, f, 2, func(b *turns.Begin) {
		ofUser(b)
		asked, b.Message = b.TurnID, "Where is it?"
	})
	storetest.AskForActions(t, s, f, 1, func(b *turns.Begin) {
		ofUser(b)
		brings(asked, `{"b":"\u0000","a":1}`, `2`)(b)
		last = b.TurnID
	})
	message := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { ofUser(b); b.Session = "other" })
	if message.Outcome != turns.LimitReached || message.Limit.Used != 2 {
		t.Errorf("a third message: %s, %+v", message.Outcome, message.Limit)
	}
	got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { ofUser(b); brings(last, `null`)(b) })
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
	ada, err := conversations.On(s).EndUser(t.Context(), f.Account.ID, "ada")
	if err != nil || ada.MessagesToday != 2 || ada.Messages != 3 {
		t.Errorf("the end user: %+v, %v, want 2 messages today and 3 in all", ada, err)
	}
	storetest.Audit(t, s)
}

// TestResultsKeepTheirVersion: results are answered with the version and the variables of the
// message that they belong to, even after another version was published.
func TestResultsKeepTheirVersion(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Instructions: "First {{name}}"})
	asked := uuid.Nil
	storetest.Exec(t, s, `UPDATE agent_versions SET settings = settings || '{"variables": [{"name": "name"}]}' WHERE agent_id = $1`, f.Agent.ID)
	storetest.AskForActions(t, s, f, 1, func(b *turns.Begin) { asked, b.Variables = b.TurnID, map[string]string{"name": "Ada"} })
	storetest.Exec(t, s, `INSERT INTO agent_versions (agent_id, account_id, id, number, settings, note, fingerprint)
		SELECT agent_id, account_id, gen_random_uuid(), 2, settings || '{"instructions": "Second", "variables": []}', '', fingerprint FROM agent_versions WHERE agent_id = $1`, f.Agent.ID)
	storetest.Exec(t, s, `UPDATE agents SET published_version = 2 WHERE id = $1`, f.Agent.ID)
	got := storetest.BeginTurn(t, s, f.Key, brings(asked, `1`))
	if got.Outcome != turns.Begun || got.Version != 1 || got.Settings.Instructions != "First {{name}}" || got.Given["name"] != "Ada" {
		t.Errorf("results: %+v", got)
	}
	if other := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session = "other" }); other.Version != 2 || other.Given != nil {
		t.Errorf("a message: %+v", other)
	}
}

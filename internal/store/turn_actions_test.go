package store_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// TestWhatBecameOfActions: the next reply of the conversation decides; failures decide nothing. A result has the name of its action, and
// nobody else reads any of it.
func TestWhatBecameOfActions(t *testing.T) {
	t.Parallel()
	s, count := storetest.Counted(t)
	f, stranger := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	var ids []uuid.UUID
	keep := func(change func(*store.Begin)) func(*store.Begin) {
		return func(b *store.Begin) {
			if change != nil {
				change(b)
			}
			ids = append(ids, b.TurnID)
		}
	}
	failed := func(change func(*store.Begin)) {
		begin(t, s, f.Key, keep(change))
		finish(t, s, ids[len(ids)-1], conversation.Failed)
	}
	talk := asks(t, s, f, 2, keep(nil)).ConversationID
	failed(brings(ids[0], `1`, `2`))
	asks(t, s, f, 1, keep(brings(ids[0], `1`, `"\u0000"`)))
	failed(nil)
	asks(t, s, f, 0, keep(nil))
	asks(t, s, f, 1, keep(nil))
	begin(t, s, f.Key, keep(brings(ids[5], `null`)))
	want := []conversation.CallsState{"ANSWERED", "", "NOT_RUN", "", "", "OPEN", ""}
	for _, texts := range []bool{true, false} {
		before := count.Load()
		pages, err := s.TurnsByConversations(t.Context(), f.Account.ID, []uuid.UUID{talk}, store.TurnQuery{Size: 10, Texts: texts})
		byID, wrong := s.TurnsByIDs(t.Context(), f.Account.ID, ids, texts)
		if err != nil || wrong != nil || count.Load()-before != 2 {
			t.Fatalf("%v, %v, %d statements", err, wrong, count.Load()-before)
		}
		for i, turn := range pages[talk].Items {
			calls, err := turn.Calls()
			results, wrong := turn.Results()
			if turn.CallsState != want[i] || byID[ids[i]].CallsState != want[i] || err != nil || wrong != nil {
				t.Errorf("turn %d: %q and %q, want %q; %v, %v", i, turn.CallsState, byID[ids[i]].CallsState, want[i], err, wrong)
			}
			if texts && (len(calls) > 0) != (want[i] != "") || !texts && len(calls)+len(results) > 0 {
				t.Errorf("turn %d with texts %v: %d calls, %d results", i, texts, len(calls), len(results))
			}
			if i == 2 && texts && (len(results) != 2 || results[1].Name != "look_up" || string(results[1].Result) != `"\u0000"`) {
				t.Errorf("results: %+v", results)
			}
		}
	}
	key := store.ExchangeKey{ConversationID: talk, Number: 1}
	chains, err := s.AnsweredTurnsByExchanges(t.Context(), f.Account.ID, []store.ExchangeKey{key, {ConversationID: talk, Number: 6}})
	if chain := chains[key]; err != nil || len(chains) != 2 || len(chain) != 2 || chain[0].Message != "hello" || chain[1].ActionResults == nil {
		t.Errorf("chains: %+v, %v", chains, err)
	}
	if theirs, err := s.AnsweredTurnsByExchanges(t.Context(), stranger.Account.ID, []store.ExchangeKey{key}); err != nil || len(theirs) != 0 {
		t.Errorf("a stranger's: %+v, %v", theirs, err)
	}
}

// TestNothingOfActionsIsLeft: calls, their results and what the adapter keeps of them go with their conversation, also where the rows stay.
func TestNothingOfActionsIsLeft(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(*store.Store, storetest.Fixture, uuid.UUID) error{
		"its deletion": func(s *store.Store, f storetest.Fixture, talk uuid.UUID) error {
			return s.DeleteConversation(t.Context(), f.Account.ID, talk)
		},
		"the end user's erasure": func(s *store.Store, f storetest.Fixture, _ uuid.UUID) error {
			if _, err := s.DeleteEndUser(t.Context(), f.Account.ID, "ada", nil); err != nil {
				return err
			}
			_, err := s.EraseEndUsers(t.Context(), 100)
			return err
		},
		"the agent's deletion": func(s *store.Store, f storetest.Fixture, _ uuid.UUID) error {
			return s.DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID)
		},
	} {
		s := storetest.New(t)
		f := storetest.Seed(t, s, storetest.Options{})
		asked, last := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
		talk := begin(t, s, f.Key, func(b *store.Begin) { b.TurnID, b.UserID, b.IdempotencyKey = asked, new("ada"), "k" }).ConversationID
		end := store.Settlement{TurnID: asked, State: conversation.Answered, FinishReason: "actions", Provider: secretText, Calls: []conversation.ActionCall{
			{ID: conversation.ActionCallID(asked, 1), Name: "look_up", Arguments: []byte(`{"a":"` + secretText + `"}`)}}}
		if _, err := s.SettleTurn(t.Context(), end); err != nil {
			t.Fatal(err)
		}
		begin(t, s, f.Key, func(b *store.Begin) {
			brings(asked, `"`+secretText+`"`)(b)
			b.TurnID, b.UserID = last, new("ada")
		})
		if n := countRows(t, s, `SELECT count(*) FROM turns r WHERE r::text LIKE '%' || $1 || '%'`, secretText); n != 2 {
			t.Fatalf("%s: %d turns with text before", name, n)
		}
		if err := remove(s, f, talk); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		end.TurnID, end.Reply = last, secretText
		if _, err := s.SettleTurn(t.Context(), end); err != nil {
			t.Fatal(err)
		}
		if _, err := s.PurgeDeletedAgents(t.Context(), 100); err != nil {
			t.Fatal(err)
		}
		if n := countRows(t, s, `SELECT count(*) FROM turns r WHERE r::text LIKE '%' || $1 || '%'`, secretText); n != 0 {
			t.Errorf("%s: %d turns with text are left", name, n)
		}
		storetest.Audit(t, s)
	}
}

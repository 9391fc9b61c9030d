package turns_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestWhatBecameOfActions: the next reply of the conversation decides the state of its actions;
// failures do not. A result has the name of its action, and other accounts cannot read it.
func TestWhatBecameOfActions(t *testing.T) {
	t.Parallel()
	s, count := storetest.Counted(t)
	f, stranger := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	var ids []uuid.UUID
	keep := func(change func(*turns.Begin)) func(*turns.Begin) {
		return func(b *turns.Begin) {
			if change != nil {
				change(b)
			}
			ids = append(ids, b.TurnID)
		}
	}
	failed := func(change func(*turns.Begin)) {
		storetest.BeginTurn(t, s, f.Key, keep(change))
		storetest.FinishTurn(t, s, ids[len(ids)-1], conversation.Failed)
	}
	talk := storetest.AskForActions(t, s, f, 2, keep(nil)).ConversationID
	failed(brings(ids[0], `1`, `2`))
	storetest.AskForActions(t, s, f, 1, keep(brings(ids[0], `1`, `"\u0000"`)))
	failed(nil)
	storetest.AskForActions(t, s, f, 0, keep(nil))
	storetest.AskForActions(t, s, f, 1, keep(nil))
	storetest.BeginTurn(t, s, f.Key, keep(brings(ids[5], `null`)))
	want := []conversation.CallsState{"ANSWERED", "", "NOT_RUN", "", "", "OPEN", ""}
	for _, texts := range []bool{true, false} {
		before := count.Load()
		pages, err := conversations.On(s).TurnsByConversations(t.Context(), f.Account.ID, []uuid.UUID{talk}, conversations.TurnQuery{Size: 10, Texts: texts})
		byID, wrong := conversations.On(s).TurnsByIDs(t.Context(), f.Account.ID, ids, texts)
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
	key := conversations.ExchangeKey{ConversationID: talk, Number: 1}
	chains, err := conversations.On(s).AnsweredTurnsByExchanges(t.Context(), f.Account.ID, []conversations.ExchangeKey{key, {ConversationID: talk, Number: 6}})
	if chain := chains[key]; err != nil || len(chains) != 2 || len(chain) != 2 || chain[0].Message != "hello" || chain[1].ActionResults == nil {
		t.Errorf("chains: %+v, %v", chains, err)
	}
	if theirs, err := conversations.On(s).AnsweredTurnsByExchanges(t.Context(), stranger.Account.ID, []conversations.ExchangeKey{key}); err != nil || len(theirs) != 0 {
		t.Errorf("a stranger's: %+v, %v", theirs, err)
	}
}

// TestNothingOfATurnIsLeft: calls, their results, what the adapter keeps of them and the passages of
// knowledge go with their conversation, also where the rows stay.
func TestNothingOfATurnIsLeft(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(*store.DB, storetest.Fixture, uuid.UUID) error{
		"its deletion": func(s *store.DB, f storetest.Fixture, talk uuid.UUID) error {
			return erasure.On(s).DeleteConversation(t.Context(), f.Account.ID, talk)
		},
		"the end user's erasure": func(s *store.DB, f storetest.Fixture, _ uuid.UUID) error {
			if _, err := erasure.On(s).DeleteEndUser(t.Context(), f.Account.ID, "ada", nil); err != nil {
				return err
			}
			_, err := erasure.On(s).EraseEndUsers(t.Context(), 100)
			return err
		},
		"the agent's deletion": func(s *store.DB, f storetest.Fixture, _ uuid.UUID) error {
			return erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID)
		},
	} {
		s := storetest.New(t)
		f := storetest.Seed(t, s, storetest.Options{})
		asked, last := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
		talk := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.TurnID, b.UserID, b.IdempotencyKey = asked, new("ada"), "k" }).ConversationID
		end := turns.Settlement{
			TurnID:       asked,
			State:        conversation.Answered,
			FinishReason: "actions",
			Provider:     storetest.SecretText,
			Knowledge:    storetest.SecretText,
			Sent:         true,
			Calls: []conversation.ActionCall{{
				ID:        conversation.ActionCallID(asked, 1),
				Name:      "look_up",
				Arguments: []byte(`{"a":"` + storetest.SecretText + `"}`),
			}},
		}
		if _, err := turns.On(s).SettleTurn(t.Context(), end); err != nil {
			t.Fatal(err)
		}
		storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) {
			brings(asked, `"`+storetest.SecretText+`"`)(b)
			b.TurnID, b.UserID = last, new("ada")
		})
		if n := storetest.CountRows(t, s, `SELECT count(*) FROM turns r WHERE r::text LIKE '%' || $1 || '%'`, storetest.SecretText); n != 2 {
			t.Fatalf("%s: %d turns with text before", name, n)
		}
		if err := remove(s, f, talk); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		end.TurnID, end.Reply = last, storetest.SecretText
		end.ProviderCode, end.ProviderError = storetest.SecretText, storetest.SecretText
		if _, err := turns.On(s).SettleTurn(t.Context(), end); err != nil {
			t.Fatal(err)
		}
		if _, err := erasure.On(s).PurgeDeletedAgents(t.Context(), 100); err != nil {
			t.Fatal(err)
		}
		_, err := turns.On(s).StoredReply(t.Context(), f.Account.ID, asked)
		if !fault.Is(err, fault.ConversationDeleted) {
			t.Errorf("%s: its reply: %v", name, err)
		}
		if left := storetest.Traces(t, s, storetest.SecretText); len(left) > 0 {
			t.Errorf("%s: left: %v", name, left)
		}
		storetest.Audit(t, s)
	}
}

package turns_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestContinuedHistoryHasNoGaps: an older conversation in a chain is not read beyond a turn for
// which there is no room.
func TestContinuedHistoryHasNoGaps(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	say := func(session string, from *uuid.UUID, reply int) (uuid.UUID, []conversation.EarlierTurn) {
		b := turns.Begin{Source: conversation.Playground, AccountID: f.Account.ID, AgentID: f.Agent.ID, Models: []string{storetest.SandboxModel},
			Prices: []int64{1}, Session: session, Message: session, TurnID: uuid.Must(uuid.NewV7()), ConversationID: uuid.Must(uuid.NewV7()),
			ContinueFrom: from, HoldFor: time.Minute, RequestID: "r", MaxContextBytes: 1_000}
		got, err := turns.On(s).BeginTurn(t.Context(), b)
		if err != nil || got.Outcome != turns.Begun {
			t.Fatalf("%s: %s %v", session, got.Outcome, err)
		}
		_, err = turns.On(s).SettleTurn(t.Context(), turns.Settlement{TurnID: b.TurnID, State: conversation.Answered, Reply: strings.Repeat("x", reply)})
		if err != nil {
			t.Fatal(err)
		}
		return b.TurnID, got.History
	}
	small, _ := say("small", nil, 10)
	large, _ := say("large", &small, 600)
	_, history := say("last", &large, 600)
	if len(history) != 2 || history[0].Message != "small" || history[1].Message != "large" {
		t.Errorf("with room for both: %+v", history)
	}
	if _, history = say("last", nil, 10); len(history) != 1 || history[0].Message != "last" {
		t.Errorf("without room for the large one: %+v", history)
	}
	storetest.Audit(t, s)
}

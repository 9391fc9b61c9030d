package turns_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestEndsOfTurns tests the results that joined requests read of turns.
func TestEndsOfTurns(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	var pending, failed, missing = uuid.Nil, uuid.Nil, uuid.New()
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { pending = b.TurnID })
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session, failed = "other", b.TurnID })
	_, err := turns.On(s).SettleTurns(t.Context(),
		turns.Settlement{TurnID: failed, State: conversation.Failed, ErrorCode: "model_error"})
	if err != nil {
		t.Fatal(err)
	}
	ended, err := turns.On(s).EndedTurns(t.Context(), []uuid.UUID{pending, failed, missing})
	if err != nil || !slices.Equal(ended, []uuid.UUID{failed, missing}) {
		t.Errorf("ended: %v %v, want %s and %s", ended, err, failed, missing)
	}
	for id, want := range map[uuid.UUID]string{pending: "", failed: "model_error"} {
		if code, err := turns.On(s).FailedTurn(t.Context(), f.Account.ID, id); err != nil || code != want {
			t.Errorf("%q %v, want %q", code, err, want)
		}
	}
	for account, id := range map[uuid.UUID]uuid.UUID{f.Account.ID: missing, uuid.New(): failed} {
		if code, err := turns.On(s).FailedTurn(t.Context(), account, id); !fault.Is(err, fault.NotFound) {
			t.Errorf("another turn: %q %v", code, err)
		}
	}
}

// TestTwinsOfOneCall tests that the second of two equal requests in a call gets the id of the first
// one's turn.
func TestTwinsOfOneCall(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	one, two := storetest.NewBegin(f.Key), storetest.NewBegin(f.Key)
	withKey(&one)
	withKey(&two)
	inSession(&two, "other")
	got, err := turns.On(s).BeginTurns(t.Context(), one, two)
	if err != nil || got[1].Outcome != turns.InProgress || got[1].ReplayOf != one.TurnID {
		t.Errorf("%+v %v, not the turn %s", got, err, one.TurnID)
	}
}

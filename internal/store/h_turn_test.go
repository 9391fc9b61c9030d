package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// begin begins a turn as package chat does.
func begin(t *testing.T, s *store.Store, key apikey.Key, change func(*store.Begin)) store.BeginResult {
	t.Helper()
	b := newBegin(key)
	if change != nil {
		change(&b)
	}
	begun, err := s.BeginTurn(t.Context(), b)
	if err != nil {
		t.Fatalf("begin: %v", err)
	}
	return begun
}

func newBegin(key apikey.Key) store.Begin {
	return store.Begin{
		Key: key.Hash(), SpendRate: true, Models: []string{storetest.SandboxModel}, Prices: []int64{1},
		Fingerprint: conversation.Body{Message: "hello", Session: new("s")}.Fingerprint(),
		Session:     "s", Message: "hello", TurnID: uuid.Must(uuid.NewV7()), ConversationID: uuid.Must(uuid.NewV7()),
		HoldFor: time.Minute, RequestID: "r", MaxContextBytes: 96 << 10,
	}
}

// admit is a message that only asks whether it may begin.
func admit(b store.Begin) store.Begin {
	b.AdmitOnly = true
	return b
}

// answered begins a turn and answers it.
func answered(t *testing.T, s *store.Store, key apikey.Key, change func(*store.Begin)) (store.BeginResult, store.SettleResult) {
	t.Helper()
	var id uuid.UUID
	begun := begin(t, s, key, func(b *store.Begin) {
		if change != nil {
			change(b)
		}
		id = b.TurnID
	})
	if begun.Outcome != store.Begun {
		t.Fatalf("begin: got %s, want begun", begun.Outcome)
	}
	return begun, finish(t, s, id, conversation.Answered)
}

func finish(t *testing.T, s *store.Store, id uuid.UUID, state conversation.TurnState) store.SettleResult {
	t.Helper()
	f, err := s.SettleTurn(t.Context(), store.Settlement{TurnID: id, State: state, Reply: "hi", FinishReason: "stop",
		ErrorCode: "model_error"})
	if err != nil {
		t.Fatalf("finish: %v", err)
	}
	return f
}

func credits(t *testing.T, s *store.Store, id uuid.UUID) (balance, held int64) {
	t.Helper()
	a, err := s.Account(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return a.CreditBalance, a.CreditsHeld
}

func run(query string) func(*testing.T, *store.Store, storetest.Fixture) {
	return func(t *testing.T, s *store.Store, _ storetest.Fixture) {
		t.Helper()
		if _, err := s.DB().ExecContext(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
}

func removeExport(t *testing.T, s *store.Store, f storetest.Fixture) {
	t.Helper()
	for range 2 { // doing it twice is fine
		if e, err := s.RemoveExport(t.Context(), f.Account.ID, f.Export.ID); err != nil || e.RemovedAt == nil {
			t.Fatalf("remove: %+v %v", e, err)
		}
	}
}

func suspend(t *testing.T, s *store.Store, f storetest.Fixture) {
	t.Helper()
	storetest.SetAccountState(t, s, f.Account.ID, account.Suspended)
}

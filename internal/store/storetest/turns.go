package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/turns"
)

// BeginTurn begins a turn as package chat does.
func BeginTurn(
	t *testing.T, s *store.DB, key apikey.Key, change func(*turns.Begin),
) turns.BeginResult {
	t.Helper()
	b := NewBegin(key)
	if change != nil {
		change(&b)
	}
	begun, err := turns.On(s).BeginTurn(t.Context(), b)
	if err != nil {
		t.Fatalf("begin: %v", err)
	}
	return begun
}

// NewBegin returns a message of a fixture's caller in the session "s".
func NewBegin(key apikey.Key) turns.Begin {
	return turns.Begin{
		Key: key.Hash(), SpendRate: true, Models: []string{SandboxModel}, Prices: []int64{1},
		Fingerprint: conversation.Body{Message: "hello", Session: new("s")}.Fingerprint(),
		Session:     "s", Message: "hello", TurnID: uuid.Must(uuid.NewV7()),
		ConversationID: uuid.Must(uuid.NewV7()),
		HoldFor:        time.Minute, RequestID: "r", MaxContextBytes: 96 << 10,
	}
}

// KeyCheck turns a message into a check of its key alone.
func KeyCheck(b turns.Begin) turns.Begin {
	b.AdmitOnly = true
	return b
}

// AnswerTurn begins a turn and answers it.
func AnswerTurn(
	t *testing.T, s *store.DB, key apikey.Key, change func(*turns.Begin),
) (turns.BeginResult, turns.SettleResult) {
	t.Helper()
	var id uuid.UUID
	begun := BeginTurn(t, s, key, func(b *turns.Begin) {
		if change != nil {
			change(b)
		}
		id = b.TurnID
	})
	if begun.Outcome != turns.Begun {
		t.Fatalf("begin: got %s, want begun", begun.Outcome)
	}
	return begun, FinishTurn(t, s, id, conversation.Answered)
}

// FinishTurn settles a turn in a state.
func FinishTurn(
	t *testing.T, s *store.DB, id uuid.UUID, state conversation.TurnState,
) turns.SettleResult {
	t.Helper()
	f, err := turns.On(s).SettleTurn(t.Context(),
		turns.Settlement{TurnID: id, State: state, Reply: "hi", FinishReason: "stop",
			ErrorCode: "model_error"})
	if err != nil {
		t.Fatalf("finish: %v", err)
	}
	return f
}

// Credits returns the balance and the held credits of an account.
func Credits(t *testing.T, s *store.DB, id uuid.UUID) (balance, held int64) {
	t.Helper()
	a, err := accounts.On(s).Account(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return a.CreditBalance, a.CreditsHeld
}

// ExecLater returns a step that runs a statement.
func ExecLater(query string) func(*testing.T, *store.DB, Fixture) {
	return func(t *testing.T, s *store.DB, _ Fixture) {
		t.Helper()
		if _, err := s.SQL().ExecContext(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
}

// RemoveExport removes the export of a fixture, twice.
func RemoveExport(t *testing.T, s *store.DB, f Fixture) {
	t.Helper()
	for range 2 { // doing it twice is fine
		if e, err := exports.On(s).RemoveExport(t.Context(), f.Account.ID, f.Export.ID); err != nil ||
			e.RemovedAt == nil {
			t.Fatalf("remove: %+v %v", e, err)
		}
	}
}

// Suspend suspends the account of a fixture.
func Suspend(t *testing.T, s *store.DB, f Fixture) {
	t.Helper()
	SetAccountState(t, s, f.Account.ID, account.Suspended)
}

// SettleFully settles a turn, again while the store asks for a retry.
func SettleFully(
	ctx context.Context, s *store.DB, id uuid.UUID, state conversation.TurnState,
) (turns.SettleResult, error) {
	return SettleFor(ctx, s, id, state, nil)
}

// SettleFor is SettleFully with a charge in credits; nil charges the price.
func SettleFor(
	ctx context.Context, s *store.DB, id uuid.UUID, state conversation.TurnState, charge *int64,
) (turns.SettleResult, error) {
	for {
		f, err := turns.On(s).SettleTurn(ctx, turns.Settlement{TurnID: id, State: state, Reply: "hi",
			FinishReason: "stop", ErrorCode: "internal",
			Charge: charge})
		if err != nil || f.Outcome != turns.Retry {
			return f, err
		}
	}
}

// AskForActions begins a turn, of a message or of results, and answers it with a reply that
// requests actions.
func AskForActions(
	t *testing.T, s *store.DB, f Fixture, actions int, change func(*turns.Begin),
) turns.BeginResult {
	t.Helper()
	b := NewBegin(f.Key)
	if change != nil {
		change(&b)
	}
	begun, err := turns.On(s).BeginTurn(t.Context(), b)
	if err != nil || begun.Outcome != turns.Begun {
		t.Fatalf("begin: %s, %v", begun.Outcome, err)
	}
	settle := turns.Settlement{TurnID: b.TurnID, State: conversation.Answered, Reply: "Let me look.",
		FinishReason: "actions", Provider: "raw"}
	for _, id := range conversation.ActionCallIDs(b.TurnID, actions) {
		settle.Calls = append(settle.Calls, conversation.ActionCall{ID: id, Name: "look_up",
			Arguments: []byte(`{"a":"\u0000"}`)})
	}
	if _, err := turns.On(s).SettleTurn(t.Context(), settle); err != nil {
		t.Fatal(err)
	}
	return begun
}

// RejectedRequest returns a request that ended with a timeout of the model.
func RejectedRequest(key apikey.Key) conversations.RejectedRequest {
	return conversations.RejectedRequest{Key: key.Hash(), At: Time("2026-03-20T10:01:00Z"),
		RequestID: "r", Status: 504, Code: "model_timeout",
		Detail: "The model did not answer.", ClientAddress: "192.0.2.1", SessionID: new("s"),
		Duration: time.Millisecond}
}

// WhileLocked runs work while a transaction holds the rows of a query, and returns once work waits
// for them. release commits that transaction and waits for work.
func WhileLocked(t *testing.T, s *store.DB, rows string, work func() error) (release func()) {
	t.Helper()
	tx, err := s.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback() })
	if _, err := tx.ExecContext(t.Context(), rows+" FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- work() }()
	WaitForLocks(t, s, 1)
	return func() {
		t.Helper()
		if err := tx.Commit(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

package turns_test

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestBatchWithoutPreparedStatements: the driver alone then knows the types of parameters, as
// behind a pooler of transactions.
func TestBatchWithoutPreparedStatements(t *testing.T) {
	t.Parallel()
	address, err := url.Parse(storetest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	query.Set("default_query_exec_mode", "exec")
	address.RawQuery = query.Encode()
	s := storetest.Open(t, address.String())
	f := storetest.Seed(t, s, storetest.Options{})
	var begins []turns.Begin
	var settlements []turns.Settlement
	for i := range 3 {
		begins = append(begins, storetest.NewBegin(f.Key))
		inSession(&begins[i], fmt.Sprint("s", i))
		settlements = append(settlements, turns.Settlement{TurnID: begins[i].TurnID, State: conversation.Answered, Reply: "hi", FinishReason: "stop"})
	}
	begun, err := turns.On(s).BeginTurns(t.Context(), begins...)
	if err != nil || slices.ContainsFunc(begun, func(b turns.BeginResult) bool { return b.Outcome != turns.Begun }) {
		t.Errorf("begun: %v %v", begun, err)
	}
	settled, err := turns.On(s).SettleTurns(t.Context(), settlements...)
	if err != nil || slices.ContainsFunc(settled, func(f turns.SettleResult) bool { return f.Outcome != turns.Settled }) {
		t.Errorf("settled: %v %v", settled, err)
	}
	storetest.Audit(t, s)
}

// TestExpectedResponseIsTheSenders: the response to a key that is not known yet is observed for its
// account, and says nothing about the next unknown sender.
func TestExpectedResponseIsTheSenders(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	stranger := store.ForAccount(t.Context(), uuid.Nil)
	if got, err := turns.On(s).BeginTurn(stranger, storetest.NewBegin(f.Key)); err != nil || got.Outcome != turns.Begun {
		t.Fatalf("%+v %v", got, err)
	}
	if sender, next := turns.On(s).ExpectedResponse(f.Account.ID), turns.On(s).ExpectedResponse(uuid.Nil); sender >= turns.MaxResponseBytes/2 || next != turns.MaxResponseBytes {
		t.Errorf("%d bytes are expected for the sender and %d for a stranger, want few and %d", sender, next, turns.MaxResponseBytes)
	}
	storetest.Audit(t, s)
}

// TestSettledTogether: a call settles each turn with its own values. A deleted turn stores no reply
// and is charged only if text was sent.
func TestSettledTogether(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 10})
	var items []turns.Settlement
	for i := range int64(4) {
		in := turns.Settlement{
			State:        conversation.Answered,
			Reply:        fmt.Sprint("reply ", i),
			FinishReason: fmt.Sprint("reason ", i),
			InputTokens:  new(i),
			OutputTokens: new(i + 10),
			Sent:         i == 1,
		}
		storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) {
			b.Session, in.TurnID = fmt.Sprint("s", i), b.TurnID
		})
		items = append(items, in)
	}
	for _, in := range items[:2] {
		storetest.Exec(t, s, `UPDATE turns SET deleted_at = now(), message = '' WHERE id = $1`, in.TurnID)
	}
	got, err := turns.On(s).SettleTurns(t.Context(), items...)
	if err != nil {
		t.Fatal(err)
	}
	for i, in := range items {
		want := turns.SettleResult{Outcome: turns.Settled, CreditsRemaining: 7}
		reply := turns.StoredReply{
			TurnID:           in.TurnID,
			SessionID:        fmt.Sprint("s", i),
			Reply:            in.Reply,
			FinishReason:     in.FinishReason,
			Model:            storetest.SandboxModel,
			Version:          1,
			Price:            1,
			CreditsRemaining: 7,
			InputTokens:      in.InputTokens,
			OutputTokens:     in.OutputTokens,
		}
		if i == 0 {
			want.ErrorCode = "conversation_deleted"
		}
		if i < 2 {
			reply = turns.StoredReply{}
		}
		stored, err := turns.On(s).StoredReply(t.Context(), f.Account.ID, in.TurnID)
		if got[i] != want || (err != nil) != (i < 2) || !reflect.DeepEqual(stored, reply) {
			t.Errorf("turn %d: %+v, stored %+v, %v, want %+v, %+v", i, got[i], stored, err, want, reply)
		}
	}
	if balance, _ := storetest.Credits(t, s, f.Account.ID); balance != 7 {
		t.Errorf("the balance is %d, want 7", balance)
	}
	storetest.Audit(t, s)
}

// TestUndoneSettlements: a call is undone rather than release a turn twice or charge more than a
// turn holds.
func TestUndoneSettlements(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{FallbackModel: second})
	in := turns.Settlement{State: conversation.Answered, Reply: "hi", FinishReason: "stop"}
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { atPrices(1, 3)(b); in.TurnID = b.TurnID })
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { atPrices(1, 3)(b); inSession(b, "other") })
	failed := turns.Settlement{TurnID: in.TurnID, State: conversation.Failed, ErrorCode: "model_error"}
	dear, negative := in, in
	dear.Charge, negative.Charge = new(int64(4)), new(int64(-1))
	for name, ends := range map[string][]turns.Settlement{
		"twice":             {in, in},
		"a failure twice":   {failed, failed},
		"more than held":    {dear},
		"less than nothing": {negative},
	} {
		if got, err := turns.On(s).SettleTurns(t.Context(), ends...); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
		if balance, held := storetest.Credits(t, s, f.Account.ID); balance != 100 || held != 6 {
			t.Errorf("%s: balance %d, held %d, want 100 and 6", name, balance, held)
		}
	}
	storetest.Audit(t, s)
}

// isBatch reports whether a statement calls a function of turns for several items.
func isBatch(data pgx.TraceQueryStartData, function string) bool {
	if !strings.HasPrefix(data.SQL, "SELECT * FROM "+function) {
		return false
	}
	return slices.ContainsFunc(data.Args, func(arg any) bool {
		ids, ok := arg.([]uuid.UUID)
		return ok && len(ids) > 1
	})
}

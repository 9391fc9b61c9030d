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

// TestSettledTogether: the history rows of a call have the same numbers and balances as turns
// settled one after the other, regardless of the outcomes of the other turns.
func TestSettledTogether(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 10})
	var items []turns.Settlement
	for i := range 7 {
		storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) {
			inSession(b, fmt.Sprint("s", i))
			n := int64(i)
			items = append(items, turns.Settlement{TurnID: b.TurnID, State: conversation.Answered, Reply: fmt.Sprint("reply ", i),
				FinishReason: fmt.Sprint("reason ", i), InputTokens: &n, OutputTokens: new(n + 10)})
		})
	}
	storetest.FinishTurn(t, s, items[0].TurnID, conversation.Failed)
	for i := 1; i < 3; i++ {
		storetest.Exec(t, s, `UPDATE turns SET deleted_at = now(), message = '' WHERE id = $1`, items[i].TurnID)
	}
	items[2].Sent = true
	items[4] = turns.Settlement{TurnID: items[4].TurnID, State: conversation.Failed, ErrorCode: "model_error"}
	items = append(items, turns.Settlement{TurnID: uuid.New(), State: conversation.Answered, Reply: "hi", FinishReason: "stop"})
	got, err := turns.On(s).SettleTurns(t.Context(), items...)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []turns.SettleResult{
		{Outcome: turns.AlreadyFailed, CreditsRemaining: 4, ErrorCode: "model_error"},
		{Outcome: turns.Settled, CreditsRemaining: 5, ErrorCode: "conversation_deleted"},
		{Outcome: turns.Settled, CreditsRemaining: 5},
		{Outcome: turns.Settled, CreditsRemaining: 5},
		{Outcome: turns.Settled, CreditsRemaining: 6, ErrorCode: "model_error"},
		{Outcome: turns.Settled, CreditsRemaining: 6},
		{Outcome: turns.Settled, CreditsRemaining: 6},
		{Outcome: turns.Gone},
	} {
		if got[i] != want {
			t.Errorf("turn %d: %+v, want %+v", i, got[i], want)
		}
	}
	rows, err := s.SQL().QueryContext(t.Context(), `SELECT e.number, e.balance_after, coalesce(t.reply, 'none') FROM credit_entries e JOIN turns t ON t.id = e.turn_id
		WHERE e.kind = 'CHARGE' ORDER BY e.number`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var entries []string
	for rows.Next() {
		var number, balance int64
		var reply string
		if err := rows.Scan(&number, &balance, &reply); err != nil {
			t.Fatal(err)
		}
		entries = append(entries, fmt.Sprint(number, " ", balance, " ", reply))
	}
	if want := "2 9 none,3 8 reply 3,4 7 reply 5,5 6 reply 6"; rows.Err() != nil || strings.Join(entries, ",") != want {
		t.Errorf("%q, want %q", entries, want)
	}
	for i := range items {
		if got[i].Outcome != turns.Settled || got[i].ErrorCode != "" || i == 2 { // the third was deleted, and stored no reply
			continue
		}
		stored, err := turns.On(s).StoredReply(t.Context(), f.Account.ID, items[i].TurnID)
		want := turns.StoredReply{TurnID: items[i].TurnID, SessionID: fmt.Sprint("s", i), Reply: items[i].Reply, FinishReason: items[i].FinishReason,
			Model: storetest.SandboxModel, Version: 1, Price: 1, CreditsRemaining: got[i].CreditsRemaining,
			InputTokens: items[i].InputTokens, OutputTokens: items[i].OutputTokens}
		if err != nil || !reflect.DeepEqual(stored, want) {
			t.Errorf("turn %d: %+v %v, want %+v", i, stored, err, want)
		}
	}
	storetest.Audit(t, s)
}

// TestATurnTwiceInACall: it is undone, rather than released twice.
func TestATurnTwiceInACall(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	var id uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { id = b.TurnID })
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { inSession(b, "other") })
	failed := turns.Settlement{TurnID: id, State: conversation.Failed, ErrorCode: "model_error"}
	if got, err := turns.On(s).SettleTurns(t.Context(), failed, failed); err == nil {
		t.Errorf("settled: %+v", got)
	}
	if balance, held := storetest.Credits(t, s, f.Account.ID); balance != 100 || held != 2 {
		t.Errorf("balance %d, held %d, want 100 and 2", balance, held)
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

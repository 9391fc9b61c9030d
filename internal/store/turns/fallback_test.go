package turns_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

const second = "sandbox/second"

// atPrices gives a begin the price list of both models.
func atPrices(first, fallback int64) func(*turns.Begin) {
	return func(b *turns.Begin) {
		b.Models, b.Prices = []string{storetest.SandboxModel, second}, []int64{first, fallback}
	}
}

// TestHoldsTheHigherPrice: a message holds the price of the more expensive of both models, and
// begins as long as one of them can be called. A fallback model that is no longer offered is
// ignored.
func TestHoldsTheHigherPrice(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*turns.Begin)
		want   turns.Outcome
		price  int64
	}{
		"a dearer fallback":    {change: atPrices(1, 3), want: turns.Begun, price: 3},
		"a cheaper fallback":   {change: atPrices(3, 1), want: turns.Begun, price: 3},
		"a free fallback":      {change: atPrices(1, 0), want: turns.Begun, price: 1},
		"too dear a fallback":  {change: atPrices(1, 6), want: turns.InsufficientCredits, price: 6},
		"beyond the limit":     {change: atPrices(1, 5), want: turns.LimitReached, price: 5},
		"a withdrawn fallback": {want: turns.Begun, price: 1},
		"a withdrawn model":    {change: func(b *turns.Begin) { b.Models = []string{second} }, want: turns.ModelWithdrawn},
		"the model is away":    {change: away(storetest.SandboxModel), want: turns.Begun, price: 3},
		"the fallback is away": {change: away(second), want: turns.Begun, price: 3},
		"both are away":        {change: away(storetest.SandboxModel, second), want: turns.ModelUnavailable, price: 3},
		"the model is away, and the fallback withdrawn": {change: func(b *turns.Begin) { b.Unavailable = b.Models },
			want: turns.ModelUnavailable, price: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			f := storetest.Seed(t, s, storetest.Options{Credits: 5, FallbackModel: second})
			storetest.SetLimits(t, s, f, agent.ExportChanges{DailyCreditLimit: storetest.SetTo(int64(4))})
			if got := storetest.BeginTurn(t, s, f.Key, c.change); got.Outcome != c.want || got.Price != c.price || got.Model != storetest.SandboxModel {
				t.Errorf("%s at %d by %s, want %s at %d", got.Outcome, got.Price, got.Model, c.want, c.price)
			}
			storetest.Audit(t, s)
		})
	}
}

func away(models ...string) func(*turns.Begin) {
	return func(b *turns.Begin) { atPrices(1, 3)(b); b.Unavailable = models }
}

// A version whose replies do not fit is refused whatever models it has, and the model that the
// playground asks for has no fallback.
func TestNoFallback(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{FallbackModel: second})
	got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { atPrices(1, 3)(b); b.Unavailable = []string{turns.VersionName(f.Agent.ID, 1)} })
	if got.Outcome != turns.ModelUnavailable {
		t.Errorf("a version whose replies violate its schema: %s", got.Outcome)
	}
	for given, want := range map[string]string{"": "begun 3", storetest.SandboxModel: "begun 1"} {
		b := storetest.NewBegin(f.Key)
		atPrices(1, 3)(&b)
		b.Source, b.AccountID, b.AgentID, b.Model, b.Session = conversation.Playground, f.Account.ID, f.Agent.ID, given, "s"+given
		if got, err := turns.On(s).BeginTurn(t.Context(), b); err != nil || fmt.Sprint(got.Outcome, " ", got.Price) != want {
			t.Errorf("the model %q: %s at %d, %v, want %s", given, got.Outcome, got.Price, err, want)
		}
	}
	storetest.Audit(t, s)
}

// TestSettledForLess: what a turn holds beyond the price of the model that answered goes back, to
// the account and to the limits, and nothing of a turn that failed stays. Repeating a settlement
// changes nothing.
func TestSettledForLess(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 10, FallbackModel: second})
	storetest.SetLimits(t, s, f, agent.ExportChanges{DailyCreditLimit: storetest.SetTo(int64(10)), MonthlyCreditLimit: storetest.SetTo(int64(10)), UserDailyMessageLimit: storetest.SetTo(9)})
	settle := func(change func(*turns.Settlement)) (turns.Settlement, turns.SettleResult) {
		t.Helper()
		b := storetest.NewBegin(f.Key)
		atPrices(1, 3)(&b)
		storetest.InOwnSession("u")(&b)
		if got, err := turns.On(s).BeginTurn(t.Context(), b); err != nil || got.Outcome != turns.Begun {
			t.Fatal(got.Outcome, err)
		}
		in := turns.Settlement{TurnID: b.TurnID, State: conversation.Answered, Reply: "hi", FinishReason: "stop", Charge: new(int64(1))}
		change(&in)
		got, err := turns.On(s).SettleTurn(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		return in, got
	}
	// state checks the available credits and the count of each limit.
	state := func(want string) {
		t.Helper()
		var got string
		err := s.SQL().QueryRowContext(t.Context(), `SELECT concat_ws(' ', credit_balance, credits_held, (SELECT string_agg(used::text, ' ' ORDER BY period)
			FROM limit_counters)) FROM accounts WHERE id = $1`, f.Account.ID).Scan(&got)
		if err != nil || got != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
		storetest.Audit(t, s)
	}
	in, got := settle(func(*turns.Settlement) {})
	if got.CreditsRemaining != 9 {
		t.Errorf("for less: %+v", got)
	}
	state("9 0 1 1 1")
	in.Charge = new(int64(0))
	if again, err := turns.On(s).SettleTurn(t.Context(), in); err != nil || again.Outcome != turns.AlreadyAnswered || again.CreditsRemaining != 9 {
		t.Errorf("again: %+v %v", again, err)
	}
	state("9 0 1 1 1")
	in, _ = settle(func(in *turns.Settlement) { in.FallbackModel, in.Charge = second, nil })
	if stored, err := turns.On(s).StoredReply(t.Context(), f.Account.ID, in.TurnID); err != nil || stored.Model != second || stored.Price != 3 {
		t.Errorf("by the fallback: %+v %v", stored, err)
	}
	state("6 0 4 4 2")
	settle(func(in *turns.Settlement) { in.State, in.ErrorCode = conversation.Failed, "model_error" })
	state("6 0 4 4 2")
	// Its conversation is deleted: it is charged only if text was sent.
	for i, want := range []string{"6 0 4 4 2", "5 0 5 5 3"} {
		settle(func(in *turns.Settlement) {
			storetest.Exec(t, s, `UPDATE turns SET deleted_at = now(), message = '' WHERE id = $1`, in.TurnID)
			in.Sent = i > 0
		})
		state(want)
	}
}

// A turn never costs more than it holds: what it would cost cannot be stored, and the turn stays as
// it is.
func TestNeverMoreThanHeld(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{FallbackModel: second})
	var id uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { atPrices(1, 3)(b); id = b.TurnID })
	for _, charge := range []int64{4, -1} {
		in := turns.Settlement{TurnID: id, State: conversation.Answered, Reply: "hi", FinishReason: "stop", Charge: &charge}
		if got, err := turns.On(s).SettleTurn(t.Context(), in); err == nil {
			t.Errorf("at %d: %+v", charge, got)
		}
	}
	if balance, held := storetest.Credits(t, s, f.Account.ID); balance != 100 || held != 3 {
		t.Errorf("balance %d, held %d, want 100 and 3", balance, held)
	}
	storetest.Audit(t, s)
}

// The reaper gives back all that is held, and a limit that is set meanwhile counts it and then
// gives it back.
func TestDearerTurnsInLimits(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{FallbackModel: second})
	var late uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { atPrices(1, 3)(b); b.Session, b.HoldFor = "reaped", -time.Second })
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { atPrices(1, 3)(b); b.Session, late = "late", b.TurnID })
	storetest.SetLimits(t, s, f, agent.ExportChanges{DailyCreditLimit: storetest.SetTo(int64(8))})
	if got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { atPrices(1, 3)(b); b.Session = "refused" }); got.Outcome != turns.LimitReached || got.Limit.Used != 6 {
		t.Errorf("with two turns in flight: %s %+v", got.Outcome, got.Limit)
	}
	if n, err := turns.On(s).ReapTurns(t.Context(), 10); n != 1 || err != nil {
		t.Fatalf("reaped %d %v", n, err)
	}
	storetest.Audit(t, s)
	_, err := turns.On(s).SettleTurn(t.Context(), turns.Settlement{TurnID: late, State: conversation.Answered, Reply: "hi", FinishReason: "stop",
		Charge: new(int64(1))})
	if err != nil {
		t.Fatal(err)
	}
	storetest.Audit(t, s)
	got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { atPrices(1, 8)(b); b.Session = "last" })
	if got.Outcome != turns.LimitReached || got.Limit.Used != 1 {
		t.Errorf("at the end: %s %+v", got.Outcome, got.Limit)
	}
}

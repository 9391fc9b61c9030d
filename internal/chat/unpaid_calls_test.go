package chat_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// useUnpaidCalls sets the number of unpaid calls that an account has used.
func useUnpaidCalls(t *testing.T, s *store.DB, f storetest.Fixture, used int) {
	t.Helper()
	storetest.Exec(t, s,
		`UPDATE accounts SET unpaid_tat = clock_timestamp() + interval '10 s' * $2 WHERE id = $1`,
		f.Account.ID, used)
}

// unpaidTAT returns the account's bucket of unpaid calls.
func unpaidTAT(t *testing.T, s *store.DB, f storetest.Fixture) (at time.Time) {
	t.Helper()
	if err := s.SQL().QueryRowContext(t.Context(), `SELECT unpaid_tat FROM accounts WHERE id = $1`,
		f.Account.ID).Scan(&at); err != nil {
		t.Fatal(err)
	}
	return at
}

// spent returns the number of unpaid calls since then, for an account that has used some.
func spent(t *testing.T, s *store.DB, f storetest.Fixture, since time.Time) float64 {
	t.Helper()
	return unpaidTAT(t, s, f).Sub(since).Seconds() / 10
}

// untilRefused sends until the account has no unpaid call left, and returns how many it had. A slow
// machine gives one more each 10 s.
func untilRefused(t *testing.T, want int, send func(i int) error) {
	t.Helper()
	started := time.Now()
	for n := 0; ; n++ {
		err := send(n)
		if !fault.Is(err, fault.RateLimited) {
			if err == nil || n > want+60 {
				t.Fatalf("message %d: %v", n, err)
			}
			continue
		}
		if n < want || n > want+int(time.Since(started)/(10*time.Second)) {
			t.Errorf("%d unpaid calls, want %d: %v", n, want, err)
		}
		return
	}
}

// TestUnpaidCalls tests that an account has 60 over all replicas, for its callers and its
// playground together. One comes back in 10 s and with each charge. Replays and other accounts
// continue.
func TestUnpaidCalls(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 2)
	f := storetest.Seed(t, b.store, storetest.Options{})
	other := storetest.Seed(t, b.store, storetest.Options{})
	stored := newMessage(f, "s", "hello")
	stored.IdempotencyKey = "k"
	send(t, b.replicas[0], stored)
	fail := func(i int) error {
		msg := newMessage(f, fmt.Sprint(i), "[[sandbox fail=blocked]]")
		if i%3 == 0 {
			msg = newTestMessage(f, fmt.Sprint(i), msg.Text)
		}
		_, err := b.replicas[i%2].Send(t.Context(), msg)
		return err
	}
	untilRefused(t, 60, fail)
	if answer := send(t, b.replicas[1], stored); !answer.Replayed {
		t.Errorf("a replay: %+v", answer)
	}
	send(t, b.replicas[0], newMessage(other, "s", "hello"))

	useUnpaidCalls(t, b.store, f, 63)
	refused := wantFault(t, b.replicas[0], newMessage(f, "s", "hello"), fault.RateLimited)
	if refused.RetryAfter > 40*time.Second || refused.RetryAfter <= 20*time.Second {
		t.Errorf("overdrawn by 3: %+v", refused)
	}
	useUnpaidCalls(t, b.store, f, 59) // time has passed
	untilRefused(t, 1, fail)
	useUnpaidCalls(t, b.store, f, 57)
	send(t, b.replicas[0], newMessage(f, "s", "hello"))
	untilRefused(t, 4, fail)
}

// TestOverdrawnUnpaidCalls tests that messages in flight when the last unpaid call was used count,
// up to a debt of an hour, and that the refusal has the time to wait.
func TestOverdrawnUnpaidCalls(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	f := storetest.Seed(t, b.store, storetest.Options{})
	begin := func() (id uuid.UUID) {
		storetest.BeginTurn(t, b.store, f.Key, func(in *turns.Begin) {
			in.Session, id = in.TurnID.String(), in.TurnID
		})
		return id
	}
	one, two := begin(), begin()
	fail := func(id uuid.UUID) {
		if _, err := turns.On(b.store).SettleTurn(t.Context(), turns.Settlement{
			TurnID: id, State: "FAILED", ErrorCode: "content_blocked", UnpaidCalls: 1,
		}); err != nil {
			t.Fatal(err)
		}
	}
	useUnpaidCalls(t, b.store, f, 400)
	before := unpaidTAT(t, b.store, f)
	if fail(one); spent(t, b.store, f, before) != 1 {
		t.Errorf("overdrawn: %g more", spent(t, b.store, f, before))
	}
	refused := wantFault(t, b.replicas[0], newMessage(f, "s", "hello"), fault.RateLimited)
	left := time.Until(unpaidTAT(t, b.store, f)) - 590*time.Second // until one of the 60 is there again
	if refused.RetryAfter < left || refused.RetryAfter > left+time.Minute {
		t.Errorf("overdrawn by 341: %+v; one is back in %s", refused, left)
	}
	useUnpaidCalls(t, b.store, f, 500)
	if fail(two); time.Until(unpaidTAT(t, b.store, f)) > 70*time.Minute {
		t.Errorf("until %s", unpaidTAT(t, b.store, f))
	}
}

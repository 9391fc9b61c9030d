package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
)

// TestNonsenseUsage: whatever a model says that it used, the price is taken, and nothing else.
func TestNonsenseUsage(tt *testing.T) {
	tt.Parallel()
	t := newPromise(tt, "M7")
	h := newOpenAIHouse(tt)
	values := []string{"-1", "0", "9223372036854775807", "1e308", `"many"`, "null", "{}", "[]", "true", "0.5", "99999999999999999999999"}
	usages := []string{"", "null", "[]", `"none"`, "{}"}
	for _, v := range values {
		usages = append(usages, fmt.Sprintf(`{"prompt_tokens":%s,"completion_tokens":%s,"total_tokens":%s}`, v, v, v))
	}
	for _, usage := range usages {
		chunks := []string{llmtest.OpenAIChunk("Aye.", "stop")}
		if usage != "" {
			chunks = append(chunks, llmtest.OpenAIUsage(usage))
		}
		h.server.Always(llmtest.OpenAIChunks(chunks...))
		before := h.ledger(tt)
		got := h.say(tt, "s", "Ahoy")
		if got.Status != http.StatusOK || got.Reply != "Aye." || got.Usage.Credits != 1 || h.ledger(tt) != before.charged() {
			t.Errorf("usage %s: %d %s, books %+v, then %+v", usage, got.Status, got.Body, before, h.ledger(tt))
		}
		t.ran(1)
	}
	storetest.Audit(t, h.store)
	t.measured("%d reports of usage, 1 credit each", len(usages))
}

// TestLongSession: in a session of 10,000 turns as much goes to the model as its agent may be given, in whole turns, and an answer
// takes as long as in a session of 10.
func TestLongSession(tt *testing.T) {
	tt.Parallel()
	t := newPromise(tt, "S2")
	const contextTurns, most = 40, 2.0
	h := newOpenAIHouse(tt)
	h.server.Always(llmtest.Text("Aye."))
	turns := map[string]int{"short": 10, "long": 10_000}
	for session, n := range turns {
		seedSession(t, h, session, n)
	}
	if _, err := h.store.DB().ExecContext(t.Context(), `ANALYZE turns`); err != nil {
		t.Fatal(err)
	}
	took := map[string][]time.Duration{}
	for range t.times(40, 100) {
		for session, n := range turns { // side by side, so that both have the same neighbours
			began := time.Now()
			got, err := ask(t.Context(), h.http, h.r.Chat, h.seat.Key.Reveal(), session, "Ahoy")
			took[session] = append(took[session], time.Since(began))
			if err != nil || got.Status != http.StatusOK {
				t.Fatalf("%s: %s %v", session, got.outcome(), err)
			}
			turns[session]++
			sent := h.server.Last(t).OpenAI(tt)
			// The instructions, the earlier turns whole, and the message.
			if want := 1 + 2*min(n, contextTurns) + 1; len(sent.Messages) != want {
				t.Errorf("turn %d of the %s session: %d messages went to the model, want %d", n+1, session, len(sent.Messages), want)
			}
			t.ran(1)
		}
	}
	median := func(session string) time.Duration {
		slices.Sort(took[session])
		return took[session][len(took[session])/2]
	}
	ratio := float64(median("long")) / float64(median("short"))
	if ratio > most {
		t.Errorf("a turn of the long session took %.2f times one of the short: %v against %v", ratio, median("long"), median("short"))
	}
	storetest.Audit(t, h.store)
	t.measured("ratio %.2f (median %v from 10,000 turns on, %v from 10 on)", ratio, median("long").Round(10*time.Microsecond), median("short").Round(10*time.Microsecond))
}

// seedSession gives the seat's agent a session of answered turns of a free model, each with its charge of 0.
func seedSession(t testing.TB, h *modelHouse, session string, turns int) {
	t.Helper()
	_, err := h.store.DB().ExecContext(t.Context(), `
		WITH c AS (
			INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
			VALUES ($5, $1, $2, 'API', $3, $4::int)
		), a AS (
			UPDATE accounts SET entry_count = entry_count + $4::int WHERE id = $1 RETURNING entry_count - $4::int AS before, credit_balance
		), t AS (
			INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price,
				request_id, deadline)
			SELECT gen_random_uuid(), $1, $2, $5, 'API', n, 'ANSWERED', 'message ' || n, 'reply ' || n, 'm', 0, 'r', now()
			FROM generate_series(1, $4::int) n RETURNING id, number
		)
		INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, turn_id)
		SELECT gen_random_uuid(), $1, a.before + t.number, 'CHARGE', 0, a.credit_balance, t.id FROM t, a`,
		h.seat.Account.ID, h.seat.Agent.ID, session, turns, uuid.NewString())
	if err != nil {
		t.Fatal(err)
	}
}

// TestEveryErrorGivesBack: every fault that a model can be asked for, whole and streamed, one after the other and at once: as many
// credits are available afterwards as before. A panic costs its own request only.
func TestEveryErrorGivesBack(tt *testing.T) {
	tt.Parallel()
	errors := []string{"error", "unavailable", "timeout", "blocked", "garbage", "insufficient_credits", "rate_limited", "session_busy",
		"internal", "panic"}
	t := newPromise(tt, "M4: every error of a model, whole and streamed")
	p, c := newPair(t), client(t)
	f := storetest.Seed(t, p.store, storetest.Options{Credits: 20})
	n := t.times(3, 50) * 2 * len(errors)
	counts := parallel(8, n, func(i int) string {
		message := fmt.Sprintf("[[sandbox fail=%s]]", errors[i%len(errors)])
		if i/len(errors)%2 == 0 {
			got, err := ask(t.Context(), c, p.chat(i), f.Key.Reveal(), "", message)
			if err != nil {
				return err.Error()
			}
			return got.outcome()
		}
		resp, lines, err := openStream(t.Context(), c, p.chat(i), f.Key.Reveal(), message)
		if err != nil {
			return err.Error()
		}
		defer func() { _ = resp.Body.Close() }()
		_ = until(lines, "end", 1)
		return "streamed " + http.StatusText(resp.StatusCode)
	})
	over := time.Now()
	if counts["200"]+counts["streamed OK"] > 0 {
		t.Errorf("%v", counts)
	}
	eventually(t, "all credits are available again", func() bool {
		balance, held := p.credits(t, f)
		return balance == 20 && held == 0
	})
	took := time.Since(over)
	storetest.Audit(t, p.store)
	t.ran(n)
	t.measured("leaked 0; available as before %v after the last answer", took.Round(time.Millisecond))
}

// TestPanics: requests whose model panics fail alone: those beside them are answered, and the process goes on.
func TestPanics(tt *testing.T) {
	tt.Parallel()
	t := newPromise(tt, "F9: in a model's adapter")
	p, c := newPair(t), client(t)
	n := 2 * t.times(100, 1000)
	f := storetest.Seed(t, p.store, storetest.Options{Credits: int64(n)})
	counts := parallel(8, n, func(i int) string {
		message := []string{"hello", "[[sandbox fail=panic]]"}[i%2]
		got, err := ask(t.Context(), c, p.chat(i/2), f.Key.Reveal(), "", message)
		if err != nil {
			return err.Error()
		}
		return got.outcome()
	})
	if counts["200"] != n/2 || counts["internal"] != n/2 {
		t.Errorf("%v", counts)
	}
	if balance, held := p.credits(t, f); balance != int64(n/2) || held != 0 {
		t.Errorf("balance %d, held %d", balance, held)
	}
	storetest.Audit(t, p.store)
	t.ran(n / 2)
	t.measured("%d panics, each one 500 and no charge; %d requests beside them answered", counts["internal"], counts["200"])
}

// TestPanicOfTheHandler: a panic before anything has begun is one 500 without a charge, and the same process answers the repeat.
func TestPanicOfTheHandler(tt *testing.T) {
	tt.Parallel()
	t := newPromise(tt, "F9: in the handler")
	url, c, dir := storetest.URL(t), client(t), t.TempDir()
	s := storetest.Open(t, url)
	r := startProgram(t, failing(), url, "FAILPOINTS_DIR="+dir)
	n := t.times(20, 200)
	f := storetest.Seed(t, s, storetest.Options{Credits: int64(n)})
	for i := range n {
		arm(t, dir, "rest.chat", "panic")
		key := fmt.Sprint("key-", i)
		got, err := ask(t.Context(), c, r.Chat, f.Key.Reveal(), "s", "hello", "Idempotency-Key", key)
		if !wasHit(dir, "rest.chat") || err != nil || got.outcome() != "internal" {
			t.Errorf("panic %d: %s %v", i, got.outcome(), err)
		}
		if got, err := ask(t.Context(), c, r.Chat, f.Key.Reveal(), "s", "hello", "Idempotency-Key", key); err != nil ||
			got.Status != http.StatusOK || got.Usage.CreditsRemaining != int64(n-i-1) {
			t.Errorf("the repeat after panic %d: %d %s %v", i, got.Status, got.Body, err)
		}
		t.ran(1)
	}
	storetest.Audit(t, s)
	t.measured("%d panics, each one 500 and no charge, and the same process answered the repeat", n)
}

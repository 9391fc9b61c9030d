package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// startAlone starts a replica that sends every turn to the database alone.
func startAlone(t testing.TB, databaseURL string, env ...string) *replica {
	t.Helper()
	dir := t.TempDir()
	for _, batch := range []string{"begin_batch", "settle_batch"} {
		arm(t, dir, batch+".before", "always")
	}
	return startProgram(t, failing(), databaseURL, append(env, "FAILPOINTS_DIR="+dir)...)
}

// plan is what some accounts' clients send: each conversation's messages one after the other, all conversations at once.
type plan struct {
	accounts, conversations int
	// poor accounts have fewer credits than messages, each in a conversation of its own.
	poor, poorMessages, poorCredits int
	messages                        func(account, conversation int) []planned
}

// planned is a message, which is sent as often as sends says, all at once, with one idempotency key.
type planned struct {
	text  string
	sends int
}

func newPlan(seed uint64) plan {
	return plan{accounts: 5, conversations: 4, poor: 2, poorMessages: 20, poorCredits: 7, messages: func(account, conversation int) []planned {
		random := rand.New(rand.NewPCG(seed, uint64(account*1000+conversation)))
		messages := make([]planned, 5)
		for i := range messages {
			messages[i] = planned{fmt.Sprintf("message %d", random.IntN(1000)), 1}
			switch random.IntN(5) {
			case 0:
				messages[i].text = "[[sandbox fail=error]]"
			case 1:
				messages[i].sends = 3
			}
		}
		return messages
	}}
}

// run has all clients send, and returns what the database then has of it.
func (p plan) run(t *testing.T, url string, replicas []*replica) string {
	t.Helper()
	s, c := storetest.Open(t, url), client(t)
	defer auditing(t, s)()
	var clients []func()
	var fixtures []storetest.Fixture
	for i := range p.accounts + p.poor {
		credits := int64(1_000)
		if i >= p.accounts {
			credits = int64(p.poorCredits)
		}
		f := storetest.Seed(t, s, storetest.Options{Credits: credits})
		fixtures = append(fixtures, f)
		send := func(session string, m planned) {
			key := uuid.NewString()
			parallel(m.sends, m.sends, func(n int) string {
				got, err := ask(t.Context(), c, replicas[(i+n)%len(replicas)].Chat, f.Key.Reveal(), session, m.text, "Idempotency-Key", key)
				if err != nil {
					t.Errorf("%v", err)
				}
				return got.outcome()
			})
		}
		if i >= p.accounts {
			for n := range p.poorMessages {
				clients = append(clients, func() { send(fmt.Sprint(n), planned{"hello", 1}) })
			}
			continue
		}
		for n := range p.conversations {
			clients = append(clients, func() {
				for _, m := range p.messages(i, n) {
					send(fmt.Sprint(n), m)
				}
			})
		}
	}
	parallel(len(clients), len(clients), func(i int) string {
		clients[i]()
		return ""
	})
	return p.stored(t, s, fixtures)
}

// stored describes the accounts, their entries and their turns, without ids and times. Which messages of a poor account were answered is
// left to chance, so its turns are left out.
func (p plan) stored(t *testing.T, s *store.DB, fixtures []storetest.Fixture) string {
	t.Helper()
	var all strings.Builder
	for i, f := range fixtures {
		var account, turns string
		if err := s.SQL().QueryRowContext(t.Context(), `
			SELECT concat_ws(' ', credit_balance, credits_held, entry_count, (
			           SELECT string_agg(concat_ws(' ', e.number, e.kind, e.amount, e.balance_after), ', ' ORDER BY e.number)
			           FROM credit_entries e WHERE e.account_id = a.id)),
			       (SELECT string_agg(concat_ws(' ', c.session_id, t.number, t.state, t.price, t.message, t.reply, t.error_code), E'\n'
			               ORDER BY c.session_id, t.number)
			        FROM turns t JOIN conversations c ON c.id = t.conversation_id WHERE t.account_id = a.id)
			FROM accounts a WHERE a.id = $1`, f.Account.ID).Scan(&account, &turns); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&all, i, account)
		if i < p.accounts {
			fmt.Fprintln(&all, turns)
		}
	}
	return all.String()
}

// TestBatchesChangeNothing: the same messages leave the same ledger and the same conversations, whether turns are sent to the database
// together over three replicas or alone on one.
func TestBatchesChangeNothing(t *testing.T) {
	t.Parallel()
	p := newPlan(rand.Uint64())
	stored := func(replicas int, begin func(testing.TB, string, ...string) *replica) string {
		url := storetest.URL(t)
		var started []*replica
		for range replicas {
			started = append(started, begin(t, url))
		}
		defer func() {
			for _, r := range started {
				r.kill()
			}
		}()
		return p.run(t, url, started)
	}
	if got, want := stored(3, start), stored(1, startAlone); got != want {
		t.Errorf("together, over 3 replicas:\n%s\nwant as alone on one:\n%s", got, want)
	}
}

// batchFailures are the points at which a batch ends: before it is sent, and after it was committed but before the service knows.
var batchFailures = []struct{ point, how string }{
	{"begin_batch.before", "kill"}, {"begin_batch.after", "kill"}, {"settle_batch.before", "kill"}, {"settle_batch.after", "kill"},
	{"begin_batch.after", "error"}, {"settle_batch.after", "error"}, {"begin_batch.before", "panic"}, {"settle_batch.before", "panic"},
}

// TestFailuresInsideBatches: the process dies, or its connection is lost, in the middle of a batch. Each message is finally answered
// and charged, once.
func TestFailuresInsideBatches(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	const messages = 32
	url, c, dir := storetest.URL(t), client(t), t.TempDir()
	s := storetest.Open(t, url)
	auditing(t, s)
	env := []string{"MODEL_TIMEOUT=1s", "HOLD_GRACE=1s", "REAP_INTERVAL=100ms"}
	survivor, victim := start(t, url, env...), (*replica)(nil)
	env = append(env, "FAILPOINTS_DIR="+dir)
	for _, f := range batchFailures {
		if victim == nil {
			victim = startProgram(t, failing(), url, env...)
		}
		fixture := storetest.Seed(t, s, storetest.Options{Credits: messages})
		arm(t, dir, f.point, f.how)
		outcomes := parallel(messages, messages, func(int) string {
			key, session := uuid.NewString(), uuid.NewString()
			send := func(r *replica) (answer, error) {
				return ask(t.Context(), c, r.Chat, fixture.Key.Reveal(), session, "hello", "Idempotency-Key", key)
			}
			got, err := send(victim)
			first := got.outcome()
			eventually(t, "the reply", func() bool {
				if err != nil || got.Status != http.StatusOK {
					got, err = send(survivor)
				}
				return err == nil && got.Status == http.StatusOK
			})
			return first
		})
		if !wasHit(dir, f.point) {
			t.Fatalf("%s was not reached: %v", f.point, outcomes)
		}
		if f.how == "kill" {
			<-victim.exited
			victim = nil
		}
		expectOnce(t, s, fixture, messages, fmt.Sprintf("%s at %s", f.how, f.point))
	}
}

// expectOnce expects that each of an account's messages is answered and charged once, and that no credits are left or held.
func expectOnce(t *testing.T, s *store.DB, f storetest.Fixture, messages int, what string) {
	t.Helper()
	var answered, keys, charges int
	if err := s.SQL().QueryRowContext(t.Context(), `
		SELECT count(*), count(DISTINCT t.idempotency_key), (SELECT count(*) FROM credit_entries WHERE account_id = $1 AND kind = 'CHARGE')
		FROM turns t WHERE t.account_id = $1 AND t.state = 'ANSWERED'`, f.Account.ID).Scan(&answered, &keys, &charges); err != nil {
		t.Fatal(err)
	}
	a, err := accounts.On(s).Account(t.Context(), f.Account.ID)
	if err != nil {
		t.Fatal(err)
	}
	if answered != messages || keys != messages || charges != messages || a.CreditBalance != 0 || a.CreditsHeld != 0 {
		t.Errorf("%s: %d turns answered, %d messages, %d charges, balance %d, held %d; want each of %d messages once and no credits left",
			what, answered, keys, charges, a.CreditBalance, a.CreditsHeld, messages)
	}
	storetest.Audit(t, s)
}

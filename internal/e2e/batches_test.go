package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// startUnbatched starts a replica that sends every turn to the database alone.
func startUnbatched(t testing.TB, databaseURL string, env ...string) *replica {
	t.Helper()
	dir := t.TempDir()
	for _, batch := range []string{"begin_batch", "settle_batch"} {
		arm(t, dir, batch+".before", "always")
	}
	return startProgram(t, failing(), databaseURL, append(env, "FAILPOINTS_DIR="+dir)...)
}

// plan describes the messages of some accounts. Clients send those of a conversation in order, and
// all conversations at once.
type plan struct {
	accounts, conversations int
	// poor accounts have fewer credits than messages, each in a conversation of its own.
	poor, poorMessages, poorCredits int
	messages                        func(account, conversation int) []planned
}

// planned is a message that is sent a number of times at once, with one idempotency key.
type planned struct {
	text  string
	sends int
}

func newPlan(seed uint64) plan {
	messages := func(account, conversation int) []planned {
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
	}
	return plan{
		accounts:      5,
		conversations: 4,
		poor:          2,
		poorMessages:  20,
		poorCredits:   7,
		messages:      messages,
	}
}

// run sends all messages, and describes what the database then has.
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
				chat := replicas[(i+n)%len(replicas)].Chat
				got, err := ask(t.Context(), c, chat, f.Key.Reveal(), session, m.text,
					"Idempotency-Key", key)
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

// stored describes the accounts, their entries and their turns, without IDs and times. It leaves
// out the turns of poor accounts, because chance decides which of their messages are answered.
func (p plan) stored(t *testing.T, s *store.DB, fixtures []storetest.Fixture) string {
	t.Helper()
	var all strings.Builder
	for i, f := range fixtures {
		var account, turns string
		readRow(t, s, `
			SELECT concat_ws(' ', credit_balance, credits_held, entry_count, (
			           SELECT string_agg(concat_ws(' ', e.number, e.kind, e.amount, e.balance_after), ', '
			               ORDER BY e.number)
			           FROM credit_entries e WHERE e.account_id = a.id)),
			       (SELECT string_agg(concat_ws(' ', c.session_id, t.number, t.state, t.price, t.message,
			               t.reply, t.error_code), E'\n' ORDER BY c.session_id, t.number)
			        FROM turns t JOIN conversations c ON c.id = t.conversation_id
			        WHERE t.account_id = a.id)
			FROM accounts a WHERE a.id = $1`, []any{f.Account.ID}, &account, &turns)
		fmt.Fprintln(&all, i, account)
		if i < p.accounts {
			fmt.Fprintln(&all, turns)
		}
	}
	return all.String()
}

// TestBatchesChangeNothing: the same messages leave the same ledger and the same conversations,
// whether turns reach the database in batches over three replicas or one by one over one.
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
	if got, want := stored(3, start), stored(1, startUnbatched); got != want {
		t.Errorf("in batches over 3 replicas:\n%s\none by one:\n%s", got, want)
	}
}

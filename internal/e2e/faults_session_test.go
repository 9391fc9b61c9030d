package e2e_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// layDown writes a session of answered turns as they would be there after so many messages: the turns, numbered, with their
// charges. A text begins with its number, so that it can be told in what the model is given. Every 7th turn has failed.
func layDown(t testing.TB, s *store.Store, f storetest.Fixture, session string, turns, size int) {
	t.Helper()
	answered := turns - turns/7
	tx, err := s.DB().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	do := func(query string, args ...any) {
		t.Helper()
		if _, err := tx.ExecContext(t.Context(), query, args...); err != nil {
			t.Fatal(err)
		}
	}
	do(`WITH c AS (
			INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
			VALUES (gen_random_uuid(), $1, $2, 'API', $3, $4) RETURNING id)
		INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price, request_id,
			deadline, settled_at)
		SELECT gen_random_uuid(), $1, $2, c.id, 'API', n, CASE WHEN n % 7 = 0 THEN 'FAILED' ELSE 'ANSWERED' END,
			n || repeat(' question', $5), CASE WHEN n % 7 = 0 THEN NULL ELSE n || repeat(' answer', $5) END, $6, 1, 'r', now(), now()
		FROM c, generate_series(1, $4::int) n`, f.Account.ID, f.Agent.ID, session, turns, size, storetest.SandboxModel)
	do(`INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, agent_id, turn_id)
		SELECT gen_random_uuid(), a.id, a.entry_count + row_number() OVER w, 'CHARGE', -1, a.credit_balance - row_number() OVER w,
			t.agent_id, t.id
		FROM accounts a JOIN turns t ON t.account_id = a.id AND t.state = 'ANSWERED' JOIN conversations c ON c.id = t.conversation_id
		WHERE a.id = $1 AND c.session_id = $2 WINDOW w AS (ORDER BY t.number)`, f.Account.ID, session)
	do(`UPDATE accounts SET credit_balance = credit_balance - $2, entry_count = entry_count + $2 WHERE id = $1`, f.Account.ID, answered)
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// given is what the sandbox says that it was given.
type given struct {
	Turns []struct{ Role, Text string } `json:"turns"`
}

// expectWholeTurns checks that the model was given the newest answered turns of a session, whole and in order, and the message
// last, and nothing else. It returns how many turns and how many bytes of them there were.
func expectWholeTurns(t testing.TB, reply, message string, turns, size int) (whole, bytes int) {
	t.Helper()
	var g given
	if err := json.Unmarshal([]byte(reply), &g); err != nil {
		t.Fatalf("the history: %v: %.200s", err, reply)
	}
	last := len(g.Turns) - 1
	if last%2 != 0 || g.Turns[last].Text != message {
		t.Fatalf("%d texts, the last of them %q", len(g.Turns), g.Turns[last].Text)
	}
	number := turns
	for i := last - 2; i >= 0; i -= 2 {
		for number%7 == 0 { // these failed
			number--
		}
		user, assistant := g.Turns[i], g.Turns[i+1]
		if user.Role != "user" || assistant.Role != "assistant" || user.Text != fmt.Sprint(number, strings.Repeat(" question", size)) ||
			assistant.Text != fmt.Sprint(number, strings.Repeat(" answer", size)) {
			t.Errorf("turn %d is not whole: %s %.40q, %s %.40q", number, user.Role, user.Text, assistant.Role, assistant.Text)
		}
		bytes += len(user.Text) + len(assistant.Text)
		number--
	}
	return last / 2, bytes
}

// TestSessionOfManyTurns: of a session of 10,000 turns the model is given as many whole turns as the agent allows, or as fit the
// bound on bytes, and never more. How long a message takes there and in a session of 40 turns is in the record.
func TestSessionOfManyTurns(tt *testing.T) {
	tt.Parallel()
	t := newPromise(tt, "S2")
	const long, short, contextTurns, contextBytes = 10_000, 40, 40, 96 << 10
	const history, small, large = "[[sandbox history]]", 4, 300
	p, c := newPair(t), client(t)
	largest := 0
	say := func(f storetest.Fixture, i int, message string) (answer, time.Duration) {
		began := time.Now()
		got, err := ask(t.Context(), c, p.chat(i), f.Key.Reveal(), "s", message)
		if err != nil || got.Status != 200 {
			t.Fatalf("%v %s", err, got.outcome())
		}
		return got, time.Since(began)
	}
	for _, size := range []int{small, large} {
		wholes := map[int]int{}
		for _, turns := range []int{short, long} {
			f := storetest.Seed(t, p.store, storetest.Options{Credits: 1_000_000})
			layDown(t, p.store, f, "s", turns, size)
			got, _ := say(f, turns, history)
			whole, bytes := expectWholeTurns(t, got.Reply, history, turns, size)
			if whole == 0 || whole > contextTurns || bytes > contextBytes || size == small && whole != min(turns-turns/7, contextTurns) {
				t.Errorf("of %d turns of %d words the model was given %d, %d bytes", turns, size, whole, bytes)
			}
			wholes[turns], largest = whole, max(largest, bytes)
			t.ran(1)
		}
		if size == large && wholes[short] != wholes[long] {
			t.Errorf("of long texts the model was given %d turns where there are 40, and %d where there are 10,000", wholes[short], wholes[long])
		}
	}
	seats := map[int]storetest.Fixture{}
	for _, turns := range []int{short, long} {
		seats[turns] = storetest.Seed(t, p.store, storetest.Options{Credits: 1_000_000})
		layDown(t, p.store, seats[turns], "s", turns, small)
	}
	if _, err := p.store.DB().ExecContext(t.Context(), `VACUUM ANALYZE turns`); err != nil {
		t.Fatal(err)
	}
	times := t.times(50, 1000)
	took := map[int][]time.Duration{}
	for i := range times {
		for _, turns := range []int{short, long} {
			_, d := say(seats[turns], i, "hello")
			took[turns] = append(took[turns], d)
		}
		t.ran(2)
	}
	median := func(turns int) time.Duration {
		slices.Sort(took[turns])
		return took[turns][times/2]
	}
	storetest.Audit(t, p.store)
	t.measured("ratio %.2f: %v a message after 10,000 turns, %v after 40 (medians of %d); at most %d turns and %d bytes go to the model",
		float64(median(long))/float64(median(short)), median(long).Round(10*time.Microsecond), median(short).Round(10*time.Microsecond),
		times, contextTurns, largest)
}

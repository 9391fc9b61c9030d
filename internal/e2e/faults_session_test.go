package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/faults"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// insertTurns writes a session with a number of turns and their charges, as the service would. Each text begins with the turn's number,
// which identifies it in the model's context. Every 7th turn has failed.
func insertTurns(t testing.TB, s *store.Store, f storetest.Fixture, session string, turns, size int) {
	t.Helper()
	tx, err := s.DB().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	do := func(query string, args ...any) (rows int64) {
		t.Helper()
		done, err := tx.ExecContext(t.Context(), query, args...)
		if err != nil {
			t.Fatal(err)
		}
		rows, _ = done.RowsAffected()
		return rows
	}
	conversation := uuid.New()
	do(`INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count) VALUES ($1, $2, $3, 'API', $4, $5)`,
		conversation, f.Account.ID, f.Agent.ID, session, turns)
	const piece = 1000 // so that no statement takes longer than the service lets one take
	for from := 1; from <= turns; from += piece {
		to := min(from+piece-1, turns)
		do(`INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price, request_id,
				deadline, settled_at)
			SELECT gen_random_uuid(), $1, $2, $3, 'API', n, CASE WHEN n % 7 = 0 THEN 'FAILED' ELSE 'ANSWERED' END,
				n || repeat(' question', $6), CASE WHEN n % 7 = 0 THEN NULL ELSE n || repeat(' answer', $6) END, $7, 1, 'r', now(), now()
			FROM generate_series($4::int, $5::int) n`, f.Account.ID, f.Agent.ID, conversation, from, to, size, storetest.SandboxModel)
		answered := do(`INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, agent_id, turn_id)
			SELECT gen_random_uuid(), a.id, a.entry_count + row_number() OVER w, 'CHARGE', -1, a.credit_balance - row_number() OVER w,
				t.agent_id, t.id
			FROM accounts a JOIN turns t ON t.conversation_id = $2 AND t.state = 'ANSWERED' AND t.number BETWEEN $3 AND $4
			WHERE a.id = $1 WINDOW w AS (ORDER BY t.number)`, f.Account.ID, conversation, from, to)
		do(`UPDATE accounts SET credit_balance = credit_balance - $2, entry_count = entry_count + $2 WHERE id = $1`, f.Account.ID, answered)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// longSessions is two replicas and a model's server that records what it received.
type longSessions struct {
	*pair
	row    *faultRow
	http   *http.Client
	server *llmtest.Server
	// largest is the size in bytes of the largest context that went to the model.
	largest int
}

// TestLongSession: from a session of 10,000 turns, the model gets as many whole turns as the agent allows and as fit the limit in bytes.
// At full length it also compares times: a message takes about as long as in a session of 10 turns.
func TestLongSession(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "S2")
	server := llmtest.NewOpenAI(t, openAIKey)
	server.Always(llmtest.Text("Aye."))
	l := &longSessions{row: t, http: client(t), server: server,
		pair: newPair(t, "OPENAI_API_KEY="+openAIKey, "OPENAI_BASE_URL="+server.URL+"/v1")}
	t.audit(l.store)
	l.expectBounds(t)
	t.measured("at most %d turns and %d bytes go to the model", contextTurns, l.largest)
	if faults.Full() { // times say little beside other tests
		l.expectSpeed(t)
	}
	storetest.Audit(t, l.store)
}

const (
	oldTurns     = 10_000
	contextTurns = 40
	contextBytes = 96 << 10
)

func (l *longSessions) newFixture(t *faultRow) storetest.Fixture {
	t.Helper()
	return storetest.Seed(t, l.store, storetest.Options{Credits: 1_000_000, Model: openAIModel, Instructions: "Be brief."})
}

// say sends a message and returns the model's context before it, as roles and texts, and how long the answer took.
func (l *longSessions) say(t *faultRow, f storetest.Fixture, i int, session, message string) (given [][2]string, took time.Duration) {
	t.Helper()
	began := time.Now()
	got, err := ask(t.Context(), l.http, l.chat(i), f.Key.Reveal(), session, message)
	took = time.Since(began)
	if err != nil || got.Status != http.StatusOK || got.Reply != "Aye." {
		t.Fatalf("%v %d %s", err, got.Status, got.Body)
	}
	sent := l.server.Last(t).OpenAI(t)
	last := len(sent.Messages) - 1
	if last < 1 || sent.Messages[0].Role != "system" || sent.Messages[0].Content != "Be brief." || sent.Messages[last].Role != "user" ||
		sent.Messages[last].Content != message {
		t.Fatalf("%q to %q went to the model", sent.Messages[0], sent.Messages[last])
	}
	for _, m := range sent.Messages[1:last] {
		given = append(given, [2]string{m.Role, m.Content})
	}
	t.ran(1)
	return given, took
}

// expectBounds checks the model's context in sessions with short and with long texts.
func (l *longSessions) expectBounds(t *faultRow) {
	t.Helper()
	const small, large = 4, 300
	for _, size := range []int{small, large} {
		wholes := map[int]int{}
		for i, turns := range []int{10, contextTurns, oldTurns} {
			f := l.newFixture(t)
			insertTurns(t, l.store, f, "s", turns, size)
			given, _ := l.say(t, f, i, "s", "hello")
			bytes := expectWholeTurns(t, given, turns, size)
			whole, most := len(given)/2, min(turns-turns/7, contextTurns)
			if whole == 0 || whole > most || bytes > contextBytes || size == small && whole != most {
				t.Errorf("of %d turns of %d words, the model got %d turns of %d bytes", turns, size, whole, bytes)
			}
			wholes[turns], l.largest = whole, max(l.largest, bytes)
		}
		if size == large && (wholes[contextTurns] != wholes[oldTurns] || wholes[oldTurns] >= contextTurns) {
			t.Errorf("of long texts, the model got %v turns", wholes)
		}
	}
}

// expectWholeTurns checks that the model got the newest answered turns of a session, whole and in order, and nothing else. It returns
// their size in bytes.
func expectWholeTurns(t testing.TB, given [][2]string, turns, size int) (bytes int) {
	t.Helper()
	if len(given)%2 != 0 {
		t.Fatalf("%d texts are not whole turns", len(given))
	}
	number := turns
	for i := len(given) - 2; i >= 0; i -= 2 {
		for number%7 == 0 { // these failed
			number--
		}
		want := [2][2]string{{"user", fmt.Sprint(number, strings.Repeat(" question", size))},
			{"assistant", fmt.Sprint(number, strings.Repeat(" answer", size))}}
		if user, assistant := given[i], given[i+1]; user != want[0] || assistant != want[1] {
			t.Errorf("turn %d is not whole: %.40q, %.40q", number, user, assistant)
		}
		bytes += len(given[i][1]) + len(given[i+1][1])
		number--
	}
	return bytes
}

// expectSpeed compares the median time of a message after 10,000 turns with that after 10 and after 40 turns. The sessions alternate, so
// that other load on the machine affects them alike. Each message after 10 turns goes to its own session, so that none grows.
func (l *longSessions) expectSpeed(t *faultRow) {
	t.Helper()
	const most, small = 2.0, 4
	const times = 1000
	lengths := []int{10, contextTurns, oldTurns}
	fixtures := map[int]storetest.Fixture{}
	for _, turns := range lengths {
		fixtures[turns] = l.newFixture(t)
	}
	insertTurns(t, l.store, fixtures[oldTurns], "s", oldTurns, small)
	insertTurns(t, l.store, fixtures[contextTurns], "s", contextTurns, small)
	for i := range times {
		insertTurns(t, l.store, fixtures[10], fmt.Sprint(i), 10, small)
	}
	if _, err := l.store.DB().ExecContext(t.Context(), `VACUUM ANALYZE turns`); err != nil {
		t.Fatal(err)
	}
	took := map[int][]time.Duration{}
	for i := range times {
		for k := range lengths {
			turns, session := lengths[(i+k)%len(lengths)], "s"
			if turns == 10 {
				session = fmt.Sprint(i)
			}
			_, d := l.say(t, fixtures[turns], i, session, "hello")
			took[turns] = append(took[turns], d)
		}
		l.server.Forget()
	}
	median := func(turns int) time.Duration {
		slices.Sort(took[turns])
		return took[turns][times/2].Round(10 * time.Microsecond)
	}
	of10 := float64(median(oldTurns)) / float64(median(10))
	of40 := float64(median(oldTurns)) / float64(median(contextTurns))
	if of10 > most || of40 > most {
		t.Errorf("a message after 10,000 turns takes %v, after 40 %v, after 10 %v", median(oldTurns), median(contextTurns), median(10))
	}
	t.measured("ratio %.2f to 10 turns, %.2f to 40: %v a message after 10,000 turns, %v after 40, %v after 10 (medians of %d); "+
		"at most %d turns and %d bytes go to the model", of10, of40, median(oldTurns), median(contextTurns), median(10), times,
		contextTurns, l.largest)
}

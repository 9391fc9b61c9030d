package e2e_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/faults"
	"agentchat/internal/store/storetest"
)

// template is the agent's instructions, and filled what its model must get. Neither has anything to do with how the service fills them.
const template = "x=<{{x}}> y=<{{y}}> z=<{{z}}> x=<{{x}}> {{nobody}} {{ x }} {{{x}}} {x}"

func filled(x, y, z string) string {
	return "x=<" + x + "> y=<" + y + "> z=<" + z + "> x=<" + x + "> {{nobody}} {{ x }} {" + x + "} {x}"
}

// variablesCase is an agent with variables x, y and z, of which z has a default.
type variablesCase struct {
	t      *faultRow
	pair   *pair
	client *http.Client
	key    string
	// fixture is what has the agent.
	fixture storetest.Fixture
}

// newVariables makes an agent with instructions.
func (p *pair) newVariables(t *faultRow, c *http.Client, instructions string) *variablesCase {
	t.Helper()
	none, standard := 0, "{{x}}"
	f := storetest.Seed(t, p.store, storetest.Options{Credits: 1_000_000, Instructions: instructions, ContextTurns: &none,
		Variables: []agent.Variable{{Name: "x"}, {Name: "y", Required: true}, {Name: "z", Default: &standard}}})
	return &variablesCase{t: t, pair: p, client: c, key: f.Key.Reveal(), fixture: f}
}

// instructed sends a message with values and returns the instructions that its model was given.
func (v *variablesCase) instructed(replica int, session string, values map[string]string) (string, error) {
	got, err := askWith(v.t.Context(), v.client, v.pair.chat(replica), v.key,
		map[string]any{"message": "[[sandbox history]]", "session_id": session, "variables": values})
	if err != nil || got.Status != http.StatusOK {
		return "", fmt.Errorf("%.300s %w", got.Body, err)
	}
	var history struct{ Instructions string }
	return history.Instructions, json.Unmarshal([]byte(got.Reply), &history)
}

// TestVariablesOverTwoReplicas: each message of a session is answered with its own values, whichever replica answers, and the same
// values in parallel sessions never mix.
func TestVariablesOverTwoReplicas(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "R4: values that change with every message")
	p, c := newPair(t), client(t)
	t.audit(p.store)
	v := p.newVariables(t, c, template)
	const messages = 20
	sessions := faults.Times(4, 200)
	counts := parallel(4, sessions, func(s int) string {
		for n := range messages {
			x, y, z := fmt.Sprintf("x of %d in %d", n, s), fmt.Sprintf("y of %d in %d", n, s), fmt.Sprintf("z of %d in %d", n, s)
			values, want := map[string]string{"x": x, "y": y, "z": z}, filled(x, y, z)
			switch n % 3 { // z has a default, which is not expanded either, and x is empty without a value
			case 1:
				delete(values, "z")
				want = filled(x, y, "{{x}}")
			case 2:
				delete(values, "x")
				want = filled("", y, z)
			}
			if got, err := v.instructed(n, fmt.Sprint("session ", s), values); err != nil || got != want {
				t.Errorf("message %d of session %d was answered with %q, want %q: %v", n, s, got, want, err)
			}
		}
		return "right"
	})
	var stored int
	err := p.store.DB().QueryRowContext(t.Context(), `SELECT count(*) FROM turns WHERE state = 'ANSWERED' AND
		reply LIKE '%y=<' || (variables ->> 'y') || '>%'`).Scan(&stored)
	if err != nil || stored != sessions*messages {
		t.Errorf("%d turns are stored with the values of their replies: %v", stored, err)
	}
	storetest.Audit(t, p.store)
	t.ran(sessions * messages)
	t.measured("%d sessions of %d messages over two replicas, all with their own values", counts["right"], messages)
}

// TestHostileValues: whatever a value is, it is inserted byte for byte wherever its name stands, and never expanded again.
func TestHostileValues(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "R4: hostile values")
	p, c := newPair(t), client(t)
	t.audit(p.store)
	v := p.newVariables(t, c, template)
	hostile, random := hostileValues(), t.random()
	for range faults.Times(0, 2_000) {
		hostile = append(hostile, randomText(random))
	}
	counts := parallel(4, len(hostile), func(i int) string {
		x, y := hostile[i], hostile[(i*7+3)%len(hostile)]
		got, err := v.instructed(i, uuid.NewString(), map[string]string{"x": x, "y": y})
		if want := filled(x, y, "{{x}}"); err != nil || got != want {
			t.Errorf("%.200q and %.200q made %.500q: %v", x, y, got, err)
			return "wrong"
		}
		return "right"
	})
	// What is stored with the turn is what came.
	var stored int
	err := p.store.DB().QueryRowContext(t.Context(), `SELECT count(*) FROM unnest($1::text[]) AS h(value)
		WHERE EXISTS (SELECT 1 FROM turns WHERE variables ->> 'x' = h.value)`, hostile).Scan(&stored)
	if err != nil || stored != len(hostile) {
		t.Errorf("%d of %d values are stored as they came: %v", stored, len(hostile), err)
	}
	storetest.Audit(t, p.store)
	t.ran(len(hostile))
	t.measured("%d of %d pairs of hostile values inserted byte for byte, and stored as they came", counts["right"], len(hostile))
}

// TestValuesThatMakeInstructionsTooLong: instructions of exactly the limit are answered; one more code point is refused, costs nothing
// and leaves no turn.
func TestValuesThatMakeInstructionsTooLong(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "R4: values that make the instructions too long")
	p, c := newPair(t), client(t)
	t.audit(p.store)
	v := p.newVariables(t, c, strings.Repeat("{{x}}", 32)+"{{y}}")
	edge := agent.MaxFilledInstructions - 32*agent.MaxVariableValue
	for i, sign := range []string{"ü", "𝒳", "a", "\U0010FFFF"} {
		x := strings.Repeat(sign, agent.MaxVariableValue)
		want := strings.Repeat(x, 32) + strings.Repeat(sign, edge)
		for replica := range p.replicas {
			got, err := v.instructed(replica, uuid.NewString(), map[string]string{"x": x, "y": strings.Repeat(sign, edge)})
			if err != nil || got != want {
				t.Errorf("at the limit, of %q: %d bytes of %d: %v", sign, len(got), len(want), err)
			}
			long, err := askWith(t.Context(), c, p.chat(replica), v.key, map[string]any{"message": "hello",
				"variables": map[string]string{"x": x, "y": strings.Repeat(sign, edge+1)}}, "Idempotency-Key", "once")
			if d := fmt.Sprint(long.Error.Details); err != nil || long.Status != 400 || long.outcome() != "invalid_request" ||
				!strings.Contains(d, "field:variables") || !strings.Contains(d, fmt.Sprint(agent.MaxFilledInstructions)) {
				t.Errorf("one more: %d %s %v", long.Status, long.Body, err)
			}
		}
		t.ran(1)
		var turns int
		err := p.store.DB().QueryRowContext(t.Context(), `SELECT count(*) FROM turns`).Scan(&turns)
		if balance, held := p.credits(t, v.fixture); err != nil || turns != 2*(i+1) || balance != 1_000_000-int64(turns) || held != 0 {
			t.Errorf("%d turns, balance %d, held %d: %v", turns, balance, held, err)
		}
	}
	storetest.Audit(t, p.store)
	t.measured("exactly %d code points answered, one more refused at no charge, with four signs", agent.MaxFilledInstructions)
}

// TestValuesAndRetries: an Idempotency-Key replays the same values in any order, and refuses others, or another end user. A reply from
// before there were values is still replayed.
func TestValuesAndRetries(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "R4: retries under one Idempotency-Key")
	p, c := newPair(t), client(t)
	t.audit(p.store)
	v := p.newVariables(t, c, template)
	const first = `{"message":"hello","session_id":"s","user_id":"u","variables":{"x":"1","y":"2","z":"3"}}`
	rounds := faults.Times(2, 50)
	for round := range rounds {
		key := uuid.NewString()
		began := v.post(round, first, key)
		if began.Status != 200 {
			t.Fatalf("the first: %s", began.Body)
		}
		for i, retry := range []struct{ body, want string }{
			{first, "200"},
			{`{"variables":{"z":"3","y":"2","x":"1"},"user_id":"u","session_id":"s","message":"hello"}`, "200"},
			{`{"variables":{"\u0079":"\u0032","z":"3","x":"1"},"user_id":"u","session_id":"s","message":"hello"}`, "200"},
			{strings.Replace(first, `"1"`, `"2"`, 1), "idempotency_key_reused"},
			{strings.Replace(first, `"x":"1","y":"2"`, `"x":"2","y":"1"`, 1), "idempotency_key_reused"},
			{strings.Replace(first, `"x":"1",`, ``, 1), "idempotency_key_reused"},
			{strings.Replace(first, `,"z":"3"`, ``, 1), "idempotency_key_reused"},
			{strings.Replace(first, `"1"`, `""`, 1), "idempotency_key_reused"},
			{strings.Replace(first, `"u"`, `"U"`, 1), "idempotency_key_reused"},
			{strings.Replace(first, `"user_id":"u",`, ``, 1), "idempotency_key_reused"},
			{strings.Replace(first, `"user_id":"u"`, `"user_id":null`, 1), "idempotency_key_reused"},
			{strings.Replace(first, `,"variables":{"x":"1","y":"2","z":"3"}`, ``, 1), "idempotency_key_reused"},
		} {
			got := v.post(round+i, retry.body, key)
			if status := map[string]int{"200": 200}[retry.want]; got.outcome() != retry.want || status == 0 && got.Status != 422 {
				t.Errorf("%s after %s: %d %s, want %s", retry.body, first, got.Status, got.Body, retry.want)
			}
			if got.Status == 200 && (string(got.Body) != string(began.Body) || got.Header.Get("Idempotent-Replayed") != "true") {
				t.Errorf("%s is not a replay: %s", retry.body, got.Body)
			}
		}
		t.ran(1)
	}
	plain := &variablesCase{t: t, pair: p, client: c, key: storetest.Seed(t, p.store, storetest.Options{}).Key.Reveal()}
	for _, session := range []string{"", "s"} {
		plain.replayOld(session)
	}
	if balance, _ := p.credits(t, v.fixture); balance != 1_000_000-int64(rounds) {
		t.Errorf("%d charges for %d messages", 1_000_000-balance, rounds)
	}
	storetest.Audit(t, p.store)
	t.measured("3 bodies that say the same replayed, 9 others refused; replies of the first release replayed")
}

// post sends a body as it is under an Idempotency-Key.
func (v *variablesCase) post(replica int, body, key string) (got answer) {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), http.MethodPost, v.pair.chat(replica), strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+v.key)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", key)
	resp, err := v.client.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	got = answer{Status: resp.StatusCode, Header: resp.Header}
	if got.Body, err = io.ReadAll(resp.Body); err == nil {
		err = json.Unmarshal(got.Body, &got)
	}
	if err != nil {
		v.t.Fatal(err)
	}
	return got
}

// replayOld sends a message, gives its turn the fingerprint and the empty columns that the first release would have left, and sends the
// same message again.
func (v *variablesCase) replayOld(session string) {
	v.t.Helper()
	const message = "from before"
	old := append([]byte{7: byte(len(message))}, message...) // the length as a number of 64 bits
	body := `{"message":"from before"}`
	if session != "" {
		old = append(append(old, 1), session...)
		body = `{"message":"from before","session_id":"` + session + `"}`
	}
	key, fingerprint := uuid.NewString(), sha256.Sum256(old)
	began := v.post(0, body, key)
	result, err := v.pair.store.DB().ExecContext(v.t.Context(), `UPDATE turns SET fingerprint = $2, version = NULL, variables = NULL,
		day_counted = NULL, month_counted = NULL, user_day_counted = NULL, user_hash = NULL WHERE idempotency_key = $1`, key, fingerprint[:])
	if err != nil || began.Status != 200 {
		v.t.Fatal(err, string(began.Body))
	}
	if n, err := result.RowsAffected(); n != 1 || err != nil {
		v.t.Fatal(n, err)
	}
	for i := range v.pair.replicas {
		got := v.post(i, body, key)
		if got.Status != 200 || got.Message != began.Message || got.Reply != began.Reply || got.Header.Get("Idempotent-Replayed") != "true" {
			v.t.Errorf("in session %q, replayed: %s, was %s", session, got.Body, began.Body)
		}
		other := v.post(i, strings.Replace(body, `{`, `{"user_id":"u",`, 1), key)
		if other.outcome() != "idempotency_key_reused" {
			v.t.Errorf("in session %q, with an end user: %s", session, other.Body)
		}
	}
}

package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// deskActions are the actions of an order desk.
var deskActions = []agent.Action{
	{Name: "order_status", Description: "Looks up an order.",
		Parameters: `{"type":"object","required":["order"],"properties":{"order":{"type":"string"},"number":{"type":"integer"}}}`},
	{Name: "wait", Description: "Waits.", Parameters: `{"type":"object","additionalProperties":false}`},
}

// asked is an action that a reply asks for.
type asked struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// whole is the JSON of a reply, whole or streamed.
func (r reply) whole(t *testing.T) string {
	t.Helper()
	if r.StatusCode != http.StatusOK {
		t.Fatalf("%d: %s", r.StatusCode, r.text)
	}
	if r.Header.Get("Content-Type") == "application/json" {
		return strings.TrimSpace(r.text)
	}
	return string(parseStream(t, r).end)
}

// actions are what a reply asks for.
func (r reply) actions(t *testing.T) []asked {
	t.Helper()
	var body struct{ Actions []asked }
	if err := json.Unmarshal([]byte(r.whole(t)), &body); err != nil {
		t.Fatalf("%v: %s", err, r.text)
	}
	return body.Actions
}

// results is a body with the same result for each action.
func results(session, result string, actions []asked) string {
	list := make([]string, len(actions))
	for i, a := range actions {
		list[i] = `{"id":"` + a.ID + `","result":` + result + `}`
	}
	return `{"session_id":"` + session + `","action_results":[` + strings.Join(list, ",") + `]}`
}

// asking is a message that asks for actions, with the text beside it.
func asking(session, text, directive string) string {
	return `{"message":` + strconv.Quote(text+"[[sandbox "+directive+"]]") + `,"session_id":"` + session + `"}`
}

// open are the ids that a mismatch says are open.
func (r reply) open(t *testing.T) []any {
	t.Helper()
	p := r.refused(t, http.StatusConflict, "action_mismatch")
	open, ok := p.Error.Details["open"].([]any)
	if !ok || len(p.Error.Details) != 1 || r.Header.Get("Retry-After") != "" {
		t.Errorf("%s, %v", r.text, r.Header)
	}
	return open
}

const eventStream = "Accept: text/event-stream"

// TestActions: a reply asks for actions, in JSON and as a stream, and results go on with it. Each reply can be had again in both forms.
func TestActions(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{Actions: deskActions}, nil)
	for session, c := range map[string]struct{ text, reply, names string }{
		"text": {"Where? ", "Let me look.", "[start delta action end]"}, "none": {"", "", "[start action end]"},
	} {
		body := asking(session, c.text, `action=order_status {"order":"<é>\u0000","number":12345678901234567890} action=wait`)
		stream := b.post(t, body, eventStream, "Idempotency-Key: ask-"+session)
		s := parseStream(t, stream)
		if fmt.Sprint(s.names) != c.names {
			t.Errorf("%s: events %v", session, s.names)
		}
		id := s.start.MessageID
		first := `{"id":"act_` + id + `_1","name":"order_status","arguments":{"order":"<é>\u0000","number":12345678901234567890}}`
		second := `{"id":"act_` + id + `_2","name":"wait","arguments":{}}`
		want := `{"message_id":"` + id + `","session_id":"` + session + `","reply":"` + c.reply + `","finish_reason":"actions","actions":[` + first + `,` +
			second + `],"model":"sandbox/assistant","agent_version":1,"usage":{`
		if !strings.HasPrefix(string(s.end), want) || s.text != c.reply ||
			!strings.Contains(stream.text, "event: action\ndata: "+first+"\n\nevent: action\ndata: "+second+"\n\nevent: end\n") {
			t.Errorf("%s: got %s\nwant %s", session, stream.text, want)
		}
		sameAgain := func(body, key string, first reply) {
			t.Helper()
			for _, accept := range []string{"Accept: application/json", eventStream} {
				again := b.post(t, body, accept, "Idempotency-Key: "+key)
				if again.Header.Get("Idempotent-Replayed") != "true" || again.whole(t) != first.whole(t) || accept == eventStream && first.Header.Get("Content-Type") !=
					"application/json" && fmt.Sprint(parseStream(t, again).names) != fmt.Sprint(parseStream(t, first).names) {
					t.Errorf("%s: again %s, %s after %s", session, accept, again.text, first.text)
				}
			}
		}
		sameAgain(body, "ask-"+session, stream)
		brought := `{"session_id":"` + session + `","action_results":[{"id":"act_` + id + `_2","error":"No."},{"id":"act_` + id + `_1","result":{"b": 1, "a": "<\u0000>"}}]}`
		last := b.post(t, brought, "Idempotency-Key: bring-"+session)
		if text := last.whole(t); strings.Contains(text, `"actions"`) || !strings.Contains(text, `"finish_reason":"stop","model"`) ||
			!strings.Contains(text, `The action order_status returned: {\"a\":\"<\\u0000>\",\"b\":1}. The action wait failed: No.`) {
			t.Errorf("%s: %s", session, text)
		}
		sameAgain(brought, "bring-"+session, last)
		ordered := `{"action_results":[{"result":{"a":"<\u0000>","b":1},"id":"act_` + id + `_1"},{"id":"act_` + id + `_2","error":"No."}],"session_id":"` + session + `"}`
		sameAgain(ordered, "bring-"+session, last)
		sameAgain(ordered, "another-"+session, last) // its answer was lost
		if again := b.post(t, ordered); again.Header.Get("Idempotent-Replayed") != "true" || again.text != last.text {
			t.Errorf("%s: without a key %s", session, again.text)
		}
		b.post(t, strings.Replace(ordered, `"No."`, `"No!"`, 1), "Idempotency-Key: bring-"+session).refused(t, 422, "idempotency_key_reused")
		if open := b.post(t, strings.Replace(ordered, `"No."`, `"No!"`, 1)).open(t); len(open) != 0 {
			t.Errorf("%s: open %v", session, open)
		}
	}
	if balance, held := b.credits(t); balance != 96 || held != 0 {
		t.Errorf("balance %d, held %d after four replies", balance, held)
	}
	storetest.Audit(t, b.store)
}

// TestActionsUnderASchema: a reply that asks for actions has no output; the one at the end has, also where it is empty.
func TestActionsUnderASchema(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{Actions: deskActions, ReplySchema: `{"type":"object"}`}, nil)
	for _, accept := range []string{"Accept: application/json", eventStream} {
		session := strconv.Itoa(len(accept))
		first := b.post(t, asking(session, "", "action=wait"), accept)
		if strings.Contains(first.whole(t), `"output":`) {
			t.Errorf("%s", first.text)
		}
		last := b.post(t, results(session, `{"state":"shipped"}`, first.actions(t)), accept)
		if !strings.Contains(last.whole(t), `"reply":"{}","output":{},"finish_reason":"stop"`) {
			t.Errorf("%s", last.text)
		}
	}
}

// TestResultsThatDoNotAnswer: results that are not exactly those of the open actions are a mismatch that names these; nothing is charged, no
// conversation is made, and the actions stay open.
func TestResultsThatDoNotAnswer(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{Actions: deskActions, Variables: []agent.Variable{{Name: "plan", Required: true}}}, unobserved)
	message := func(text string) string {
		return `{"message":` + strconv.Quote(text) + `,"session_id":"s","variables":{"plan":"gold"}}`
	}
	earlier := b.post(t, message("[[sandbox action=wait]]")).actions(t)
	asked := b.post(t, message("[[sandbox action=wait action=wait]]")).actions(t)
	unknown := "act_019a0000-0000-7000-8000-000000000001_"
	third := strings.Replace(asked[1].ID, "_2", "_3", 1)
	for name, c := range map[string]struct {
		body string
		open int
	}{
		"one is missing":           {results("s", "1", asked[:1]), 2},
		"the other is missing":     {results("s", "1", asked[1:]), 2},
		"one twice":                {results("s", "1", append(asked[:1:1], asked[0])), 2},
		"one twice among all":      {results("s", "1", append(asked[:2:2], asked[0])), 2},
		"of the reply before":      {results("s", "1", earlier), 2},
		"one of the reply before":  {results("s", "1", append(asked[:1:1], earlier[0])), 2},
		"one too many":             {results("s", "1", append(asked[:2:2], earlier[0])), 2},
		"unknown":                  {bringing(`{"id":"` + unknown + `1","result":1},{"id":"` + unknown + `2","result":1}`), 2},
		"one unknown":              {bringing(`{"id":"` + asked[0].ID + `","result":1},{"id":"` + third + `","result":1}`), 2},
		"no id of ours":            {bringing(`{"id":"' OR 1=1 --\u0000","error":"x"}`), 2},
		"in upper case":            {bringing(`{"id":"` + strings.ToUpper(asked[0].ID) + `","result":1},{"id":"` + asked[1].ID + `","result":1}`), 2},
		"another session":          {results("S", "1", asked), 0},
		"a session without a turn": {results("new", "1", asked), 0},
	} {
		if open := b.post(t, c.body).open(t); len(open) != c.open || c.open == 2 && (open[0] != asked[0].ID || open[1] != asked[1].ID) {
			t.Errorf("%s: open %v", name, open)
		}
		if open := b.post(t, c.body, eventStream, "Idempotency-Key: "+strings.ReplaceAll(name, " ", "-")).open(t); len(open) != c.open {
			t.Errorf("%s, streamed: open %v", name, open)
		}
	}
	if balance, held := b.credits(t); balance != 98 || held != 0 || b.conversations(t) != 1 {
		t.Errorf("balance %d, held %d, %d conversations", balance, held, b.conversations(t))
	}
	b.post(t, results("s", "1", asked)).whole(t)
	closing := b.post(t, message("[[sandbox action=wait]]")).actions(t)
	if seen := b.post(t, message("[[sandbox history]]")).whole(t); strings.Count(seen, "were not run") != 2 { // the first and the last
		t.Errorf("%s", seen)
	}
	if open := b.post(t, results("s", "1", closing)).open(t); len(open) != 0 {
		t.Errorf("after a message: open %v", open)
	}
	storetest.Audit(t, b.store)
}

func (b *bench) conversations(t *testing.T) (n int) {
	t.Helper()
	if err := b.store.DB().QueryRowContext(t.Context(), `SELECT count(*) FROM conversations`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestActionsStayOpen: whatever refuses results, or fails their reply, leaves the actions open.
func TestActionsStayOpen(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, unobserved)
	live := func(string) bool { return true }
	for name, c := range map[string]struct {
		close, reopen func(f storetest.Fixture) error
		status        int
		code          string
	}{
		"offline": {
			func(f storetest.Fixture) error {
				_, err := b.store.UnpublishAgent(t.Context(), f.Account.ID, f.Agent.ID)
				return err
			},
			func(f storetest.Fixture) error {
				_, _, err := b.store.PublishAgent(t.Context(), f.Account.ID, f.Agent.ID, store.Publication{}, live)
				return err
			}, 409, "agent_not_ready"},
		"paused": {
			func(f storetest.Fixture) error {
				_, err := b.store.PauseExport(t.Context(), f.Account.ID, f.Export.ID, true)
				return err
			},
			func(f storetest.Fixture) error {
				_, err := b.store.PauseExport(t.Context(), f.Account.ID, f.Export.ID, false)
				return err
			}, 403, "export_paused"},
		"blocked": {
			func(f storetest.Fixture) error {
				_, err := b.store.BlockEndUser(t.Context(), f.Account.ID, "ada", true)
				return err
			},
			func(f storetest.Fixture) error {
				_, err := b.store.BlockEndUser(t.Context(), f.Account.ID, "ada", false)
				return err
			}, 403, "user_blocked"},
		"without credits": {
			func(storetest.Fixture) error { return nil },
			func(f storetest.Fixture) error {
				_, err := b.store.GrantCredits(t.Context(), store.Grant{AccountID: f.Account.ID, Amount: 1, Note: "Test."})
				return err
			}, 402, "insufficient_credits"},
	} {
		options := storetest.Options{Actions: deskActions}
		if c.code == "insufficient_credits" {
			options.Credits = 1
		}
		f := storetest.Seed(t, b.store, options)
		post := func(body string) reply {
			return exchangeRaw(t, b.address, request(f.Key.Reveal(), strings.Replace(body, "{", `{"user_id":"ada",`, 1)))[0]
		}
		asked := post(asking("s", "", "action=wait")).actions(t)
		if err := c.close(f); err != nil {
			t.Fatal(err)
		}
		post(results("s", "1", asked)).refused(t, c.status, c.code)
		if err := c.reopen(f); err != nil {
			t.Fatal(err)
		}
		if got := post(results("s", "1", asked)).whole(t); !strings.Contains(got, `"agent_version":1`) {
			t.Errorf("%s: %s", name, got)
		}
	}
	f := storetest.Seed(t, b.store, storetest.Options{Actions: deskActions})
	post := func(body string, headers ...string) reply {
		return exchangeRaw(t, b.address, request(f.Key.Reveal(), body, headers...))[0]
	}
	ask := strings.Replace(asking("s", "", "action=wait"), "{", `{"user_id":"ada",`, 1)
	asked := post(ask).actions(t)
	for _, other := range []string{`"user_id":"grace",`, `"user_id":null,`} {
		p := post(strings.Replace(results("s", "1", asked), "{", "{"+other, 1)).refused(t, 400, "invalid_request")
		if p.Error.Details["field"] != "user_id" {
			t.Errorf("%s: %+v", other, p)
		}
	}
	post(`{"message":"[[sandbox fail=error]]","session_id":"s","user_id":"ada"}`).refused(t, 502, "model_error")
	post(strings.Replace(results("s", "1", asked), "{", `{"user_id":"ada",`, 1)).whole(t)
	storetest.Audit(t, b.store)
}

// TestVersionsOfActions: what results go on with has the version and the values of the message that began it, whatever was published or
// pinned meanwhile, through every key of the agent.
func TestVersionsOfActions(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{Instructions: "Edition 1 for {{name}}", Actions: deskActions, Variables: []agent.Variable{{Name: "name"}}}, nil)
	ask := `{"message":"[[sandbox action=wait action=again]]","session_id":"s","variables":{"name":"Ada"}}`
	asked := b.post(t, ask).actions(t)
	none := []agent.Variable{}
	_, err := b.store.UpdateAgent(t.Context(), b.fixture.Account.ID, b.fixture.Agent.ID, agent.Changes{
		Instructions: agent.Change[string]{Set: true, Value: new("Edition 2")}, Variables: agent.Change[[]agent.Variable]{Set: true, Value: &none},
		Actions: agent.Change[[]agent.Action]{Set: true, Value: new([]agent.Action{})}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Publish(t, b.store, b.fixture.Agent)
	_, _, other := storetest.SeedExport(t, b.store, b.fixture.Account.ID, b.fixture.Agent.ID, 600)
	pin := func(version *int) {
		t.Helper()
		_, err := b.store.UpdateExport(t.Context(), b.fixture.Account.ID, b.fixture.Export.ID, agent.ExportChanges{Version: agent.Change[int]{Set: true, Value: version}})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, version := range []*int{new(2), nil, new(1), new(2)} {
		pin(version)
		key := b.fixture.Key
		if i%2 == 1 {
			key = other
		}
		got := exchangeRaw(t, b.address, request(key.Reveal(), results("s", strconv.Itoa(i), asked)))[0]
		if text := got.whole(t); !strings.Contains(text, `"agent_version":1`) || !strings.Contains(text, `"finish_reason":"actions"`) {
			t.Fatalf("round %d: %s", i, text)
		}
		asked = got.actions(t)
	}
	if seen := b.post(t, `{"message":"[[sandbox history]]","session_id":"s"}`).whole(t); !strings.Contains(seen, "Edition 2") ||
		!strings.Contains(seen, `"agent_version":2`) {
		t.Errorf("a message: %s", seen)
	}
	storetest.Audit(t, b.store)
}

// TestRoundsAndSizes: the results of one message have 96 KiB together, and the reply to the eighth asks for nothing.
func TestRoundsAndSizes(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{Actions: deskActions}, unobserved)
	six := b.post(t, asking("s", "", strings.Repeat("action=wait ", 6))).actions(t)
	longest := `"` + strings.Repeat("x", 16_382) + `"`
	whole := results("s", longest, six)
	asked := b.post(t, asking("t", "", "action=wait action=again")).actions(t)
	b.post(t, whole).whole(t)
	seven := b.post(t, asking("s", "", strings.Repeat("action=wait ", 7))).actions(t)
	more := strings.Replace(results("s", longest, seven), longest, "1", 1)
	for range 2 { // they stay open
		p := b.post(t, more).refused(t, 400, "invalid_request")
		if fmt.Sprint(p.Error.Details) != "map[field:action_results limit:98304 reason:too_long]" {
			t.Errorf("%+v", p)
		}
	}
	b.post(t, results("s", `"`+strings.Repeat("x", 98_304/7-2)+`"`, seven)).whole(t)
	for round := range 8 {
		if len(asked) != 1 {
			t.Fatalf("round %d: %v", round, asked)
		}
		asked = b.post(t, results("t", strconv.Itoa(round), asked)).actions(t)
	}
	if len(asked) != 0 || b.post(t, results("t", "7", six[:1])).open(t) == nil {
		t.Errorf("the last reply asks for %v", asked)
	}
	storetest.Audit(t, b.store)
}

// TestHostileResults: whatever comes as a result or error, nothing is an internal fault, and what is taken comes back as it was.
func TestHostileResults(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{Credits: 10_000, Actions: deskActions}, unobserved)
	taken := 0
	for i, value := range hostileTexts {
		session := strconv.Itoa(i)
		asked := b.post(t, asking(session, "", "action=wait")).actions(t)
		for _, name := range []string{"error", "result"} {
			r := b.post(t, strings.Replace(results(session, value, asked), `"result"`, `"`+name+`"`, 1))
			switch {
			case r.StatusCode == http.StatusOK:
				taken++
				asked = b.post(t, asking(session, "", "action=wait")).actions(t)
			case r.StatusCode != http.StatusBadRequest:
				t.Errorf("%.60q as %s: %d %s", value, name, r.StatusCode, r.text)
			}
		}
	}
	seen := b.post(t, asking("last", "", "action=wait action=again")).actions(t)
	const exact = `{"a":[12345678901234567890,1e400,-0,1.10,"\u0000\ud83d\ude00\/é"]}`
	b.post(t, results("last", exact, seen)).whole(t)
	var stored string
	err := b.store.DB().QueryRowContext(t.Context(), `SELECT action_results FROM turns WHERE action_results LIKE '%1e400,-0%'`).Scan(&stored)
	if err != nil || !strings.Contains(stored, `"result":`+exact) {
		t.Errorf("stored %s, %v", stored, err)
	}
	if log := b.journal.String(); strings.Contains(log, "internal fault") || taken < 30 {
		t.Errorf("%d taken: %.2000s", taken, log)
	}
	storetest.Audit(t, b.store)
}

// TestResultsInOrder: results of one session wait for each other like messages: of ten at once one begins a turn, and the others get its
// reply.
func TestResultsInOrder(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{Actions: deskActions}, unobserved)
	asked := b.post(t, asking("s", "[[sandbox delay=20ms]]", "action=wait")).actions(t)
	got := make([]string, 10)
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() { got[i] = b.post(t, results("s", "1", asked)).whole(t) })
	}
	all.Wait()
	if slices.Sort(got); len(slices.Compact(got)) != 1 {
		t.Errorf("different replies: %v", got)
	}
	if balance, held := b.credits(t); balance != 98 || held != 0 {
		t.Errorf("balance %d, held %d", balance, held)
	}
	storetest.Audit(t, b.store)
}

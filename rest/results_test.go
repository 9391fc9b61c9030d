package rest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/store/storetest"
)

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
	if err := b.store.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM conversations`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
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
	turns := func() (n string) {
		err := b.store.SQL().QueryRowContext(t.Context(), `
			SELECT concat(sum(turn_count), ' ', (SELECT count(*) FROM turns)) FROM conversations`).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := turns()
	for range 2 { // they stay open, and the conversation is as before
		p := b.post(t, more).refused(t, 400, "invalid_request")
		if fmt.Sprint(p.Error.Details) != "map[field:action_results limit:98304 reason:too_long]" {
			t.Errorf("%+v", p)
		}
	}
	if after := turns(); after != before {
		t.Errorf("%s turns, before %s", after, before)
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
	err := b.store.SQL().QueryRowContext(t.Context(), `SELECT action_results FROM turns WHERE action_results LIKE '%1e400,-0%'`).Scan(&stored)
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

package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
)

// learn gives an agent a passage with a heading and a page, and one without, and returns the sources' ids.
func learn(t *testing.T, s *store.DB, f storetest.Fixture) (ids [2]string) {
	t.Helper()
	for i, passage := range []knowledge.Passage{{Heading: "Refunds > Time limits", Page: 3, Text: "Refunds take 30 days."}, {Text: "We open at nine."}} {
		added, err := sources.On(s).AddKnowledge(t.Context(), f.Account.ID, f.Agent.ID, sources.NewKnowledge{Kind: knowledge.Text, Name: [2]string{"Returns <1>.pdf", "Hours"}[i],
			Text: passage.Text, Size: int64(len(passage.Text)), Passages: []knowledge.Passage{passage}})
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = added.ID.String()
	}
	storetest.Publish(t, s, f.Agent)
	return ids
}

// TestSources: a reply has what it cites, whole and in a stream's end, and so has its replay in either form; an empty list if it cites
// nothing, and none for an agent without knowledge.
func TestSources(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	if text := b.post(t, quoted("About refunds")).whole(t); strings.Contains(text, "sources") {
		t.Errorf("without knowledge: %s", text)
	}
	ids := learn(t, b.store, b.fixture)
	for message, want := range map[string]string{
		"How long do refunds take?": `[{"n":1,"source_id":"` + ids[0] + `","name":"Returns <1>.pdf","heading":"Refunds > Time limits","page":3}]`,
		"When do you open?":         `[{"n":2,"source_id":"` + ids[1] + `","name":"Hours","heading":null,"page":null}]`,
		"[[sandbox words=5]]":       `[]`,
	} {
		for _, accept := range []string{"Accept: application/json", eventStream} {
			key := "Idempotency-Key: " + strings.ReplaceAll(accept+message, " ", "-")
			first := b.post(t, quoted(message), accept, key)
			if text := first.whole(t); !strings.Contains(text, `"finish_reason":"stop","sources":`+want+`,"model":`) {
				t.Errorf("%s: %s", message, first.text)
			}
			for _, form := range []string{"Accept: application/json", eventStream} {
				if again := b.post(t, quoted(message), form, key); again.whole(t) != first.whole(t) || again.Header.Get("Idempotent-Replayed") != "true" {
					t.Errorf("%s, %s: again %s after %s", message, form, again.text, first.text)
				}
			}
		}
	}
	storetest.Audit(t, b.store)
}

// TestKnowledgeIsAway: the answer is that of an unavailable database, streamed or not, and nothing is charged.
func TestKnowledgeIsAway(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	learn(t, b.store, b.fixture)
	if _, err := b.store.SQL().ExecContext(t.Context(), `ALTER TABLE knowledge_passages RENAME TO away`); err != nil {
		t.Fatal(err)
	}
	for _, accept := range []string{"Accept: application/json", eventStream} {
		if r := b.post(t, quoted("Hello"), accept); r.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %v", accept, r.Header)
		} else {
			r.refused(t, http.StatusServiceUnavailable, "unavailable")
		}
	}
	if balance, held := b.credits(t); balance != 100 || held != 0 {
		t.Errorf("balance %d, held %d", balance, held)
	}
}

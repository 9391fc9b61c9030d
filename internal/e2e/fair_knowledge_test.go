package e2e_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/google/uuid"

	"agentchat/internal/knowledge"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
)

// knowledgeSearches are searches of the noisy tenant, without pause on each of its connections, in as much knowledge
// as an agent can have.
func (n *tenants) knowledgeSearches(conns int) noise {
	n.t.Helper()
	id := n.noisyID()
	agent := storetest.SeedAgent(n.t, n.store, id, storetest.Options{}).ID
	n.teach(id, agent, knowledge.MaxPassages)
	return noise{conns: conns, want: []string{"ok", "RATE_LIMITED"}, send: func(ctx context.Context, replica int) string {
		return n.post(ctx, replica, fmt.Sprintf(`{ searchKnowledge(agentId: %q, message: %q, previousMessage: %q) { score } }`, agent, zipf(12), zipf(12)))
	}}
}

// hostileSearches are searches for ligatures that a search writes out with 18 letters each.
func (n *tenants) hostileSearches() noise {
	n.t.Helper()
	id := n.noisyID()
	agent := storetest.SeedAgent(n.t, n.store, id, storetest.Options{}).ID
	n.teach(id, agent, 500)
	query := fmt.Sprintf(`{ searchKnowledge(agentId: %q, message: %q) { score } }`, agent, strings.Repeat("\uFDFA", 10_000))
	return noise{conns: 16, want: []string{"ok", "RATE_LIMITED"}, send: func(ctx context.Context, replica int) string {
		return n.post(ctx, replica, query)
	}}
}

// examples are examples of schemas that ask for as much as possible, made for the panel and by the sandbox.
func (n *tenants) examples() noise {
	n.t.Helper()
	id := n.noisyID()
	branches := make([]string, 200)
	for i := range branches {
		branches[i] = fmt.Sprintf(`{"minimum":%d}`, i)
	}
	schema := `{"type":"object","required":["a"],"properties":{"a":{"type":"array","minItems":9999,"items":{"anyOf":[` +
		strings.Join(branches, ",") + `],"not":{}}}}}`
	talker := storetest.SeedAgent(n.t, n.store, id, storetest.Options{Model: "sandbox/free", ReplySchema: schema})
	_, _, key := storetest.SeedExport(n.t, n.store, id, talker.ID, n.quiet.Export.RatePerMinute)
	query := fmt.Sprintf(`{ exampleReply(schema: %q) }`, schema)
	// A version whose replies never fit is refused for a while.
	want := []string{"ok", "RATE_LIMITED", "invalid_output", "rate_limited", "model_unavailable"}
	return noise{conns: 16, want: want, send: func(ctx context.Context, replica int) string {
		if rand.IntN(2) == 0 {
			return n.post(ctx, replica, query)
		}
		got, err := ask(ctx, n.http, n.chat(replica), key.Reveal(), uuid.NewString(), "hello")
		if err != nil {
			return err.Error()
		}
		return got.outcome()
	}}
}

// teach adds a number of passages of 220 words to an agent, at least 500.
func (n *tenants) teach(account, agent uuid.UUID, passages int) {
	n.t.Helper()
	for from := 0; from < passages; from += 500 {
		in := sources.NewKnowledge{Kind: knowledge.Text, Name: "manual", Text: fmt.Sprint("manual ", from)}
		for range 500 {
			in.Passages = append(in.Passages, knowledge.Passage{Heading: "Chapter", Text: zipf(220)})
		}
		if _, err := sources.On(n.store).AddKnowledge(n.t.Context(), account, agent, in); err != nil {
			n.t.Fatal(err)
		}
	}
}

// zipf returns words with the frequencies of a natural language: of 30,000 words, the n-th is n times rarer than the
// first.
func zipf(words int) string {
	var text strings.Builder
	for range words {
		fmt.Fprintf(&text, "w%d ", int(math.Exp(rand.Float64()*math.Log(30_000))))
	}
	return text.String()
}

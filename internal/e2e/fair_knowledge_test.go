package e2e_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/google/uuid"

	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// knowledgeSearches are searches of the noisy tenant, without pause on each of its connections, in as much as an agent can know.
func (n *tenants) knowledgeSearches(conns int) noise {
	n.t.Helper()
	id := n.noisyID()
	agent := storetest.SeedAgent(n.t, n.store, id, storetest.Options{}).ID
	n.teach(id, agent, knowledge.MaxPassages)
	return noise{conns: conns, want: []string{"ok", "RATE_LIMITED"}, send: func(ctx context.Context, replica int) string {
		return n.post(ctx, replica, fmt.Sprintf(`{ searchKnowledge(agentId: %q, message: %q, previousMessage: %q) { score } }`, agent, zipf(12), zipf(12)))
	}}
}

// teach adds a number of passages of 220 words to an agent, at least 500.
func (n *tenants) teach(account, agent uuid.UUID, passages int) {
	n.t.Helper()
	for from := 0; from < passages; from += 500 {
		in := store.NewKnowledge{Kind: knowledge.Text, Name: "manual", Text: fmt.Sprint("manual ", from)}
		for range 500 {
			in.Passages = append(in.Passages, knowledge.Passage{Heading: "Chapter", Text: zipf(220)})
		}
		if _, err := n.store.AddKnowledge(n.t.Context(), account, agent, in); err != nil {
			n.t.Fatal(err)
		}
	}
}

// zipf returns words that are as frequent as in a language: of 30,000, the n-th is said every n-th time as often as the first.
func zipf(words int) string {
	var text strings.Builder
	for range words {
		fmt.Fprintf(&text, "w%d ", int(math.Exp(rand.Float64()*math.Log(30_000))))
	}
	return text.String()
}

package store_test

import (
	"slices"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
)

// aText is a source of a text that is to be added.
func aText(name, text string) store.NewKnowledge {
	return store.NewKnowledge{Kind: knowledge.Text, Name: name, Text: text, Size: int64(len(text)), Passages: knowledge.Passages(text, false)}
}

func anAnswer(question, answer string) store.NewKnowledge {
	return store.NewKnowledge{Kind: knowledge.Answer, Name: question, Questions: []string{question}, Text: answer, Size: int64(len(answer)),
		Passages: []knowledge.Passage{knowledge.AnswerPassage([]string{question}, answer)}}
}

func learn(t testing.TB, s *store.Store, a agent.Agent, in store.NewKnowledge) knowledge.Source {
	t.Helper()
	out, err := s.AddKnowledge(t.Context(), a.AccountID, a.ID, in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// findNames returns the names of the sources of what is found, each once and in order.
func findNames(t testing.TB, s *store.Store, in store.FindKnowledge) (names []string) {
	t.Helper()
	found, err := s.FindKnowledge(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range found.Passages {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

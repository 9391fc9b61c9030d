package storetest

import (
	"slices"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/sources"
)

// KnowledgeText describes a text to add.
func KnowledgeText(name, text string) sources.NewKnowledge {
	return sources.NewKnowledge{Kind: knowledge.Text, Name: name, Text: text, Size: int64(len(text)),
		Passages: knowledge.Passages(text, false)}
}

func KnowledgeAnswer(question, answer string) sources.NewKnowledge {
	return sources.NewKnowledge{Kind: knowledge.Answer, Name: question, Questions: []string{question},
		Text: answer, Size: int64(len(answer)),
		Passages: []knowledge.Passage{knowledge.AnswerPassage([]string{question}, answer)}}
}

func Learn(t testing.TB, s *store.DB, a agent.Agent, in sources.NewKnowledge) knowledge.Source {
	t.Helper()
	out, err := sources.On(s).AddKnowledge(t.Context(), a.AccountID, a.ID, in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// FindNames returns the names of the found sources, each once and in order.
func FindNames(t testing.TB, s *store.DB, in sources.FindKnowledge) (names []string) {
	t.Helper()
	found, err := sources.On(s).FindKnowledge(t.Context(), in)
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

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

// KnowledgeAnswer describes an answer to add.
func KnowledgeAnswer(question, answer string) sources.NewKnowledge {
	return sources.NewKnowledge{Kind: knowledge.Answer, Name: question, Questions: []string{question},
		Text: answer, Size: int64(len(answer)),
		Passages: []knowledge.Passage{knowledge.AnswerPassage([]string{question}, answer)}}
}

// Learn adds a source to an agent.
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

// Corpus holds small texts in four languages by name.
var Corpus = map[string]string{
	"returns":   "Goods may be sent back within thirty days. The refund is paid to the card that was charged.",
	"shipping":  "Parcels to the islands take a week. The carrier of model A-1 calls before it comes.",
	"opening":   "The shop opens at nine and closes at six. On Sundays it is closed.",
	"rückgabe":  "Die Rückgabe ist innerhalb von vierzehn Tagen möglich. Das Geld wird zurückgezahlt.",
	"versand":   "Der Versand auf die Inseln dauert eine Woche.",
	"返品":        "商品は三十日以内に返品できます。返金はカードに行われます。",
	"配送":        "離島への配送には一週間かかります。",
	"환불":        "상품은 삼십일 이내에 반품할 수 있습니다. 환불은 카드로 처리됩니다.",
	"배송":        "섬으로 배송하는 데 일주일이 걸립니다.",
	"guarantee": "A guarantee of two years covers defects of the material.",
}

// LearnCorpus adds the corpus to an agent and returns its sources by name.
func LearnCorpus(t testing.TB, s *store.DB, a agent.Agent) map[string]knowledge.Source {
	t.Helper()
	out := map[string]knowledge.Source{}
	for name, text := range Corpus {
		out[name] = Learn(t, s, a, KnowledgeText(name, text))
	}
	return out
}

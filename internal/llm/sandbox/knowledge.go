package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"agentchat/internal/knowledge"
	"agentchat/internal/llm"
)

// quotedPassage is the longest quotation of a passage, in code points.
const quotedPassage = 300

// fromKnowledge answers with the first sentence of the passage that matches a message best, and
// cites it. It returns "" for an agent without knowledge.
func fromKnowledge(req llm.Request, text string) string {
	if req.Knowledge == nil {
		return ""
	}
	if len(req.Knowledge.Passages) == 0 {
		return "I found nothing about that in what I know."
	}
	best := req.Knowledge.Passages[0]
	if req.Knowledge.First { // the passages are in the order of their sources, not by rank
		asked, most := knowledge.QuestionTerms(text), 0
		for _, p := range req.Knowledge.Passages {
			if n := shared(asked, p.Terms()); n > most {
				best, most = p, n
			}
		}
	}
	sentence := knowledge.WithoutCitations(excerpt(firstSentence(best.Text), quotedPassage))
	return fmt.Sprintf("%s [%d]", sentence, best.N)
}

// shared counts the terms that two lists have in common.
func shared(a, b []string) (n int) {
	in := map[string]bool{}
	for _, term := range b {
		in[term] = true
	}
	for _, term := range slices.Compact(slices.Sorted(slices.Values(a))) {
		if in[term] {
			n++
		}
	}
	return n
}

var sentences = regexp.MustCompile(`(?m)\S.*?(?:[.!?](?:\s|$)|[。！？]|$)`)

// firstSentence returns the first sentence of a text that is neither a heading nor a question, if
// there is one.
func firstSentence(text string) string {
	for _, sentence := range sentences.FindAllString(text, 20) {
		sentence = strings.TrimSpace(sentence)
		if !strings.HasPrefix(sentence, "#") && !strings.HasSuffix(sentence, "?") &&
			!strings.HasSuffix(sentence, "？") {
			return sentence
		}
	}
	return text
}

// knowledgeJSON returns the passages of the request as JSON, without HTML escapes.
func knowledgeJSON(req llm.Request) (string, error) {
	type passage struct {
		N        int       `json:"n"`
		SourceID uuid.UUID `json:"source_id"`
		Name     string    `json:"name"`
		Heading  string    `json:"heading"`
		Page     int       `json:"page"`
		Text     string    `json:"text"`
	}
	passages := []passage{}
	if req.Knowledge != nil {
		for _, p := range req.Knowledge.Passages {
			passages = append(passages, passage{p.N, p.SourceID, p.Name, p.Heading, p.Page, p.Text})
		}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(passages); err != nil {
		return "", fmt.Errorf("sandbox knowledge: %w", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

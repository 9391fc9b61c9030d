package sources

import (
	"context"
	_ "embed" // the statement is a file of its own

	"github.com/google/uuid"

	"agentchat/internal/knowledge"
	"agentchat/internal/store/internal/db"
)

//go:embed sql/find_knowledge.sql
var findKnowledgeSQL string

// FindKnowledge is a search in an agent's knowledge.
type FindKnowledge struct {
	AccountID, AgentID uuid.UUID
	// Version is the version to search; nil searches the draft.
	Version *int
	// Message is the message to answer. Before is the previous message, or empty; with it a second
	// search runs.
	Message, Before string
	// MaxWhole is the largest text, in bytes, whose passages are all returned without a search. Each
	// passage counts 100 bytes more, so that many short ones are searched; 0 always searches.
	MaxWhole int
}

// mostFound is the number of passages that a search returns. It is larger than what a model is
// given, because a passage that does not fit makes room for others.
const mostFound = 2 * knowledge.MaxGiven

// FoundKnowledge is the result of a search.
type FoundKnowledge struct {
	// Whole reports that these are all passages, in their order. Otherwise the best comes first.
	Whole    bool
	Passages []FoundPassage
	// Terms are those of the message, with the message before it.
	Terms []string
}

// FoundPassage is a passage that was found, without a number. Score is the higher of its BM25
// scores in the two searches, or 0 without a search. The order depends on its ranks only.
type FoundPassage struct {
	knowledge.Given
	Score float64
}

// FindKnowledge returns the passages of a version or of the draft that match a message best, or all
// of them if they are few. It finds nothing in a version that does not exist, or in another
// account's agent.
func (s Store) FindKnowledge(ctx context.Context, in FindKnowledge) (FoundKnowledge, error) {
	ctx, cancel := context.WithTimeout(ctx, db.StatementDeadline)
	defer cancel()
	terms := knowledge.QuestionTerms(in.Message)
	first, second := knowledge.Keys(in.AgentID, terms), []int64{}
	if in.Before != "" {
		terms = knowledge.QuestionTerms(in.Before + "\n" + in.Message)
		second = knowledge.Keys(in.AgentID, terms)
	}
	type row struct {
		Whole bool
		passageRow
		Score float64
	}
	rows, err := db.All[row](ctx, s.db, findKnowledgeSQL, in.AccountID, in.AgentID, in.Version,
		first, second, in.MaxWhole, mostFound)
	out := FoundKnowledge{Terms: terms}
	for _, r := range rows {
		out.Whole = r.Whole
		out.Passages = append(out.Passages, FoundPassage{r.given(), r.Score})
	}
	return out, err
}

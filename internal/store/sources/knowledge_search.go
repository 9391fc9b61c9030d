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

// FindKnowledge is a question to what an agent knows.
type FindKnowledge struct {
	AccountID, AgentID uuid.UUID
	// Version is the version whose knowledge it is; nil for the draft.
	Version *int
	// Message is what is asked, and Before the message before it, with which it is searched for once
	// more; empty for none.
	Message, Before string
	// MaxWhole is up to how many bytes of text all passages are returned, each counted with 100 more,
	// so that many short ones are searched; 0 always searches.
	MaxWhole int
}

// mostFound is how many passages a search returns: more than a model is given, since one that does
// not fit leaves its room to others.
const mostFound = 2 * knowledge.MaxGiven

// FoundKnowledge is what was found.
type FoundKnowledge struct {
	// Whole says that it is all that there is, in its order; otherwise the best comes first.
	Whole    bool
	Passages []FoundPassage
}

// FoundPassage is a passage that was found, without a number. Score is the higher one of its BM25
// scores in the two searches, whose ranks are what counts; 0 where nothing was searched.
type FoundPassage struct {
	knowledge.Given
	Score float64
}

// FindKnowledge returns the passages of a version, or of the draft, that fit a message best, or all
// of them if they are few. It finds nothing in a version that there is not, or of an agent that is
// not the account's.
func (s Store) FindKnowledge(ctx context.Context, in FindKnowledge) (FoundKnowledge, error) {
	ctx, cancel := context.WithTimeout(ctx, db.StatementDeadline)
	defer cancel()
	second := []int64{}
	if in.Before != "" {
		second = knowledge.Keys(in.AgentID, knowledge.QuestionTerms(in.Before+"\n"+in.Message))
	}
	type row struct {
		Whole bool
		passageRow
		Score float64
	}
	rows, err := db.All[row](ctx, s.db, findKnowledgeSQL, in.AccountID, in.AgentID, in.Version,
		knowledge.Keys(in.AgentID, knowledge.QuestionTerms(in.Message)), second, in.MaxWhole, mostFound)
	var out FoundKnowledge
	for _, r := range rows {
		out.Whole = r.Whole
		out.Passages = append(out.Passages, FoundPassage{r.given(), r.Score})
	}
	return out, err
}

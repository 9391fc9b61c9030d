package llm

import (
	"slices"

	"agentchat/internal/knowledge"
)

// Knowledge is the part of an agent's knowledge that goes into one request.
type Knowledge struct {
	Passages []knowledge.Given
	// Block is the text that contains the passages; empty without passages.
	Block string
	// First puts the block before the oldest text of the conversation instead of before the message.
	// Requests of one conversation then share a prefix, which the provider can cache.
	First bool
}

// WithKnowledge returns the request with the block inserted, ready to send. Citations in earlier
// replies are removed, because their passages are not in the request. Structured replies keep
// theirs.
func (r Request) WithKnowledge() Request {
	if r.Knowledge == nil {
		return r
	}
	given := *r.Knowledge
	r.Knowledge, r.History = nil, slices.Clone(r.History)
	if r.Schema == "" {
		for i, e := range r.History {
			r.History[i].Assistant = knowledge.WithoutCitations(e.Assistant)
		}
	}
	if given.Block == "" {
		return r
	}
	at := &r.Message
	switch n := len(r.History); {
	case n > 0 && given.First:
		at = &r.History[0].User
	case n > 0 && r.Attempt > 1 && len(r.Steps) == 0: // a retry has moved the message into the history
		at = &r.History[n-1].User
	}
	*at = given.Block + *at
	return r
}

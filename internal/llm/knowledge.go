package llm

import (
	"slices"

	"agentchat/internal/knowledge"
)

// Knowledge is what a model is given of the texts that an agent knows.
type Knowledge struct {
	Passages []knowledge.Given
	// Block is the text that has the passages; empty if there are none.
	Block string
	// First puts the block in front of the oldest text of the conversation, so that what a provider is sent begins alike each time;
	// otherwise it stands in front of the message.
	First bool
}

// WithKnowledge returns the request with the block in its texts, as a provider is sent it. Nothing in them stands for passages of earlier
// turns any more: replies of text have lost their citations.
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
	case n > 0 && r.Attempt > 1 && len(r.Steps) == 0: // the message is there
		at = &r.History[n-1].User
	}
	*at = given.Block + *at
	return r
}

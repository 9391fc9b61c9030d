package chat

import (
	"context"
	"fmt"
	"slices"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/llm"
	"agentchat/internal/store"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/turns"
)

// readKnowledge reads the passages for the turn's prompts, in one statement and in the account's
// slot. Fault: Unavailable for every error: no reply is better than a reply without its knowledge.
func (s *Service) readKnowledge(ctx context.Context, t *turn, begun *turns.BeginResult) (err error) {
	if !begun.HasKnowledge {
		return nil
	}
	ctx, end := startSpan(ctx, "knowledge")
	defer func() { end(err) }()
	ctx = store.ForAccount(ctx, begun.Sender.AccountID)
	read := s.findPassages
	if len(begun.Chain) > 0 {
		read = s.rereadPassages
	}
	passages, whole, err := read(ctx, t, begun)
	if err != nil {
		return fault.Wrap(fault.Unavailable, fmt.Errorf("reading the agent's knowledge: %w", err))
	}
	t.promptKnowledge = &llm.Knowledge{Passages: passages, First: whole}
	if block := knowledge.Block(passages, begun.Settings.ReplySchema == nil); block != "" {
		t.promptKnowledge.Block = block + "\n"
	}
	size := blockCopies * len(t.promptKnowledge.Block)
	for _, p := range passages {
		size += textCopies * len(p.Text)
	}
	for _, e := range begun.History {
		size += len(e.Reply) // without its citations
	}
	return t.msg.Memory.Grow(int64(size))
}

// findPassages finds the passages for a message: all of the version's if they are few, otherwise
// the best.
func (s *Service) findPassages(ctx context.Context, t *turn, begun *turns.BeginResult) (passages []knowledge.Given, whole bool, err error) {
	search := sources.FindKnowledge{AccountID: begun.Sender.AccountID, AgentID: begun.Sender.AgentID, Message: t.msg.Text,
		MaxWhole: t.wholeLimit(begun)}
	if begun.Version > 0 {
		search.Version = &begun.Version
	}
	if n := len(begun.History); n > 0 {
		search.Before = begun.History[n-1].Message
	}
	found, err := sources.On(s.cfg.Store).FindKnowledge(ctx, search)
	for i, p := range found.Passages {
		p.N = i + 1
		passages = append(passages, p.Given)
	}
	if !found.Whole {
		passages = knowledge.Best(passages)
	}
	return passages, found.Whole, err
}

// wholeLimit returns the size in bytes up to which every model of the turn gets all of the
// knowledge.
func (t *turn) wholeLimit(begun *turns.BeginResult) int {
	first, _ := t.catalogue.Lookup(begun.Model)
	limit := knowledge.WholeLimit(first.ContextWindow)
	if name := begun.Settings.FallbackModel; name != nil && t.msg.Model == "" {
		if second, ok := t.catalogue.Lookup(*name); ok {
			limit = min(limit, knowledge.WholeLimit(second.ContextWindow))
		}
	}
	return limit
}

// rereadPassages reads the passages with which a chain began, without those that were deleted
// meanwhile. The others keep their numbers.
func (s *Service) rereadPassages(ctx context.Context, _ *turn, begun *turns.BeginResult,
) (passages []knowledge.Given, whole bool, err error) {
	known, err := conversation.DecodeJSON[*conversation.Knowledge](begun.Chain[0].Knowledge)
	if err != nil || known == nil || len(known.Given) == 0 {
		return nil, false, err
	}
	keys := make([]sources.PassageKey, len(known.Given))
	for i, g := range known.Given {
		keys[i] = sources.PassageKey{SourceID: g.SourceID, Passage: g.PassageID}
	}
	found, err := sources.On(s.cfg.Store).PassagesByKeys(ctx, begun.Sender.AccountID, keys)
	for i, g := range known.Given {
		if p, ok := found[keys[i]]; ok {
			p.N = g.N
			passages = append(passages, p)
		}
	}
	return passages, known.Whole, err
}

// usedKnowledge returns the record of the passages in the turn's prompt and of those that its reply
// cites, which are all of them for a structured reply; nil for a version without knowledge.
func (t *turn) usedKnowledge(structured bool, reply string) *conversation.Knowledge {
	if t.promptKnowledge == nil {
		return nil
	}
	out := &conversation.Knowledge{Given: []conversation.GivenPassage{}, Cited: []int{}, Whole: t.promptKnowledge.First}
	numbers := []int{}
	for _, p := range t.promptKnowledge.Passages {
		out.Given = append(out.Given, conversation.GivenPassage{N: p.N, SourceID: p.SourceID, PassageID: p.PassageID, Name: p.Name,
			Heading: p.Heading, Page: p.Page})
		numbers = append(numbers, p.N)
	}
	switch {
	case structured:
		out.Cited = numbers
	case len(numbers) > 0:
		for _, n := range knowledge.Cited(reply, slices.Max(numbers)) {
			if slices.Contains(numbers, n) {
				out.Cited = append(out.Cited, n)
			}
		}
	}
	return out
}

// knowledgeText returns the stored form of knowledge; empty for nil.
func knowledgeText(known *conversation.Knowledge) string {
	if known == nil {
		return ""
	}
	return conversation.EncodeJSON(known)
}

// storedKnowledge decodes the knowledge of a stored turn and reserves memory for it; nil for none.
func (t *turn) storedKnowledge(text *string) (*conversation.Knowledge, error) {
	if text == nil {
		return nil, nil //nolint:nilnil // documented
	}
	known, err := conversation.DecodeJSON[*conversation.Knowledge](text)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err)
	}
	return known, t.reservePiece(*text)
}

package graph

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/sources"
)

// searchKnowledge returns the passages that a search finds for a message, with the matching words.
// Faults: NotFound; InvalidInput on message, previousMessage and version.
func (r *Resolver) searchKnowledge(
	ctx context.Context, agentID uuid.UUID, message string, previous *string, version *int,
) ([]*model.KnowledgePassage, error) {
	before := deref(previous)
	if err := checkSearch(message, before); err != nil {
		return nil, err
	}
	if _, err := r.agentOf(ctx, agentID); err != nil {
		return nil, err
	}
	if version != nil {
		number := agents.VersionNumber{AgentID: agentID, Number: *version}
		_, ok, err := loadersOf(ctx).versionsByNumber.get(ctx, number)
		if err == nil && !ok {
			err = agent.NoSuchVersion("version")
		}
		if err != nil {
			return nil, err
		}
	}
	found, err := sources.On(r.store).FindKnowledge(ctx, sources.FindKnowledge{
		AccountID: owner(ctx), AgentID: agentID, Version: version, Message: message, Before: before})
	if err != nil {
		return nil, err
	}
	return foundPassages(ctx, found.Passages, found.Terms)
}

// foundPassages returns the passages of a search that the model would get.
func foundPassages(
	ctx context.Context, found []sources.FoundPassage, asked []string,
) ([]*model.KnowledgePassage, error) {
	scores := map[sources.PassageKey]float64{}
	list := make([]knowledge.Given, len(found))
	for i, p := range found {
		list[i], scores[keyOf(p.SourceID, p.PassageID)] = p.Given, p.Score
	}
	list = knowledge.Best(list)
	if err := readPassages(ctx, list); err != nil {
		return nil, err
	}
	sources := loadersOf(ctx).sourcesByID
	sources.batch(collect(list, func(p knowledge.Given) *uuid.UUID { return &p.SourceID }))
	out := make([]*model.KnowledgePassage, 0, len(list))
	for _, p := range list {
		source, err := optional(ctx, sources, &p.SourceID)
		if err != nil {
			return nil, err
		}
		if source == nil { // deleted in between
			continue
		}
		out = append(out, &model.KnowledgePassage{
			Source:  source,
			Heading: textOrNull(p.Heading),
			Page:    pageOrNull(p.Page),
			Text:    p.Text,
			Score:   scores[keyOf(p.SourceID, p.PassageID)],
			Words:   shared(asked, p.Terms()),
		})
	}
	return out, nil
}

// checkSearch checks the texts of a search by the rules for messages. Fault: InvalidInput on
// message and previousMessage.
func checkSearch(message, before string) error {
	var fields []fault.Field
	if f := conversation.CheckMessage("message", message); f != nil {
		fields = append(fields, *f)
	}
	if before != "" {
		if f := conversation.CheckMessage("previousMessage", before); f != nil {
			fields = append(fields, *f)
		}
	}
	if fields == nil {
		return nil
	}
	return fault.Invalid(fields...)
}

// shared returns the terms that are in both lists.
func shared(terms, others []string) []string {
	in := map[string]bool{}
	for _, term := range others {
		in[term] = true
	}
	return slices.DeleteFunc(slices.Clone(terms), func(term string) bool { return !in[term] })
}

// pageOrNull returns the number of a page; nil for none.
func pageOrNull(page int) *int {
	if page == 0 {
		return nil
	}
	return &page
}

func keyOf(source uuid.UUID, passage int64) sources.PassageKey {
	return sources.PassageKey{SourceID: source, Passage: passage}
}

// knowledgeOfTurn returns the passages that a turn's model got, and those that its reply cites; nil
// without any. An error means that the stored value is invalid.
func knowledgeOfTurn(t *conversation.Turn) (*conversation.Knowledge, error) {
	return conversation.DecodeJSON[*conversation.Knowledge](t.Knowledge)
}

// sourceOf returns the source of a passage if the query selects it; nil if it was deleted.
func sourceOf(ctx context.Context, g conversation.GivenPassage) (*knowledge.Source, error) {
	if !selects(ctx, map[string]bool{"source": true}) {
		return nil, nil
	}
	return optional(ctx, loadersOf(ctx).sourcesByID, &g.SourceID)
}

// citedSources returns the passages that a turn's reply cites.
func citedSources(ctx context.Context, t *conversation.Turn) ([]*model.CitedSource, error) {
	known, err := knowledgeOfTurn(t)
	if err != nil {
		return nil, err
	}
	out := []*model.CitedSource{}
	for _, g := range known.Sources() {
		source, err := sourceOf(ctx, g)
		if err != nil {
			return nil, err
		}
		out = append(out, &model.CitedSource{
			N:       g.N,
			Source:  source,
			Name:    g.Name,
			Heading: textOrNull(g.Heading),
			Page:    pageOrNull(g.Page),
		})
	}
	return out, nil
}

// givenPassages returns the passages that a turn's model got.
func givenPassages(ctx context.Context, t *conversation.Turn) ([]*model.GivenPassage, error) {
	known, err := knowledgeOfTurn(t)
	out := []*model.GivenPassage{}
	if known == nil || err != nil {
		return out, err
	}
	texts := selects(ctx, map[string]bool{"text": true})
	for _, g := range known.Given {
		source, err := sourceOf(ctx, g)
		if err != nil {
			return nil, err
		}
		given := &model.GivenPassage{
			N:       g.N,
			Source:  source,
			Name:    g.Name,
			Heading: textOrNull(g.Heading),
			Page:    pageOrNull(g.Page),
		}
		if texts {
			passage, ok, err := loadersOf(ctx).passages.get(ctx, keyOf(g.SourceID, g.PassageID))
			if err != nil {
				return nil, err
			}
			if ok {
				given.Text = &passage.Text
			}
		}
		out = append(out, given)
	}
	return out, nil
}

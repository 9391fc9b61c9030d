package graph

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/sources"
)

const (
	// maxKnowledgeText is the most characters of a source's text that a field shows, and
	// maxKnowledgeTexts the most of all sources in one list.
	maxKnowledgeText  = 100_000
	maxKnowledgeTexts = 4 << 20
	// indexing is the memory per byte of a text while it is split into passages and their terms are
	// computed.
	indexing = 32
)

// knowledgeOf returns a page of an agent's sources, loaded in one statement for all agents of a
// batch.
func (r *Resolver) knowledgeOf(
	ctx context.Context,
	obj *agent.Agent,
	first *int,
	after *string,
) (*model.KnowledgeSourceConnection, error) {
	size, cursor, err := pageOf(store.KnowledgeCursor, obj.AccountID, first, after)
	if err != nil {
		return nil, err
	}
	l := loadersOf(ctx)
	pages := l.knowledge.of(
		ctx,
		func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]store.Page[knowledge.Source], error) {
			if len(ids)*size > maxSources {
				return nil, store.TextsTooLong()
			}
			found, err := sources.On(r.store).KnowledgeByAgents(ctx, obj.AccountID, ids, size, cursor)
			sources := allItems(found)
			l.batchSources(sources)
			return found, cmp.Or(err, readSources(ctx, sources))
		},
	)
	page, _, err := pages.get(ctx, obj.ID)
	if err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	out := &model.KnowledgeSourceConnection{}
	if selects(ctx, totalCount) {
		if out.TotalCount, _, err = l.knowledgeCounts.get(ctx, obj.ID); err != nil {
			return nil, err
		}
	}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(s knowledge.Source) string {
		return sources.KnowledgePlace(s).Encode(store.KnowledgeCursor, obj.AccountID)
	}, func(cursor string, node *knowledge.Source) *model.KnowledgeSourceEdge {
		return &model.KnowledgeSourceEdge{Cursor: cursor, Node: node}
	})
	return out, nil
}

// knowledgeUse returns the size of an agent's knowledge. The mode is that of the draft with its
// models.
func (r *Resolver) knowledgeUse(
	ctx context.Context,
	obj *agent.Agent,
) (*model.KnowledgeUse, error) {
	use, _, err := loadersOf(ctx).knowledgeUse.get(ctx, obj.ID)
	return &model.KnowledgeUse{
		Sources:     use.Sources,
		MaxSources:  knowledge.MaxSources,
		Passages:    use.Passages,
		MaxPassages: knowledge.MaxPassages,
		Bytes:       int(use.Bytes),
		MaxBytes:    knowledge.MaxBytes,
		Mode:        knowledge.ModeOf(int(use.DraftBytes), r.smallestWindow(obj.Settings)),
	}, err
}

// smallestWindow is the smallest context window of the models that may answer, in tokens; 0 if
// unknown.
func (r *Resolver) smallestWindow(s agent.Settings) (window int) {
	for _, name := range []*string{s.Model, s.FallbackModel} {
		if entry := r.modelOf(name); entry != nil && (window == 0 || entry.ContextWindow < window) {
			window = entry.ContextWindow
		}
	}
	return window
}

// knowledgeText returns a part of a source's text, loaded in one statement for all sources of a
// batch.
func (r *Resolver) knowledgeText(
	ctx context.Context,
	obj *knowledge.Source,
	offset, length *int,
) (string, error) {
	from, most := deref(offset), maxKnowledgeText
	if length != nil {
		most = *length
	}
	switch {
	case from < 0 || from > knowledge.MaxCharacters:
		return "", fault.Invalid(
			fault.Field{Path: "offset", Reason: fault.OutOfRange, Limit: knowledge.MaxCharacters,
				Message: "Must be between 0 and 2,000,000."},
		)
	case most < 1 || most > maxKnowledgeText:
		return "", fault.Invalid(
			fault.Field{Path: "length", Reason: fault.OutOfRange, Limit: maxKnowledgeText,
				Message: "Must be between 1 and 100,000."},
		)
	}
	texts := loadersOf(ctx).knowledgeTexts.of(
		ctx,
		func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]string, error) {
			if len(ids)*most > maxKnowledgeTexts {
				return nil, store.TextsTooLong()
			}
			found, err := sources.On(r.store).KnowledgeTexts(ctx, owner(ctx), ids, from, most)
			return found, cmp.Or(err, readTexts(ctx, found))
		},
	)
	text, _, err := texts.get(ctx, obj.ID)
	return text, err
}

// newKnowledge checks and splits a source: a text, or an answer with its questions. Faults: those
// of knowledge.CheckText and knowledge.CheckAnswer; Unavailable when no memory is left for the
// work.
func newKnowledge(
	ctx context.Context,
	kind knowledge.Kind,
	name string,
	questions []string,
	text string,
) (sources.NewKnowledge, error) {
	in := sources.NewKnowledge{Kind: kind, Name: name, Text: text, By: author(ctx)}
	err := knowledge.CheckText(name, text)
	if kind == knowledge.Answer {
		in.Questions, err = questions, knowledge.CheckAnswer(questions, text)
	}
	if err == nil {
		err = requestOf(ctx).hold.Grow(indexing * int64(len(text)))
	}
	if err != nil {
		return in, err
	}
	return in.Cut(), nil
}

// addKnowledge adds a source to an agent's draft. Faults: those of newKnowledge and of
// store.AddKnowledge.
func (r *Resolver) addKnowledge(
	ctx context.Context,
	agentID uuid.UUID,
	kind knowledge.Kind,
	name string,
	questions []string,
	text string,
) (knowledge.Source, error) {
	in, err := newKnowledge(ctx, kind, name, questions, text)
	if err != nil {
		return knowledge.Source{}, err
	}
	return sources.On(r.store).AddKnowledge(ctx, owner(ctx), agentID, in)
}

// replaceKnowledge replaces a source. Fields that are not given keep the old values. Faults:
// NotFound; InvalidInput for a field that the kind does not have; those of replaceFile, or of
// newKnowledge and of store.ReplaceKnowledge.
func (r *Resolver) replaceKnowledge(
	ctx context.Context,
	input model.ReplaceKnowledgeSourceInput,
) (out knowledge.Source, err error) {
	found, err := sources.On(r.store).KnowledgeByIDs(ctx, owner(ctx), []uuid.UUID{input.ID})
	old, ok := found[input.ID]
	switch {
	case err != nil:
		return out, err
	case !ok:
		return out, fault.New(fault.NotFound, "")
	}
	name, questions, text, file := input.Name.Value(), input.Questions.Value(), input.Text.Value(), input.File.Value()
	encoding := input.Encoding.Value()
	switch answer := input.Answer.Value(); old.Kind {
	case knowledge.Answer:
		err = notFor(
			"an answer",
			map[string]bool{"name": name != nil, "text": text != nil, "file": file != nil,
				"encoding": encoding != nil},
		)
		text = answer
	case knowledge.File:
		err = notFor(
			"a file",
			map[string]bool{"questions": questions != nil, "answer": answer != nil, "text": text != nil},
		)
	default:
		err = notFor(
			"a text",
			map[string]bool{"questions": questions != nil, "answer": answer != nil, "file": file != nil,
				"encoding": encoding != nil},
		)
	}
	if err != nil {
		return out, err
	}
	if old.Kind == knowledge.File {
		return r.replaceFile(ctx, old, name, file, encoding)
	}
	if name == nil {
		name = &old.Name
	}
	if questions == nil {
		questions = old.Questions
	}
	if text == nil {
		texts, err := sources.On(r.store).
			KnowledgeTexts(ctx, owner(ctx), []uuid.UUID{old.ID}, 0, knowledge.MaxText)
		if err = cmp.Or(err, readTexts(ctx, texts)); err != nil {
			return out, err
		}
		text = new(texts[old.ID])
	}
	in, err := newKnowledge(ctx, old.Kind, *name, questions, *text)
	if err != nil {
		return out, err
	}
	return sources.On(r.store).ReplaceKnowledge(ctx, owner(ctx), old.ID, in)
}

// notFor refuses given fields that a kind of source does not have. Fault: InvalidInput.
func notFor(kind string, given map[string]bool) error {
	var fields []fault.Field
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if given[name] {
			fields = append(fields, fault.Field{Path: name, Reason: fault.NotSupported,
				Message: "The source is " + kind + ", which has no such field."})
		}
	}
	if fields == nil {
		return nil
	}
	return fault.Invalid(fields...)
}

// questionOf returns the questions of an answer, one per line; nil for other kinds.
func questionOf(ctx context.Context, obj *knowledge.Source) (*string, error) {
	if obj.Kind == knowledge.Answer && obj.Questions == nil {
		var err error
		if obj, err = required(optional(ctx, loadersOf(ctx).sourcesByID, &obj.ID)); err != nil {
			return nil, err
		}
	}
	return textOrNull(strings.Join(obj.Questions, "\n")), nil
}

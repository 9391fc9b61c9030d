package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/knowledge"
)

// turnTexts and versionTexts are the fields of a turn and a version that may be long. They are read
// only if they are selected.
var (
	turnTexts = map[string]bool{
		"message":       true,
		"actionResults": true,
		"reply":         true,
		"output":        true,
		"actionCalls":   true,
		"misfit":        true,
		"variables":     true,
		"prompt":        true,
		"sources":       true,
		"passages":      true,
	}
	versionTexts = map[string]bool{"instructions": true, "replySchema": true, "actions": true}
)

// selects reports whether the current field, an item or a page of them, selects one of the item's
// fields.
func selects(ctx context.Context, fields map[string]bool) bool {
	return selected(graphql.GetFieldContext(ctx).Field.Selections, fields)
}

// selected reports whether a selection has one of the fields, in the items of a page and in
// fragments as well.
func selected(set ast.SelectionSet, fields map[string]bool) bool {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			inPage := s.Name == "nodes" || s.Name == "edges" || s.Name == "node"
			if fields[s.Name] || inPage && selected(s.SelectionSet, fields) {
				return true
			}
		case *ast.InlineFragment:
			if selected(s.SelectionSet, fields) {
				return true
			}
		case *ast.FragmentSpread:
			if selected(s.Definition.SelectionSet, fields) {
				return true
			}
		}
	}
	return false
}

// readTurns counts the texts of turns that a request has read, so that lists that one document
// repeats cannot fill the memory. Faults: TextTooLong over the limit of a request, Unavailable when
// no memory is left for them.
func readTurns(ctx context.Context, turns []conversation.Turn) error {
	var read texts
	for _, t := range turns {
		read.add(t.Message)
		for _, text := range []*string{t.ActionResults, t.AskedCalls, t.Reply, t.ActionCalls, t.RejectedReply, t.Knowledge} {
			read.add(deref(text))
		}
		for _, value := range t.Variables {
			read.add(value)
		}
	}
	return requestOf(ctx).haveRead(read)
}

// readSettings does the same for rows with an agent's settings, whose instructions may be long.
func readSettings[T any](ctx context.Context, items []T, settings func(T) agent.Settings) error {
	var read texts
	for _, item := range items {
		s := settings(item)
		read.add(s.Instructions)
		read.add(deref(s.ReplySchema))
		for _, a := range s.Actions {
			read.add(a.Description)
			read.add(a.Parameters)
		}
		for _, v := range s.Variables {
			read.add(v.Description)
			read.add(deref(v.Default))
		}
	}
	return requestOf(ctx).haveRead(read)
}

// readSources does the same for sources, whose questions and lists of versions may be long.
func readSources(ctx context.Context, sources []knowledge.Source) error {
	var read texts
	for _, s := range sources {
		read.add(s.Name)
		for _, q := range s.Questions {
			read.add(q)
		}
		numbers := int64(8 * len(s.InVersions))
		read.bytes, read.json = read.bytes+numbers, read.json+numbers
	}
	return requestOf(ctx).haveRead(read)
}

// readPassages does the same for passages.
func readPassages(ctx context.Context, passages []knowledge.Given) error {
	var read texts
	for _, p := range passages {
		read.add(p.Heading)
		read.add(p.Text)
	}
	return requestOf(ctx).haveRead(read)
}

// readTexts does the same for texts of sources.
func readTexts(ctx context.Context, found map[uuid.UUID]string) error {
	var read texts
	for _, text := range found {
		read.add(text)
	}
	return requestOf(ctx).haveRead(read)
}

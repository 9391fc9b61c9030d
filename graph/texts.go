package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"agentchat/internal/conversation"
)

// turnTexts are the fields of a turn that may be long: they are read only where they are selected.
var turnTexts = map[string]bool{"message": true, "reply": true, "variables": true}

// selectsTexts reports whether the field that is being resolved, a turn or a page of turns, is asked for their texts.
func selectsTexts(ctx context.Context) bool {
	return selects(graphql.GetFieldContext(ctx).Field.Selections, turnTexts)
}

// selects reports whether a selection has one of the fields, also in the items of a page and in fragments.
func selects(set ast.SelectionSet, fields map[string]bool) bool {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			inPage := s.Name == "nodes" || s.Name == "edges" || s.Name == "node"
			if fields[s.Name] || inPage && selects(s.SelectionSet, fields) {
				return true
			}
		case *ast.InlineFragment:
			if selects(s.SelectionSet, fields) {
				return true
			}
		case *ast.FragmentSpread:
			if selects(s.Definition.SelectionSet, fields) {
				return true
			}
		}
	}
	return false
}

// haveRead counts the texts that a request has read, so that lists asked for again and again in one document cannot fill the memory.
// Faults: TextTooLong over what one request may read, Unavailable when no memory is left for them.
func haveRead(ctx context.Context, turns []conversation.Turn) error {
	size := 0
	for _, t := range turns {
		size += len(t.Message)
		if t.Reply != nil {
			size += len(*t.Reply)
		}
	}
	return exchangeOf(ctx).haveRead(size)
}

package sandbox

import (
	"context"
	"errors"

	"agentchat/internal/schema"
)

// shaped makes up a JSON object with the beginning of a text in its strings. It matches the schema,
// unless no example was found. Errors are those of the context and schema.ErrExampleTooLarge.
func shaped(ctx context.Context, under, text string) (string, error) {
	shape, err := schema.Parse(under)
	if err != nil {
		return "{}", nil //nolint:nilerr // a model that does not know the schema replies like this
	}
	reply, err := shape.Example(ctx, wordsOf(text))
	if errors.Is(err, schema.ErrNoExample) {
		err = nil
	}
	return reply, err
}

// misshapen makes up JSON that violates a schema. Its errors are those of shaped.
func misshapen(ctx context.Context, under, text string) (string, error) {
	shape, err := schema.Parse(under)
	if err != nil {
		return "[]", nil //nolint:nilerr // a model that does not know the schema replies like this
	}
	return shape.Misfit(ctx, wordsOf(text))
}

func wordsOf(text string) string {
	if words := excerpt(text, quotedMessage); words != "" {
		return words
	}
	return "sandbox"
}

package storetest

import (
	"errors"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
)

// SetTo returns a change to a value.
func SetTo[T any](v T) agent.Change[T] { return agent.Change[T]{Set: true, Value: &v} }

// SetNull returns a change to null.
func SetNull[T any]() agent.Change[T] { return agent.Change[T]{Set: true} }

// OnlySandbox reports whether a model is SandboxModel, the only available one.
func OnlySandbox(model string) bool { return model == SandboxModel }

// FieldsOf returns the paths of an error's invalid fields.
func FieldsOf(err error) []string {
	var out []string
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Kind == fault.InvalidInput {
		for _, field := range f.Fields {
			out = append(out, field.Path)
		}
	}
	return out
}

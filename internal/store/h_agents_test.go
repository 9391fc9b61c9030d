package store_test

import (
	"errors"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/store/storetest"
)

func setTo[T any](v T) agent.Change[T] { return agent.Change[T]{Set: true, Value: &v} }

func setNull[T any]() agent.Change[T] { return agent.Change[T]{Set: true} }

func onlySandbox(model string) bool { return model == storetest.SandboxModel }

// fieldsOf returns the paths of the fields at fault.
func fieldsOf(err error) []string {
	var out []string
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Kind == fault.InvalidInput {
		for _, field := range f.Fields {
			out = append(out, field.Path)
		}
	}
	return out
}

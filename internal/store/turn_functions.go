package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
)

// parameter is what a function is called with: the name and the type that the parameter has in SQL, and its value.
type parameter struct {
	name, kind string
	value      any
}

// each is a parameter that has an element for each item.
func each[I, C any](name, kind string, items []I, of func(I) C) parameter {
	values := make([]C, len(items))
	for i, item := range items {
		values[i] = of(item)
	}
	return parameter{name, kind, values}
}

// numbered is a row of a function's result: what became of the item with that number, from 1.
type numbered[T any] struct {
	N    int
	Item T `bun:"embed:"`
}

// call calls a function that returns a row for each of n items, and returns what the rows say in the order of the items. Each type is named:
// without prepared statements the driver would guess it, and no function might fit.
func call[T any](ctx context.Context, s *Store, function string, n int, parameters ...parameter) ([]T, error) {
	given, values := make([]string, len(parameters)), make([]any, len(parameters))
	for i, p := range parameters {
		given[i], values[i] = fmt.Sprintf("%s => $%d::%s", p.name, i+1, p.kind), p.value
	}
	rows, err := all[numbered[T]](ctx, s, "SELECT * FROM "+function+"("+strings.Join(given, ", ")+")", values...)
	if err != nil {
		return nil, err
	}
	if len(rows) != n {
		return nil, fault.Wrap(fault.Internal, fmt.Errorf("%s returned %d rows for %d items", function, len(rows), n))
	}
	items := make([]T, n)
	for _, row := range rows {
		items[row.N-1] = row.Item
	}
	return items, nil
}

// beginTurns begins turns, or says of each why not. The messages have one source and one price list. What is unavailable and what bounds
// a turn is as in the last one, which came last.
func (s *Store) beginTurns(ctx context.Context, messages []Begin) ([]beginRow, error) {
	last := messages[len(messages)-1]
	return call[beginRow](ctx, s, "begin_turns_1", len(messages),
		parameter{"from_source", "text", string(last.source())},
		each("key_hashes", "bytea[]", messages, func(b Begin) []byte { return b.keyHash() }),
		each("account_ids", "uuid[]", messages, func(b Begin) uuid.UUID { return b.AccountID }),
		each("agent_ids", "uuid[]", messages, func(b Begin) uuid.UUID { return b.AgentID }),
		each("versions", "int[]", messages, func(b Begin) *int { return b.Version }),
		each("spend_rates", "boolean[]", messages, func(b Begin) bool { return b.SpendRate }),
		each("idempotency_keys", "text[]", messages, func(b Begin) *string { return textOrNull(b.IdempotencyKey) }),
		each("fingerprints", "bytea[]", messages, func(b Begin) []byte { return b.Fingerprint[:] }),
		each("user_ids", "text[]", messages, func(b Begin) *string { return b.UserID }),
		each("variable_values", "jsonb[]", messages, func(b Begin) *string { return valuesJSON(b.Variables) }),
		each("admit_only", "boolean[]", messages, func(b Begin) bool { return b.AdmitOnly }),
		each("session_ids", "text[]", messages, func(b Begin) string { return b.Session }),
		each("messages", "text[]", messages, func(b Begin) string { return b.Message }),
		each("turn_ids", "uuid[]", messages, func(b Begin) uuid.UUID { return b.TurnID }),
		each("conversation_ids", "uuid[]", messages, func(b Begin) uuid.UUID { return b.ConversationID }),
		each("request_ids", "text[]", messages, func(b Begin) string { return b.RequestID }),
		parameter{"models", "text[]", last.Models},
		parameter{"prices", "bigint[]", last.Prices},
		parameter{"unavailable_models", "text[]", last.UnavailableModels},
		parameter{"hold_for", "interval", last.HoldFor},
		parameter{"max_context_bytes", "bigint", last.MaxContextBytes},
		parameter{"max_instructions", "int", agent.MaxFilledInstructions})
}

// settleTurns settles turns.
func (s *Store) settleTurns(ctx context.Context, ended []Settlement) ([]Finished, error) {
	return call[Finished](ctx, s, "settle_turns_1", len(ended),
		each("turn_ids", "uuid[]", ended, func(e Settlement) uuid.UUID { return e.TurnID }),
		each("states", "text[]", ended, func(e Settlement) string { return string(e.State) }),
		each("error_codes", "text[]", ended, func(e Settlement) *string { return textOrNull(e.ErrorCode) }),
		each("replies", "text[]", ended, func(e Settlement) *string { return e.ifAnswered(e.Reply) }),
		each("finish_reasons", "text[]", ended, func(e Settlement) *string { return e.ifAnswered(e.FinishReason) }),
		each("entry_ids", "uuid[]", ended, func(Settlement) uuid.UUID { return uuid.Must(uuid.NewV7()) }),
		each("sent", "boolean[]", ended, func(e Settlement) bool { return e.Sent }),
		each("tokens_in", "bigint[]", ended, func(e Settlement) *int64 { return e.InputTokens }),
		each("tokens_out", "bigint[]", ended, func(e Settlement) *int64 { return e.OutputTokens }),
		each("prompt_bytes", "bigint[]", ended, func(e Settlement) *int64 { return positive(e.InputBytes) }),
		each("waits", "int[]", ended, func(e Settlement) *int64 { return wholeMs(e.Waited) }),
		each("model_times", "int[]", ended, func(e Settlement) *int64 { return wholeMs(e.Model) }),
		each("first_texts", "int[]", ended, func(e Settlement) *int64 { return wholeMs(e.FirstText) }),
		each("durations", "int[]", ended, func(e Settlement) *int64 { return wholeMs(e.Total) }),
		each("streams", "boolean[]", ended, func(e Settlement) bool { return e.Streamed }))
}

// keyHash is null in the playground.
func (b Begin) keyHash() []byte {
	if b.source() == conversation.Playground {
		return nil
	}
	return b.Key[:]
}

func textOrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func positive(n int64) *int64 {
	if n <= 0 {
		return nil
	}
	return &n
}

// valuesJSON is what is stored of a message's values: an object, null for none.
func valuesJSON(values map[string]string) *string {
	if len(values) == 0 {
		return nil
	}
	text, _ := json.Marshal(values) // a map of strings always succeeds
	object := string(text)
	return &object
}

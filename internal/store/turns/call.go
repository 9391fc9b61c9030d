package turns

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
)

// parameter is a parameter of a function: its name and type in SQL, and its value.
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

// numbered is a row of a function's result: the result of item N, counted from 1.
type numbered[T any] struct {
	N    int
	Item T `bun:"embed:"`
}

// call calls a function that returns a row for each of n items, and returns what the rows say in
// the order of the items. Each type is named: without prepared statements the driver would guess
// it, and no function might fit.
func call[T any](ctx context.Context, s *db.DB, function string, n int, parameters ...parameter) ([]T, error) {
	given, values := make([]string, len(parameters)), make([]any, len(parameters))
	for i, p := range parameters {
		given[i], values[i] = fmt.Sprintf("%s => $%d::%s", p.name, i+1, p.kind), p.value
	}
	rows, err := db.All[numbered[T]](ctx, s, "SELECT * FROM "+function+"("+strings.Join(given, ", ")+")", values...)
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

// jsonOrNull is a value as JSON, null if it is empty.
func jsonOrNull[T map[string]string | []string](value T) *string {
	if len(value) == 0 {
		return nil
	}
	text, _ := json.Marshal(value) // strings always succeed
	whole := string(text)
	return &whole
}

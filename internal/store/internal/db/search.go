package db

import (
	"context"
	"strings"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/find"
)

// The lists are searched in the process, so that no database's collation decides what is found. The
// database leaves out what cannot have the text.

// MayHave returns the condition that a column may have a needle, and its parameter. It never leaves
// out a text that has it: one of ASCII characters has it if it matches, and of others only the
// process knows.
func MayHave(column string, needle find.Needle) (condition, pattern string) {
	return `(octet_length(` + column + `) <> char_length(` + column + `) OR ` + column + ` COLLATE "C" ILIKE ?)`,
		"%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, ` `, `%`).Replace(needle.Key()) + "%"
}

// Sift reads lists of at most n rows, each after the last row of the one before, until n rows pass
// or the list ends. Fault: InvalidInput on filter.search when that takes too long.
func Sift[T any](n int, read func(after *T) ([]T, error), passes func(T) bool) (out []T, err error) {
	var after *T
	for start := time.Now(); ; {
		rows, err := read(after)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if passes(row) {
				out = append(out, row)
			}
		}
		if len(out) >= n || len(rows) < n {
			return out[:min(n, len(out))], nil
		}
		if time.Since(start) > panelTimeout {
			return nil, searchTooSlow()
		}
		after = &rows[len(rows)-1]
	}
}

// TooSlow replaces the error of a search that exceeded the time limit of the panel's statements.
// Fault: InvalidInput on filter.search.
func TooSlow(err error, search string) error {
	if search == "" || !ViolatedCode(err, CodeQueryCanceled) {
		return err
	}
	return searchTooSlow()
}

func searchTooSlow() error {
	return fault.Invalid(fault.Field{Path: "filter.search", Reason: fault.NotSupported,
		Message: "This search takes too long. Choose an agent or a shorter time, or search for the whole ID."})
}

// EnterSearch waits until it is the account's turn at the statements of searches in texts: one of
// them runs at a time.
func EnterSearch(ctx context.Context, s *DB) (leave func(), err error) {
	leave, err = s.searching.Enter(ctx, AccountOf(ctx))
	return leave, Translate(err)
}

// Package scalar holds the API's scalars: how they are written, and what is accepted for them. What is not accepted is an
// InvalidInput fault, before anything reaches the database.
package scalar

import (
	"io"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"agentchat/internal/fault"
)

const uuidLength = 36

// MarshalID writes an id in the canonical form of RFC 9562.
func MarshalID(id uuid.UUID) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { _, _ = io.WriteString(w, strconv.Quote(id.String())) })
}

// UnmarshalID accepts the canonical form only, in either case: no braces, no URN, no integer. Fault: InvalidInput.
func UnmarshalID(v any) (uuid.UUID, error) {
	text, ok := v.(string)
	if ok && len(text) == uuidLength {
		if id, err := uuid.Parse(text); err == nil {
			return id, nil
		}
	}
	return uuid.UUID{}, invalid("An id is a UUID like 01a1fc5b-13c4-7d92-be70-3f5a9bdd38d4.")
}

// MarshalDateTime writes a moment as RFC 3339 in UTC, to the microsecond that the database keeps.
func MarshalDateTime(t time.Time) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		_, _ = io.WriteString(w, t.UTC().Format(`"2006-01-02T15:04:05.999999Z"`))
	})
}

// UnmarshalDateTime accepts RFC 3339 with any offset. Fault: InvalidInput.
func UnmarshalDateTime(v any) (time.Time, error) {
	if text, ok := v.(string); ok {
		if t, err := time.Parse(time.RFC3339Nano, text); err == nil && t.Year() > 0 && t.Year() < 10_000 {
			return t.UTC(), nil
		}
	}
	return time.Time{}, invalid("A moment is written as RFC 3339, like 2026-01-31T12:00:00Z.")
}

// MarshalCredits writes whole credits as a JSON number.
func MarshalCredits(n int64) graphql.Marshaler { return graphql.MarshalInt64(n) }

// UnmarshalCredits accepts whole numbers. Fault: InvalidInput.
func UnmarshalCredits(v any) (int64, error) {
	n, err := graphql.UnmarshalInt64(v)
	if err != nil {
		return 0, invalid("Credits are a whole number.")
	}
	return n, nil
}

func invalid(message string) error {
	return fault.Invalid(fault.Field{Reason: fault.InvalidValue, Message: message})
}

// Package scalar encodes and decodes the API's scalars. Values that are not accepted are
// InvalidInput faults, before anything reaches the database.
package scalar

import (
	"context"
	"io"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"agentchat/internal/fault"
)

const uuidLength = 36

// MarshalID writes an id in the canonical form of RFC 9562.
func MarshalID(id uuid.UUID) graphql.ContextMarshaler {
	return graphql.ContextWriterFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, strconv.Quote(id.String()))
		return err
	})
}

// UnmarshalID accepts only the canonical form, in upper or lower case: no braces, no URN, no
// integer. Query.request also accepts request ids that callers choose: there, any other text
// becomes the null UUID, and the resolver reads the text itself. Fault: InvalidInput.
func UnmarshalID(ctx context.Context, v any) (uuid.UUID, error) {
	text, ok := v.(string)
	if ok && len(text) == uuidLength {
		if id, err := uuid.Parse(text); err == nil {
			return id, nil
		}
	}
	if fc := graphql.GetFieldContext(ctx); ok && fc != nil && fc.Object == "Query" &&
		fc.Field.Name == "request" {
		return uuid.Nil, nil
	}
	return uuid.UUID{}, invalid("An id must be a UUID, such as 01a1fc5b-13c4-7d92-be70-3f5a9bdd38d4.")
}

// MarshalDateTime writes a time as RFC 3339 in UTC, with the database's microseconds.
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
	return time.Time{}, invalid("A time must be in RFC 3339 format, such as 2026-01-31T12:00:00Z.")
}

// MarshalCredits writes whole credits as a JSON number.
func MarshalCredits(n int64) graphql.Marshaler { return graphql.MarshalInt64(n) }

// UnmarshalCredits accepts whole numbers. Fault: InvalidInput.
func UnmarshalCredits(v any) (int64, error) {
	n, err := graphql.UnmarshalInt64(v)
	if err != nil {
		return 0, invalid("Credits must be a whole number.")
	}
	return n, nil
}

// MarshalCount writes a whole number of up to 53 bits.
func MarshalCount(n int64) graphql.Marshaler { return graphql.MarshalInt64(n) }

// UnmarshalCount accepts whole numbers. Fault: InvalidInput.
func UnmarshalCount(v any) (int64, error) {
	n, err := graphql.UnmarshalInt64(v)
	if err != nil {
		return 0, invalid("This must be a whole number.")
	}
	return n, nil
}

// Upload is the content of a file in the request.
type Upload struct{ Content []byte }

// UnmarshalUpload accepts the file that came with the request, which the server has put into the
// variables. Fault: InvalidInput.
func UnmarshalUpload(v any) (Upload, error) {
	file, ok := v.(Upload)
	if !ok {
		return Upload{}, invalid("Send the file as a part of a multipart request " +
			"(GraphQL multipart request specification), and name it in map.")
	}
	return file, nil
}

// MarshalUpload writes null: files are only input.
func MarshalUpload(Upload) graphql.Marshaler { return graphql.Null }

func invalid(message string) error {
	return fault.Invalid(fault.Field{Reason: fault.InvalidValue, Message: message})
}

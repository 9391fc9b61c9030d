package store

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/base64"
	"encoding/binary"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// MaxPage is the most that a page holds; DefaultPage is what it holds when nothing is said.
const (
	MaxPage     = 100
	DefaultPage = 20
)

// Page is a part of a list.
type Page[T any] struct {
	Items []T
	// HasNext says that the list goes on.
	HasNext bool
	// Total is how many the filter matches in all, on every page.
	Total int
}

// PageSize returns how many a page shall hold: DefaultPage for nil. Fault: InvalidInput on first, outside of 1 to MaxPage.
func PageSize(first *int) (int, error) {
	if first == nil {
		return DefaultPage, nil
	}
	if *first < 1 || *first > MaxPage {
		return 0, fault.Invalid(fault.Field{Path: "first", Reason: fault.OutOfRange, Limit: MaxPage,
			Message: "Ask for 1 to 100 at a time."})
	}
	return *first, nil
}

// CursorKind is the list that a cursor belongs to.
type CursorKind byte

// The lists with cursors. A number is never given to another list.
const (
	AgentCursor CursorKind = 1
)

// Cursor is a place in a list: the sort key, where the list has one besides the id, and the id of the item there.
type Cursor struct {
	Key int64
	ID  uuid.UUID
}

const (
	cursorVersion = 1
	// A cursor is version, kind, key, id, and the first bytes of a digest.
	cursorBody   = 2 + 8 + 16
	cursorDigest = 8
)

// cursorText is strict, so that a place has one text only.
var cursorText = base64.RawURLEncoding.Strict()

// Encode returns the cursor's opaque text for a list of an account.
func (c Cursor) Encode(kind CursorKind, accountID uuid.UUID) string {
	raw := make([]byte, 0, cursorBody+cursorDigest)
	raw = append(raw, cursorVersion, byte(kind))
	raw = binary.BigEndian.AppendUint64(raw, uint64(c.Key))
	raw = append(raw, c.ID[:]...)
	return cursorText.EncodeToString(append(raw, digest(raw, accountID)...))
}

// ParseCursor reads a cursor of a list of an account. The digest is no secret and guards nothing: it tells clients that a text
// was cut, altered, or taken from another list or account, where the list would otherwise begin at an odd place. Fault:
// InvalidInput on after.
func ParseCursor(kind CursorKind, accountID uuid.UUID, text string) (Cursor, error) {
	refused := fault.Invalid(fault.Field{Path: "after", Reason: fault.InvalidValue,
		Message: "This is not a cursor of this list; use an endCursor as it was given, or leave it out to begin anew."})
	if len(text) != cursorText.EncodedLen(cursorBody+cursorDigest) {
		return Cursor{}, refused
	}
	raw, err := cursorText.DecodeString(text)
	if err != nil || len(raw) != cursorBody+cursorDigest || raw[0] != cursorVersion || raw[1] != byte(kind) ||
		subtle.ConstantTimeCompare(raw[cursorBody:], digest(raw[:cursorBody], accountID)) != 1 {
		return Cursor{}, refused
	}
	return Cursor{Key: int64(binary.BigEndian.Uint64(raw[2:])), ID: uuid.UUID(raw[10:cursorBody])}, nil
}

func digest(body []byte, accountID uuid.UUID) []byte {
	sum := sha256.Sum256(append(append([]byte{}, body...), accountID[:]...))
	return sum[:cursorDigest]
}

// scanner is a row, or the present one of several.
type scanner interface{ Scan(targets ...any) error }

// query returns what scan makes of every row.
func query[T any](ctx context.Context, pool *sql.DB, scan func(scanner) (T, error), text string, args ...any) ([]T, error) {
	rows, err := pool.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, translate(err)
	}
	defer func() { _ = rows.Close() }()
	var out []T
	for rows.Next() {
		item, err := scan(rows)
		if err != nil {
			return nil, translate(err)
		}
		out = append(out, item)
	}
	return out, translate(rows.Err())
}

// texts returns ids as a parameter for ANY($n::uuid[]).
func texts(ids []uuid.UUID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}

package db

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// MaxPage is the largest page, and DefaultPage the default size, in items.
const (
	MaxPage     = 100
	DefaultPage = 20
)

// Page is a part of a list.
type Page[T any] struct {
	Items []T
	// HasNext reports that more items follow. HasPrevious reports that items precede, in lists that
	// are read both ways.
	HasNext, HasPrevious bool
	// Looked is the last position that a search in steps has scanned; the next page continues there.
	// Nil for other lists.
	Looked *Cursor
	// Places are the cursors of the items of an ordered list, by their IDs; nil for other lists.
	Places map[string]Cursor
	// Total is the number of items that match the filter, over all pages; 0 unless the query has
	// Count.
	Total int
}

// PageSize returns the page's size: DefaultPage for nil. Fault: InvalidInput on first, outside of 1
// to MaxPage.
func PageSize(first *int) (int, error) { return SizeOf("first", first) }

// LastSize is PageSize for a page at the end of a list. Fault: InvalidInput on last.
func LastSize(last *int) (int, error) { return SizeOf("last", last) }

// SizeOf returns the size of a page: DefaultPage for nil. Fault: InvalidInput on path, outside of 1
// to MaxPage.
func SizeOf(path string, size *int) (int, error) {
	if size == nil {
		return DefaultPage, nil
	}
	if *size < 1 || *size > MaxPage {
		return 0, fault.Invalid(fault.Field{Path: path, Reason: fault.OutOfRange, Limit: MaxPage,
			Message: "Must be between 1 and 100."})
	}
	return *size, nil
}

// CursorKind is the list that a cursor belongs to.
type CursorKind byte

// The lists with cursors. A number is never reused for another list.
const (
	AgentCursor        CursorKind = 1
	CreditCursor       CursorKind = 2 // Key is the entry's number
	ConversationCursor CursorKind = 3 // Key is the time of the latest turn, in microseconds
	TurnCursor         CursorKind = 4 // Key is the turn's number, ID its conversation
	ExportCursor       CursorKind = 5
	VersionCursor      CursorKind = 6 // Key is the version's number, ID its agent
	EndUserCursor      CursorKind = 7 // Text is the end user's id
	RequestCursor      CursorKind = 8
	KnowledgeCursor    CursorKind = 9
	EventCursor        CursorKind = 10 // of a user, instead of an account
	AuditCursor        CursorKind = 11
	DeliveryCursor     CursorKind = 12
	AgentOrderCursor   CursorKind = 13 // Key and Text are those of Order.Place
	ExportOrderCursor  CursorKind = 14 // as for AgentOrderCursor
	// Key and ID are those of a ConversationCursor; or Text is the id of an end user without any.
	LatestEndUserCursor CursorKind = 15
	TestCaseCursor      CursorKind = 16 // Key is the case's number, ID its agent
	TestRunCursor       CursorKind = 17 // Key is the run's number, ID its agent
	TestResultCursor    CursorKind = 18 // Key is that of tests.ResultPlace, ID the run
	TestOutcomeCursor   CursorKind = 19 // Key is that of tests.OutcomePlace, ID the run
	RatingCursor        CursorKind = 20 // Text is the rating's kind
)

// Cursor is a place in a list: the id of the item there, and the sort key if the list has one
// besides the id.
type Cursor struct {
	Key  int64
	ID   uuid.UUID
	Text string
}

const (
	cursorVersion = 1
	// A cursor is version, kind, key, id, text, and the first bytes of a digest. cursorBody is how
	// long it is without text and digest.
	cursorBody   = 2 + 8 + 16
	cursorDigest = 8
	// maxCursor is longer than any cursor.
	maxCursor = 2_048
)

// cursorText is strict, so that each place has exactly one text.
var cursorText = base64.RawURLEncoding.Strict()

// Encode returns the cursor's opaque text for a list of an account.
func (c Cursor) Encode(kind CursorKind, accountID uuid.UUID) string {
	raw := make([]byte, 0, cursorBody+len(c.Text)+cursorDigest)
	raw = append(raw, cursorVersion, byte(kind))
	raw = binary.BigEndian.AppendUint64(raw, uint64(c.Key))
	raw = append(append(raw, c.ID[:]...), c.Text...)
	return cursorText.EncodeToString(append(raw, digest(raw, accountID)...))
}

// ParseCursor reads a cursor of a list of an account. The digest is not a secret and protects
// nothing. It detects texts that were cut, altered, or taken from another list or account: with
// these the list would begin at an odd place. Fault: InvalidInput on after.
func ParseCursor(kind CursorKind, accountID uuid.UUID, text string) (Cursor, error) {
	return ParseCursorAt("after", kind, accountID, text)
}

// ParseCursorAt is ParseCursor for an argument of another name. Fault: InvalidInput on path.
func ParseCursorAt(path string, kind CursorKind, accountID uuid.UUID, text string) (Cursor, error) {
	refused := BadCursor(path)
	if len(text) > maxCursor {
		return Cursor{}, refused
	}
	raw, err := cursorText.DecodeString(text)
	end := len(raw) - cursorDigest
	// The decoder skips line breaks.
	if err != nil || end < cursorBody || strings.ContainsAny(text, "\r\n") || raw[0] != cursorVersion || raw[1] != byte(kind) ||
		subtle.ConstantTimeCompare(raw[end:], digest(raw[:end], accountID)) != 1 {
		return Cursor{}, refused
	}
	return Cursor{Key: int64(binary.BigEndian.Uint64(raw[2:])), ID: uuid.UUID(raw[10:cursorBody]), Text: string(raw[cursorBody:end])}, nil
}

// BadCursor is the fault for a text that is not a cursor of the list.
func BadCursor(path string) error {
	return fault.Invalid(fault.Field{Path: path, Reason: fault.InvalidValue,
		Message: "This is not a cursor of this list in this order. Use one unchanged, or leave it out to start at the beginning."})
}

func digest(body []byte, accountID uuid.UUID) []byte {
	sum := sha256.Sum256(append(append([]byte{}, body...), accountID[:]...))
	return sum[:cursorDigest]
}

// Cut returns a page of at most size items. The items were read with one more, to detect whether a
// next page exists.
func Cut[T any](items []T, size int) Page[T] {
	if len(items) > size {
		return Page[T]{Items: items[:size], HasNext: true}
	}
	return Page[T]{Items: items}
}

// CutEach is Cut for the items of several parents.
func CutEach[T any](items []T, parent func(T) uuid.UUID, size int) map[uuid.UUID]Page[T] {
	lists := map[uuid.UUID][]T{}
	for _, item := range items {
		lists[parent(item)] = append(lists[parent(item)], item)
	}
	out := make(map[uuid.UUID]Page[T], len(lists))
	for id, list := range lists {
		out[id] = Cut(list, size)
	}
	return out
}

// Texts returns ids as a parameter for ANY($n::uuid[]).
func Texts(ids []uuid.UUID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}

// InUTC returns the time in UTC, in which it is shown.
func InUTC(at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	utc := at.UTC()
	return &utc
}

// TextTooLong is the fault for several lists of turns whose text is too long for one answer.
const TextTooLong fault.Kind = "text_too_long"

// TextsTooLong returns the fault TextTooLong.
func TextsTooLong() error {
	return fault.New(TextTooLong, "The texts are too long for one answer. Request fewer lists, or smaller pages.")
}

// MaxListsText is the most text, in bytes, that one statement reads for several lists.
const MaxListsText = 16 << 20

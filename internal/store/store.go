// Package store is the database behind both APIs. It exports what callers need besides the packages
// below it. Each of those packages holds the SQL of a noun.
package store

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
)

// DB is the database; see Open.
type DB = db.DB

// Config is the configuration of the connection to the database.
type Config = db.Config

// Page is a part of a list.
type Page[T any] = db.Page[T]

// Cursor is a position in a list.
type Cursor = db.Cursor

// Order is the order of a list by a field.
type Order = db.Order

// CursorKind is the list that a cursor belongs to.
type CursorKind = db.CursorKind

// The lists with cursors.
const (
	AgentCursor         = db.AgentCursor
	AgentOrderCursor    = db.AgentOrderCursor
	AuditCursor         = db.AuditCursor
	ConversationCursor  = db.ConversationCursor
	CreditCursor        = db.CreditCursor
	DeliveryCursor      = db.DeliveryCursor
	EndUserCursor       = db.EndUserCursor
	EventCursor         = db.EventCursor
	ExportCursor        = db.ExportCursor
	ExportOrderCursor   = db.ExportOrderCursor
	KnowledgeCursor     = db.KnowledgeCursor
	LatestEndUserCursor = db.LatestEndUserCursor
	RatingCursor        = db.RatingCursor
	RequestCursor       = db.RequestCursor
	TestCaseCursor      = db.TestCaseCursor
	TestRunCursor       = db.TestRunCursor
	TestResultCursor    = db.TestResultCursor
	TestOutcomeCursor   = db.TestOutcomeCursor
	TurnCursor          = db.TurnCursor
	VersionCursor       = db.VersionCursor
)

// The sizes of pages.
const (
	DefaultPage = db.DefaultPage
	MaxPage     = db.MaxPage
)

// Period is a period in which an export's use is counted.
type Period = db.Period

// The periods.
const (
	Day     = db.Day
	Month   = db.Month
	UserDay = db.UserDay
)

// NotReadyError is the reason why a database is not ready for chats.
type NotReadyError = db.NotReadyError

// The reasons why a database is not ready for chats.
const (
	DatabaseUnavailable = db.DatabaseUnavailable
	DiskFull            = db.DiskFull
	PermissionDenied    = db.PermissionDenied
	SchemaOld           = db.SchemaOld
	TooManyConnections  = db.TooManyConnections
	TurnFailed          = db.TurnFailed
)

// ErrSchemaOld reports a schema that a migration brings up to date.
var ErrSchemaOld = db.ErrSchemaOld

// TextTooLong is the kind of TextsTooLong.
const TextTooLong = db.TextTooLong

// TextsTooLong returns the fault for several lists whose texts are too long for one response.
func TextsTooLong() error { return db.TextsTooLong() }

// Open connects to the database; see db.Open.
func Open(ctx context.Context, cfg Config) (*DB, error) { return db.Open(ctx, cfg) }

// ForAccount returns a context whose statements wait for the account's turn.
func ForAccount(ctx context.Context, id uuid.UUID) context.Context { return db.ForAccount(ctx, id) }

// PageSize returns the size of a page: DefaultPage for nil. Fault: InvalidInput on first, outside
// of 1 to MaxPage.
func PageSize(first *int) (int, error) { return db.PageSize(first) }

// LastSize is PageSize for a page at the end of a list. Fault: InvalidInput on last.
func LastSize(last *int) (int, error) { return db.LastSize(last) }

// ParseCursor reads a cursor of a list of an account. Fault: InvalidInput on after.
func ParseCursor(kind CursorKind, accountID uuid.UUID, text string) (Cursor, error) {
	return db.ParseCursor(kind, accountID, text)
}

// ParseCursorAt is ParseCursor for an argument of another name. Fault: InvalidInput on path.
func ParseCursorAt(path string, kind CursorKind, accountID uuid.UUID, text string) (Cursor, error) {
	return db.ParseCursorAt(path, kind, accountID, text)
}

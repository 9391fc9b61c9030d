package db

import (
	"cmp"
	"context"
	_ "embed" // the statement is a file of its own
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

//go:embed sql/ready.sql
var readySQL string

var readyStatement = strings.ReplaceAll(readySQL, "{other_functions}", otherFunctions)

// Why a database is not ready for chats.
const (
	// DatabaseUnavailable is a database that refuses connections or ends them.
	DatabaseUnavailable = "database_unavailable"
	// DatabaseTimeout is a database that does not answer in time.
	DatabaseTimeout = "database_timeout"
	// ReadOnly is a standby, or a database that was made read-only.
	ReadOnly = "read_only"
	// DiskFull is a database without disk space.
	DiskFull = "disk_full"
	// TooManyConnections is a database, or a role of it, with no connection left.
	TooManyConnections = "too_many_connections"
	// PermissionDenied is a role that lacks a right.
	PermissionDenied = "permission_denied"
	// LibraryNotLoaded is a server that cannot load its own library, mostly because its programs were
	// replaced while it runs.
	LibraryNotLoaded = "library_not_loaded"
	// WriteRefused is any other refusal to write.
	WriteRefused = "write_refused"
	// TurnFailed is any other failure to begin and settle a turn, such as that of a trigger.
	TurnFailed = "turn_failed"
	// SchemaOld is a schema older than this binary needs, or one without its functions.
	SchemaOld = "schema_old"
)

// NotReadyError is the reason that a database is not ready for chats.
type NotReadyError struct {
	// Reason is one of the constants, such as ReadOnly.
	Reason string
	// Err is the cause, for the log only.
	Err error
}

// Error returns the text for the log.
func (e *NotReadyError) Error() string { return e.Reason + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *NotReadyError) Unwrap() error { return e.Err }

// Ready checks that the database takes what a chat writes: in one statement it writes a row, asks
// for disk space, and compares the schema's version and the functions with what this binary needs;
// and every rehearseEvery it begins and settles turns, which it rolls back. A newer schema is
// ready. Every error is a *NotReadyError.
func (s *DB) Ready(ctx context.Context) error {
	names, sums := functionSums()
	found, err := One[struct{ Version, OtherFunctions int64 }](ctx, s.probe, readyStatement, names, sums)
	switch {
	case err != nil:
		return &NotReadyError{Reason: refusal(err, WriteRefused), Err: err}
	case found.Version < neededVersion():
		err = fmt.Errorf("the schema is version %d, and this binary needs %d", found.Version, neededVersion())
	case found.OtherFunctions > 0:
		err = fmt.Errorf("%d of the functions are missing or have another text", found.OtherFunctions)
	}
	if err != nil {
		return &NotReadyError{Reason: SchemaOld, Err: err}
	}
	if rehearse := s.rehearsal(); rehearse != nil {
		err = rehearse(ctx)
	}
	if err != nil {
		return &NotReadyError{Reason: refusal(err, TurnFailed), Err: err}
	}
	return nil
}

// reasons are those of errors that the server answers with, by SQLSTATE.
var reasons = map[string]string{
	codeReadOnly: ReadOnly, codeDiskFull: DiskFull, codeNoRight: PermissionDenied,
	codeUndefinedTable: SchemaOld, codeNoFunction: SchemaOld, codeUndefinedColumn: SchemaOld, codeUndefinedObject: SchemaOld,
	CodeQueryCanceled: DatabaseTimeout, CodeLockTimeout: DatabaseTimeout,
}

// refusal returns the reason behind an error, or other if the error has no reason of its own.
func refusal(err error, other string) string {
	if ViolatedCode(err, codeTooManyConnections) {
		return TooManyConnections
	}
	if pgconn.Timeout(err) || errors.Is(err, context.DeadlineExceeded) {
		return DatabaseTimeout
	}
	if _, connecting := errors.AsType[*pgconn.ConnectError](err); connecting || isConnection(err) {
		return DatabaseUnavailable
	}
	server, answered := errors.AsType[*pgconn.PgError](err)
	switch {
	case !answered:
		return other
	case isMissingProgram(err):
		return LibraryNotLoaded
	case strings.HasPrefix(server.Code, "08"), strings.HasPrefix(server.Code, "57P"): // the connection, or an operator's shutdown
		return DatabaseUnavailable
	}
	return cmp.Or(reasons[server.Code], other)
}

// InNewProbe runs a transaction on a new connection of readiness.
func InNewProbe(ctx context.Context, s *DB, work func(tx *DB) error) error {
	if p := s.probe.pool; p.Stats().Idle > 0 { // end it
		p.SetMaxIdleConns(-1)
		p.SetMaxIdleConns(p.size)
	}
	return InTx(ctx, s.probe, work)
}

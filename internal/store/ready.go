package store

import (
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
	// WriteRefused is any other refusal to write.
	WriteRefused = "write_refused"
	// SchemaOld is a schema older than this binary needs, or one without its functions.
	SchemaOld = "schema_old"
)

// NotReadyError is why a database is not ready for chats.
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

// Ready checks, in one statement, that the database takes what a chat writes: it writes a row, asks for disk space, and compares
// the schema's version and the functions with what this binary needs. A newer schema is ready. Every error is a *NotReadyError.
func (s *Store) Ready(ctx context.Context) error {
	names, sums := functionSums()
	found, err := one[struct{ Version, OtherFunctions int64 }](ctx, s.probe, readyStatement, names, sums)
	switch {
	case err != nil:
		return &NotReadyError{Reason: refusal(err), Err: err}
	case found.Version < neededVersion():
		err = fmt.Errorf("the schema is version %d, and this binary needs %d", found.Version, neededVersion())
	case found.OtherFunctions > 0:
		err = fmt.Errorf("%d of the functions are missing or have another text", found.OtherFunctions)
	default:
		return nil
	}
	return &NotReadyError{Reason: SchemaOld, Err: err}
}

// refusal finds the reason behind an error of the readiness statement.
func refusal(err error) string {
	if pgconn.Timeout(err) || errors.Is(err, context.DeadlineExceeded) {
		return DatabaseTimeout
	}
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	server, answered := errors.AsType[*pgconn.PgError](err)
	if connecting || !answered {
		return DatabaseUnavailable
	}
	switch server.Code {
	case codeReadOnly:
		return ReadOnly
	case codeDiskFull:
		return DiskFull
	case codeUndefinedTable: // the statement's tables are as old as the readiness check
		return SchemaOld
	case codeQueryCanceled, codeLockTimeout:
		return DatabaseTimeout
	}
	if strings.HasPrefix(server.Code, "08") || strings.HasPrefix(server.Code, "57P") { // the connection, or an operator's shutdown
		return DatabaseUnavailable
	}
	return WriteRefused
}

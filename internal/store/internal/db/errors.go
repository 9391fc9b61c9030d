package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"agentchat/internal/fault"
)

// The SQLSTATE codes that the store handles (PostgreSQL documentation, appendix A).
const (
	CodeUniqueViolation = "23505"
	CodeCheckViolation  = "23514"
	codeSerialization   = "40001"
	codeDeadlock        = "40P01"
	CodeLockTimeout     = "55P03"
	CodeQueryCanceled   = "57014"
	codeReadOnly        = "25006"
	codeDiskFull        = "53100"
	codeUndefinedTable  = "42P01"
	codeUndefinedColumn = "42703"
	codeUndefinedObject = "42704"
	codeNoFunction      = "42883"
	codeNoRight         = "42501"
	codeNotInEncoding   = "22021" // U+0000 is in none
	codeUntranslatable  = "22P05" // U+0000 in JSON, and what another encoding lacks
)

// UniqueFaults are the messages for violations of unique constraints.
var UniqueFaults = map[string]string{
	"users_email":              "An account with this email already exists.",
	"invitations_email":        "This address is already invited. Renew or revoke its invitation.",
	"memberships_pkey":         "Already a member of this account.",
	"credit_entries_reference": "This reference was used for another grant.",
}

// Translate turns a driver's error into a fault, by SQLSTATE and constraint name. A fault passes
// unchanged.
func Translate(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	if errors.Is(err, sql.ErrNoRows) {
		return fault.Wrap(fault.NotFound, err)
	}
	if _, refused := errors.AsType[*pgconn.ConnectError](err); refused {
		return unavailable(err) // whatever reason the server gave
	}
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
		return translateServer(pgErr)
	}
	if isConnection(err) {
		return unavailable(err)
	}
	return err
}

// unavailable is the fault of a database that cannot serve a statement.
func unavailable(err error) error {
	return fault.Wrap(fault.Unavailable, fmt.Errorf("%w: %w", err, fault.ErrDatabase))
}

func translateServer(err *pgconn.PgError) error {
	switch {
	case err.Code == CodeUniqueViolation && UniqueFaults[err.ConstraintName] != "":
		return &fault.Error{Kind: fault.Conflict, Message: UniqueFaults[err.ConstraintName], Err: err}
	case err.ConstraintName == "accounts_balance_range":
		return fault.Invalid(fault.Field{Path: "amount", Reason: fault.OutOfRange,
			Message: "The balance would exceed the maximum of 9007199254740991 credits."})
	case err.Code == codeNotInEncoding || err.Code == codeUntranslatable:
		return &fault.Error{Kind: fault.InvalidInput, Err: err,
			Message: "A text contains U+0000 or is not UTF-8. Correct it, then try again."}
	case isServerAway(err.Code), isMissingProgram(err):
		return unavailable(err)
	}
	return err
}

// isServerAway reports whether a SQLSTATE blames the server rather than the statement.
func isServerAway(code string) bool {
	switch code {
	case codeSerialization, codeDeadlock, CodeLockTimeout, CodeQueryCanceled, codeReadOnly:
		return true
	}
	for _, class := range []string{"08", "53", "57P", "58", "28", "3D"} {
		if strings.HasPrefix(code, class) {
			return true
		}
	}
	return false
}

func isConnection(err error) bool {
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) ||
		// These two have no exported value to compare with.
		strings.Contains(err.Error(), "conn closed") || strings.Contains(err.Error(), "sql: database is closed")
}

// Violated reports whether err breaks one of the named constraints or unique indexes.
func Violated(err error, code string, constraints ...string) bool {
	pgErr, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || pgErr.Code != code {
		return false
	}
	for _, name := range constraints {
		if pgErr.ConstraintName == name {
			return true
		}
	}
	return false
}

// ViolatedCode reports whether err is a server error with a SQLSTATE.
func ViolatedCode(err error, code string) bool {
	pgErr, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pgErr.Code == code
}

// plainCause returns the innermost text of a connection error, which contains no credentials.
func plainCause(err error) error {
	if connectErr, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		err = telling(connectErr)
		for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
			err = inner
		}
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(text)
}

// advise is plainCause with a remedy for a refused connection.
func advise(err error, conf *pgx.ConnConfig) error {
	cause := plainCause(err)
	refused, connecting := errors.AsType[*pgconn.ConnectError](err)
	switch {
	case connecting && ViolatedCode(refused, codeNoRight):
		return fmt.Errorf("%w. Run this as its owner: GRANT CONNECT ON DATABASE %s TO %s;", cause,
			pgx.Identifier{conf.Database}.Sanitize(), pgx.Identifier{conf.User}.Sanitize())
	case connecting && ViolatedCode(refused, codeTooManyConnections):
		return fmt.Errorf("%w (a replica needs at least %d)", cause, leastConnections)
	}
	return cause
}

// telling returns the most informative attempt to connect: the last that the server answered, or
// else the last. The driver tries each host, with and without TLS where the URL allows both, and
// the first attempt often fails for an irrelevant reason.
func telling(err *pgconn.ConnectError) error {
	all, ok := errors.Unwrap(err).(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	attempts := all.Unwrap()
	for _, attempt := range slices.Backward(attempts) {
		if _, answered := errors.AsType[*pgconn.PgError](attempt); answered {
			return attempt
		}
	}
	return attempts[len(attempts)-1]
}

// IsRace reports whether err means that a call was undone and can simply be repeated.
func IsRace(err error) bool {
	return ViolatedCode(err, codeSerialization) || ViolatedCode(err, codeDeadlock)
}

// Package credit holds the entries of an account's credit history, which is append-only and whose sum is the balance.
package credit

import (
	"time"

	"github.com/google/uuid"
)

// EntryKind says what an entry is for.
type EntryKind string

// The kinds of an entry.
const (
	// Grant adds credits, at sign-up or by the operator.
	Grant EntryKind = "GRANT"
	// Charge takes the price of one answered message.
	Charge EntryKind = "CHARGE"
	// Adjustment is a correction by the operator.
	Adjustment EntryKind = "ADJUSTMENT"
)

// MaxBalance keeps balances within the 53 bits that every JSON reader keeps exact.
const MaxBalance = 1<<53 - 1

// Entry is one line of the history. Amounts are signed whole credits.
type Entry struct {
	ID           uuid.UUID
	AccountID    uuid.UUID
	Number       int64
	Kind         EntryKind
	Amount       int64
	BalanceAfter int64
	Note         string
	// Reference is what a grant or an adjustment is for; nil for others.
	Reference *string
	// AgentName and ExportName stay when agent and export are deleted.
	AgentID    *uuid.UUID
	AgentName  string
	ExportID   *uuid.UUID
	ExportName string
	TurnID     *uuid.UUID
	CreatedAt  time.Time
}

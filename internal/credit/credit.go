// Package credit defines the entries of an account's credit history, which is append-only and whose
// sum is the balance.
package credit

import (
	"time"

	"github.com/google/uuid"
)

// EntryKind is the reason for an entry.
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

// MaxBalance keeps balances within 53 bits, which every JSON parser represents exactly.
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
	// Reference is the operator's reference of a grant or an adjustment; nil for others.
	Reference *string
	// AgentName and ExportName remain when the agent and the export are deleted.
	AgentID    *uuid.UUID
	AgentName  string
	ExportID   *uuid.UUID
	ExportName string
	TurnID     *uuid.UUID
	CreatedAt  time.Time
}

// ChargeID returns the id of a turn's charge: the turn's id as a UUIDv8 (RFC 9562, 5.8) with its
// first bit set. No other id has that form. A charge is looked up by its turn, because an index of
// ids would slow down every insert.
func ChargeID(turn uuid.UUID) uuid.UUID {
	turn[0] |= firstBit
	turn[6] = turn[6]&0x0f | chargeVersion
	return turn
}

// ChargedTurn returns the turn of a charge's id; ok is false for other ids.
func ChargedTurn(id uuid.UUID) (turn uuid.UUID, ok bool) {
	ok = id[0]&firstBit != 0 && id[6]&0xf0 == chargeVersion
	id[0] &^= firstBit
	id[6] = id[6]&0x0f | turnVersion
	return id, ok
}

const (
	firstBit      = 0x80 // a UUIDv7 has it only after the year 6000
	chargeVersion = 8 << 4
	turnVersion   = 7 << 4
)

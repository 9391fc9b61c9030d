package account

import (
	"time"

	"github.com/google/uuid"
)

// Limits of an account's members.
const (
	MaxMembers = 50
	// MaxInvitations is how many may be open.
	MaxInvitations = 20
)

// Member is a user as the other members of an account see them.
type Member struct {
	UserID uuid.UUID
	Name   string
	Email  string
	Role   Role
	// Since is when the user joined.
	Since time.Time
	// SecondFactor says that the user has one.
	SecondFactor bool
	// LastSeenAt is when the user last renewed their access since joining; nil if not since then.
	LastSeenAt *time.Time
}

// Invitation lets the user of an address join an account.
type Invitation struct {
	ID uuid.UUID
	// Email is in the form of ParseEmail.
	Email string
	Role  Role
	// InvitedBy is an owner of the account; uuid.Nil for the operator.
	InvitedBy uuid.UUID
	CreatedAt time.Time
	ExpiresAt time.Time
}

// InvitationPreview is what the link of an invitation shows.
type InvitationPreview struct {
	AccountName string
	Email       string
	Role        Role
	// InvitedBy is the inviter's address; empty for the operator.
	InvitedBy string
	ExpiresAt time.Time
	// Known says that the address has a user.
	Known bool
}

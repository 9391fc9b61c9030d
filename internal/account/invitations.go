package account

import (
	"time"

	"github.com/google/uuid"
)

// Limits of an account's members.
const (
	MaxMembers = 50
	// MaxInvitations is the most open invitations.
	MaxInvitations = 20
)

// Member is a user as the other members of an account see them.
type Member struct {
	UserID uuid.UUID
	Name   string
	Email  string
	Role   Role
	// Since is the time at which the user joined.
	Since time.Time
	// SecondFactor means that the user has a second factor.
	SecondFactor bool
	// LastSeenAt is the last time the user renewed their access since joining; nil for never.
	LastSeenAt *time.Time
}

// Invitation lets the user of an address join an account.
type Invitation struct {
	ID uuid.UUID
	// Email is a result of ParseEmail.
	Email string
	Role  Role
	// InvitedBy is an owner of the account; uuid.Nil for the operator.
	InvitedBy uuid.UUID
	CreatedAt time.Time
	ExpiresAt time.Time
}

// InvitationPreview is the content of the page behind an invitation's link.
type InvitationPreview struct {
	AccountName string
	Email       string
	Role        Role
	// InvitedBy is the inviter's address; empty for the operator.
	InvitedBy string
	ExpiresAt time.Time
	// Known means that the address already has a user.
	Known bool
}

package account

import (
	"time"

	"github.com/google/uuid"
)

// Role determines the permissions of a member of an account.
type Role string

// The roles. The permissions of each are in graph/operations.go.
const (
	// Viewer reads.
	Viewer Role = "VIEWER"
	// Editor also changes agents, knowledge, exports and keys, and manages conversations and end
	// users.
	Editor Role = "EDITOR"
	// Owner also changes the account, its members and its tokens.
	Owner Role = "OWNER"
)

var descriptions = map[Role]string{
	Owner:  "owner: you may do everything",
	Editor: "editor: you may read everything and change the agents and what belongs to them",
	Viewer: "viewer: you may read",
}

// Description is the text for mails to the user.
func (r Role) Description() string { return descriptions[r] }

// Summary is the part of an account that its members see in requests about another account.
type Summary struct {
	ID               uuid.UUID
	Name             string
	CreditsAvailable int64
}

// Membership is a user's membership in an account.
type Membership struct {
	Account Summary `bun:"embed:account_"`
	Role    Role
	// Since is the time at which the user joined.
	Since time.Time
}

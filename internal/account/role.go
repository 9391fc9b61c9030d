package account

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// Role determines the permissions of a member of an account.
type Role string

// The roles, from the least to the greatest. Each has the permissions of those before it.
const (
	// Viewer reads.
	Viewer Role = "VIEWER"
	// Editor also changes agents, knowledge, exports and keys, and manages conversations and end
	// users.
	Editor Role = "EDITOR"
	// Owner also changes the account, its members and its tokens.
	Owner Role = "OWNER"
)

var roles = []Role{Viewer, Editor, Owner}

// Includes reports whether the role has the permissions of another. An unknown role has none, and
// no role includes it.
func (r Role) Includes(other Role) bool {
	asked := slices.Index(roles, other)
	return asked >= 0 && slices.Index(roles, r) >= asked
}

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

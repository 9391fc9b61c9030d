package account

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// Role is what a member may do in an account.
type Role string

// The roles, from the least to the greatest. Each may do what those before it may.
const (
	// Viewer reads.
	Viewer Role = "VIEWER"
	// Editor also changes agents, what they know, exports and keys, and looks after conversations and end users.
	Editor Role = "EDITOR"
	// Owner also changes the account, its members and its tokens.
	Owner Role = "OWNER"
)

var roles = []Role{Viewer, Editor, Owner}

// Includes reports whether the role may do what the other one may. An unknown role may do nothing, and nobody may do what asks for one.
func (r Role) Includes(other Role) bool {
	asked := slices.Index(roles, other)
	return asked >= 0 && slices.Index(roles, r) >= asked
}

// Summary is what members see of an account that their request is not about.
type Summary struct {
	ID               uuid.UUID
	Name             string
	CreditsAvailable int64
}

// Membership is a user's part in an account.
type Membership struct {
	Account Summary `bun:"embed:account_"`
	Role    Role
	// Since is when the user joined.
	Since time.Time
}

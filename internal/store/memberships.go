package store

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/account"
)

// maxMemberships is how many accounts of a user are listed.
const maxMemberships = 100

// Memberships returns the accounts that a user is a member of, at most 100, first the one that a request without X-Account-Id is about.
func (s *Store) Memberships(ctx context.Context, userID uuid.UUID) ([]account.Membership, error) {
	return all[account.Membership](ctx, s, `SELECT m.account_id, its.name AS account_name,
		its.credit_balance - its.credits_held AS account_credits_available, m.role, m.created_at AS since`+membershipsOf("$1")+`
		ORDER BY`+activeFirst+`LIMIT $2`, userID, maxMemberships)
}

package store

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/account"
)

// UserQuery says which users a page shows. The oldest come first.
type UserQuery struct {
	// First is the size of the page, at least 1.
	First int
	// After is the user before the page; the null UUID begins with the first.
	After uuid.UUID
	// Email is the address of the only user to show, in the form of account.ParseEmail; empty shows all.
	Email string
}

// ListedUser is a user with the accounts that the user is a member of, the oldest membership first.
type ListedUser struct {
	account.User
	Accounts []UserAccount `bun:"type:jsonb"`
}

// UserAccount is an account of a user.
type UserAccount struct {
	ID   uuid.UUID    `json:"id"`
	Name string       `json:"name"`
	Role account.Role `json:"role"`
}

// UserPage returns users of all accounts.
func (s *Store) UserPage(ctx context.Context, q UserQuery) ([]ListedUser, error) {
	var text statement
	text.add(`SELECT`+userColumns+`, coalesce((
			SELECT jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name, 'role', m.role) ORDER BY m.created_at, a.id)
			FROM memberships m JOIN accounts a ON a.id = m.account_id WHERE m.user_id = u.id
		), '[]') AS accounts FROM users u WHERE u.id > ?`, q.After)
	if q.Email != "" {
		text.add(` AND u.email = ?`, q.Email)
	}
	text.add(` ORDER BY u.id LIMIT ?`, q.First)
	return all[ListedUser](ctx, s, text.String(), text.Args()...)
}

package operator

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/users"
)

// UserQuery selects a page of users, oldest first.
type UserQuery struct {
	// First is the size of the page, at least 1.
	First int
	// After is the user before the page; the null UUID starts with the first.
	After uuid.UUID
	// Email is the address of the only user to show, in the form of account.ParseEmail; empty shows
	// all.
	Email string
}

// ListedUser is a user with the accounts of their memberships, oldest membership first.
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
func (s Store) UserPage(ctx context.Context, q UserQuery) ([]ListedUser, error) {
	var text db.Statement
	text.Add(`SELECT`+users.UserColumns+`, coalesce((
			SELECT jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name, 'role', m.role)
				ORDER BY m.created_at, a.id)
			FROM memberships m JOIN accounts a ON a.id = m.account_id WHERE m.user_id = u.id
		), '[]') AS accounts FROM users u WHERE u.id > ?`, q.After)
	if q.Email != "" {
		text.Add(` AND u.email = ?`, q.Email)
	}
	text.Add(` ORDER BY u.id LIMIT ?`, q.First)
	return db.All[ListedUser](ctx, s.db, text.String(), text.Args()...)
}

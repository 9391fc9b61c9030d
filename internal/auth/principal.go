package auth

import (
	"context"

	"github.com/google/uuid"
)

// Principal is who sent a request: an account, through one of its sign-ins.
type Principal struct {
	AccountID uuid.UUID
	SignInID  uuid.UUID
	// Confirmed says that the password was entered within the last ten minutes. It comes from the database, not from the token.
	Confirmed bool
}

type principalKey struct{}

// WithPrincipal returns a context that carries the principal.
func WithPrincipal(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// PrincipalFrom returns the context's principal, and whether there is one.
func PrincipalFrom(ctx context.Context) (Principal, bool) {
	p, ok := ctx.Value(principalKey{}).(Principal)
	return p, ok
}

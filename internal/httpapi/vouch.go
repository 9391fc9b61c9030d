package httpapi

import "context"

type vouchKey struct{}

// OnVouch returns a context for requests whose Vouch calls the function.
func OnVouch(ctx context.Context, vouch func()) context.Context {
	return context.WithValue(ctx, vouchKey{}, vouch)
}

// Vouch says that the request with this context has a valid key or token. As long as it runs, its connection counts against no share.
func Vouch(ctx context.Context) {
	if vouch, found := ctx.Value(vouchKey{}).(func()); found {
		vouch()
	}
}

package graph

import (
	"context"
	"log/slog"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agentchat/internal/fault"
	"agentchat/internal/memory"
)

// public are the root fields that need no access token. Everything else is denied: there is no directive to forget.
var public = map[string]bool{
	"Query.serviceInfo": true, "Query.__typename": true, "Mutation.__typename": true, "Subscription.__typename": true,
	"Mutation.signUp": true, "Mutation.signIn": true, "Mutation.renewAccess": true, "Mutation.signOut": true,
	"Query.passwordReset": true, "Mutation.requestPasswordReset": true, "Mutation.resetPassword": true,
	"Mutation.verifyEmail": true, "Mutation.undoEmailChange": true,
}

// settingUp are what somebody may do who has to set up a second factor first, besides the public ones.
var settingUp = map[string]bool{"Query.me": true, "Mutation.startSecondFactor": true, "Mutation.confirmSecondFactor": true,
	"Mutation.confirmPassword": true}

const setUpFirst = "Set up a second factor first: startSecondFactor, then confirmSecondFactor."

// roots are the types at the root of the operations.
var roots = map[ast.Operation]string{ast.Query: "Query", ast.Mutation: "Mutation", ast.Subscription: "Subscription"}

// authorize verifies the access token when a root field of the operation needs one. A stale token is ignored when the operation
// needs none. Faults: Unauthorized, Unavailable; SecondFactorRequired for a subscription.
func (h *endpoint) authorize(ctx context.Context, ex *exchange, opCtx *graphql.OperationContext) error {
	root := roots[opCtx.Operation.Operation]
	needed, wanted := false, false
	for _, field := range graphql.CollectFields(opCtx, opCtx.Operation.SelectionSet, []string{root}) {
		needed = needed || !public[root+"."+field.Name]
		// signOut ends the sign-in of the access token when there is no cookie; verifyEmail needs the user for some links.
		wanted = wanted || field.Name == "signOut" || field.Name == "verifyEmail"
	}
	if !needed && (!wanted || ex.token == "") {
		return nil
	}
	err := h.authenticate(ctx, ex)
	switch {
	case err != nil && (needed || !fault.Is(err, fault.Unauthorized)):
		return err
	case err == nil && root == "Subscription" && ex.principal.NeedsSecondFactor: // denyByDefault sees no subscriptions
		return fault.New(fault.SecondFactorRequired, setUpFirst)
	}
	return nil
}

// authenticate verifies the access token, once per request. Faults: Unauthorized, Unavailable.
func (h *endpoint) authenticate(ctx context.Context, ex *exchange) error {
	if ex.account != nil {
		return nil
	}
	principal, owner, err := h.identity.Authenticate(ctx, ex.token)
	if err != nil {
		return err
	}
	if named := ex.R.Header.Get("X-Account-Id"); named != "" && named != owner.ID.String() {
		return fault.New(foreignAccount, "X-Account-Id names an account that is not yours.")
	}
	ex.principal, ex.account = &principal, &owner
	ex.hold.MoveTo(memory.Panel(owner.ID))
	ex.Caller = []slog.Attr{slog.String("account", owner.ID.String())}
	return nil
}

// denyByDefault checks again: a root field that needs an account is never resolved without one, however it was reached. Nor is a
// guarded mutation without a proof, and hardly anything without a second factor where one is required.
func denyByDefault(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	field := graphql.GetRootFieldContext(ctx).Field
	root := roots[graphql.GetOperationContext(ctx).Operation.Operation]
	var err error
	switch {
	case public[root+"."+field.Name]:
	case exchangeOf(ctx).account == nil:
		err = fault.New(fault.Unauthorized, "")
	case exchangeOf(ctx).principal.NeedsSecondFactor && !settingUp[root+"."+field.Name]:
		err = fault.New(fault.SecondFactorRequired, setUpFirst)
	case root == "Mutation":
		err = checkProof(ctx, field)
	}
	if err != nil {
		graphql.AddError(ctx, gqlerror.WrapPath(ast.Path{ast.PathName(field.Alias)}, err))
		return graphql.Null
	}
	return next(ctx)
}

package graph

import (
	"context"
	"log/slog"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agentchat/internal/fault"
	"agentchat/internal/memory"
	"agentchat/internal/store/audit"
)

const setUpFirst = "Set up a second factor first: startSecondFactor, then confirmSecondFactor."

// roots are the types at the root of the operations.
var roots = map[ast.Operation]string{ast.Query: "Query", ast.Mutation: "Mutation", ast.Subscription: "Subscription"}

// authorize verifies the access token when a root field of the operation needs one. A stale token
// is ignored when the operation needs none. Faults: Unauthorized, Unavailable; SecondFactorRequired
// for a subscription.
func (h *endpoint) authorize(ctx context.Context, ex *exchange, opCtx *graphql.OperationContext) error {
	root := roots[opCtx.Operation.Operation]
	needed, signingOut := false, false
	fields := graphql.CollectFields(opCtx, opCtx.Operation.SelectionSet, []string{root})
	for _, field := range fields {
		rule := operations[root+"."+field.Name]
		needed = needed || !rule.public() || rule.oneself() && ex.token != ""
		signingOut = signingOut || field.Name == "signOut" // which ends the sign-in of the access token when there is no cookie
	}
	if !needed && (!signingOut || ex.token == "") {
		return nil
	}
	err := h.authenticate(ctx, ex)
	if nobody := fault.Is(err, fault.Unauthorized) || fault.Is(err, foreignAccount); err != nil && (needed || !nobody) {
		return err
	}
	if root == "Subscription" { // whose fields never come to denyByDefault
		return checkAccess(ctx, root, fields[0])
	}
	return nil
}

// authenticate verifies the token, once per request. Faults: Unauthorized, Unavailable,
// foreignAccount.
func (h *endpoint) authenticate(ctx context.Context, ex *exchange) error {
	if ex.principal != nil {
		return nil
	}
	named := ex.R.Header.Get("X-Account-Id")
	wanted, _ := uuid.Parse(named) // text that is no ID matches no account
	principal, owner, err := h.identity.Authenticate(ctx, ex.token, wanted, ex.client)
	if err != nil {
		return err
	}
	if named != "" && (wanted == uuid.Nil || wanted != owner.ID) {
		return fault.New(foreignAccount, "X-Account-Id names an account that is not yours.")
	}
	ex.principal, ex.named = &principal, named != ""
	if owner.ID != uuid.Nil {
		ex.account = &owner
	}
	ex.hold.MoveTo(memory.Panel(ex.share()))
	ex.Caller = []slog.Attr{slog.String("account", owner.ID.String())}
	if principal.IsToken() {
		ex.Caller = append(ex.Caller, slog.String("token", principal.TokenID.String()))
	}
	return nil
}

// denyByDefault checks again: a root field that needs an account is never resolved without one,
// however it was reached. Nor is one that the user's role does not allow, a change that could be
// meant for another account, or a guarded mutation without a proof; and hardly anything without a
// second factor where one is required.
func denyByDefault(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	field := graphql.GetRootFieldContext(ctx).Field
	root := roots[graphql.GetOperationContext(ctx).Operation.Operation]
	if err := checkAccess(ctx, root, field); err != nil {
		graphql.AddError(ctx, gqlerror.WrapPath(ast.Path{ast.PathName(field.Alias)}, err))
		return graphql.Null
	}
	return next(acting(ctx, field.Name))
}

// acting has what a mutation changes in the account recorded as done by who sent it. What anybody
// may do, no account token has done.
func acting(ctx context.Context, mutation string) context.Context {
	ex := exchangeOf(ctx)
	if ex.principal == nil || ex.principal.IsToken() && operations["Mutation."+mutation].public() {
		return ctx
	}
	by, id := ex.client.Does(mutation), ex.principal.ActorID()
	by.ActorID = &id
	if ex.principal.IsToken() {
		by.Actor = audit.ByToken
	}
	return audit.Acting(ctx, by)
}

func checkAccess(ctx context.Context, root string, field graphql.CollectedField) error {
	rule, ex := operations[root+"."+field.Name], exchangeOf(ctx)
	switch {
	case rule.public() && (ex.principal == nil || !rule.oneself()):
		return nil
	case ex.principal == nil:
		return fault.New(fault.Unauthorized, "")
	case ex.principal.NeedsSecondFactor && !rule.beforeSecondFactor:
		return fault.New(fault.SecondFactorRequired, setUpFirst)
	}
	if err := checkRole(ctx, root, rule); err != nil || root != "Mutation" || rule.public() {
		return err
	}
	return checkProof(ctx, rule, field)
}

package graph

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/memory"
	"agentchat/internal/store/audit"
)

const setUpFirst = "Turn on two-factor authentication first: " +
	"startSecondFactor, then confirmSecondFactor."

// roots are the root types of the operations.
var roots = map[ast.Operation]string{
	ast.Query:        "Query",
	ast.Mutation:     "Mutation",
	ast.Subscription: "Subscription",
}

// authorize verifies the access token when a root field of the operation needs one. A stale token
// is ignored when the operation needs none. Faults: Unauthorized, Unavailable; SecondFactorRequired
// for a subscription.
func (h *endpoint) authorize(
	ctx context.Context,
	req *request,
	opCtx *graphql.OperationContext,
) error {
	root := roots[opCtx.Operation.Operation]
	needed, signingOut := false, false
	fields := graphql.CollectFields(opCtx, opCtx.Operation.SelectionSet, []string{root})
	for _, field := range fields {
		rule := operations[root+"."+field.Name]
		needed = needed || !rule.public() || rule.oneself() && req.token != ""
		// Without a cookie, signOut ends the sign-in of the access token.
		signingOut = signingOut || field.Name == "signOut"
	}
	if !needed && (!signingOut || req.token == "") {
		return nil
	}
	err := h.authenticate(ctx, req)
	anonymous := fault.Is(err, fault.Unauthorized) || fault.Is(err, foreignAccount)
	if err != nil && (needed || !anonymous) {
		return err
	}
	if root == "Subscription" { // gqlgen does not call denyByDefault for them
		return checkAccess(ctx, root, fields[0])
	}
	return nil
}

// authenticate verifies the token, once per request. Faults: Unauthorized, Unavailable,
// foreignAccount.
func (h *endpoint) authenticate(ctx context.Context, req *request) error {
	if req.principal != nil {
		return nil
	}
	named := req.R.Header.Get("X-Account-Id")
	wanted, _ := uuid.Parse(named) // text that is no ID matches no account
	principal, owner, err := h.identity.Authenticate(ctx, req.token, wanted, req.client)
	if err != nil {
		return err
	}
	if named != "" && (wanted == uuid.Nil || wanted != owner.ID) {
		return fault.New(foreignAccount, "X-Account-Id names an account that is not yours.")
	}
	req.principal, req.named = &principal, named != ""
	if owner.ID != uuid.Nil {
		req.account = &owner
	}
	req.hold.MoveTo(memory.Panel(req.share()))
	req.Caller = []slog.Attr{slog.String("account", owner.ID.String())}
	if principal.IsToken() {
		req.Caller = append(req.Caller, slog.String("token", principal.TokenID.String()))
	}
	return nil
}

// denyByDefault checks the access rule of every root field right before it is resolved, however the
// field was reached.
func denyByDefault(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	field := graphql.GetRootFieldContext(ctx).Field
	root := roots[graphql.GetOperationContext(ctx).Operation.Operation]
	if err := checkAccess(ctx, root, field); err != nil {
		graphql.AddError(ctx, gqlerror.WrapPath(ast.Path{ast.PathName(field.Alias)}, err))
		return graphql.Null
	}
	return next(acting(ctx, field.Name))
}

// acting returns a context in which the audit trail records changes as those of the caller. An
// account token does not act in public mutations.
func acting(ctx context.Context, mutation string) context.Context {
	req := requestOf(ctx)
	if req.principal == nil || req.principal.IsToken() && operations["Mutation."+mutation].public() {
		return ctx
	}
	by, id := req.client.Does(mutation), req.principal.ActorID()
	by.ActorID = &id
	if req.principal.IsToken() {
		by.Actor = audit.ByToken
	}
	return audit.Acting(ctx, by)
}

func checkAccess(ctx context.Context, root string, field graphql.CollectedField) error {
	rule, req := operations[root+"."+field.Name], requestOf(ctx)
	switch {
	case rule.public() && (req.principal == nil || !rule.oneself()):
		return nil
	case req.principal == nil:
		return fault.New(fault.Unauthorized, "")
	case req.principal.NeedsSecondFactor && !rule.beforeSecondFactor:
		return fault.New(fault.SecondFactorRequired, setUpFirst)
	}
	if err := checkRole(ctx, root, rule); err != nil || root != "Mutation" || rule.public() {
		return err
	}
	return checkReauthentication(ctx, rule, field)
}

// checkRole refuses a field that the caller's role does not allow, and everything of an account
// that is missing or suspended. A user of several accounts must name one to change something:
// otherwise, after removal from one account, a script would change another. Faults: roleForbids,
// InvalidInput.
func checkRole(ctx context.Context, root string, rule rule) error {
	req := requestOf(ctx)
	if req.principal.IsToken() {
		if err := checkToken(rule); err != nil {
			return err
		}
	}
	switch {
	case rule.oneself(), req.account == nil && rule.withoutAccount:
		return nil
	case req.account == nil:
		return fault.New(
			roleForbids,
			"You’re not a member of any account. Create one with createAccount, or ask for "+
				"an invitation.",
		)
	}
	if root != "Query" && req.principal.Several && !req.named {
		return fault.Invalid(fault.Field{Path: "X-Account-Id", Reason: fault.Missing,
			Message: "You have several accounts. Name one in the header X-Account-Id."})
	}
	if req.account.State != account.Active {
		return fault.New(
			roleForbids,
			"This account is suspended: its keys and the panel are closed, and everything is kept. "+
				"Contact the operator.",
		)
	}
	return checkPermission(ctx, rule)
}

// mayUse refuses a type, or a field that its resolver checks, that the caller's role does not
// allow. Fault: roleForbids.
func mayUse(
	ctx context.Context,
	name string,
) error {
	return checkPermission(ctx, operations[name])
}

// checkPermission refuses a field that the role does not allow. Fault: roleForbids.
func checkPermission(ctx context.Context, rule rule) error {
	role := requestOf(ctx).principal.Role
	if rule.allows(role) {
		return nil
	}
	return fault.New(
		roleForbids,
		fmt.Sprintf(
			"Your role is %s. This needs %s.",
			role,
			rule.leastRole(),
		),
	)
}

// checkToken refuses fields that account tokens may not use. Fault: roleForbids.
func checkToken(rule rule) error {
	switch {
	case rule.oneself():
		return fault.New(roleForbids, usersOnly)
	case rule.noTokens != "":
		return fault.New(roleForbids, rule.noTokens)
	}
	return nil
}

// reauthenticationRequired refuses a mutation because the last reauthentication of the sign-in was
// too long ago.
const reauthenticationRequired fault.Kind = "reauthentication_required"

// checkReauthentication refuses a mutation that requires recent reauthentication, before its input
// is checked. Fault: reauthenticationRequired.
func checkReauthentication(ctx context.Context, rule rule, field graphql.CollectedField) error {
	principal := requestOf(ctx).principal
	if principal.Reauthenticated {
		return nil
	}
	input, _ := field.ArgumentMap(graphql.GetOperationContext(ctx).Variables)["input"].(map[string]any)
	if rule.reauthentication != nil && !rule.reauthentication(principal, input) {
		return nil
	}
	if principal.IsToken() {
		return fault.New(
			reauthenticationRequired,
			"This requires reauthentication, which an account token cannot do. Sign in as a user.",
		)
	}
	return staleReauthentication()
}

// staleReauthentication returns the fault reauthenticationRequired for a user.
func staleReauthentication() error {
	return fault.New(reauthenticationRequired,
		"You last gave your password or a code more than 10 minutes ago. "+
			"Reauthenticate with confirmPassword, then send this again.")
}

// reauthenticated notes that this request has checked a password or a code. The mutations after it
// in the same document need no other one.
func reauthenticated(ctx context.Context) { requestOf(ctx).principal.Reauthenticated = true }

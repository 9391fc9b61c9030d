package graph

import (
	"context"
	"fmt"

	"agentchat/internal/account"
	"agentchat/internal/fault"
)

// checkRole refuses a field that the caller's role does not allow, and everything of an account
// that is missing or suspended. A user of several accounts must name one to change something:
// otherwise, after removal from one account, a script would change another. Faults: roleForbids,
// InvalidInput.
func checkRole(ctx context.Context, root string, rule rule) error {
	ex := exchangeOf(ctx)
	if ex.principal.IsToken() {
		if err := checkToken(rule); err != nil {
			return err
		}
	}
	switch {
	case rule.oneself(), ex.account == nil && rule.withoutAccount:
		return nil
	case ex.account == nil:
		return fault.New(roleForbids, "You have no account. Open one with createAccount, or ask for an invitation.")
	}
	if root != "Query" && ex.principal.Several && !ex.named {
		return fault.Invalid(fault.Field{Path: "X-Account-Id", Reason: fault.Missing,
			Message: "You have several accounts. Say which one is meant in the header X-Account-Id."})
	}
	if ex.account.State != account.Active {
		return fault.New(roleForbids,
			"This account is suspended: its keys and the panel are closed, and everything is kept. Ask the operator.")
	}
	return checkPermission(ctx, rule)
}

// mayUse refuses a type, or a field that its resolver checks, that the user's role in the account
// does not allow. Fault: roleForbids.
func mayUse(ctx context.Context, name string) error { return checkPermission(ctx, operations[name]) }

// checkPermission refuses what the user's role in the account does not allow. Fault: roleForbids.
func checkPermission(ctx context.Context, rule rule) error {
	role := exchangeOf(ctx).principal.Role
	if rule.allows(role) {
		return nil
	}
	return fault.New(roleForbids,
		fmt.Sprintf("Your role in this account, %s, does not allow this. It takes %s.", role, rule.leastRole()))
}

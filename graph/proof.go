package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"agentchat/internal/fault"
)

// staleProof is a guarded mutation whose sign-in gave its last proof too long ago.
const staleProof fault.Kind = "stale_proof"

// checkProof refuses a mutation that requires reauthentication, before its input is checked. Fault:
// staleProof.
func checkProof(ctx context.Context, rule rule, field graphql.CollectedField) error {
	principal := exchangeOf(ctx).principal
	if principal.Confirmed {
		return nil
	}
	input, _ := field.ArgumentMap(graphql.GetOperationContext(ctx).Variables)["input"].(map[string]any)
	if rule.reauthentication != nil && !rule.reauthentication(principal, input) {
		return nil
	}
	if principal.IsToken() {
		return fault.New(staleProof, "This asks for a proof, which only a user can give: sign in.")
	}
	return fault.New(staleProof,
		"Confirm who you are with confirmPassword, then send this again: the last proof was given more than 10 minutes ago.")
}

// proven notes that the request has brought a proof: what follows in the same document needs no
// other proof.
func proven(ctx context.Context) { exchangeOf(ctx).principal.Confirmed = true }

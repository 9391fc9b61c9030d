package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"agentchat/internal/fault"
)

// unguarded are the mutations for which being signed in is enough. Every other one, also a new one until it is listed here, is
// guarded: it needs a proof, the password or a code within the last store.ConfirmedFor, so that a stolen access token makes no key and
// signs nobody out.
var unguarded = map[string]bool{
	"createAgent": true, "duplicateAgent": true, "importAgent": true, "updateAgent": true, "publishAgent": true,
	"discardAgentChanges": true, "restoreAgentVersion": true, "unpublishAgent": true, "deleteAgent": true,
	"updateApiExport": true, "pauseApiExport": true, "resumeApiExport": true,
	"sendTestMessage": true, "deleteConversation": true, "deleteConversations": true, "deleteEndUser": true, "updateAccount": true,
	"addKnowledgeText": true, "addKnowledgeAnswer": true, "replaceKnowledgeSource": true, "removeKnowledgeSource": true,
	"deleteKnowledgeSource": true, "deleteUnusedKnowledge": true, "addKnowledgeFile": true, "retryKnowledgeSource": true,
	"setEndUserLimit": true, "blockEndUser": true, "unblockEndUser": true,
	// They bring a proof.
	"confirmPassword": true, "changePassword": true, "deleteAccount": true, "removeSecondFactor": true, "renewRecoveryCodes": true,
	"changeEmail": true,
	// It only has a mail sent to one's own address.
	"requestEmailVerification": true,
	// It takes nothing from anybody.
	"createAccount": true,
}

// staleProof is a guarded mutation whose sign-in gave its last proof too long ago.
const staleProof fault.Kind = "stale_proof"

// checkProof refuses a guarded mutation without a proof, before its input is checked. Ending one's own sign-in needs none: that is signing
// out. Of an account's changes only the rule on second factors does. Fault: staleProof.
func checkProof(ctx context.Context, field graphql.CollectedField) error {
	principal := exchangeOf(ctx).principal
	if principal.Confirmed {
		return nil
	}
	input, _ := field.ArgumentMap(graphql.GetOperationContext(ctx).Variables)["input"].(map[string]any)
	if unguarded[field.Name] && (field.Name != "updateAccount" || input["requireSecondFactor"] == nil) ||
		field.Name == "endSignIn" && input["id"] == principal.SignInID.String() {
		return nil
	}
	if principal.IsToken() {
		return fault.New(staleProof, "This asks for a proof, which only a user can give: sign in.")
	}
	return fault.New(staleProof,
		"Confirm who you are with confirmPassword, then send this again: the last proof was given more than 10 minutes ago.")
}

// proven notes that the request has brought a proof: what follows in the same document needs no other proof.
func proven(ctx context.Context) { exchangeOf(ctx).principal.Confirmed = true }

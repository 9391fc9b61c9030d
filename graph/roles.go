package graph

import (
	"context"
	"fmt"
	"slices"

	"agentchat/internal/account"
	"agentchat/internal/fault"
)

// forOneself are root fields about the user alone, for which the role in an account does not matter, nor which account it is.
var forOneself = []string{
	"Query.me", "Mutation.startSecondFactor", "Mutation.confirmSecondFactor", "Mutation.removeSecondFactor",
	"Mutation.renewRecoveryCodes", "Mutation.requestEmailVerification", "Mutation.verifyEmail", "Mutation.changeEmail",
	"Mutation.confirmPassword",
	"Mutation.changePassword", "Mutation.signOutEverywhere", "Mutation.endSignIn",
	"Query.invitation", "Mutation.acceptInvitation", "Mutation.createAccount",
}

// forMembers and forEditors are the root fields, the types that node finds, and the fields with a rule of their own that viewers and
// editors may use. All others, also new ones until they are listed here, are for owners.
var (
	forMembers = []string{
		"Query.viewer", "Query.agents", "Query.agent", "Query.exampleReply", "Query.conversation", "Query.searchKnowledge",
		"Query.models", "Query.node", "Query.request", "Mutation.leaveAccount",
		"Account", "Agent", "AgentVersion", "ApiExport", "ApiKey", "Conversation", "CreditEntry", "KnowledgeSource", "Request", "SignIn",
		"Turn", "User", ownEvent,
	}
	forEditors = []string{
		"Mutation.createAgent", "Mutation.duplicateAgent", "Mutation.importAgent", "Mutation.updateAgent", "Mutation.publishAgent",
		"Mutation.discardAgentChanges", "Mutation.restoreAgentVersion", "Mutation.unpublishAgent", "Mutation.deleteAgent",
		"Mutation.addKnowledgeText", "Mutation.addKnowledgeAnswer", "Mutation.addKnowledgeFile", "Mutation.retryKnowledgeSource",
		"Mutation.replaceKnowledgeSource", "Mutation.removeKnowledgeSource", "Mutation.deleteKnowledgeSource",
		"Mutation.deleteUnusedKnowledge",
		"Mutation.createApiExport", "Mutation.updateApiExport", "Mutation.pauseApiExport", "Mutation.resumeApiExport",
		"Mutation.removeApiExport", "Mutation.replaceApiKey", "Mutation.stopApiKey", "Mutation.setApiKeyStop",
		"Mutation.sendTestMessage", "Subscription.testMessage", "Mutation.deleteConversation", "Mutation.deleteConversations",
		"Mutation.deleteEndUser", "Mutation.setEndUserLimit", "Mutation.blockEndUser", "Mutation.unblockEndUser",
	}
)

// leastRole is the least role that may use what a table above names.
func leastRole(name string) account.Role {
	switch {
	case slices.Contains(forMembers, name):
		return account.Viewer
	case slices.Contains(forEditors, name):
		return account.Editor
	default:
		return account.Owner
	}
}

// checkRole refuses what the user's role in the account does not allow, what is of an account when there is none or it is suspended, and
// a change by somebody with several accounts who does not say which one is meant: a script that was removed from one of them must not go
// on in the other. Faults: roleForbids, InvalidInput.
func checkRole(ctx context.Context, root, name string) error {
	ex := exchangeOf(ctx)
	if ex.principal.IsToken() {
		if err := checkToken(name); err != nil {
			return err
		}
	}
	switch {
	case slices.Contains(forOneself, name), ex.account == nil && name == "Query.viewer":
		return nil
	case ex.account == nil:
		return fault.New(roleForbids, "You have no account. Open one with createAccount, or have somebody invite you.")
	}
	if root != "Query" && ex.principal.Several && !ex.named {
		return fault.Invalid(fault.Field{Path: "X-Account-Id", Reason: fault.Missing,
			Message: "You have several accounts. Say which one is meant in the header X-Account-Id."})
	}
	if ex.account.State != account.Active {
		return fault.New(roleForbids,
			"This account is suspended: its keys and the panel are closed, and everything is kept. Ask the operator.")
	}
	return mayUse(ctx, name)
}

// mayUse refuses what the user's role in the account does not allow: a root field, a type or a field with a rule of its own. Fault:
// roleForbids.
func mayUse(ctx context.Context, name string) error {
	role, least := exchangeOf(ctx).principal.Role, leastRole(name)
	if role.Includes(least) {
		return nil
	}
	return fault.New(roleForbids, fmt.Sprintf("Your role in this account, %s, does not allow this. It takes %s.", role, least))
}

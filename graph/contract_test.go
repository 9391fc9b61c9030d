package graph_test

import (
	"slices"
	"strings"
	"testing"
)

// contract lists the fields that clients rely on. Names and types never change; more fields may be
// added.
const contract = `
Query: viewer Account, agents AgentConnection!, models [Model!]!, serviceInfo ServiceInfo!, passwordReset Boolean!
Mutation: requestPasswordReset RequestPasswordResetPayload!, resetPassword ResetPasswordPayload!
Mutation: signUp SignUpPayload!, signIn SignInPayload!, confirmPassword ConfirmPasswordPayload!, renewAccess RenewAccessPayload!
Mutation: signOut SignOutPayload!, signOutEverywhere SignOutEverywherePayload!, changePassword ChangePasswordPayload!
Mutation: createAgent CreateAgentPayload!, updateAgent UpdateAgentPayload!, publishAgent PublishAgentPayload!
Mutation: publishAgent PublishAgentPayload!, discardAgentChanges DiscardAgentChangesPayload!
Mutation: restoreAgentVersion RestoreAgentVersionPayload!
Mutation: unpublishAgent UnpublishAgentPayload!, deleteAgent DeleteAgentPayload!, createApiExport CreateApiExportPayload!
Mutation: pauseApiExport PauseApiExportPayload!, resumeApiExport ResumeApiExportPayload!
Mutation: updateApiExport UpdateApiExportPayload!, removeApiExport RemoveApiExportPayload!, endSignIn EndSignInPayload!
SignUpPayload: accessToken String, expiresAt DateTime, account Account, mailSent Boolean!
Mutation: requestEmailVerification RequestEmailVerificationPayload!, verifyEmail VerifyEmailPayload!
Mutation: changeEmail ChangeEmailPayload!, undoEmailChange UndoEmailChangePayload!
RequestEmailVerificationPayload: ok Boolean!
VerifyEmailInput: token String!, password String
VerifyEmailPayload: ok Boolean!
ChangeEmailInput: newEmail String!, password String!, code String
ChangeEmailPayload: ok Boolean!
UndoEmailChangeInput: token String!
UndoEmailChangePayload: ok Boolean!
SignInPayload: accessToken String!, expiresAt DateTime!, account Account
RenewAccessPayload: accessToken String!, expiresAt DateTime!
ConfirmPasswordPayload: ok Boolean!
SignOutPayload: ok Boolean!
SignOutEverywherePayload: ok Boolean!
ChangePasswordPayload: account Account
EndSignInPayload: endedSignInId ID!
Account: id ID!, name String!, createdAt DateTime!, creditBalance Credits!, creditsHeld Credits!
Account: creditsAvailable Credits!, signIns [SignIn!]!
SignIn: browser String!, address String!, createdAt DateTime!, lastUsedAt DateTime!, current Boolean!
Agent: id ID!, name String!, description String!, instructions String!, model Model, temperature Float, maxOutputTokens Int
Agent: state AgentState!, missing [AgentRequirement!]!, createdAt DateTime!, updatedAt DateTime!, lastUsedAt DateTime
Agent: exports [ApiExport!]!, contextTurns Int!, replySchema String, fallbackModel Model
Agent: publishedVersion AgentVersion, hasUnpublishedChanges Boolean!, versions AgentVersionConnection!
AgentVersion: number Int!, agent Agent!, createdAt DateTime!, note String!, instructions String!, model Model, modelName String!
AgentVersion: temperature Float, maxOutputTokens Int, contextTurns Int!, replySchema String, pinnedBy [ApiExport!]!
AgentVersion: fallbackModel Model, fallbackModelName String
AgentVersionConnection: edges [AgentVersionEdge!]!, nodes [AgentVersion!]!, pageInfo PageInfo!, totalCount Int!
AgentVersionEdge: cursor String!, node AgentVersion!
ApiExport: id ID!, name String!, agent Agent!, state ExportState!, createdAt DateTime!, removedAt DateTime, lastUsedAt DateTime
ApiExport: keys [ApiKey!]!, rateLimitPerMinute Int!, version Int, expiresAt DateTime
Turn: version Int, userId String, variables [VariableValue!]!, output String, misfit String, fallback Boolean!
VariableValue: name String!, value String!
AgentVariable: name String!, description String!, required Boolean!, defaultValue String
AgentAction: name String!, description String!, parameters String!
Agent: actions [AgentAction!]!
AgentVersion: actions [AgentAction!]!
AgentActionInput: name String!, description String!, parameters String!
CreateAgentInput: actions [AgentActionInput!]
UpdateAgentInput: actions [AgentActionInput!]
Agent: variables [AgentVariable!]!
AgentVersion: variables [AgentVariable!]!
ApiExport: dailyCreditLimit Credits, monthlyCreditLimit Credits, creditsUsedToday Credits!, creditsUsedThisMonth Credits!
ApiExport: requireUserId Boolean!, userDailyMessageLimit Int
Conversation: userId String
Account: endUsers EndUserConnection!
EndUserConnection: edges [EndUserEdge!]!, nodes [EndUser!]!, pageInfo PageInfo!
EndUser: userId String!, firstSeenAt DateTime!, lastSeenAt DateTime!, credits Credits!
Mutation: deleteEndUser DeleteEndUserPayload!
DeleteEndUserPayload: deletedCount Int!
Account: endUser EndUser
EndUser: blocked Boolean!, dailyMessageLimit Int, messagesToday Int!
Mutation: setEndUserLimit SetEndUserLimitPayload!, blockEndUser BlockEndUserPayload!, unblockEndUser UnblockEndUserPayload!
SetEndUserLimitInput: userId String!, dailyMessageLimit Int
BlockEndUserInput: userId String!
UnblockEndUserInput: userId String!
SetEndUserLimitPayload: endUser EndUser!
BlockEndUserPayload: endUser EndUser!
UnblockEndUserPayload: endUser EndUser!
ApiKey: id ID!, hint String!, state KeyState!, createdAt DateTime!, lastUsedAt DateTime, stopsAt DateTime
Mutation: replaceApiKey ReplaceApiKeyPayload!, stopApiKey StopApiKeyPayload!, setApiKeyStop SetApiKeyStopPayload!
ReplaceApiKeyInput: exportId ID!, oldKeyStopsAt DateTime
ReplaceApiKeyPayload: export ApiExport!, apiKey String!
StopApiKeyInput: keyId ID!
StopApiKeyPayload: export ApiExport!
SetApiKeyStopInput: keyId ID!, stopsAt DateTime!
SetApiKeyStopPayload: export ApiExport!
Model: name String!, label String!, provider String!, creditsPerMessage Credits!, available Boolean!, contextWindow Int!
Model: sandbox Boolean!
ServiceInfo: version String!, baseUrl String!, signUpOpen Boolean!, creditsHelp String!, supportContact String!, mail Boolean!
RequestPasswordResetInput: email String!
RequestPasswordResetPayload: ok Boolean!
ResetPasswordInput: token String!, newPassword String!
ResetPasswordPayload: ok Boolean!
AgentConnection: edges [AgentEdge!]!, nodes [Agent!]!, pageInfo PageInfo!, totalCount Int!
AgentEdge: cursor String!, node Agent!
PageInfo: hasNextPage Boolean!, hasPreviousPage Boolean!, startCursor String, endCursor String
CreateAgentPayload: agent Agent!
UpdateAgentPayload: agent Agent!
PublishAgentPayload: agent Agent!, version AgentVersion!
PublishAgentPayload: agent Agent!, version AgentVersion!
DiscardAgentChangesPayload: agent Agent!
RestoreAgentVersionPayload: agent Agent!
UnpublishAgentPayload: agent Agent!
DeleteAgentPayload: deletedAgentId ID!
CreateApiExportPayload: export ApiExport!, apiKey String!
UpdateApiExportPayload: export ApiExport!
PauseApiExportPayload: export ApiExport!
ResumeApiExportPayload: export ApiExport!
PauseApiExportInput: id ID!
ResumeApiExportInput: id ID!
RemoveApiExportPayload: export ApiExport!
SignUpInput: email String!, password String!, name String!
SignInInput: email String!, password String!, code String
ConfirmPasswordInput: password String, code String
ChangePasswordInput: currentPassword String!, newPassword String!, code String
EndSignInInput: id ID!
AgentFilter: search String, state AgentState
CreateAgentInput: name String!, description String, instructions String, model String, temperature Float, maxOutputTokens Int
CreateAgentInput: contextTurns Int, replySchema String, fallbackModel String
UpdateAgentInput: id ID!, name String, description String, instructions String, model String, temperature Float
UpdateAgentInput: maxOutputTokens Int, contextTurns Int, replySchema String, fallbackModel String, expectedUpdatedAt DateTime
PublishAgentInput: id ID!, note String
PublishAgentInput: id ID!, note String, expectedUpdatedAt DateTime
DiscardAgentChangesInput: id ID!
RestoreAgentVersionInput: id ID!, number Int!
SendTestMessageInput: version Int
UnpublishAgentInput: id ID!
DeleteAgentInput: id ID!
CreateApiExportInput: agentId ID!, name String, rateLimitPerMinute Int, version Int, expiresAt DateTime
UpdateApiExportInput: id ID!, name String, rateLimitPerMinute Int, version Int, expiresAt DateTime
RemoveApiExportInput: id ID!
Mutation: updateAccount UpdateAccountPayload!, deleteAccount DeleteAccountPayload!, deleteConversation DeleteConversationPayload!
Mutation: deleteConversations DeleteConversationsPayload!
UpdateAccountPayload: account Account!
DeleteAccountPayload: ok Boolean!
DeleteConversationPayload: deletedConversationId ID!
DeleteConversationsPayload: deletedCount Int!
UpdateAccountInput: name String
DeleteAccountInput: password String!, code String
DeleteConversationInput: id ID!
DeleteConversationsInput: sessionId String!, agentId ID
Account: creditHistory CreditEntryConnection!, conversations ConversationConnection!
Account: exports ApiExportConnection!
Agent: conversations ConversationConnection!
CreditEntry: id ID!, kind CreditKind!, amount Credits!, balanceAfter Credits!, createdAt DateTime!, note String, agent Agent
CreditEntry: agentName String, export ApiExport, exportName String, turn Turn
Query: me User!, agent Agent, conversation Conversation
User: id ID!, email String!, emailVerified Boolean!, createdAt DateTime!, signIns [SignIn!]!, events AuditEntryConnection!
AuditEntry: id ID!, at DateTime!, actor Actor!, action String!, subject String!, details [AuditDetail!]!, address String, browser String
Account: agents AgentConnection!, signIns [SignIn!]!
AgentVersion: id ID!
Agent: version AgentVersion
ApiExport: pinnedVersion AgentVersion
Turn: agentVersion AgentVersion, conversation Conversation!, agent Agent
EndUser: messages Count!, conversations Count!
Conversation: id ID!, sessionId String!, agent Agent!, turnCount Int!, createdAt DateTime!, lastTurnAt DateTime, turns TurnConnection!
Turn: id ID!, message String!, reply String, state TurnState!, errorCode String, finishReason String, requestId String!, model String!
Turn: credits Credits!, inputTokens Int, outputTokens Int, source TurnSource!, export ApiExport, createdAt DateTime!, durationMs Int
ConversationFilter: agentId ID, sessionId String, search String, source TurnSource, from DateTime, to DateTime
ExportFilter: agentId ID, state ExportState, inUse Boolean, search String
CreditFilter: kind CreditKind, agentId ID, exportId ID, from DateTime, to DateTime
Account: usage [UsageRow!]!, requests RequestConnection!
Query: request Request, node Node
Request: id ID!, requestId String!, at DateTime!, outcome RequestOutcome!, status Int!, code String, detail String, agent Agent, export ApiExport
Request: keyHint String, clientAddress String, sessionId String, userId String, model String, streamed Boolean!, replayed Boolean!
Request: credits Credits!, durationMs Int, waitedMs Int, modelMs Int, conversation Conversation, turn Turn
RequestFilter: search String, outcome RequestOutcome, status Int, code String, agentId ID, exportId ID, userId String, from DateTime, to DateTime
Conversation: preview String!, credits Credits!, failedTurns Int!, userId String
ConversationFilter: text String, failed Boolean, userId String
Turn: firstTextMs Int, waitedMs Int
UsageRow: start DateTime, agent Agent, agentName String, export ApiExport, exportName String, model String, source TurnSource
UsageRow: userId String, status String, messages Count!, failed Count!, refused Count!, credits Credits!, inputTokens Count!, outputTokens Count!
UsageRow: durationP50Ms Int, durationP95Ms Int, firstTextP50Ms Int
UsageFilter: from DateTime!, to DateTime!, agentId ID, exportId ID, model String, source TurnSource, userId String`

func TestTheSchemaKeepsTheContract(t *testing.T) {
	t.Parallel()
	schema := parsed(t)
	for line := range strings.SplitSeq(strings.TrimSpace(contract+knowledgeContract+factorContract+memberContract), "\n") {
		typeName, fields, _ := strings.Cut(line, ": ")
		for want := range strings.SplitSeq(fields, ", ") {
			name, typ, _ := strings.Cut(want, " ")
			def := schema.Types[typeName]
			if def == nil || def.Fields.ForName(name) == nil {
				t.Errorf("%s.%s is not in the schema", typeName, name)
			} else if got := def.Fields.ForName(name).Type.String(); got != typ {
				t.Errorf("%s.%s is %s, not %s", typeName, name, got, typ)
			}
		}
	}
	for enum, values := range map[string]string{"AgentState": "DRAFT LIVE OFFLINE", "ExportState": "ACTIVE PAUSED EXPIRED REMOVED",
		"CreditKind": "GRANT CHARGE ADJUSTMENT", "UsageInterval": "HOUR DAY MONTH", "UsageDimension": "AGENT EXPORT MODEL SOURCE USER STATUS",
		"TurnState":  "PENDING ANSWERED FAILED",
		"TurnSource": "API PLAYGROUND", "RequestOutcome": "ANSWERED FAILED REFUSED", "KeyState": "ACTIVE EXPIRED REMOVED", "AgentRequirement": "NAME INSTRUCTIONS MODEL",
		"ErrorCode": "UNAUTHENTICATED INVALID_CREDENTIALS SECOND_FACTOR_REQUIRED REAUTHENTICATION_REQUIRED SIGN_UP_CLOSED BAD_USER_INPUT " +
			"NOT_FOUND CONFLICT INSUFFICIENT_CREDITS RATE_LIMITED LIMIT_EXCEEDED UNAVAILABLE INTERNAL FORBIDDEN PERSISTED_QUERY_NOT_SUPPORTED"} {
		for value := range strings.FieldsSeq(values) {
			if def := schema.Types[enum]; def == nil || def.EnumValues.ForName(value) == nil {
				t.Errorf("%s.%s is not in the schema", enum, value)
			}
		}
	}
	for field, arguments := range map[string]string{"Query.agents": "first Int, after String, filter AgentFilter", "User.events": "first Int, after String",
		"Account.creditHistory": "first Int, after String, filter CreditFilter", "Account.exports": "first Int, after String, filter ExportFilter",
		"Account.usage":         "filter UsageFilter!, groupBy [UsageDimension!]!, interval UsageInterval, timeZone String",
		"Account.conversations": "first Int, after String, filter ConversationFilter",
		"Agent.conversations":   "first Int, after String, filter ConversationFilter",
		"Conversation.turns":    "first Int, after String, last Int, before String"} {
		typeName, fieldName, _ := strings.Cut(field, ".")
		for want := range strings.SplitSeq(arguments, ", ") {
			name, typ, _ := strings.Cut(want, " ")
			if a := schema.Types[typeName].Fields.ForName(fieldName).Arguments.ForName(name); a == nil || a.Type.String() != typ {
				t.Errorf("%s(%s) is not a %s", field, name, typ)
			}
		}
	}
	for name := range schema.Types {
		if slices.Contains([]string{"PasswordHash", "RefreshToken", "Any", "JSON"}, name) {
			t.Errorf("type %s", name)
		}
	}
}

package graph

import (
	"slices"

	"agentchat/internal/account"
	"agentchat/internal/auth"
)

// access is the requirement of a field or a type for its caller: a permission, which roles have, or
// one of the three values that no role has. The zero value is the strictest permission.
type access int

const (
	// administer changes the account, its members and its tokens.
	administer access = iota
	// read reads what belongs to the account.
	read
	// edit changes agents, knowledge sources, exports and keys, and manages conversations and end
	// users.
	edit
	// self is for signed-in users, about themselves, whatever the account and the role.
	self
	// anyone requires nothing.
	anyone
	// anyoneOrSelf requires nothing, but a caller who sends a token acts as that user, so the token
	// must be valid.
	anyoneOrSelf
)

// permissions lists what each role may do. A refusal names the first role that would do. An unknown
// role may do nothing.
var permissions = []struct {
	role account.Role
	may  []access
}{
	{account.Viewer, []access{read}},
	{account.Editor, []access{read, edit}},
	{account.Owner, []access{read, edit, administer}},
}

// rule is the access rule of a root field, of a type that node finds, or of a field that its
// resolver checks. The zero value is the strictest rule.
type rule struct {
	access access
	// noTokens is the message that refuses an account token, whatever its role; empty allows tokens.
	noTokens string
	// beforeSecondFactor allows the field to a user who must set up a second factor first.
	beforeSecondFactor bool
	// withoutAccount allows the field to a user without an account.
	withoutAccount bool
	// reauthentication reports whether a mutation requires recent reauthentication; nil means always.
	reauthentication func(p *auth.Principal, input map[string]any) bool
	// once is the message that refuses a request with several of the fields that share it; empty for
	// no limit.
	once string
	// postOnly refuses a query by GET: its argument is the token of a link, and proxies log URLs.
	postOnly bool
}

// Messages that refuse an account token.
const (
	usersOnly     = "Only a signed-in user can do this. An account token can’t."
	noRunDeletion = "An account token can’t delete test runs. It can stop them."
	noPlayground  = "An account token can’t use Try. Send messages with the key of an API export."
)

// Messages that refuse a request with more than one expensive field: one that tests a guess or
// hashes a password, calls a model, checks a reply again and again, or splits and indexes texts.
const (
	oneGuess   = "A request may check only one password, code or link."
	oneMessage = "A request may send only one test message."
	oneExample = "A request may make up only one reply."
	oneSchema  = "A request may list the notes of only one schema."
	oneText    = "A request may add only one text."
	oneAgent   = "A request may copy or import only one agent."
	oneSearch  = "A request may search knowledge only once."
	oneRun     = "A request may start, or price, only one test run."
	oneImport  = "A request may import only one file of test cases."
)

// operations holds the access rules: by root field, by type that node finds, and by field that its
// resolver checks. What is missing requires an owner who has reauthenticated recently. A mutation's
// name is also its action in the audit trail.
var operations = map[string]rule{
	"Query.__typename":        {access: anyone},
	"Mutation.__typename":     {access: anyone},
	"Subscription.__typename": {access: anyone},

	"Query.serviceInfo":             {access: anyone},
	"Query.passwordReset":           {access: anyone, postOnly: true},
	"Query.invitation":              {access: anyoneOrSelf, postOnly: true},
	"Mutation.signUp":               {access: anyone, once: oneGuess},
	"Mutation.signIn":               {access: anyone, once: oneGuess},
	"Mutation.renewAccess":          {access: anyone},
	"Mutation.signOut":              {access: anyone},
	"Mutation.requestPasswordReset": {access: anyone},
	"Mutation.resetPassword":        {access: anyone, once: oneGuess},
	"Mutation.undoEmailChange":      {access: anyone},
	"Mutation.verifyEmail":          {access: anyoneOrSelf, once: oneGuess, beforeSecondFactor: true},
	"Mutation.acceptInvitation":     {access: anyoneOrSelf, once: oneGuess},

	// Without reauthentication are those that check a password or a code themselves, as deleteAccount
	// does, and three that do no harm: createAccount, updateUser, and requestEmailVerification, which
	// sends mail to the user's own address alone.
	"Query.me": {access: self, beforeSecondFactor: true},
	"Mutation.confirmPassword": {
		access:             self,
		beforeSecondFactor: true,
		reauthentication:   never,
		once:               oneGuess,
	},
	"Mutation.changePassword":           {access: self, reauthentication: never, once: oneGuess},
	"Mutation.changeEmail":              {access: self, reauthentication: never, once: oneGuess},
	"Mutation.requestEmailVerification": {access: self, reauthentication: never},
	"Mutation.removeSecondFactor":       {access: self, reauthentication: never, once: oneGuess},
	"Mutation.renewRecoveryCodes":       {access: self, reauthentication: never, once: oneGuess},
	"Mutation.createAccount":            {access: self, reauthentication: never},
	"Mutation.updateUser":               {access: self, reauthentication: never},

	"Mutation.startSecondFactor":   {access: self, beforeSecondFactor: true},
	"Mutation.confirmSecondFactor": {access: self, once: oneGuess, beforeSecondFactor: true},
	"Mutation.signOutEverywhere":   {access: self},
	"Mutation.endSignIn":           {access: self, reauthentication: forOtherSignIn},

	"Query.viewer":          {access: read, withoutAccount: true},
	"Query.agents":          {access: read},
	"Query.agent":           {access: read},
	"Query.exampleReply":    {access: read, once: oneExample},
	"Query.schemaNotes":     {access: read, once: oneSchema},
	"Query.conversation":    {access: read},
	"Query.searchKnowledge": {access: read, once: oneSearch},
	"Query.models":          {access: read},
	"Query.node":            {access: read},
	"Query.request":         {access: read},
	"Mutation.leaveAccount": {access: read, noTokens: usersOnly},

	"Mutation.createAgent":         {access: edit, reauthentication: never},
	"Mutation.duplicateAgent":      {access: edit, reauthentication: never, once: oneAgent},
	"Mutation.importAgent":         {access: edit, reauthentication: never, once: oneAgent},
	"Mutation.updateAgent":         {access: edit, reauthentication: never},
	"Mutation.publishAgent":        {access: edit, reauthentication: never},
	"Mutation.discardAgentChanges": {access: edit, reauthentication: never},
	"Mutation.restoreAgentVersion": {access: edit, reauthentication: never},
	"Mutation.unpublishAgent":      {access: edit, reauthentication: never},
	"Mutation.deleteAgent":         {access: edit, reauthentication: never},

	"Mutation.addKnowledgeText":       {access: edit, reauthentication: never, once: oneText},
	"Mutation.addKnowledgeAnswer":     {access: edit, reauthentication: never},
	"Mutation.importKnowledgeAnswers": {access: edit, reauthentication: never, once: oneText},
	"Mutation.addKnowledgeFile":       {access: edit, reauthentication: never, once: oneText},
	"Mutation.retryKnowledgeSource":   {access: edit, reauthentication: never},
	"Mutation.replaceKnowledgeSource": {access: edit, reauthentication: never, once: oneText},
	"Mutation.removeKnowledgeSource":  {access: edit, reauthentication: never},
	"Mutation.deleteKnowledgeSource":  {access: edit, reauthentication: never},
	"Mutation.deleteUnusedKnowledge":  {access: edit, reauthentication: never},

	"Query.testCase":              {access: read},
	"Query.testCaseFrom":          {access: read},
	"Mutation.createTestCase":     {access: edit, reauthentication: never},
	"Mutation.updateTestCase":     {access: edit, reauthentication: never},
	"Mutation.deleteTestCases":    {access: edit, reauthentication: never},
	"Mutation.importTestCases":    {access: edit, reauthentication: never, once: oneImport},
	"Query.testRun":               {access: read},
	"Query.testRunPrice":          {access: read, once: oneRun},
	"Mutation.startTestRun":       {access: edit, reauthentication: never, once: oneRun},
	"Mutation.stopTestRun":        {access: edit, reauthentication: never},
	"Mutation.deleteTestRun":      {access: edit, reauthentication: never, noTokens: noRunDeletion},
	"Mutation.updateTestSettings": {access: administer, reauthentication: never, noTokens: usersOnly},

	"Mutation.createApiExport": {access: edit},
	"Mutation.updateApiExport": {access: edit, reauthentication: never},
	"Mutation.pauseApiExport":  {access: edit, reauthentication: never},
	"Mutation.resumeApiExport": {access: edit, reauthentication: never},
	"Mutation.removeApiExport": {access: edit},
	"Mutation.replaceApiKey":   {access: edit},
	"Mutation.stopApiKey":      {access: edit},
	"Mutation.setApiKeyStop":   {access: edit},

	"Mutation.sendTestMessage": {
		access:           edit,
		reauthentication: never,
		once:             oneMessage,
		noTokens:         noPlayground,
	},
	"Subscription.testMessage":     {access: edit, once: oneMessage, noTokens: noPlayground},
	"Mutation.deleteConversation":  {access: edit, reauthentication: never},
	"Mutation.deleteConversations": {access: edit, reauthentication: never},
	"Mutation.rateTurn":            {access: edit, reauthentication: never},
	"Mutation.deleteEndUser":       {access: edit, reauthentication: never},
	"Mutation.setEndUserLimit":     {access: edit, reauthentication: never},
	"Mutation.blockEndUser":        {access: edit, reauthentication: never},
	"Mutation.unblockEndUser":      {access: edit, reauthentication: never},

	"Mutation.updateAccount":         {access: administer, reauthentication: forSecondFactorRule},
	"Mutation.createAccountDownload": {access: administer},
	"Mutation.deleteAccount":         {access: administer, reauthentication: never, once: oneGuess},
	"Mutation.inviteMember":          {access: administer},
	"Mutation.renewInvitation":       {access: administer},
	"Mutation.revokeInvitation":      {access: administer},
	"Mutation.setMemberRole":         {access: administer},
	"Mutation.removeMember":          {access: administer},
	"Mutation.createAccountToken":    {access: administer},
	"Mutation.removeAccountToken":    {access: administer},

	"Mutation.createWebhook":        {access: administer},
	"Mutation.updateWebhook":        {access: administer},
	"Mutation.rotateWebhookSecret":  {access: administer},
	"Mutation.deleteWebhook":        {access: administer},
	"Mutation.testWebhook":          {access: edit, reauthentication: never},
	"Mutation.retryWebhookDelivery": {access: edit, reauthentication: never},

	// Types that node finds. AuditEntry covers the user's own entries; those of the account
	// require Account.auditLog.
	"Account":         {access: read},
	"AccountToken":    {access: administer},
	"Agent":           {access: read},
	"AgentVersion":    {access: read},
	"ApiExport":       {access: read},
	"ApiKey":          {access: read},
	"AuditEntry":      {access: read},
	"Conversation":    {access: read},
	"CreditEntry":     {access: read},
	"Invitation":      {access: administer},
	"KnowledgeSource": {access: read},
	"Request":         {access: read},
	"SignIn":          {access: read},
	"TestCase":        {access: read},
	"TestRun":         {access: read},
	"Turn":            {access: read},
	"User":            {access: read},
	"Webhook":         {access: edit},
	"WebhookDelivery": {access: edit},

	// Fields that their resolvers check.
	"Account.accountTokens":    {access: administer},
	"Account.auditLog":         {access: administer},
	"Account.invitations":      {access: administer},
	"Account.retentionPreview": {access: administer},
	"Account.topUpUrl":         {access: edit},
	"Account.webhooks":         {access: edit},
}

func never(*auth.Principal, map[string]any) bool { return false }

// forOtherSignIn requires reauthentication to end another sign-in. Ending the caller's own is
// signing out.
func forOtherSignIn(p *auth.Principal, input map[string]any) bool {
	return input["id"] != p.SignInID.String()
}

// forSecondFactorRule requires reauthentication to change the account's rule on second factors, but
// not its other settings. For a shorter retention, the resolver requires it, because that depends on
// the stored retention.
func forSecondFactorRule(_ *auth.Principal, input map[string]any) bool {
	return input["requireSecondFactor"] != nil
}

// public reports whether the field needs no access token.
func (r rule) public() bool { return r.access == anyone || r.access == anyoneOrSelf }

// oneself reports whether the field is about the signed-in user alone: the account and the role do
// not matter.
func (r rule) oneself() bool { return r.access == self || r.access == anyoneOrSelf }

// allows reports whether a role satisfies the rule.
func (r rule) allows(role account.Role) bool {
	for _, each := range permissions {
		if each.role == role {
			return slices.Contains(each.may, r.access)
		}
	}
	return false
}

// leastRole returns the first role that satisfies the rule.
func (r rule) leastRole() account.Role {
	for _, each := range permissions {
		if slices.Contains(each.may, r.access) {
			return each.role
		}
	}
	return account.Owner
}

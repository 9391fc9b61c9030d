package graph_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"agentchat/internal/store"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/storetest"
)

// leaves describes the audit entry of a mutation.
type leaves struct {
	// to is the subject: a noun of ids, "account", "user", or "new" for a new object; empty for no
	// entry.
	to string
	// before is a mutation that runs first, with $id for the noun in of.
	before, of string
	// with holds values at some paths; again means that a repetition is another change.
	with  map[string]any
	again bool
}

const (
	edit   = `mutation($id: ID!) { updateAgent(input: {id: $id, instructions: "edited"}) { agent { id } } }`
	person = `mutation { blockEndUser(input: {userId: "A-userId"}) { endUser { blocked } } }`
	// unused removes a source from the draft; once that is published, only version 1 has the source.
	unused = `mutation($id: ID!) { removeKnowledgeSource(input: {id: $id}) { agent { id } } }`
)

// trails lists all mutations of the schema.
var trails = map[string]leaves{
	"updateAccount": {to: "account"}, "deleteAccount": {to: "account"},
	"createAccountDownload": {to: "account", again: true},
	"createAgent":           {to: "new", again: true}, "duplicateAgent": {to: "new", again: true},
	"importAgent": {to: "new", again: true},
	"updateAgent": {to: "agent"}, "publishAgent": {to: "agent", before: edit, of: "agent"},
	"discardAgentChanges": {to: "agent", before: edit, of: "agent"},
	"restoreAgentVersion": {to: "agent", before: edit, of: "agent"}, "unpublishAgent": {to: "agent"},
	"deleteAgent":      {to: "agent"},
	"addKnowledgeText": {to: "new"}, "addKnowledgeAnswer": {to: "new"}, "addKnowledgeFile": {to: "new", again: true},
	"importKnowledgeAnswers": {to: "agent"},
	"retryKnowledgeSource":   {to: "knowledgesource"}, "replaceKnowledgeSource": {to: "knowledgesource"},
	"removeKnowledgeSource": {to: "knowledgesource"}, "deleteKnowledgeSource": {to: "knowledgesource"},
	"deleteUnusedKnowledge": {to: "agent", before: unused, of: "knowledgesource"},
	"createApiExport":       {to: "new", again: true}, "updateApiExport": {to: "export"}, "pauseApiExport": {to: "export"},
	"resumeApiExport": {to: "export", before: `mutation($id: ID!) { pauseApiExport(input: {id: $id}) {
		export { state } } }`, of: "export"},
	"removeApiExport": {to: "export"}, "replaceApiKey": {to: "export", again: true}, "stopApiKey": {to: "key"},
	"setApiKeyStop": {to: "key", with: map[string]any{"input.stopsAt": time.Now().Add(
		2 * time.Hour).Format(time.RFC3339)}},
	"deleteConversation": {to: "conversation"}, "deleteConversations": {to: "account",
		with: map[string]any{"input.sessionId": "customer"}},
	"deleteEndUser":   {to: "account", before: person, with: map[string]any{"input.agentId": nil}},
	"setEndUserLimit": {to: "account"}, "blockEndUser": {to: "account"}, "unblockEndUser": {to: "account", before: person},

	"createTestCase": {to: "new", again: true}, "updateTestCase": {to: "new"}, "deleteTestCases": {to: "agent"},
	"importTestCases": {to: "agent", again: true}, "updateTestSettings": {to: "agent"},
	"startTestRun": {to: "new", again: true}, "stopTestRun": {to: "testrun"}, "deleteTestRun": {to: "testrun"},

	"inviteMember": {to: "new", again: true}, "renewInvitation": {to: "invitation", again: true},
	"revokeInvitation": {to: "invitation"},
	"acceptInvitation": {to: "new"}, "setMemberRole": {to: "member", with: map[string]any{"input.role": "VIEWER"}},
	"removeMember": {to: "member"}, "leaveAccount": {to: "user"}, "createAccount": {to: "new", again: true},
	"createAccountToken": {to: "new", again: true}, "removeAccountToken": {to: "accounttoken"},
	"updateUser": {to: "user"}, "createWebhook": {to: "new", again: true}, "updateWebhook": {to: "webhook"}, "deleteWebhook": {to: "webhook"},
	"rateTurn":            {to: "turn"},
	"rotateWebhookSecret": {to: "webhook", again: true}, "testWebhook": {to: "webhook", again: true},
	"retryWebhookDelivery": {to: "webhook", again: true},

	"changePassword": {to: "user", again: true}, "verifyEmail": {to: "user"}, "undoEmailChange": {
		to: "user"}, "resetPassword": {to: "user"},
	"confirmSecondFactor": {to: "user"}, "removeSecondFactor": {to: "user"}, "renewRecoveryCodes": {to: "user", again: true},
	"signIn": {to: "new", again: true}, "signOut": {to: "new"}, "signOutEverywhere": {to: "user"}, "endSignIn": {to: "signin"},

	// They only mail a link; using the link is the change.
	"signUp": {}, "requestEmailVerification": {}, "requestPasswordReset": {}, "changeEmail": {to: "user", again: true},
	"startSecondFactor": {}, "renewAccess": {}, "confirmPassword": {}, "sendTestMessage": {},
}

// TestEachMutationLeavesOneEntry: each change is in the trail once, with its author; a repetition
// without a change is not. A refused mutation leaves no entry: see TestOperationsOverHTTP. No entry
// contains a secret, a text or an end user's id.
func TestEachMutationLeavesOneEntry(t *testing.T) {
	t.Parallel()
	b := newBench(t, mailed)
	schema := parsed(t)
	t.Run("each", func(t *testing.T) {
		for i, o := range operations(schema) {
			want, listed := trails[o.field.Name]
			if o.kind != "mutation" {
				continue
			}
			if !listed {
				t.Errorf("%s: say in trails what it leaves", o.field.Name)
				continue
			}
			t.Run(o.field.Name, func(t *testing.T) {
				t.Parallel()
				h := &hostile{filler{t: t, schema: schema, found: map[string]string{}}, nil, rand.New(rand.NewPCG(1, uint64(i)))}
				h.u = signedIn(t, b)
				h.leave(asking{operation: o, name: o.field.Name}, want)
			})
		}
	})
	for _, marker := range []string{password, "A-userId", "A-text", "A-name", "customer", "example.com",
		"agc_", "argon2"} {
		if left := storetest.Traces(t, b.store, marker); left["audit_entries"] > 0 {
			t.Errorf("%d entries hold %q", left["audit_entries"], marker)
		}
	}
}

func (h *hostile) leave(f asking, want leaves) {
	t, b := h.t, h.u.b
	h.u = &user{b: b}
	h.renew(f)
	if want.before != "" {
		h.u.do(t, want.before, vars{"id": h.owned[want.of]}).wantNone(t, "before")
	}
	if want.before == unused {
		h.u.do(t, publish, vars{"id": h.owned["agent"]}).wantNone(t, "publish")
	}
	with := map[string]any{}
	for path, value := range want.with {
		with[path] = value
	}
	if input := f.field.Arguments.ForName("input"); input != nil &&
		h.schema.Types[input.Type.Name()].Fields.ForName("token") != nil {
		with["input.token"] = h.fill(f.name, "input.token", "token", ast.NonNullNamedType("String", nil), nil)
	}
	for turn, n := range []int{1, 0} {
		if want.to == "" {
			n = 0
		}
		seen := h.entries()
		a := h.send(f, with)
		if turn == 0 && f.name != "renewAccess" {
			a.wantNone(t, f.name)
		}
		got := slices.DeleteFunc(h.entries(), func(e entry) bool { return slices.Contains(seen, e) })
		if len(got) != n {
			t.Fatalf("%s, time %d: %d entries, want %d: %v", f.name, turn+1, len(got), n, got)
		}
		for _, e := range got {
			h.check(e, f.name, want.to)
		}
		if want.again { // codes and sign-ins may be used up
			return
		}
	}
}

// send sends the mutation with valid values, and those at the paths.
func (h *hostile) send(f asking, with map[string]any) answer {
	if len(f.field.Arguments) == 0 {
		return h.u.b.do(h.t, call{query: f.document(h.schema), token: h.u.token, cookies: h.u.cookies})
	}
	if files[f.name] != "" {
		return h.u.do(h.t, f.document(h.schema), h.arguments(f.operation))
	}
	return h.ask(f, with)
}

// entry is a row of the audit trail.
type entry struct{ id, trail, actor, actorID, action, subject, fields, from, operator string }

// entries returns the entries of the user and of the user's accounts, without those of operators,
// which prepare the test.
func (h *hostile) entries() (out []entry) {
	h.t.Helper()
	rows, err := h.u.b.store.SQL().QueryContext(h.t.Context(),
		`SELECT id, coalesce(account_id, user_id), actor, coalesce(actor_id::text, ''), action, subject,
			array_to_string(fields, ' '), address || ' ' || browser, operator
		FROM audit_entries WHERE (account_id = $1 OR user_id = $2
			OR account_id IN (SELECT m.account_id FROM memberships m WHERE m.user_id = $2)) AND actor <>
			'OPERATOR'`, h.u.account.ID, h.u.account.OwnerID)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var e entry
		if err := rows.Scan(&e.id, &e.trail, &e.actor, &e.actorID, &e.action, &e.subject, &e.fields,
			&e.from, &e.operator); err != nil {
			h.t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// check checks the author and the subject of an entry, and that it contains nothing but names of
// fields, ids, and the test's address and program.
func (h *hostile) check(e entry, action, to string) {
	h.t.Helper()
	account, me := h.u.account.ID.String(), h.u.account.OwnerID.String()
	subject := map[string]string{"account": account, "user": me}[to]
	if id, ok := h.owned[to]; ok {
		subject = id.String()
	}
	actor := me
	if e.trail == me { // in one's own trail it is oneself
		actor = ""
	}
	if e.action != action || e.actor != "USER" || e.actorID != actor || to != "new" &&
		e.subject != subject || uuid.Validate(e.subject) != nil {
		h.t.Errorf("%+v, want it to be done to %s %s", e, to, subject)
	}
	if !namesOnly.MatchString(e.fields) || e.from != "127.0.0.1 Go-http-client/1.1" || e.operator != "" {
		h.t.Errorf("an entry holds more than it should: %+v", e)
	}
}

var namesOnly = regexp.MustCompile(`^[A-Za-z ]*$`)

// TestFieldsOfEntries: entries name the changed fields, and an hour of saves of a draft has one
// entry for each user.
func TestFieldsOfEntries(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, colleague := signedIn(t, b), signedIn(t, b)
	mine := u.world(t)
	colleague.join(t, u, "EDITOR")
	for _, name := range []string{"Ada", "Grace"} { // the first changes nothing
		u.do(t, `mutation($name: String!) { updateAccount(input: {name: $name,
			requireSecondFactor: false}) { account { id } } }`, vars{"name": name}).wantNone(t, name)
	}
	for _, limit := range []any{5, 5, nil} {
		u.do(t, updateExport, vars{"input": vars{"id": mine["export"], "name": "Website",
			"dailyCreditLimit": limit}}).wantNone(t, "an export")
	}
	for i := range 3 {
		save := func(text string) vars {
			return vars{"input": vars{"id": mine["agent"], "instructions": text}}
		}
		u.do(t, updateAgent, save(fmt.Sprint(i))).wantNone(t, "a save")
		colleague.in(t, u, updateAgent, save(fmt.Sprint("theirs ", i))).wantNone(t, "a colleague's save")
	}
	page, err := audit.On(b.store).Page(t.Context(), u.account.ID, audit.Query{First: store.MaxPage})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range slices.Backward(page.Items) {
		if strings.HasPrefix(e.Action, "update") {
			got = append(got, strings.TrimSpace(e.Action+" "+strings.Join(e.Fields, " ")))
		}
	}
	want := []string{"updateAccount name", "updateApiExport name dailyCreditLimit",
		"updateApiExport dailyCreditLimit", "updateAgent", "updateAgent"}
	if !slices.Equal(got, want) && time.Now().Minute() > 0 { // an hour may have ended meanwhile
		t.Errorf("%q, want %q", got, want)
	}
}

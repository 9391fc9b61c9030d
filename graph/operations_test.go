package graph_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"agentchat/graph"
	"agentchat/internal/account"
	"agentchat/internal/apikey"
	"agentchat/internal/store/conversations"
)

func jsonNumber(text string) json.Number { return json.Number(text) }

// parsed returns the schema that `agentchat schema` prints.
func parsed(t *testing.T) *ast.Schema {
	t.Helper()
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: "schema", Input: graph.Schema("0.2.0")})
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// operation is one root field of the schema.
type operation struct {
	kind  string // query, mutation or subscription
	field *ast.FieldDefinition
}

// root returns the type of the field.
func (o operation) root() string { return strings.ToUpper(o.kind[:1]) + o.kind[1:] }

// name returns the name of the field in the access rules.
func (o operation) name() string { return o.root() + "." + o.field.Name }

func operations(schema *ast.Schema) (out []operation) {
	for kind, root := range map[string]*ast.Definition{"query": schema.Query, "mutation": schema.Mutation,
		"subscription": schema.Subscription} {
		for _, field := range root.Fields {
			if !strings.HasPrefix(field.Name, "__") {
				out = append(out, operation{kind, field})
			}
		}
	}
	slices.SortFunc(out, func(a, b operation) int { return strings.Compare(a.field.Name, b.field.Name) })
	return out
}

// public lists the operations that need no access token, as in the contract.
var public = []string{"signUp", "signIn", "renewAccess", "signOut", "serviceInfo", "passwordReset", "requestPasswordReset",
	"resetPassword", "verifyEmail", "undoEmailChange", "invitation", "acceptInvitation"}

func (o operation) public() bool { return slices.Contains(public, o.field.Name) }

// document selects every field of the response, with connections and children as deep as the limits
// allow, at most 4.
func (o operation) document(schema *ast.Schema) string {
	for depth := 4; ; depth-- {
		if text := o.documentTo(schema, depth); depth == 1 || graph.Refused(text) == nil {
			return text
		}
	}
}

func (o operation) documentTo(schema *ast.Schema, depth int) string {
	var head, args []string
	for _, a := range o.field.Arguments {
		head = append(head, "$"+a.Name+": "+a.Type.String())
		args = append(args, a.Name+": $"+a.Name)
	}
	text := o.kind
	if head != nil {
		text += "(" + strings.Join(head, ", ") + ")"
	}
	text += " { " + o.field.Name
	if args != nil {
		text += "(" + strings.Join(args, ", ") + ")"
	}
	return text + selection(schema, o.field.Type.Name(), depth) + " }"
}

// required holds the arguments of fields that require some, and small pages of nested lists.
var required = map[string]string{
	"Agent.testCases": `(first: 3)`, "Agent.testRuns": `(first: 3)`, "TestRun.results": `(first: 3)`,
	"TestRun.outcomes": `(first: 3)`, "Agent.version": `(number: 1)`, "Account.endUser": `(userId: "A-userId")`,
	"Account.retentionPreview": `(days: 1)`,
	"Account.usage":            `(filter: {from: "2026-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z"}, groupBy: [AGENT, EXPORT, MODEL, SOURCE, USER, STATUS])`}

func selection(schema *ast.Schema, typeName string, depth int) string {
	def := schema.Types[typeName]
	switch {
	case def == nil:
		return ""
	case def.Kind == ast.Union:
		text := " { __typename"
		for _, member := range def.Types {
			text += " ... on " + member + selection(schema, member, depth-1)
		}
		return text + " }"
	case def.Kind == ast.Interface: // its types' fields differ
		return " { __typename id }"
	case def.Kind != ast.Object:
		return ""
	}
	var fields []string
	for _, f := range def.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		inner := schema.Types[f.Type.Name()]
		switch {
		case inner.Kind != ast.Object:
			fields = append(fields, f.Name+required[typeName+"."+f.Name])
		case depth > 1:
			fields = append(fields, f.Name+required[typeName+"."+f.Name]+selection(schema, f.Type.Name(), depth-1))
		}
	}
	if fields == nil {
		fields = []string{"__typename"}
	}
	return " { " + strings.Join(fields, " ") + " }"
}

// ids are the objects of a world by noun. Names of ID arguments contain the noun.
type ids map[string]uuid.UUID

// noun returns the noun of an ID argument: agentId is the id of an agent; id is that of the
// operation's noun.
func noun(operation, argument string) string {
	name := argument
	if argument == "id" || argument == "ids" {
		name = operation
	}
	name = strings.ToLower(strings.TrimSuffix(name, "Id"))
	switch name {
	case "user":
		return "member"
	case "continuefrom", "turn":
		return "turn"
	case "node": // of all of them
		return "conversation"
	case "discardagentchanges", "restoreagentversion":
		return "agent"
	case "rotatewebhooksecret":
		return "webhook"
	case "cases", "deletetestcases":
		return "testcase"
	case "against":
		return "testrun"
	}
	for _, noun := range []string{"accounttoken", "knowledgesource", "export", "signin",
		"conversation", "agent", "request", "key", "invitation", "actor", "webhook", "webhookdelivery",
		"turn", "testcase", "testrun", "judge"} {
		if strings.HasSuffix(name, noun) {
			return noun
		}
	}
	return ""
}

// filler builds the arguments of operations from the schema.
type filler struct {
	t      *testing.T
	schema *ast.Schema
	// owned fills all ID arguments except the one at the path at, which target fills.
	owned, target ids
	at            string
	// found holds the paths of the ID arguments.
	found map[string]string
	// code is a code of the second factor; empty for none.
	code string
}

// arguments fills every argument, with the ID at the path from target and all other IDs from owned.
func (f *filler) arguments(o operation) vars {
	out := vars{}
	for _, a := range o.field.Arguments {
		out[a.Name] = f.value(o.field.Name, a.Name, a.Name, a.Type)
	}
	return out
}

// inputs are valid values by field name. Other values are built from the type.
var inputs = map[string]any{"email": "grace@example.com", "newEmail": "hopper@example.com",
	"password": password, "currentPassword": password, "newPassword": password,
	"model": "sandbox/assistant", "fallbackModel": "sandbox/free", "role": "VIEWER", "temperature": 1,
	"state": "DRAFT", "first": 10, "maxOutputTokens": 10, "contextTurns": 10,
	"rateLimitPerMinute": 10, "days": 7, "replySchema": `{"type":"object"}`, "schema": `{"type":"object"}`,
	"parameters": `{"type":"object"}`, "document": `{"message": "A-message"}`,
	"number": 1, "dailyMessageLimit": 10, "expectedUpdatedAt": nil, "expiresAt": nil,
	"oldKeyStopsAt": nil, "stopsAt": time.Now().Add(time.Hour).Format(time.RFC3339), "after": nil,
	"search": nil, "encoding": nil, "url": "https://example.com/A-url", "includeRemoved": true, "offset": 3, "length": 10}

// files are valid files by operation.
var files = map[string]string{"addKnowledgeFile": "a", "importKnowledgeAnswers": "A-question,A-answer",
	"importAgent": `{"name": "Shop", "instructions": "A-text"}`, "importTestCases": "message\nA-message"}

// leftOut reports fields that stay null: the agents of a world declare no variables and get
// messages, and their source is a text.
func leftOut(operation, name string) bool {
	return name == "variables" || name == "actionResults" || operation == "replaceKnowledgeSource" &&
		(name == "questions" || name == "answer")
}

func (f *filler) value(operation, path, name string, typ *ast.Type) any {
	if leftOut(operation, name) {
		return nil
	}
	if typ.Elem != nil {
		return []any{f.value(operation, path, name, typ.Elem)}
	}
	if typ.NamedType == "ID" {
		kind := noun(operation, name)
		if _, ok := f.owned[kind]; !ok {
			f.t.Errorf("%s: this test has no way to fill the ID %s: teach noun() and the world of it", operation, path)
			return uuid.NewString()
		}
		f.found[path] = kind
		if path == f.at {
			return f.target[kind]
		}
		return f.owned[kind]
	}
	if name == "name" && strings.Contains(path, "actions") {
		return "order_status"
	}
	if typ.NamedType == "Upload" && typ.NonNull {
		return fileContent(files[operation])
	}
	if value, ok := inputs[name]; ok {
		return value
	}
	if name == "code" && f.code != "" {
		return f.code
	}
	def := f.schema.Types[typ.NamedType]
	switch {
	case def.Kind == ast.InputObject:
		out := vars{}
		for _, field := range def.Fields {
			out[field.Name] = f.value(operation, path+"."+field.Name, field.Name, field.Type)
		}
		return out
	case def.Kind == ast.Enum:
		return def.EnumValues[0].Name
	case typ.NamedType == "Boolean" && typ.NonNull:
		return true
	case typ.NamedType == "String":
		return "A-" + name // valid for every text: names, labels, messages, idempotency keys
	case !typ.NonNull:
		return nil
	}
	f.t.Fatalf("%s: no value for %s of type %s", operation, path, typ)
	return nil
}

// world creates one object of each noun in the account.
func (u *user) world(t *testing.T) ids {
	t.Helper()
	agent := u.do(t, createAgent, vars{"input": vars{"name": "Shop", "instructions": "i", "model": "sandbox/assistant"}}).
		id(t, "createAgent.agent.id")
	source := u.know(t, agent, "Returns", "Returns are free for 30 days.")
	u.do(t, publish, vars{"id": agent}).wantNone(t, "publish")
	exported := u.do(t, createExport, vars{"input": vars{"agentId": agent}})
	export := exported.id(t, "createApiExport.export.id")
	keyed := u.do(t, createExport, vars{"input": vars{"agentId": agent}}).id(t, "createApiExport.export.id")
	replaced := u.do(t, replaceKey, vars{"input": vars{"exportId": keyed, "oldKeyStopsAt": inputs["stopsAt"]}})
	tried := u.try(t, agent, "customer", "hello")
	u.again(t) // one more sign-in, which others may try to end
	list := u.do(t, `{ viewer { signIns { id current } } }`, nil)
	out := ids{"agent": agent, "export": export, "keyed": keyed, "key": replaced.id(t, "replaceApiKey.export.keys.1.id"),
		"conversation": tried.Conversation, "turn": tried.Turn, "knowledgesource": source,
		"member": u.colleague(t), "invitation": u.invite(t, uuid.NewString()+"@example.com",
			account.Viewer).id(t, "inviteMember.invitation.id"),
		"actor": u.account.OwnerID,
		"accounttoken": u.do(t, createToken, vars{"input": vars{"name": "Night job",
			"role": "VIEWER"}}).id(t, "createAccountToken.accountToken.id")}
	for i := range list.list("viewer.signIns") {
		if at := fmt.Sprintf("viewer.signIns.%d.", i); list.get(at+"current") == false {
			out["signin"] = list.id(t, at+"id")
		}
	}
	key, _ := apikey.Parse(exported.text(t, "createApiExport.apiKey"))
	u.refuse(t, &key, func(c *conversations.RejectedRequest) { c.Code, c.Detail, c.Status = "", "", http.StatusOK })
	out["creditentry"] = u.do(t, `{ viewer { creditHistory { nodes { id } } } }`, nil).id(t, "viewer.creditHistory.nodes.0.id")
	out["webhook"], out["webhookdelivery"] = u.webhook(t)
	out["judge"] = u.do(t, createAgent, vars{"input": vars{"name": "Judge"}}).id(t, "createAgent.agent.id")
	out["testcase"] = u.testCase(t, agent, `{"message": "hello"}`)
	out["testrun"] = u.do(t, `mutation($id: ID!) { startTestRun(input: {agentId: $id}) { testRun { id } } }`,
		vars{"id": agent}).id(t, "startTestRun.testRun.id")
	out["account"] = u.account.ID
	out["agentversion"] = u.do(t, `query($id: ID!) { agent(id: $id) { version(number: 1) { id } } }`,
		vars{"id": agent}).id(t, "agent.version.id")
	out["request"] = u.do(t, `{ viewer { requests { nodes { id } } } }`, nil).id(t, "viewer.requests.nodes.0.id")
	return out
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

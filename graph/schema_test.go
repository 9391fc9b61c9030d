package graph_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

// ours returns the definitions that are not GraphQL's own.
func ours(schema *ast.Schema) (out []*ast.Definition) {
	for _, name := range sorted(schema.Types) {
		if def := schema.Types[name]; !def.BuiltIn && !strings.HasPrefix(name, "__") {
			out = append(out, def)
		}
	}
	return out
}

// descriptions returns the descriptions of all types, fields, arguments and values by their names.
func descriptions(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, def := range ours(parsed(t)) {
		out[def.Name] = def.Description
		for _, f := range def.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			out[def.Name+"."+f.Name] = f.Description
			for _, a := range f.Arguments {
				out[def.Name+"."+f.Name+"."+a.Name] = a.Description
			}
		}
		for _, v := range def.EnumValues {
			out[def.Name+"."+v.Name] = v.Description
		}
	}
	return out
}

func TestEverythingInTheSchemaIsDescribed(t *testing.T) {
	t.Parallel()
	all := descriptions(t)
	for name, description := range all {
		if len(description) < 3 || !strings.HasSuffix(description, ".") {
			t.Errorf("%s: no description: %q", name, description)
		}
	}
	if len(all) < 150 {
		t.Errorf("%d descriptions: the walk missed something", len(all))
	}
}

// TestOwnersSeeNoCosts tests that no name in the schema is about the operator's costs. The panel reads only
// this schema.
func TestOwnersSeeNoCosts(t *testing.T) {
	t.Parallel()
	hidden := regexp.MustCompile(`(?i)cost|cached|margin|revenue|nano`)
	for name := range descriptions(t) {
		if hidden.MatchString(name) {
			t.Errorf("%s shows a cost", name)
		}
	}
}

func TestMutationsAreNamedAlike(t *testing.T) {
	t.Parallel()
	schema := parsed(t)
	for _, f := range schema.Mutation.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		noun := strings.ToUpper(f.Name[:1]) + f.Name[1:]
		if f.Type.String() != noun+"Payload!" {
			t.Errorf("%s answers with %s", f.Name, f.Type)
		}
		switch {
		case len(f.Arguments) == 0:
			if schema.Types[noun+"Input"] != nil {
				t.Errorf("%s has an input that it does not take", f.Name)
			}
		case len(f.Arguments) > 1 || f.Arguments[0].Name != "input" || f.Arguments[0].Type.String() != noun+"Input!":
			t.Errorf("%s takes %v", f.Name, f.Arguments)
		}
	}
}

// counted lists the connections with a totalCount: those of lists with a limit.
var counted = []string{"AgentConnection", "AgentVersionConnection", "ApiExportConnection", "KnowledgeSourceConnection"}

// Every connection documents and enforces its page size.
func TestConnectionsAreCapped(t *testing.T) {
	t.Parallel()
	schema := parsed(t)
	u := signedIn(t, newBench(t))
	world := u.world(t)
	paths := map[string]string{"Query": "{ %s }", "Account": "{ viewer { %s } }",
		"User": "{ me { %s } }", "Agent": `{ agent(id: "` + world["agent"].String() + `") { %s } }`,
		"Conversation": `{ conversation(id: "` + world["conversation"].String() + `") { %s } }`,
		"TestRun":      `{ testRun(id: "` + world["testrun"].String() + `") { %s } }`,
		"Webhook":      `{ node(id: "` + world["webhook"].String() + `") { ... on Webhook { %s } } }`}
	connections := 0
	for _, def := range ours(schema) {
		for _, f := range def.Fields {
			if !strings.HasSuffix(f.Type.Name(), "Connection") {
				continue
			}
			connections++
			first := f.Arguments.ForName("first")
			if first == nil || !strings.Contains(first.Description, "1 to 100; 20 by default") ||
				f.Arguments.ForName("after") == nil {
				t.Errorf("%s.%s: first is not documented as 1 to 100", def.Name, f.Name)
				continue
			}
			path := paths[def.Name]
			if path == "" {
				t.Errorf("%s.%s: this test does not know how to reach it", def.Name, f.Name)
				continue
			}
			for _, n := range []int{-1, 0, 101, 1<<31 - 1} {
				u.do(t, fmt.Sprintf(path, fmt.Sprintf("%s(first: %d) { pageInfo { endCursor } }", f.Name, n)), nil).
					wantFields(t, fmt.Sprintf("%s.%s(first: %d)", def.Name, f.Name, n), "first out_of_range")
			}
			parts := schema.Types[f.Type.Name()].Fields
			if (parts.ForName("totalCount") != nil) != slices.Contains(counted, f.Type.Name()) {
				t.Errorf("%s: totalCount is %v", f.Type.Name(), parts.ForName("totalCount"))
			}
			if parts.ForName("edges") == nil || parts.ForName("nodes") == nil ||
				parts.ForName("pageInfo") == nil {
				t.Errorf("%s has no edges, nodes or pageInfo", f.Type.Name())
			}
		}
	}
	if connections == 0 {
		t.Error("no connections were found")
	}
}

var (
	secretName = regexp.MustCompile(`(?i)password|hash|secret|token|refresh|salt|digest|credential|apikey$`)
	// allowed matches names that look like secrets but are not: user input, values that one response
	// shows, and counts of tokens.
	allowed = regexp.MustCompile(
		`^(\w+Input\.(password|currentPassword|newPassword)|(SignUp|SignIn|RenewAccess)Payload\.accessToken|` +
			`(CreateApiExport|ReplaceApiKey)Payload\.apiKey|Mutation\.(changePassword|confirmPassword|replaceApiKey|stopApiKey)|\w+\.(maxOutputTokens|tokenCreditsPerDay)|(Turn|UsageRow)\.(input|output)Tokens|` +
			`(ChangePassword|ConfirmPassword|(Request)?(PasswordReset|ResetPassword))(Input|Payload)|(Query|Mutation)\.(passwordReset|requestPasswordReset|resetPassword)|` +
			`(ResetPassword|VerifyEmail|UndoEmailChange|AcceptInvitation)Input\.token|RemoveMemberInput\.removeTokens|StartSecondFactorPayload\.secret|ApiKey|(Create|Remove)?AccountToken(Input|Payload)?|\w+\.(accountTokens?|(create|remove)AccountToken|removedAccountTokenId)|CreateAccountTokenPayload\.secret|` +
			`(RotateWebhookSecret|CreateWebhook)Payload\.secret|RotateWebhookSecret(Input|Payload)|Mutation\.rotateWebhookSecret|Webhook\.previousSecretUntil|` +
			`Query\.(invitation|passwordReset)\.token|ActorKind\.TOKEN|ErrorCode\.INVALID_CREDENTIALS)$`)
)

func TestNoNameSmellsOfSecrets(t *testing.T) {
	t.Parallel()
	for _, name := range sorted(descriptions(t)) {
		last := name[strings.LastIndex(name, ".")+1:]
		if secretName.MatchString(last) && !allowed.MatchString(name) {
			t.Errorf("%s smells of a secret", name)
		}
	}
}

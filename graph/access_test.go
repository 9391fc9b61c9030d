package graph_test

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"agentchat/graph"
	"agentchat/internal/account"
	"agentchat/internal/auth"
)

var update = flag.Bool("update", false, "write testdata/access.txt")

var (
	activeAccount    = &account.Account{State: account.Active}
	suspendedAccount = &account.Account{State: account.Suspended}
	userID           = uuid.MustParse("01a1fc5b-13c4-7d92-be70-3f5a9bdd38d4")
)

// member returns a caller with a role in the account, who has just reauthenticated.
func member(role account.Role) graph.Caller {
	p := auth.Principal{UserID: userID, SignInID: userID, Role: role, Reauthenticated: true}
	return graph.Caller{Principal: &p, Account: activeAccount}
}

// accountToken returns an account token with a role.
func accountToken(role account.Role) graph.Caller {
	p := auth.Principal{TokenID: userID, Role: role}
	return graph.Caller{Principal: &p, Account: activeAccount}
}

// changed returns a caller that differs.
func changed(c graph.Caller, change func(*graph.Caller)) graph.Caller {
	p := *c.Principal
	c.Principal = &p
	change(&c)
	return c
}

// column is a kind of caller in testdata/access.txt.
type column struct {
	name string
	graph.Caller
}

// columns are the kinds of caller. The last six are owners, and "named" is one of several accounts
// who names the account.
func columns() []column {
	owner := member(account.Owner)
	return []column{
		{"anonymous", graph.Caller{}},
		{"no-role", member("")},
		{"viewer", member(account.Viewer)},
		{"editor", member(account.Editor)},
		{"owner", owner},
		{"viewer's-token", accountToken(account.Viewer)},
		{"editor's-token", accountToken(account.Editor)},
		{"stale", changed(owner, func(c *graph.Caller) { c.Principal.Reauthenticated = false })},
		{"no-factor", changed(owner, func(c *graph.Caller) { c.Principal.NeedsSecondFactor = true })},
		{"no-account", changed(owner, func(c *graph.Caller) { c.Account, c.Principal.Role = nil, "" })},
		{"suspended", changed(owner, func(c *graph.Caller) { c.Account = suspendedAccount })},
		{"unnamed", changed(owner, func(c *graph.Caller) { c.Principal.Several = true })},
		{"named", changed(owner, func(c *graph.Caller) { c.Principal.Several, c.Named = true, true })},
	}
}

// words are short forms of the codes.
var words = map[string]string{
	"":                          "yes",
	"UNAUTHENTICATED":           "sign-in",
	"FORBIDDEN":                 "no",
	"SECOND_FACTOR_REQUIRED":    "factor",
	"REAUTHENTICATION_REQUIRED": "reauth",
	"BAD_USER_INPUT":            "header",
}

// accessTable renders what each kind of caller may do with each field and type.
func accessTable(schema *ast.Schema) string {
	var out strings.Builder
	out.WriteString(fmt.Sprintf("%-44s", "# yes, or the code that refuses"))
	for _, c := range columns() {
		out.WriteString(" " + c.name)
	}
	line := func(name, note string, access func(graph.Caller) string) {
		row := fmt.Sprintf("\n%-44s", name)
		for _, c := range columns() {
			row += fmt.Sprintf(" %-*s", len(c.name), access(c.Caller))
		}
		out.WriteString(strings.TrimRight(row+" "+note, " "))
	}
	for _, o := range append(operations(schema), novelties...) {
		once, postOnly := graph.Limits(o.name())
		note := once
		if postOnly {
			note = "Only by POST."
		}
		for _, input := range append([]variant{{}}, variants[o.field.Name]...) {
			line(o.name()+input.name, note, func(c graph.Caller) string {
				code, _ := c.Access(o.root(), o.field, input.input)
				return words[code]
			})
		}
	}
	types := []string{"NewType", "Account.newField"}
	for _, name := range graph.Rules() {
		root, _, _ := strings.Cut(name, ".")
		if !slices.Contains([]string{"Query", "Mutation", "Subscription"}, root) {
			types = append(types, name)
		}
	}
	for _, name := range types {
		line(name, "", func(c graph.Caller) string {
			if c.Principal == nil || !c.Principal.Reauthenticated && !c.Principal.IsToken() {
				return ""
			}
			code, _ := c.MayUse(name)
			return words[code]
		})
	}
	return out.String() + "\n"
}

// novelties are root fields without a rule.
var novelties = []operation{
	{"query", &ast.FieldDefinition{Name: "newQuery"}},
	{"mutation", &ast.FieldDefinition{Name: "newMutation"}},
	{"subscription", &ast.FieldDefinition{Name: "newSubscription"}},
}

type variant struct {
	name  string
	input map[string]any
}

// variants are inputs on which the rule of a mutation depends.
var variants = map[string][]variant{
	"updateAccount": {{"(requireSecondFactor)", map[string]any{"requireSecondFactor": false}}},
	"endSignIn": {
		{"(its own)", map[string]any{"id": userID.String()}},
		{"(another)", map[string]any{"id": uuid.Max.String()}},
	},
}

// TestAccess compares the access rules with testdata/access.txt, which is reviewed line by line.
// `go test ./graph -run TestAccess -update` writes it.
func TestAccess(t *testing.T) {
	t.Parallel()
	const path = "testdata/access.txt"
	got := accessTable(parsed(t))
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(raw), "\n")
	for line := range strings.SplitSeq(got, "\n") {
		if !slices.Contains(want, line) {
			t.Errorf("not in %s: %s", path, line)
		}
	}
	if len(want) != strings.Count(got, "\n")+1 {
		t.Errorf("%s has %d lines, and the rules make %d", path, len(want), strings.Count(got, "\n")+1)
	}
}

// TestEveryOperationHasARule: also every type that node finds, and no rule is left of a field that
// is gone.
func TestEveryOperationHasARule(t *testing.T) {
	t.Parallel()
	schema := parsed(t)
	rules := graph.Rules()
	for _, o := range operations(schema) {
		if !slices.Contains(rules, o.name()) {
			t.Errorf("%s has no rule in operations.go, so it takes an owner and reauthentication", o.name())
		}
	}
	for _, def := range schema.GetPossibleTypes(schema.Types["Node"]) {
		if !slices.Contains(rules, def.Name) {
			t.Errorf("%s has no rule in operations.go: node finds it for owners alone", def.Name)
		}
	}
	for _, name := range rules {
		typeName, field, isField := strings.Cut(name, ".")
		def := schema.Types[typeName]
		if def == nil || isField && field != "__typename" && def.Fields.ForName(field) == nil {
			t.Errorf("operations.go has a rule for %s, which is not in the schema", name)
		}
	}
}

// TestRefusalsNameTheRemedy: the role that would do, another way, or the header.
func TestRefusalsNameTheRemedy(t *testing.T) {
	t.Parallel()
	schema := parsed(t)
	const wrongRole = "Your role is %s. This needs %s."
	callers := map[string]graph.Caller{}
	for _, c := range columns() {
		callers[c.name] = c.Caller
	}
	for who, c := range map[string]struct{ mutation, want string }{
		"viewer":         {"createAgent", fmt.Sprintf(wrongRole, "VIEWER", "EDITOR")},
		"editor":         {"inviteMember", fmt.Sprintf(wrongRole, "EDITOR", "OWNER")},
		"viewer's-token": {"leaveAccount", "Only a signed-in user can do this."},
		"editor's-token": {"sendTestMessage", "An account token can’t use Try."},
		"no-account":     {"createAgent", "You’re not a member of any account."},
		"suspended":      {"createAgent", "This account is suspended"},
		"unnamed":        {"createAgent", ""},
		"stale":          {"createApiExport", "with confirmPassword, then send this again"},
		"no-factor":      {"createAgent", "startSecondFactor, then confirmSecondFactor"},
	} {
		code, message := callers[who].Access("Mutation", schema.Mutation.Fields.ForName(c.mutation), nil)
		if code == "" || !strings.Contains(message, c.want) {
			t.Errorf("%s, %s: %s %q, want %q", who, c.mutation, code, message, c.want)
		}
	}
}

// TestOperationsOverHTTP: each operation is refused over HTTP as TestAccess says, under its own
// path, and a refusal changes and reveals nothing. Queries that a caller may use are answered.
func TestOperationsOverHTTP(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	schema := parsed(t)
	owner := signedIn(t, b)
	owned := owner.world(t)
	tokens := map[string]string{"anonymous": "", "anonymous, with a stale token": "x.y.z"}
	callers := map[string]graph.Caller{"anonymous": {}, "anonymous, with a stale token": {}}
	for _, role := range []account.Role{account.Viewer, account.Editor, account.Owner} {
		u := signedIn(t, b)
		u.join(t, owner, role)
		tokens[string(role)] = u.token
		callers[string(role)] = member(role)
		callers[string(role)].Principal.Reauthenticated = false
		if name := string(role) + " token"; role != account.Owner {
			tokens[name], callers[name] = owner.newToken(t, role), accountToken(role)
		}
	}
	expireReauthentication(t, b)
	before := everything(t, b)
	refused := 0
	for who, caller := range callers {
		for _, o := range operations(schema) {
			f := &filler{t: t, schema: schema, owned: owned, found: map[string]string{}}
			args := f.arguments(o)
			input, _ := args["input"].(vars)
			want, _ := caller.Access(o.root(), o.field, maps.Clone(input))
			if o.public() || want == "" && o.kind != "query" {
				continue
			}
			header := map[string]string{}
			if caller.Principal != nil {
				header["X-Account-Id"] = owner.account.ID.String()
			}
			a := b.do(t, call{query: o.document(schema), vars: args, token: tokens[who], header: header})
			own := len(a.Errors) > 0 && len(a.Errors[0].Path) == 1 && a.Errors[0].Path[0] == o.field.Name
			switch {
			case caller.Principal == nil:
				a.want(t, o.field.Name+" as "+who, http.StatusUnauthorized, "UNAUTHENTICATED")
				if a.Data != nil {
					t.Errorf("%s as %s: data %s", o.field.Name, who, a.body)
				}
			case want == "" && own:
				t.Errorf("%s as %s is refused: %s", o.field.Name, who, a.body)
			case want != "" && (!own && o.kind != "subscription" || a.code() != want),
				want != "" && strings.Contains(a.body, owned["agent"].String()):
				t.Errorf("%s as %s: %d %s, want %s", o.field.Name, who, a.status, a.body, want)
			}
			if want != "" {
				refused++
			}
		}
	}
	if everything(t, b) != before {
		t.Error("a refused operation changed something")
	}
	if refused < 200 {
		t.Errorf("only %d operations were refused", refused)
	}
	// A private field is denied also next to public ones, in a fragment and under an alias.
	const hidden = `{ __typename serviceInfo { version } ...F } fragment F on Query { x: agents { totalCount } }`
	b.do(t, call{query: hidden}).want(t, "in a fragment", http.StatusUnauthorized, "UNAUTHENTICATED")
}

package graph_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"agentchat/graph"
	"agentchat/internal/account"
)

const readNode = `query($id: ID!) { node(id: $id) { __typename id } }`

// Clients key their records by id, whatever the type, so only nodes have one. The id of an action
// call is a text.
func TestOnlyNodesHaveAnID(t *testing.T) {
	t.Parallel()
	for _, def := range ours(parsed(t)) {
		id := def.Fields.ForName("id")
		if def.Kind != ast.Object || id == nil || def.Name == "ActionCall" && id.Type.String() == "String!" {
			continue
		}
		if !slices.Contains(def.Interfaces, "Node") || id.Type.String() != "ID!" {
			t.Errorf("%s has id: %s, and is no Node", def.Name, id.Type)
		}
	}
}

// node finds each id in any response, and no two objects share an id.
func TestNodeFindsEveryID(t *testing.T) {
	t.Parallel()
	schema := parsed(t)
	u := signedIn(t, newBench(t))
	owned := u.world(t)
	types := map[string]string{} // by id
	for _, o := range operations(schema) {
		if o.kind != "query" || o.public() {
			continue
		}
		f := &filler{t: t, schema: schema, owned: owned, found: map[string]string{}}
		for depth := 5; depth > 0; depth-- { // the deepest one within the limits
			text := strings.ReplaceAll(o.documentTo(schema, depth), " { ", " { __typename ")
			if graph.Refused(text) == nil {
				walkIDs(t, u.do(t, text, f.arguments(o)).wantNone(t, o.field.Name).Data, types)
				break
			}
		}
	}
	met := map[string]bool{}
	for id, name := range types {
		met[name] = true
		u.do(t, readNode, vars{"id": id}).wantValues(t, name, map[string]any{"node.__typename": name, "node.id": id})
	}
	for _, def := range schema.GetPossibleTypes(schema.Types["Node"]) {
		if !met[def.Name] {
			t.Errorf("no query showed an id of %s", def.Name)
		}
	}
	t.Logf("%d ids", len(types))
}

// walkIDs notes the types of all objects with an id in an answer.
func walkIDs(t *testing.T, value any, types map[string]string) {
	t.Helper()
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			walkIDs(t, v, types)
		}
	case map[string]any:
		name, _ := value["__typename"].(string)
		if id, ok := value["id"].(string); ok {
			if types[id] != "" && types[id] != name {
				t.Errorf("%s and %s share the id %s", types[id], name, id)
			}
			types[id] = name
		}
		for _, v := range value {
			walkIDs(t, v, types)
		}
	}
}

// TestNodesByRole: only owners find objects of lists for owners, and only the user finds an own
// sign-in. TestAccess has all roles.
func TestNodesByRole(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, member := signedIn(t, b), signedIn(t, b)
	owned, own := owner.world(t), member.world(t)
	member.join(t, owner, account.Editor)
	token := owner.newToken(t, account.Editor)
	for kind, id := range owned {
		for who, a := range map[string]answer{
			"an editor": member.in(t, owner, readNode, vars{"id": id}),
			"a token":   b.do(t, call{query: readNode, vars: vars{"id": id}, token: token}),
		} {
			switch kind {
			case "signin", "member", "actor":
				a.want(t, kind+" by "+who, http.StatusOK, "NOT_FOUND")
			case "invitation", "accounttoken":
				a.want(t, kind+" by "+who, http.StatusOK, "FORBIDDEN")
			default:
				a.wantValues(t, kind+" by "+who, map[string]any{"node.id": id.String()})
			}
		}
	}
	member.in(t, owner, readNode, vars{"id": own["signin"]}).wantValues(t, "one's own sign-in",
		map[string]any{"node.__typename": "SignIn"})
	before := b.statements.Load()
	member.in(t, owner, readNode, vars{"id": own["creditentry"]}).
		want(t, "what is not there", http.StatusOK, "NOT_FOUND")
	if n := b.statements.Load() - before; n > 18 { // the sign-in, and one or two for each type
		t.Errorf("%d statements", n)
	}
}

package graph_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/store"
)

const listAgents = `query($first: Int, $after: String, $filter: AgentFilter) { agents(first: $first, after: $after, filter: $filter) {
	totalCount edges { cursor node { id name } } nodes { id name state }
	pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`

// named makes one agent with a name and a description, as a row: it is the list that is tested.
func (u *user) named(t *testing.T, name, description string) string {
	t.Helper()
	made, err := u.b.store.CreateAgent(t.Context(), u.account.ID, agent.Agent{Name: name, Description: description})
	if err != nil {
		t.Fatal(err)
	}
	return made.ID.String()
}

func (a answer) names(path string) (out []string) {
	for i := range a.list(path) {
		name, _ := a.get(fmt.Sprintf("%s.%d.name", path, i)).(string)
		out = append(out, name)
	}
	return out
}

func TestPagesOfAgents(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	other.named(t, "foreign", "")
	u.do(t, listAgents, nil).wantValues(t, "no agents", map[string]any{"agents.totalCount": 0, "agents.pageInfo.hasNextPage": false,
		"agents.pageInfo.hasPreviousPage": false, "agents.pageInfo.startCursor": nil, "agents.pageInfo.endCursor": nil})
	var want []string
	for i := range 45 {
		name := fmt.Sprintf("agent %02d", i)
		u.named(t, name, "")
		want = append([]string{name}, want...)
	}
	if got := u.do(t, listAgents, nil).names("agents.nodes"); !slices.Equal(got, want[:20]) {
		t.Errorf("the default page: %q", got)
	}
	for _, first := range []int{1, 7, 44, 45, 100} {
		var got []string
		var after any
		for page := 0; ; page++ {
			a := u.do(t, listAgents, vars{"first": first, "after": after}).wantNone(t, "page")
			names := a.names("agents.nodes")
			got = append(got, names...)
			n := len(names)
			a.wantValues(t, "page", map[string]any{"agents.totalCount": 45, "agents.pageInfo.hasPreviousPage": page > 0,
				"agents.pageInfo.hasNextPage": len(got) < 45, "agents.pageInfo.startCursor": a.get("agents.edges.0.cursor"),
				"agents.pageInfo.endCursor": a.get(fmt.Sprintf("agents.edges.%d.cursor", n-1)),
				"agents.edges.0.node.id":    a.get("agents.nodes.0.id")})
			if after = a.get("agents.pageInfo.endCursor"); a.get("agents.pageInfo.hasNextPage") != true || page > 45 {
				break
			}
			u.named(t, "new in between", "") // newer ones do not move a page
			if _, err := b.store.DB().ExecContext(t.Context(), `DELETE FROM agents WHERE name = 'new in between'`); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("by %d: %q", first, got)
		}
	}
	last := u.do(t, listAgents, vars{"first": 100}).text(t, "agents.pageInfo.endCursor")
	u.do(t, listAgents, vars{"after": last}).wantValues(t, "behind the last", map[string]any{"agents.nodes.0": nil,
		"agents.pageInfo.hasNextPage": false, "agents.pageInfo.hasPreviousPage": true, "agents.totalCount": 45})
}

func TestPageSizes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	u.named(t, "one", "")
	for _, first := range []string{"0", "-1", "101", "2147483647", "-2147483648"} {
		before := b.statements.n.Load()
		u.do(t, `{ agents(first: `+first+`) { totalCount } }`, nil).wantFields(t, first, "first out_of_range")
		if n := b.statements.n.Load() - before; n != 1 {
			t.Errorf("%s: %d statements, want the one of access", first, n)
		}
		if a := u.do(t, `query($n: Int) { agents(first: $n) { totalCount } }`, vars{"n": jsonNumber(first)}); a.code() != "BAD_USER_INPUT" {
			t.Errorf("%s as a variable: %s", first, a.body)
		}
	}
	for _, first := range []string{"2147483648", "1e3", "1.5", `"10"`, "true", "[1]"} {
		a := u.do(t, `{ agents(first: `+first+`) { totalCount } }`, nil)
		if len(a.Errors) == 0 {
			t.Errorf("first: %s was accepted: %s", first, a.body)
		}
	}
	for _, first := range []string{"1", "100", "null"} {
		u.do(t, `{ agents(first: `+first+`) { totalCount } }`, nil).wantValues(t, first, map[string]any{"agents.totalCount": 1})
	}
}

func TestCursorsThatAreNone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	for range 3 {
		u.named(t, "mine", "")
		other.named(t, "theirs", "")
	}
	good := u.do(t, listAgents, vars{"first": 1}).text(t, "agents.pageInfo.endCursor")
	foreign := other.do(t, listAgents, vars{"first": 1}).text(t, "agents.pageInfo.endCursor")
	u.do(t, listAgents, vars{"after": good}).wantNone(t, "a good one")
	raw, err := base64.RawURLEncoding.DecodeString(good)
	if err != nil {
		t.Fatal(err)
	}
	raw[12] ^= 1
	for what, after := range map[string]string{
		"another account's": foreign, "cut": good[:len(good)-1], "longer": good + "A", "empty": "", "altered": base64.RawURLEncoding.EncodeToString(raw),
		"padded": good + "=", "last bits": good[:len(good)-1] + "_", "an offset": base64.StdEncoding.EncodeToString([]byte("arrayconnection:5")),
		"an id": uuid.NewString(), "SQL": "' OR 1=1; DROP TABLE agents --", "NUL": "\x00" + good[1:], "line break": good[:10] + "\n" + good[10:],
		"long": strings.Repeat("A", 100_000), "of another list": store.Cursor{ID: uuid.Must(uuid.NewV7())}.Encode(99, u.account.ID),
		"made for another account": store.Cursor{ID: uuid.Must(uuid.NewV7())}.Encode(store.AgentCursor, other.account.ID),
	} {
		u.do(t, listAgents, vars{"after": after}).wantFields(t, what, "after invalid_value")
	}
}

func TestSearchAndFilter(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	u.named(t, "Shop 100%", "sells")
	u.named(t, "shop_window", "")
	u.named(t, "Caf\u00e9", `a \ backslash`)
	u.live(t) // named Shop
	for _, c := range []struct {
		what   string
		filter vars
		want   []string
	}{
		{"nothing", vars{}, []string{"Shop", "Caf\u00e9", "shop_window", "Shop 100%"}},
		{"nulls", vars{"search": nil, "state": nil}, []string{"Shop", "Caf\u00e9", "shop_window", "Shop 100%"}},
		{"part of the name", vars{"search": " SHOP "}, []string{"Shop", "shop_window", "Shop 100%"}},
		{"of the description", vars{"search": "ELL"}, []string{"Shop 100%"}},
		{"percent", vars{"search": "%"}, []string{"Shop 100%"}},
		{"underscore", vars{"search": "_"}, []string{"shop_window"}},
		{"backslash", vars{"search": `\`}, []string{"Caf\u00e9"}},
		{"beyond ASCII", vars{"search": "F\u00c9"}, []string{"Caf\u00e9"}},
		{"SQL", vars{"search": `' OR 'a'='a`}, nil},
		{"completed", vars{"state": "LIVE"}, []string{"Shop"}},
		{"drafts", vars{"state": "DRAFT"}, []string{"Caf\u00e9", "shop_window", "Shop 100%"}},
		{"both", vars{"state": "DRAFT", "search": "shop"}, []string{"shop_window", "Shop 100%"}},
	} {
		a := u.do(t, listAgents, vars{"filter": c.filter}).wantNone(t, c.what)
		if got := a.names("agents.nodes"); !slices.Equal(got, c.want) || a.get("agents.totalCount") != float64(len(c.want)) {
			t.Errorf("%s: %q of %v, want %q", c.what, got, a.get("agents.totalCount"), c.want)
		}
	}
	u.do(t, listAgents, vars{"filter": vars{"search": strings.Repeat("x", 101)}}).wantFields(t, "long", "filter.search too_long")
	u.do(t, listAgents, vars{"filter": vars{"search": "\x00"}}).wantFields(t, "NUL", "filter.search invalid_character")
	u.do(t, listAgents, vars{"filter": vars{"state": "GONE"}}).want(t, "unknown state", http.StatusUnprocessableEntity, "GRAPHQL_VALIDATION_FAILED")
	one := u.do(t, listAgents, vars{"filter": vars{"search": "shop"}, "first": 1})
	u.do(t, listAgents, vars{"filter": vars{"search": "shop"}, "after": one.get("agents.pageInfo.endCursor")}).wantValues(t, "second page",
		map[string]any{"agents.nodes.0.name": "shop_window", "agents.nodes.1.name": "Shop 100%", "agents.nodes.2": nil, "agents.totalCount": 3})
}

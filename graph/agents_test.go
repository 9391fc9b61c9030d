package graph_test

import (
	"net/http"
	"strings"
	"testing"
)

const agentFields = `{ id name description instructions temperature maxOutputTokens contextTurns
	replySchema fallbackModel { name }
	actions { name description parameters } state missing createdAt updatedAt lastUsedAt model { name
	label provider creditsPerMessage available contextWindow sandbox } exports { id } }`

const (
	createAgent = `mutation($input: CreateAgentInput!) { createAgent(input: $input) { agent ` + agentFields + ` } }`
	updateAgent = `mutation($input: UpdateAgentInput!) { updateAgent(input: $input) { agent ` + agentFields + ` } }`
	publish     = `mutation($id: ID!) { publishAgent(input: {id: $id}) { agent ` + agentFields + ` } }`
	unpublish   = `mutation($id: ID!) { unpublishAgent(input: {id: $id}) { agent ` + agentFields + ` } }`
	deleteAgent = `mutation($id: ID!) { deleteAgent(input: {id: $id}) { deletedAgentId } }`
	oneAgent    = `query($id: ID!) { agent(id: $id) ` + agentFields + ` }`
)

func TestCreateAgent(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	for name, c := range map[string]struct {
		input  vars
		want   map[string]any
		fields []string
	}{
		"a name alone": {input: vars{"name": " Shop "}, want: map[string]any{"name": "Shop", "description": "", "instructions": "",
			"model": nil, "temperature": nil, "maxOutputTokens": nil, "contextTurns": 40, "state": "DRAFT",
			"missing.0": "INSTRUCTIONS",
			"missing.1": "MODEL", "missing.2": nil, "lastUsedAt": nil, "actions.0": nil}},
		"everything": {input: vars{"name": "Shop", "description": "d", "instructions": "i", "model": "sandbox/assistant",
			"fallbackModel": "sandbox/free", "temperature": 0.5, "maxOutputTokens": 100, "contextTurns": 0,
			"replySchema": `{"type":"object"}`,
			"actions":     []vars{orderStatus}},
			want: map[string]any{"description": "d", "instructions": "i", "model.name": "sandbox/assistant", "model.sandbox": true,
				"fallbackModel.name": "sandbox/free", "model.creditsPerMessage": 1, "temperature": 0.5,
				"maxOutputTokens": 100, "contextTurns": 0, "replySchema": `{"type":"object"}`,
				"state":          "DRAFT",
				"actions.0.name": "order_status", "actions.0.description": "Looks up an order",
				"actions.0.parameters": orderStatus["parameters"],
				"missing.0":            nil}},
		"an unavailable model": {input: vars{"name": "Shop", "instructions": "i", "model": "gemini/gemini-2.5-pro"},
			want: map[string]any{"model.available": false, "missing.0": "MODEL"}},
		"several": {input: vars{"name": strings.Repeat("x", 101), "model": "none/such", "fallbackModel": "none/other",
			"temperature": 3, "contextTurns": 41, "replySchema": "{"},
			fields: []string{"name too_long", "model invalid_value", "fallbackModel invalid_value", "temperature out_of_range",
				"contextTurns out_of_range", "replySchema invalid_value"}},
	} {
		before := rows(t, b, "agents")
		a := u.do(t, createAgent, vars{"input": c.input})
		if c.fields != nil {
			a.wantFields(t, name, c.fields...)
			if rows(t, b, "agents") != before {
				t.Errorf("%s: refused, and something changed", name)
			}
			continue
		}
		want := map[string]any{}
		for path, value := range c.want {
			want["createAgent.agent."+path] = value
		}
		a.wantValues(t, name, want)
		u.do(t, oneAgent, vars{"id": a.get("createAgent.agent.id")}).wantValues(t, name+", read", map[string]any{
			"agent.id": a.get("createAgent.agent.id"), "agent.updatedAt": a.get("createAgent.agent.updatedAt")})
	}
}

// made creates a complete agent of a user.
func (u *user) made(t *testing.T, input vars) answer {
	t.Helper()
	all := vars{"name": "Shop", "description": "d", "instructions": "i", "model": "sandbox/assistant", "temperature": 1.5,
		"maxOutputTokens": 10, "contextTurns": 5}
	for name, value := range input {
		all[name] = value
	}
	return u.do(t, createAgent, vars{"input": all}).wantNone(t, "createAgent")
}

func TestUpdateAgentTellsAbsentNullAndValueApart(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	for _, c := range []struct{ field, read, absent, null, value string }{
		{"description", "description", `"d"`, `""`, `"new"`},
		{"instructions", "instructions", `"i"`, `""`, `"new"`},
		{"model", "model { name }", `{"name":"sandbox/assistant"}`, `null`, `"sandbox/free"`},
		{"temperature", "temperature", `1.5`, `null`, `0`},
		{"maxOutputTokens", "maxOutputTokens", `10`, `null`, `7`},
		{"contextTurns", "contextTurns", `5`, `40`, `0`},
		{"fallbackModel", "fallbackModel { name }", `null`, `null`, `"sandbox/free"`},
		{"replySchema", "replySchema", `null`, `null`, `"{\"type\":\"object\",\"title\":\"t\"}"`},
		{"name", "name", `"Shop"`, "", `"new"`},
	} {
		made := u.made(t, nil)
		id := made.text(t, "createAgent.agent.id")
		read := "{ updateAgent(input: $input) { agent { " + c.read + " } } }"
		update := func(value string) answer {
			part := ""
			if value != "" {
				part = `,"` + c.field + `":` + value
			}
			return u.b.do(t, call{token: u.token, body: `{"query":"mutation($input: UpdateAgentInput!) ` + read +
				`","variables":{"input":{"id":"` + id + `"` + part + `}}}`})
		}
		contains := func(step string, a answer, want string) {
			t.Helper()
			if len(a.Errors) > 0 || !strings.Contains(a.body, `"`+c.field+`":`+want) {
				t.Errorf("%s %s: %s, want %s", c.field, step, a.body, want)
			}
		}
		contains("absent", update(""), c.absent)
		if c.null == "" {
			update("null").wantFields(t, c.field+" null", c.field+" missing")
		} else {
			contains("null", update("null"), c.null)
			contains("absent after null", update(""), c.null)
		}
		want := c.value
		if c.field == "model" || c.field == "fallbackModel" {
			want = `{"name":` + c.value + `}`
		}
		contains("value", update(c.value), want)
	}
	// A missing variable leaves the field unchanged; null clears it, as a variable and as a literal.
	id := u.made(t, nil).text(t, "createAgent.agent.id")
	const query = `mutation($id: ID!, $d: String) { updateAgent(input: {id: $id, description: $d}) { agent { description } } }`
	u.do(t, query, vars{"id": id}).wantValues(t, "variable not given", map[string]any{"updateAgent.agent.description": "d"})
	u.do(t, query, vars{"id": id, "d": nil}).wantValues(t, "variable null", map[string]any{"updateAgent.agent.description": ""})
	u.do(t, `mutation { updateAgent(input: {id: "`+id+`", temperature: null}) { agent { temperature } } }`, nil).
		wantValues(t, "literal null", map[string]any{"updateAgent.agent.temperature": nil})
}

// TestUpdateAgent: expectedUpdatedAt refuses a stale change, and problems of several kinds are
// reported at once.
func TestUpdateAgent(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	made := u.made(t, nil)
	id, at := made.text(t, "createAgent.agent.id"), made.text(t, "createAgent.agent.updatedAt")
	update := func(input vars) answer {
		input["id"] = id
		return u.do(t, updateAgent, vars{"input": input})
	}
	update(vars{"model": "no/model"}).wantFields(t, "an unknown model", "model invalid_value")
	update(vars{"name": nil, "temperature": -1}).wantFields(t, "two fields", "name missing", "temperature out_of_range")
	update(vars{"expectedUpdatedAt": "yesterday"}).wantFields(t, "not a time", "expectedUpdatedAt invalid_value")
	update(vars{"description": "second", "expectedUpdatedAt": at}).wantNone(t, "the right time")
	update(vars{"description": "third", "expectedUpdatedAt": at}).want(t, "an old time", http.StatusOK, "CONFLICT")
	update(vars{"expectedUpdatedAt": nil}).wantValues(t, "null", map[string]any{"updateAgent.agent.description": "second"})
}

func TestOddIDs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	id := u.made(t, nil).text(t, "createAgent.agent.id")
	u.do(t, oneAgent, vars{"id": strings.ToUpper(id)}).wantValues(t, "upper case", map[string]any{"agent.id": id})
	statements := func() int64 { return b.statements.Load() }
	u.do(t, `{ viewer { id } }`, nil)
	before := statements()
	u.do(t, `{ viewer { id } }`, nil)
	access := statements() - before
	for what, odd := range map[string]any{"braces": "{" + id + "}", "URN": "urn:uuid:" + id,
		"an integer": 1, "no hyphens": strings.ReplaceAll(id, "-", ""),
		"base64": "QWdlbnQ6MQ==", "empty": "", "long": strings.Repeat("a", 200_000), "NUL": id[:35] + "\x00", "SQL": "' OR 1=1 --",
		"space": " " + id, "full width": "\uff10" + id[3:]} {
		before := statements()
		u.do(t, oneAgent, vars{"id": odd}).wantFields(t, what, "id invalid_value")
		u.do(t, deleteAgent, vars{"id": odd}).wantFields(t, what, "id invalid_value")
		if n := statements() - before; n != 2*access {
			t.Errorf("%s: %d statements ran for two requests, want %d for access alone", what, n, 2*access)
		}
	}
}

package graph_test

import (
	"fmt"
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

// TestCreateAgent: a name is enough. The other tests create agents with every setting.
func TestCreateAgent(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	named := u.do(t, createAgent, vars{"input": vars{"name": " Shop "}})
	named.wantValues(t, "a name alone", map[string]any{
		"createAgent.agent.name":         "Shop",
		"createAgent.agent.contextTurns": 40,
		"createAgent.agent.missing.0":    "INSTRUCTIONS",
		"createAgent.agent.missing.1":    "MODEL",
		"createAgent.agent.model":        nil,
	})
	u.made(t, vars{"model": "gemini/gemini-2.5-pro"}).wantValues(t, "an unavailable model",
		map[string]any{"createAgent.agent.missing.0": "MODEL"})
	u.do(t, createAgent, vars{"input": vars{"name": "x", "model": "none", "contextTurns": 41}}).
		wantFields(t, "two fields", "model invalid_value", "contextTurns out_of_range")
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

// setting is a field of an update, with its first value, its value after null, and a value to set.
type setting struct {
	field            string
	first, null, set any
}

// tellsApart checks that an update without the field keeps the value, that null clears it, and that
// a value replaces it.
func (u *user) tellsApart(t *testing.T, update, id string, s setting) {
	t.Helper()
	read, path := s.field, "update.object."+s.field
	if strings.HasSuffix(strings.ToLower(s.field), "model") {
		read, path = read+" { name }", path+".name"
	}
	for _, step := range []struct {
		what  string
		input vars
		want  any
	}{
		{"absent", vars{"id": id}, s.first},
		{"null", vars{"id": id, s.field: nil}, s.null},
		{"absent after null", vars{"id": id}, s.null},
		{"a value", vars{"id": id, s.field: s.set}, s.set},
	} {
		u.do(t, fmt.Sprintf(update, read), vars{"input": step.input}).
			wantValues(t, s.field+" "+step.what, map[string]any{path: step.want})
	}
}

func TestUpdateAgentTellsAbsentNullAndValueApart(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	for _, s := range []setting{
		{"description", "d", "", "new"},
		{"instructions", "i", "", "new"},
		{"model", "sandbox/assistant", nil, "sandbox/free"},
		{"temperature", 1.5, nil, 0},
		{"maxOutputTokens", 10, nil, 7},
		{"contextTurns", 5, 40, 0},
		{"fallbackModel", nil, nil, "sandbox/free"},
		{"replySchema", nil, nil, `{"type":"object","title":"t"}`},
	} {
		u.tellsApart(t, `mutation($input: UpdateAgentInput!) {
			update: updateAgent(input: $input) { object: agent { %s } } }`,
			u.made(t, nil).text(t, "createAgent.agent.id"), s)
	}
	// A missing variable leaves the field unchanged; null clears it, also as a literal.
	id := u.made(t, nil).text(t, "createAgent.agent.id")
	const query = `mutation($id: ID!, $d: String) { updateAgent(input: {id: $id, description: $d,
		temperature: null}) { agent { description temperature } } }`
	u.do(t, query, vars{"id": id}).wantJSON(t, "variable not given", "updateAgent.agent",
		`{"description": "d", "temperature": null}`)
	u.do(t, query, vars{"id": id, "d": nil}).wantValues(t, "variable null",
		map[string]any{"updateAgent.agent.description": ""})
}

// TestUpdateAgent: expectedUpdatedAt refuses a stale change.
func TestUpdateAgent(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	made := u.made(t, nil)
	at := made.text(t, "createAgent.agent.updatedAt")
	update := func(input vars) answer {
		input["id"] = made.get("createAgent.agent.id")
		return u.do(t, updateAgent, vars{"input": input})
	}
	update(vars{"name": nil, "model": "no/model"}).wantFields(t, "two fields",
		"name missing", "model invalid_value")
	update(vars{"expectedUpdatedAt": "yesterday"}).wantFields(t, "not a time",
		"expectedUpdatedAt invalid_value")
	update(vars{"description": "2", "expectedUpdatedAt": at}).wantNone(t, "the right time")
	update(vars{"expectedUpdatedAt": at}).want(t, "an old time", http.StatusOK, "CONFLICT")
	update(vars{"expectedUpdatedAt": nil}).wantNone(t, "null")
}

// TestMalformedIDs: a malformed id is refused before any statement except the access check.
func TestMalformedIDs(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	id := u.made(t, nil).text(t, "createAgent.agent.id")
	access := u.statements(t, whose, nil)
	u.do(t, oneAgent, vars{"id": strings.ToUpper(id)}).wantValues(t, "upper case",
		map[string]any{"agent.id": id})
	for what, odd := range map[string]any{
		"an integer": 1,
		"empty":      "",
		"braces":     "{" + id + "}",
		"URN":        "urn:uuid:" + id,
		"no hyphens": strings.ReplaceAll(id, "-", ""),
		"base64":     "QWdlbnQ6MQ==",
		"long":       strings.Repeat("a", 200_000),
		"NUL":        id[:35] + "\x00",
		"SQL":        "' OR 1=1 --",
		"space":      " " + id,
		"full width": "\uff10" + id[3:],
	} {
		before := u.b.statements.Load()
		u.do(t, oneAgent, vars{"id": odd}).wantFields(t, what, "id invalid_value")
		u.do(t, deleteAgent, vars{"id": odd}).wantFields(t, what, "id invalid_value")
		if n := u.b.statements.Load() - before; n != 2*access {
			t.Errorf("%s: %d statements for two requests, want %d", what, n, 2*access)
		}
	}
}

package graph_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
)

const agentFields = `{ id name description instructions temperature maxOutputTokens contextTurns replySchema fallbackModel { name }
	actions { name description parameters } state missing createdAt updatedAt lastUsedAt model { name label provider creditsPerMessage available contextWindow sandbox } exports { id } }`

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
	long := strings.Repeat("x", 32_769)
	for name, c := range map[string]struct {
		input  vars
		want   map[string]any
		fields []string
	}{
		"a name alone": {input: vars{"name": " Shop "}, want: map[string]any{"name": "Shop", "description": "", "instructions": "",
			"model": nil, "temperature": nil, "maxOutputTokens": nil, "contextTurns": 40, "state": "DRAFT", "missing.0": "INSTRUCTIONS",
			"missing.1": "MODEL", "missing.2": nil, "lastUsedAt": nil, "actions.0": nil}},
		"everything": {input: vars{"name": "Shop", "description": "d", "instructions": "i", "model": "sandbox/assistant",
			"fallbackModel": "sandbox/free", "temperature": 0.5, "maxOutputTokens": 100, "contextTurns": 0, "replySchema": `{"type":"object"}`,
			"actions": []vars{orderStatus}},
			want: map[string]any{"description": "d", "instructions": "i", "model.name": "sandbox/assistant", "model.sandbox": true,
				"fallbackModel.name": "sandbox/free", "model.creditsPerMessage": 1, "temperature": 0.5, "maxOutputTokens": 100, "contextTurns": 0, "replySchema": `{"type":"object"}`, "state": "DRAFT",
				"actions.0.name": "order_status", "actions.0.description": "Looks up an order", "actions.0.parameters": orderStatus["parameters"],
				"missing.0": nil}},
		"nulls": {input: vars{"name": "Shop", "description": nil, "instructions": nil, "model": nil, "temperature": nil,
			"maxOutputTokens": nil, "contextTurns": nil},
			want: map[string]any{"description": "", "model": nil, "temperature": nil, "contextTurns": 40}},
		"an unavailable model": {input: vars{"name": "Shop", "instructions": "i", "model": "gemini/gemini-2.5-pro"},
			want: map[string]any{"model.available": false, "missing.0": "MODEL"}},
		"a whole number as temperature": {input: vars{"name": "Shop", "temperature": 1}, want: map[string]any{"temperature": 1}},
		"blank":                         {input: vars{"name": " "}, fields: []string{"name blank"}},
		"all at once": {input: vars{"name": strings.Repeat("x", 101), "description": strings.Repeat("x", 1001), "instructions": long,
			"model": "none/such", "fallbackModel": "none/other", "temperature": 3, "maxOutputTokens": 0, "contextTurns": 41, "replySchema": `{"type":"object","properties":{"a":{"pattern":"(?=a)"}}}`},
			fields: []string{"name too_long", "description too_long", "instructions too_long", "model invalid_value",
				"fallbackModel invalid_value", "temperature out_of_range", "maxOutputTokens out_of_range", "contextTurns out_of_range", "replySchema invalid_value"}},
		"U+0000":             {input: vars{"name": "a\x00", "instructions": "\x00"}, fields: []string{"name invalid_character", "instructions invalid_character"}},
		"tokens far too big": {input: vars{"name": "x", "maxOutputTokens": 1 << 30}, fields: []string{"maxOutputTokens out_of_range"}},
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

// made is an agent of a user with everything that completing needs.
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
		for what, fields := range map[string]string{"a literal": "", "a variable": "variable"} {
			update := func(value string) answer {
				if fields == "" {
					part := ""
					if value != "" {
						part = " " + c.field + ": " + value
					}
					return u.do(t, `mutation { updateAgent(input: {id: "`+id+`"`+part+`}) { agent { `+c.read+` } } }`, nil)
				}
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
					t.Errorf("%s %s, as %s: %s, want %s", c.field, step, what, a.body, want)
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
			contains("absent after value", update(""), want)
			contains("back", update(strings.TrimSuffix(strings.TrimPrefix(c.absent, `{"name":`), "}")), c.absent)
		}
	}
	// A missing variable leaves the field unchanged; a null variable clears it.
	id := u.made(t, nil).text(t, "createAgent.agent.id")
	const query = `mutation($id: ID!, $d: String) { updateAgent(input: {id: $id, description: $d}) { agent { description } } }`
	u.do(t, query, vars{"id": id}).wantValues(t, "variable not given", map[string]any{"updateAgent.agent.description": "d"})
	u.do(t, query, vars{"id": id, "d": nil}).wantValues(t, "variable null", map[string]any{"updateAgent.agent.description": ""})
}

func TestUpdateAgent(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	id := u.made(t, nil).text(t, "createAgent.agent.id")
	u.do(t, publish, vars{"id": id}).wantValues(t, "publish", map[string]any{"publishAgent.agent.state": "LIVE"})
	update := func(input vars) answer {
		input["id"] = id
		return u.do(t, updateAgent, vars{"input": input})
	}
	before := rows(t, b, "agents")
	update(vars{"model": "no/model"}).wantFields(t, "an unknown model", "model invalid_value")
	update(vars{"name": nil, "temperature": -1}).wantFields(t, "by their own rules", "name missing", "temperature out_of_range")
	update(vars{"expectedUpdatedAt": "yesterday"}).wantFields(t, "not a time", "expectedUpdatedAt invalid_value")
	if rows(t, b, "agents") != before {
		t.Error("refused, and something changed")
	}

	update(vars{"instructions": " ", "model": nil}).wantValues(t, "the draft of a live agent may be incomplete",
		map[string]any{"updateAgent.agent.state": "LIVE", "updateAgent.agent.instructions": " "})
	first := u.do(t, oneAgent, vars{"id": id})
	at := first.text(t, "agent.updatedAt")
	second := update(vars{"description": "second", "expectedUpdatedAt": at}).wantNone(t, "with the right expectedUpdatedAt")
	if later := second.text(t, "updateAgent.agent.updatedAt"); later <= at {
		t.Errorf("updatedAt %s does not come after %s", later, at)
	}
	update(vars{"description": "third", "expectedUpdatedAt": at}).want(t, "with an old expectedUpdatedAt", http.StatusOK, "CONFLICT")
	u.do(t, oneAgent, vars{"id": id}).wantValues(t, "after the conflict", map[string]any{"agent.description": "second"})
	update(vars{"description": "fourth", "expectedUpdatedAt": nil}).wantNone(t, "with a null expectedUpdatedAt")
	same := update(vars{}).wantNone(t, "nothing")
	if got := u.do(t, oneAgent, vars{"id": id}).get("agent.updatedAt"); got != same.get("updateAgent.agent.updatedAt") {
		t.Errorf("an update of nothing moved updatedAt to %v", got)
	}
}

func TestPublishAndUnpublish(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	draft := u.do(t, createAgent, vars{"input": vars{"name": "Shop", "instructions": "  "}}).text(t, "createAgent.agent.id")
	u.do(t, publish, vars{"id": draft}).wantFields(t, "incomplete", "instructions missing", "model missing")
	unavailable := u.made(t, vars{"model": "gemini/gemini-2.5-pro"}).text(t, "createAgent.agent.id")
	u.do(t, publish, vars{"id": unavailable}).wantFields(t, "an unavailable model", "model invalid_value")
	for _, id := range []string{draft, unavailable} {
		u.do(t, oneAgent, vars{"id": id}).wantValues(t, "refused", map[string]any{"agent.state": "DRAFT"})
	}
	id := u.made(t, nil).text(t, "createAgent.agent.id")
	for _, step := range []struct{ query, path, state string }{
		{unpublish, "unpublishAgent", "DRAFT"}, {publish, "publishAgent", "LIVE"}, {publish, "publishAgent", "LIVE"},
		{unpublish, "unpublishAgent", "OFFLINE"}, {unpublish, "unpublishAgent", "OFFLINE"}, {publish, "publishAgent", "LIVE"},
	} {
		a := u.do(t, step.query, vars{"id": id})
		a.wantValues(t, step.path, map[string]any{step.path + ".agent.state": step.state})
		twice := u.do(t, step.query, vars{"id": id})
		if a.get(step.path+".agent.updatedAt") != twice.get(step.path+".agent.updatedAt") {
			t.Errorf("%s twice changed updatedAt", step.path)
		}
	}
}

func TestDeleteAgent(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	made := storetest.SeedAgent(t, b.store, u.account.ID, storetest.Options{Model: storetest.SandboxModel, Instructions: "i"})
	export, _, key := storetest.SeedExport(t, b.store, u.account.ID, made.ID, agent.MaxRatePerMinute)
	u.do(t, deleteAgent, vars{"id": made.ID}).wantValues(t, "delete", map[string]any{"deleteAgent.deletedAgentId": made.ID.String()})
	if in, err := exports.On(b.store).KeyInUse(t.Context(), key.Hash()); in || err != nil {
		t.Errorf("the key is in use after the deletion: %v %v", in, err)
	}
	for query, v := range map[string]vars{deleteAgent: {"id": made.ID}, oneAgent: {"id": made.ID}, publish: {"id": made.ID},
		unpublish: {"id": made.ID}, updateAgent: {"input": vars{"id": made.ID, "name": "x"}}, removeExport: {"id": export.ID},
		createExport: {"input": vars{"agentId": made.ID}}, updateExport: {"input": vars{"id": export.ID, "name": "x"}}} {
		u.do(t, query, v).want(t, "after the deletion: "+query[:40], http.StatusOK, "NOT_FOUND")
	}
	u.do(t, `{ agents { totalCount nodes { id } } }`, nil).wantValues(t, "list", map[string]any{"agents.totalCount": 0})
	u.do(t, deleteAgent, vars{"id": uuid.New()}).want(t, "one that never was", http.StatusOK, "NOT_FOUND")
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
	for what, odd := range map[string]any{"braces": "{" + id + "}", "URN": "urn:uuid:" + id, "an integer": 1, "no hyphens": strings.ReplaceAll(id, "-", ""),
		"base64": "QWdlbnQ6MQ==", "empty": "", "long": strings.Repeat("a", 200_000), "NUL": id[:35] + "\x00", "SQL": "' OR 1=1 --",
		"space": " " + id, "full width": "\uff10" + id[3:]} {
		before := statements()
		u.do(t, oneAgent, vars{"id": odd}).wantFields(t, what, "id invalid_value")
		u.do(t, deleteAgent, vars{"id": odd}).wantFields(t, what, "id invalid_value")
		if n := statements() - before; n != 2*access {
			t.Errorf("%s: %d statements ran for two requests, want the %d of access", what, n, 2*access)
		}
	}
}

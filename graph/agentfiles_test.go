package graph_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/knowledge"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
)

const (
	duplicateAgent = `mutation($id: ID!, $name: String!) { duplicateAgent(input: {id: $id, name:
		$name}) { agent ` + agentFields + ` } }`
	importAgent = `mutation($input: ImportAgentInput!) { importAgent(input: $input) { agent ` + agentFields + ` } }`
)

// file returns an agent's file, built as the panel builds it.
func (u *user) file(t *testing.T, agent any) string {
	t.Helper()
	a := u.do(t, `query($id: ID!) { agent(id: $id) { fileHead knowledge {
		nodes { kind name question pages text } } } }`, vars{"id": agent})
	lines := a.text(t, "agent.fileHead") + "\n"
	for i := range a.list("agent.knowledge.nodes") {
		source, _ := a.get(fmt.Sprint("agent.knowledge.nodes.", i)).(map[string]any)
		if question, ok := source["question"].(string); ok {
			source["questions"] = strings.Split(question, "\n")
		}
		delete(source, "question")
		maps.DeleteFunc(source, func(_ string, value any) bool { return value == nil })
		line, err := json.Marshal(source)
		if err != nil {
			t.Fatal(err)
		}
		lines += string(line) + "\n"
	}
	return lines
}

func (u *user) importFile(t *testing.T, content string) answer {
	t.Helper()
	return u.send(t, u.token, withInput(t, importAgent, vars{}), part{"map", oneFile}, part{"0", content})
}

func TestDuplicateAgent(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := u.made(t, nil).text(t, "createAgent.agent.id")
	u.do(t, duplicateAgent, vars{"id": agent, "name": " Copy "}).wantValues(t, "duplicate", map[string]any{
		"duplicateAgent.agent.name":         "Copy",
		"duplicateAgent.agent.state":        "DRAFT",
		"duplicateAgent.agent.instructions": "i",
	})
	u.do(t, duplicateAgent, vars{"id": agent, "name": " "}).wantFields(t, "no name", "name blank")
}

// TestImportAgent: an agent that was imported from its file has the same file. The sources are the
// newest first, so a second import restores their order.
func TestImportAgent(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := u.made(t, vars{
		"instructions": "Be kind to {{name}} <b>.",
		"variables":    []vars{{"name": "name", "description": "Whom", "required": true}},
		"actions":      []vars{orderStatus},
		"replySchema":  `{"type": "object"}`,
	}).text(t, "createAgent.agent.id")
	u.know(t, agent, "Returns <1>", "# Refunds\n\nThe refund comes within 30 days.\n\n“Yes” & no.")
	u.do(t, addAnswer, vars{"input": vars{"agentId": agent, "answer": "Yes.\nAll.",
		"questions": []string{"Do you repair a watch?", "My\twatch?"}}}).wantNone(t, "an answer")
	u.upload(t, agent, "pages.pdf", "0").wantNone(t, "a file")
	files := sources.On(u.b.store)
	job, err := files.ClaimFile(t.Context(), sources.Lane{}, uuid.Nil)
	if err == nil {
		err = files.FinishFile(t.Context(), job, knowledge.FileText{
			Text:  "First page.\fA watch on the second page.",
			Pages: 2,
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	file := u.file(t, agent)
	made := u.importFile(t, file)
	copied := u.file(t, made.get("importAgent.agent.id"))
	if again := u.importFile(t, copied); u.file(t, again.get("importAgent.agent.id")) != file {
		t.Errorf("imported and exported twice:\n%s, want\n%s", copied, file)
	}
}

// TestImportDoors: a refused file creates nothing, and the error names the line.
func TestImportDoors(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	const head, text = "{\n  \"name\": \"x\"\n}\n", `{"kind": "TEXT", "name": "y", "text": "z"}` + "\n"
	before := everything(t, b)
	for content, c := range map[string]struct{ code, message string }{
		head + text + "{}":                 {"BAD_USER_INPUT", "Line 5: The kind must be"},
		head + text + text:                 {"CONFLICT", "Line 5: The agent already has this text as “y”."},
		head + strings.Repeat(" ", 20<<20): {"LIMIT_EXCEEDED", ""},
	} {
		a := u.importFile(t, content)
		if a.code() != c.code || !strings.HasPrefix(a.Errors[0].Message, c.message) {
			t.Errorf("%.90q: %s, want %s %s", content, a.body, c.code, c.message)
		}
	}
	u.importFile(t, "").wantFields(t, "an empty file", "file invalid_value")
	u.send(t, "", withInput(t, importAgent, vars{}), part{"map", oneFile}, part{"0", head}).want(t,
		"only cookies", http.StatusUnauthorized, "UNAUTHENTICATED")
	storetest.PurgeAgents(t, b.store)
	if everything(t, b) != before {
		t.Error("refused, and something changed")
	}
	u.importFile(t, head+strings.Repeat(" ", 20<<20-len(head))).wantNone(t, "20 MB")
}

// TestImportForeign tests that an editor's token, but no viewer's, imports a Dify app, with one audit
// entry. No value that the file hides is in the draft, a note, an error or the log.
func TestImportForeign(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	app, err := os.ReadFile(filepath.Join("..", "internal", "foreign", "testdata", "chat.yml"))
	if err != nil {
		t.Fatal(err)
	}
	const mutation = `mutation($input: ImportAgentInput!) { importAgent(input: $input) { agent ` + agentFields + `
		notes { line path kind message } moreNotes } }`
	send := func(role account.Role, format any, content string) answer {
		operations := withInput(t, mutation, vars{"format": format})
		return u.send(t, u.newToken(t, role), operations, part{"map", oneFile}, part{"0", content})
	}
	for _, got := range []answer{send(account.Editor, nil, string(app)), send(account.Editor, "DIFY", string(app))} {
		got.wantValues(t, "imported", map[string]any{
			"importAgent.agent.name":      "Order desk",
			"importAgent.agent.state":     "DRAFT",
			"importAgent.moreNotes":       0.0,
			"importAgent.notes.1.line":    19.0,
			"importAgent.notes.1.path":    "model_config.agent_mode.tools.0.tool_parameters.api_key",
			"importAgent.notes.1.kind":    "LEFT_OUT",
			"importAgent.notes.1.message": "The fixed value of “api_key” is left out.",
		})
		if strings.Contains(got.body, "hidden") {
			t.Errorf("a hidden value: %s", got.body)
		}
	}
	if got := send(account.Viewer, nil, string(app)); got.code() != "FORBIDDEN" {
		t.Errorf("a viewer: %s", got.body)
	}
	for _, format := range []any{"OPENAI_ASSISTANT", "AGENT_CHAT"} {
		refused := send(account.Editor, format, string(app))
		refused.wantFields(t, "another format", "file invalid_value")
		if !strings.HasPrefix(refused.Errors[0].Message, "Line 1: ") || strings.Contains(refused.body, "hidden") {
			t.Errorf("another format: %s", refused.body)
		}
	}
	entries := u.nodes(t, auditLog, "viewer.auditLog", "action", vars{"first": 10,
		"filter": vars{"action": "importAgent"}})
	if len(entries) != 2 {
		t.Errorf("%d audit entries", len(entries))
	}
	b.log.wantNoSecrets(t, "hidden")
}

package graph_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

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

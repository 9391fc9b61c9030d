package graph_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/memory"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/sources"
)

const (
	duplicateAgent = `mutation($id: ID!, $name: String!) { duplicateAgent(input: {id: $id, name:
		$name}) { agent ` + agentFields + ` } }`
	importAgent = `mutation($input: ImportAgentInput!) { importAgent(input: $input) { agent ` + agentFields + ` } }`
	exported    = `query($id: ID!, $first: Int, $after: String) { agent(id: $id) { fileHead
		knowledge(first: $first, after: $after) {
		nodes { kind name question pages state inDraft text } pageInfo { hasNextPage endCursor } } } }`
	searched = `query($id: ID!) { searchKnowledge(agentId: $id, message: "the refund of the watch") {
		source { name } heading page text score words } }`
)

// file returns an agent's file, built as the panel builds it.
func (u *user) file(t *testing.T, agent any) string {
	t.Helper()
	var lines []string
	var head string
	for after, more := any(nil), true; more; {
		a := u.do(t, exported, vars{"id": agent, "first": 2, "after": after}).wantNone(t, "export")
		head = a.text(t, "agent.fileHead")
		for _, node := range a.get("agent.knowledge.nodes").([]any) {
			source := node.(map[string]any)
			if source["state"] != "READY" || source["inDraft"] != true {
				continue
			}
			line := vars{"kind": source["kind"], "name": source["name"], "text": source["text"]}
			if source["pages"] != nil {
				line["pages"] = source["pages"]
			}
			if source["question"] != nil {
				line["questions"] = strings.Split(source["question"].(string), "\n")
			}
			text, err := json.Marshal(line)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(text))
		}
		after, more = a.get("agent.knowledge.pageInfo.endCursor"), a.get("agent.knowledge.pageInfo.hasNextPage") == true
	}
	slices.Reverse(lines)
	return strings.Join(append([]string{head}, lines...), "\n") + "\n"
}

func (u *user) importFile(t *testing.T, content string) answer {
	t.Helper()
	return u.send(t, u.token, withInput(t, importAgent, vars{}), part{"map", oneFile}, part{"0", content})
}

// knowing creates an agent with settings of all kinds, and sources of all kinds and states.
func (u *user) knowing(t *testing.T) string {
	t.Helper()
	agent := u.made(t, vars{"description": "For the “shop”",
		"instructions": "Be kind to {{name}} <b>.", "temperature": 0.5, "contextTurns": 3,
		"variables": []vars{{"name": "name", "description": "Whom", "required": true}}, "actions": []vars{orderStatus},
		"replySchema": `{"type": "object"}`}).text(t, "createAgent.agent.id")
	u.know(t, agent, "Returns <1>", "# Refunds\n\nThe refund comes within 30 days.\n\n“Yes” & no.")
	u.do(t, addAnswer, vars{"input": vars{"agentId": agent, "questions": []string{
		"Do you repair a watch?", "My\twatch?"}, "answer": "Yes.\nAll."}}).
		wantNone(t, "an answer")
	for i, text := range []string{"First page.\fA watch on the second page.", ""} {
		u.upload(t, agent, fmt.Sprintf("%d.pdf", i), fmt.Sprint(i)).wantNone(t, "a file")
		if text != "" {
			job, err := sources.On(u.b.store).ClaimFile(t.Context(), uuid.Nil)
			if err == nil {
				err = sources.On(u.b.store).FinishFile(t.Context(), job, text, 2)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return agent
}

// alike checks that two agents have the same settings and the same search results, and that the
// second has only READY sources.
func (u *user) alike(t *testing.T, what string, one, other any) {
	t.Helper()
	settings := func(id any) any {
		agent := u.do(t, oneAgent, vars{"id": id}).wantNone(t, what).get("agent").(map[string]any)
		for _, own := range []string{"id", "name", "createdAt", "updatedAt"} {
			delete(agent, own)
		}
		return agent
	}
	if got, want := fmt.Sprint(settings(other)), fmt.Sprint(settings(one)); got != want {
		t.Errorf("%s: the settings are\n%s, want\n%s", what, got, want)
	}
	found := func(id any) string { return u.do(t, searched, vars{"id": id}).wantNone(t, what).body }
	if got, want := found(other), found(one); got != want || strings.Count(want, "watch") < 3 {
		t.Errorf("%s: found is\n%s, want\n%s", what, got, want)
	}
	if got, want := u.knownBy(t, other, 0), []string{"Returns <1>", "Do you repair a watch?",
		"0.pdf"}; !slices.Equal(got, want) {
		t.Errorf("%s: it knows %q, want %q", what, got, want)
	}
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

func TestImportAgent(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	agent := u.knowing(t)
	file := u.file(t, agent)
	made := u.importFile(t, file)
	made.wantValues(t, "import", map[string]any{"importAgent.agent.state": "DRAFT",
		"importAgent.agent.description": "For the “shop”"})
	id := made.get("importAgent.agent.id")
	u.alike(t, "import", agent, id)
	if again := u.file(t, id); again != file {
		t.Errorf("imported and exported again:\n%s, want\n%s", again, file)
	}
	other.importFile(t, file).wantNone(t, "by another account")
	other.do(t, exported, vars{"id": agent}).want(t, "another account's", http.StatusOK, "NOT_FOUND")
	gone := u.importFile(t, `{"name": "x", "model": "acme/gone"}`)
	gone.wantValues(t, "a model that is not offered", map[string]any{"importAgent.agent.model": nil})
}

// TestImportDoors: a refused file creates nothing, and the error names the line.
func TestImportDoors(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	const head, text = "{\n  \"name\": \"x\"\n}\n", `{"kind": "TEXT", "name": "y", "text": "z"}` + "\n"
	before := everything(t, b) + rows(t, b, "knowledge_passages", "knowledge_postings")
	for content, want := range map[string]string{
		"":                        "Line 1: The file is empty.",
		"%PDF-1.7":                "Line 1: This is not valid JSON. Choose an unchanged file",
		`{"name": ""}`:            "Line 1: The name must have",
		head + text + "{}":        "Line 5: The kind must be",
		head + text + text:        "Line 5: The agent has this text already, as “y”.",
		head + text + text[:20]:   "Line 5: This is not valid JSON: the file ends too early.",
		head + text + "\n" + head: `Line 6: The kind must be`,
	} {
		code := "BAD_USER_INPUT"
		if strings.Contains(want, "already") {
			code = "CONFLICT"
		}
		a := u.importFile(t, content)
		a.want(t, want, http.StatusOK, code)
		if got := a.Errors[0].Message; !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		if code == "BAD_USER_INPUT" {
			a.wantFields(t, want, "file invalid_value")
		}
	}
	good, names := withInput(t, importAgent, vars{}), part{"map", oneFile}
	large := part{"0", head + strings.Repeat(" ", 20<<20)}
	for what, c := range map[string]struct {
		token string
		file  part
		code  string
	}{
		"no Authorization, only cookies": {"", part{"0", head}, "UNAUTHENTICATED"},
		"20 MB and more":                 {u.token, large, "LIMIT_EXCEEDED"},
		"more than any body":             {u.token, part{"0", large.content + large.content}, "LIMIT_EXCEEDED"},
	} {
		if a := u.send(t, c.token, good, names, c.file); a.code() != c.code {
			t.Errorf("%s: %d %.300s, want %s", what, a.status, a.body, c.code)
		}
	}
	u.do(t, importAgent, vars{"input": vars{"file": head}}).want(t, "JSON", http.StatusOK, "BAD_USER_INPUT")
	if everything(t, b)+rows(t, b, "knowledge_passages", "knowledge_postings") != before {
		t.Error("refused, and something changed")
	}
	u.importFile(t, head+strings.Repeat(" ", 20<<20-len(head))).wantNone(t, "20 MB")
}

// TestAgentFilesTakeMemory: an import reserves memory for a batch of its texts, and creates nothing
// without it.
func TestAgentFilesTakeMemory(t *testing.T) {
	t.Parallel()
	budget := memory.Bytes(64 << 20)
	b := newBench(t, func(o *options) { o.memory = budget })
	u := signedIn(t, b)
	long := strings.Repeat("x", 99_000)
	file := `{"name": "Long"}`
	for i := range 8 {
		file += fmt.Sprintf(`{"kind": "TEXT", "name": "y", "text": "%d%s"}`, i, long)
	}
	withLeft := func(left int64, ask func() answer) answer {
		defer leaveMemory(t, budget, u.account.ID, left)()
		return ask()
	}
	send := func() answer { return u.importFile(t, file) }
	before := everything(t, b)
	withLeft(8<<20, send).want(t, "too little to cut it", http.StatusServiceUnavailable, "UNAVAILABLE")
	if everything(t, b) != before {
		t.Error("refused, and something changed")
	}
	id := withLeft(16<<20, send).wantNone(t, "some texts at a time").get("importAgent.agent.id")
	withLeft(1<<20, func() answer {
		return u.do(t, duplicateAgent, vars{
			"id": id, "name": "Copy"})
	}).wantNone(t, "copied elsewhere")
	if page, err := agents.On(b.store).AgentPage(t.Context(), u.account.ID, agents.AgentQuery{
		First: 10}); err != nil || len(page.Items) != 2 {
		t.Errorf("%d agents, %v; want 2", len(page.Items), err)
	}
}

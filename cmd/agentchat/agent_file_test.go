package main

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agentfile"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
)

// TestAgentFiles exports an agent and imports the file, from a path and from standard input. The
// file has more than a page of the draft's knowledge, and nothing that only a version contains.
// TestImportAgent tests settings and sources of all kinds.
func TestAgentFiles(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s, env := storetest.Open(t, url), onDatabase(t, url)
	f := storetest.Seed(t, s, storetest.Options{})
	add := func(source agentfile.Source) knowledge.Source {
		t.Helper()
		added, err := sources.On(s).AddKnowledge(t.Context(), f.Account.ID, f.Agent.ID,
			newKnowledge(source))
		if err != nil {
			t.Fatal(err)
		}
		return added
	}
	old := add(agentfile.Source{Kind: knowledge.Text, Name: "old", Text: "only a version knows this"})
	storetest.Publish(t, s, f.Agent)
	if _, _, err := sources.On(s).RemoveKnowledge(t.Context(), f.Account.ID, old.ID); err != nil {
		t.Fatal(err)
	}
	add(agentfile.Source{Kind: knowledge.Text, Name: "Returns <1>", Text: "# Refunds\n\nIn 30 days."})
	for range store.MaxPage {
		add(agentfile.Source{
			Kind:      knowledge.Answer,
			Name:      "x",
			Questions: []string{uuid.NewString()},
			Text:      "yes",
		})
	}
	export := func(id string, flags ...string) string {
		return invoke(t, env, "", append(flags, "agent", "export", "--id", id)...).stdout
	}
	text := export(f.Agent.ID.String())
	if strings.Count(text, `"kind":"ANSWER"`) != store.MaxPage ||
		!strings.Contains(text, "Returns <1>") || strings.Contains(text, "only a version") {
		t.Fatalf("the file is %s", text)
	}
	to := []string{"agent", "import", "--json", "--id", f.Account.ID.String()}
	for path, stdin := range map[string]string{
		writeFile(t, text): "",
		"-":                export(f.Agent.ID.String(), "--json"),
	} {
		created := invoke(t, env, stdin, append(to, path)...).object(t)
		if created["sources"] != float64(1+store.MaxPage) {
			t.Errorf("imported: %v", created)
		}
		if again := export(created["id"].(string)); again != text {
			t.Errorf("imported and exported again: %s, want %s", again, text)
		}
	}
	for _, bad := range []string{"", "{", `{"name": "x", "secret": 1}`, `{"name": "x"} {}`} {
		r := invoke(t, env, bad, "agent", "import", "--id", f.Account.ID.String(), "-")
		r.expectLine(t, exitUsage)
	}
	storetest.Audit(t, s)
}

func newKnowledge(s agentfile.Source) sources.NewKnowledge {
	return sources.NewKnowledge{Kind: s.Kind, Name: s.Name, Questions: s.Questions, Text: s.Text}.Cut()
}

// TestAgentFilesAreWhole tests that a file over the limit of the command's KNOWLEDGE_PASSAGES
// creates no agent. Package graph tests other refusals.
func TestAgentFilesAreWhole(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s, env := storetest.Open(t, url), onDatabase(t, url, "KNOWLEDGE_PASSAGES=2")
	f := storetest.Seed(t, s, storetest.Options{})
	file := "{\n  \"name\": \"x\"\n}\n" + `{"kind": "TEXT", "name": "a", "text": "a"}` +
		`{"kind": "TEXT", "name": "b", "text": "b"}`
	add := []string{"agent", "import", "--id", f.Account.ID.String(), "-"}
	invoke(t, env, file+`{"kind": "TEXT", "name": "c", "text": "c"}`, add...).
		expectLine(t, exitFailed, "2 passages together")
	invoke(t, env, file+`{"name": "c", "text": "c"}`, add...).expectLine(t, exitUsage, "Line 4: The kind")
	storetest.PurgeAgents(t, s)
	var agents, left int
	err := s.SQL().QueryRowContext(t.Context(), `SELECT (SELECT count(*) FROM agents),
		(SELECT count(*) FROM knowledge_sources)`).Scan(&agents, &left)
	if err != nil || agents != 1 || left != 0 {
		t.Errorf("%d agents, %d sources, %v", agents, left, err)
	}
	if r := invoke(t, env, file, add...); !strings.Contains(r.stdout, "it knows 2 sources") {
		t.Errorf("within the limit: %+v", r)
	}
}

// TestServiceLimitsKnowledge tests that KNOWLEDGE_PASSAGES also applies to the service.
func TestServiceLimitsKnowledge(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	a := storetest.Seed(t, storetest.Open(t, url), storetest.Options{}).Agent
	db, err := configOf(t, onDatabase(t, url, "KNOWLEDGE_PASSAGES=1")...).openDatabase(t.Context(),
		slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.close)
	for text, want := range []bool{true, false} {
		source := newKnowledge(agentfile.Source{Kind: knowledge.Text, Name: "x", Text: fmt.Sprint(text)})
		if _, err := sources.On(db.DB).AddKnowledge(t.Context(), a.AccountID, a.ID,
			source); (err == nil) != want || err != nil && !fault.Is(err, fault.Conflict) {
			t.Errorf("text %d: %v", text, err)
		}
	}
}

// TestForeignFiles prints the draft of another system's file without a database, and imports the file.
// No value that the file hides is in the output. Package foreign tests the drafts of other files.
func TestForeignFiles(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "internal", "foreign", "testdata", "chat.yml")
	dry := invoke(t, nil, "", "agent", "import", "--from", "dify", "--dry-run", path)
	const first = "agentchat: line 13, model_config.agent_mode.tools.0: The tool “findOrder” is"
	if dry.code != exitOK || !strings.HasPrefix(dry.stdout, "{\n  \"name\": \"Order desk\"") ||
		!strings.HasPrefix(dry.stderr, first) || strings.Contains(dry.stdout+dry.stderr, "hidden") {
		t.Errorf("dry run: %+v", dry)
	}
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	f := storetest.Seed(t, s, storetest.Options{})
	env, to := onDatabase(t, url), []string{"agent", "import", "--json", "--id", f.Account.ID.String()}
	created := invoke(t, env, "", append(to, path)...).object(t)
	if notes, _ := created["notes"].([]any); created["name"] != "Order desk" || len(notes) != 18 ||
		created["more_notes"] != 0.0 {
		t.Errorf("imported: %v", created)
	}
	if again := invoke(t, env, "", "agent", "export", "--id", created["id"].(string)); again.stdout != dry.stdout {
		t.Errorf("exported: %s, want %s", again.stdout, dry.stdout)
	}
	invoke(t, nil, "{}", "agent", "import", "--from", "dify", "--dry-run", "-").
		expectLine(t, exitUsage, "Line 1: This is not a Dify app")
	invoke(t, nil, "", "agent", "import", "--from", "flowise", "--dry-run", "-").
		expectLine(t, exitUsage, "--from must be dify, openai-prompt or openai-assistant")
	storetest.Audit(t, s)
}

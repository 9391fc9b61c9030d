package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agentfile"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/versions"
)

func TestAgentFiles(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	listed := o.do("export", "list", "--email", o.Demo.Email)["exports"].([]any)
	id := listed[0].(map[string]any)["agent_id"].(string)
	text := invoke(t, o.env, "", "agent", "export", "--id", id).stdout
	path := filepath.Join(t.TempDir(), "agent.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	created := o.do("agent", "import", "--email", o.Demo.Email, path)
	if again := invoke(t, o.env, "", "agent", "export", "--id",
		created["id"].(string)).stdout; again != text || again == "" {
		t.Errorf("imported and exported again: %s, want %s", again, text)
	}
	if r := invoke(t, o.env, text, "agent", "import", "--email", o.Demo.Email, "-"); r.code != exitOK {
		t.Errorf("from standard input: %+v", r)
	}
	const acting = `"actions": [
    {
      "name": "order_status",
      "description": "Looks up an order",
      "parameters": "{\"type\":\"object\"}"
    }
  ]`
	if r := invoke(t, o.env, `{"name": "x", `+acting+`}`, "agent", "import", "--json", "--email",
		o.Demo.Email, "-"); r.code != exitOK {
		t.Errorf("with an action: %+v", r)
	} else if err := json.Unmarshal([]byte(r.stdout), &created); err != nil {
		t.Error(err)
	}
	if text := invoke(t, o.env, "", "agent", "export", "--id",
		created["id"].(string)).stdout; !strings.Contains(text, acting) {
		t.Errorf("%s has no %s", text, acting)
	}
	for _, bad := range []string{"", "{", `{"name": "x", "secret": 1}`, `{"name": ""}`,
		`{"name": "x", "temperature": 9}`, `{"name": "x"} {}`,
		`{"name": "x", "actions": [{"name": "Order"}]}`} {
		invoke(t, o.env, bad, "agent", "import", "--email", o.Demo.Email, "-").expectLine(t, exitUsage)
	}
}

func newKnowledge(s agentfile.Source) sources.NewKnowledge {
	return sources.NewKnowledge{Kind: s.Kind, Name: s.Name, Questions: s.Questions, Text: s.Text,
		Pages: s.Pages}.Cut()
}

// TestAgentFilesWithKnowledge tests that a file contains the knowledge of an agent's draft, as the
// same passages, and nothing that only a version contains.
func TestAgentFilesWithKnowledge(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s, env := storetest.Open(t, url), onDatabase(t, url)
	f := storetest.Seed(t, s, storetest.Options{})
	a, ctx := f.Agent, t.Context()
	known := []agentfile.Source{
		{Kind: knowledge.Text, Name: "Returns <1>", Text: "# Refunds\n\nWithin 30 days.\n\n“Yes” & no.\n"},
		{Kind: knowledge.Answer, Name: "Open?", Questions: []string{"Open?", "When\tare you open?"},
			Text: "Until six.\nNot on Sundays."},
		{Kind: knowledge.File, Name: "list.pdf", Pages: new(2), Text: "First page.\fSecond page."},
		{Kind: knowledge.Text, Name: "old", Text: "only a version knows this"},
	}
	for range store.MaxPage { // more than a page
		known = append(known,
			agentfile.Source{Kind: knowledge.Answer, Name: "x", Questions: []string{uuid.NewString()},
				Text: "yes"})
	}
	for _, source := range known {
		added, err := sources.On(s).AddKnowledge(ctx, a.AccountID, a.ID, newKnowledge(source))
		if err != nil {
			t.Fatal(err)
		}
		if source.Name != "old" {
			continue
		}
		if _, _, err := versions.On(s).PublishAgent(ctx, a.AccountID, a.ID, versions.Publication{},
			func(string) bool { return true }); err != nil {
			t.Fatal(err)
		}
		if _, _, err := sources.On(s).RemoveKnowledge(ctx, a.AccountID, added.ID); err != nil {
			t.Fatal(err)
		}
	}
	passages := func(id uuid.UUID) (out []knowledge.Passage) {
		found, err := sources.On(s).FindKnowledge(ctx,
			sources.FindKnowledge{AccountID: a.AccountID, AgentID: id, MaxWhole: 1 << 20})
		if err != nil || !found.Whole {
			t.Fatal(found, err)
		}
		for _, p := range found.Passages {
			out = append(out, p.Passage)
		}
		return out
	}
	for _, flags := range [][]string{nil, {"--json"}} {
		text := invoke(t, env, "", append(flags, "agent", "export", "--id", a.ID.String())...).stdout
		if n := strings.Count(text, `"kind":"ANSWER"`); n != 1+store.MaxPage ||
			!strings.Contains(text, `Returns <1>`) || strings.Contains(text, "only a version") {
			t.Fatalf("%d answers in %s", n, text)
		}
		r := invoke(t, env, text, "agent", "import", "--json", "--id", a.AccountID.String(), "-")
		var created struct {
			ID      uuid.UUID
			Sources int
		}
		if err := json.Unmarshal([]byte(r.stdout), &created); err != nil || created.Sources != 3+store.MaxPage {
			t.Fatalf("%+v: %v", r, err)
		}
		if got, want := passages(created.ID), passages(a.ID); !slices.Equal(got, want) ||
			len(want) < 4+store.MaxPage {
			t.Errorf("passages: %+v, want %+v", got, want)
		}
		if again := invoke(t, env, "",
			append(flags, "agent", "export", "--id", created.ID.String())...).stdout; again != text {
			t.Errorf("imported and exported again: %s, want %s", again, text)
		}
	}
	storetest.Audit(t, s)
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

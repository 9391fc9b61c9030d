package foreign

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDrafts tests the drafts and notes of files: each is in the file of the same name with ".draft"
// added. No value that a file marks as hidden is in them.
func TestDrafts(t *testing.T) {
	t.Parallel()
	for name, format := range map[string]Format{
		"chat.yml": Dify, "workflow.yml": Dify, "agent.yml": Dify,
		"assistant.json": OpenAIAssistant, "prompt.json": OpenAIPrompt,
	} {
		content, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if found, err := Detect(content); found != format || err != nil {
			t.Errorf("%s is %s, %v", name, found, err)
		}
		result, err := parse(format, content)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := lines(result)
		want, _ := os.ReadFile(filepath.Join("testdata", name+".draft"))
		if got != string(want) {
			t.Errorf("%s:\n%s", name, got)
		}
		if strings.Contains(got, "hidden") {
			t.Errorf("%s: a hidden value is in the draft or in a note", name)
		}
	}
}

// lines returns the head, and each note on a line.
func lines(r Result) string {
	out := r.Head.Text(true) + "\n"
	for _, n := range r.Notes {
		out += fmt.Sprintf("%d %s %s %s\n", n.Line, n.Kind, n.Path, n.Message)
	}
	return out
}

// TestLimits tests that long and numerous parts are cut or left out with notes that quote little.
func TestLimits(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 40_000)
	var tools []map[string]any
	for i := range 300 {
		tools = append(tools, map[string]any{"type": "function", "name": fmt.Sprint("Tool", i, long[:200])})
	}
	content, _ := json.Marshal(map[string]any{
		"name": long, "description": long, "instructions": long, "model": long, "tools": tools,
		"input": strings.Repeat("{{a}} ", 40),
	})
	result, err := parse(OpenAIPrompt, content)
	if err != nil {
		t.Fatal(err)
	}
	h := result.Head
	if len(h.Name) != 200 || len(h.Description) != 2_000 || len(h.Instructions) != 2*32_768 ||
		h.Model != nil || len(h.Actions) != 16 || h.Actions[15].Name != "tool15" ||
		len(result.Notes) != MaxNotes || result.More != 300+5-MaxNotes {
		t.Errorf("%d notes and %d more: %.300s", len(result.Notes), result.More, h.Text(false))
	}
	for _, n := range result.Notes {
		if len([]rune(n.Message)) > 150 {
			t.Errorf("a long note: %s", n.Message)
		}
	}
}

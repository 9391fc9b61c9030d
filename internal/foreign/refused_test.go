package foreign

import (
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/fault"
)

func TestDetect(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]Format{
		"":                                     AgentChat,
		"%PDF-1.7":                             AgentChat,
		`{"name": "x"}` + "\n" + `{"app": 1}`:  AgentChat,
		`{"name": "x", "app"`:                  AgentChat,
		"\ufeffkind: app\r\napp:\r\n  name: x": Dify,
		`{"app": {}}`:                          Dify,
		"'app' : {name: x}":                    Dify,
		"text:\n  app: x":                      AgentChat,
		"nodes: []\nedges: []\napp: x":         Dify,
		`{"object": "assistant"}`:              OpenAIAssistant,
		"object: assistant\nid: x":             OpenAIAssistant,
		`{"object": "response", "model": "x"}`: AgentChat,
		`{"model": "x", "input": "Hello"}`:     OpenAIPrompt,
		`{"prompt": {"id": "x"}}`:              OpenAIPrompt,
		`{"app": 1, "x": [` + strings.Repeat("1,", MaxFile/2) + `1]}`: Dify,
	} {
		if got, err := Detect([]byte(content)); got != want || err != nil {
			t.Errorf("%.40q: %s, %v; want %s", content, got, err, want)
		}
	}
	_, err := Detect([]byte(`{"nodes": [], "edges": []}`))
	if fault.ClientMessage(err) != "Line 1: Flowise and Langflow graphs are not read." {
		t.Error(err)
	}
}

// graphOf returns a Dify app whose graph has these types of nodes in a straight line, and more YAML in
// its last node.
func graphOf(more string, types ...string) string {
	nodes, edges := "", ""
	for i, kind := range types {
		nodes += fmt.Sprintf("    - {id: n%d, data: {type: %s", i, kind)
		if i == len(types)-1 {
			nodes += more
		}
		nodes += "}}\n"
		if i > 0 {
			edges += fmt.Sprintf("    - {source: n%d, target: n%d}\n", i-1, i)
		}
	}
	return "app: {mode: workflow}\nworkflow:\n  graph:\n    edges:\n" + edges + "    nodes:\n" + nodes
}

// TestRefused tests that each file is refused with its line and without its values.
func TestRefused(t *testing.T) {
	t.Parallel()
	const straight = " Only a straight line with one model call becomes an agent."
	answer := func(text string) string { return `, answer: "` + text + `"` }
	for content, want := range map[string]string{
		"":                                   "Line 1: The file is empty.",
		"app:\n  x: \xff":                    "Line 2: This is not UTF-8.",
		"- app":                              "Line 1: This must be an object",
		"name: x":                            "Line 1: This is not a Dify app: it has no “app”.",
		"app: x":                             `Line 1: This is not a Dify app`,
		"app:\n  mode: hidden":               "Line 1: Only apps of the modes",
		"app: {mode: chat}":                  "Line 1: The app has no “model_config”.",
		"app: {mode: workflow}":              "Line 1: The app has no graph",
		"app:\n  a: 1\n  b: hidden: hidden":  "Line 3: This is not valid YAML.",
		"app: {}\nb: &x hidden":              "Line 2: Anchors are not read. Remove the anchor.",
		"app: {}\nb: *x":                     "Line 2: Aliases are not read. Write the value out.",
		"app: {}\nb: {<<: {}}":               "Line 2: Merge keys are not read.",
		"app: !!hidden x":                    "Line 1: Tags are not read.",
		"%YAML 1.1\n---\napp: x":             "Line 1: Directives are not read.",
		"? [app]\n: x":                       "Line 1: Complex keys are not read.",
		"app: {}\n\nmodel: a\nmodel: hidden": "Line 4: “model” occurs twice here. Remove one.",
		"app: {}\n---\napp: {}":              "Line 2: The file has a second document.",
		`{"app": {}}` + "\n" + `{"app": {}}`: "Line 2: The file has a second document.",
		`{"app": {"a": 1,` + "\n" + `"a": "hidden"}}`:                            "Line 2: “a” occurs twice here.",
		`{"app":` + "\n" + `hidden}`:                                             "Line 2: This is not valid JSON.",
		`{"app":` + "\n\n":                                                       "Line 3: This is not valid JSON: the file ends too early.",
		`{"app": "\u0000"}`:                                                      "Line 1: A text contains the character U+0000.",
		"app: {}\na: " + strings.Repeat("[", 70):                                 "Line 2: Values are nested more than 64 levels deep.",
		"app:\n" + strings.Repeat("- ", 70) + "x":                                "Line 2: Values are nested more than 64 levels deep.",
		`{"app": ` + strings.Repeat("[", 70):                                     "Line 1: Values are nested more than 64 levels deep.",
		"app: {}\na: [" + strings.Repeat("x,", 100_001) + "]":                    "Line 2: The file has more than 100,000 values.",
		`{"app": [` + strings.Repeat("0,", 100_001) + "0]}":                      "Line 1: The file has more than 100,000 values.",
		graphOf("", "start", "if-else", "code", "code", "llm", "answer"):         "Line 12: This app also has 1 if-else and 2 code nodes." + straight,
		graphOf("", "start", "llm", "llm", "answer"):                             "Line 11: This app also has 1 llm node." + straight,
		graphOf("", "start", "a", "b", "c", "d", "e", "f", "g", "answer"):        "Line 15: This app also has 1 a, 1 b, 1 c, 1 d, 1 e and other nodes." + straight,
		graphOf("", "llm", "answer"):                                             "Line 3: This app has no start node.",
		graphOf("", "start", "answer"):                                           "Line 3: This app has no llm or agent node.",
		graphOf("", "start", "llm"):                                              "Line 3: This app has no answer or end node.",
		graphOf(answer("{{#n2.text#}}"), "start", "answer", "llm"):               "Line 3: The nodes are not connected in a straight line.",
		graphOf(answer("hidden {{#n1.text#}}"), "start", "llm", "answer"):        "Line 10: This app answers with more than the model's text." + straight,
		graphOf(answer("{{#n0.text#}}"), "start", "llm", "answer"):               "Line 10: This app answers with more than the model's text.",
		graphOf(", outputs: [{value_selector: [n1, x]}]", "start", "llm", "end"): "Line 10: This app answers with more than the model's text.",
	} {
		refuse(t, Dify, content, want)
	}
	refuse(t, OpenAIAssistant, `{"object": "response"}`, `Line 1: This is not an OpenAI assistant`)
	refuse(t, OpenAIPrompt, "{\"model\": \"x\",\n\"prompt\": {\"id\": \"hidden\"}}",
		"Line 2: The file names a prompt but does not contain it.")
	refuse(t, OpenAIPrompt, `{"input": "hidden"}`, "Line 1: The file has no instructions.")
}

func refuse(t *testing.T, format Format, content, want string) {
	t.Helper()
	_, err := parse(format, []byte(content))
	if got := fault.ClientMessage(err); !fault.Is(err, fault.InvalidInput) ||
		!strings.HasPrefix(got, want) || strings.Contains(got, "hidden") || len(got) > 200 {
		t.Errorf("%.90q: %v; want %s", content, err, want)
	}
}

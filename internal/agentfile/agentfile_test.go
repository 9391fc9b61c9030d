package agentfile_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/agentfile"
	"agentchat/internal/fault"
	"agentchat/internal/store/sources"
)

// read reads a whole file; grow may refuse.
func read(content string,
	grow func(int64) error) (a agent.Agent, sources []sources.NewKnowledge, err error) {
	a, file, err := agentfile.Read([]byte(content))
	if err != nil {
		return a, nil, err
	}
	for in, err := range file.Sources(nil, grow) {
		if err != nil {
			return a, sources, file.OnLine(err)
		}
		sources = append(sources, in)
	}
	return a, sources, nil
}

func enough(int64) error { return nil }

func TestHead(t *testing.T) {
	t.Parallel()
	settings := agent.DefaultSettings()
	settings.Instructions, settings.Model, settings.ContextTurns = "Say “<hello>”\nto {{name}}.",
		new("acme/gone"), 7
	settings.Variables = []agent.Variable{{Name: "name", Required: true}}
	settings.Actions = []agent.Action{{
		Name:        "order_status",
		Description: "Looks up an order",
		Parameters:  `{"type":"object"}`,
	}}
	want := agent.Agent{Name: "Shop", Description: "é", Settings: settings, State: agent.Draft}
	for readable, lines := range map[bool]int{true: 1, false: 0} {
		text := agentfile.HeadOf(want).Text(readable)
		got, sources, err := read(text, enough)
		if err != nil || sources != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("read %+v with %v: %v, want %+v", got, sources, err, want)
		}
		if min(strings.Count(text, "\n"), 1) != lines || !strings.Contains(text, "<hello>") {
			t.Errorf("readable %v: %s", readable, text)
		}
	}
	if got, _, err := read(`{"name": " least "}`, enough); err != nil || got.Name != "least" ||
		!got.Equal(agent.DefaultSettings()) {
		t.Errorf("the least: %+v %v", got, err)
	}
}

func TestSources(t *testing.T) {
	t.Parallel()
	by, asked := uuid.New(), int64(0)
	_, file, err := agentfile.Read([]byte("{\n\"name\": \"x\"}\n" +
		`{"kind":"TEXT","name":" a ","text":"# A\r\n\r\nb"}` + "\r\n\n  " +
		`{"kind":"ANSWER","name":"","questions":["q","r"],"text":"s"}` + `{"kind":"FILE","name":"a.pdf","pages":2,"text":"1\f2"}` + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for in, err := range file.Sources(&by, func(n int64) error { asked += n; return nil }) {
		if err != nil || in.By != &by || len(in.Passages) == 0 {
			t.Errorf("%+v %v", in, err)
		}
		names = append(names, string(in.Kind)+" "+in.Name+" "+in.Text)
	}
	if want := []string{"TEXT a # A\n\nb", "ANSWER q s", "FILE a.pdf 1\f2"}; !reflect.DeepEqual(names, want) || file.Known != 3 || asked != 164 {
		t.Errorf("%q, %d known, %d bytes; want %q", names, file.Known, asked, want)
	}
	if err := fault.New(fault.Conflict, "Full."); file.OnLine(err).Error() != err.Error() {
		t.Errorf("after the last one: %v", file.OnLine(err))
	}
}

// TestRefused shows that an error contains the line and the problem with a short quote, and that
// reading stops there.
func TestRefused(t *testing.T) {
	t.Parallel()
	const head, text = "{\n  \"name\": \"x\"\n}\n", `{"kind": "TEXT", "name": "y", "text": "z"}` + "\n"
	long := strings.Repeat("x", 1<<20)
	for content, want := range map[string]string{
		"":                                       "Line 1: The file is empty.",
		" \n \n":                                 "Line 3: The file is empty.",
		"%PDF-1.7":                               "Line 1: This is not valid JSON.",
		"[]":                                     "Line 1: This must be a JSON object.",
		`"` + long + `"`:                         "Line 1: This must be a JSON object.",
		"{":                                      "Line 1: This is not valid JSON: the file ends too early.",
		"{\n\"name\": \"x\",\n}":                 "Line 3: This is not valid JSON.",
		"{\"name\": \"\xff\"}":                   "Line 1: This is not valid JSON: it must be UTF-8.",
		`{"name": "\ud800"}`:                     "Line 1: This is not valid JSON.",
		`{"name": "x", "name": "y"}`:             "Line 1: A field occurs twice.",
		`{"name": 1}`:                            `Line 1: The field "name" has the wrong type.`,
		`{"name": "x", "` + long + `": 1}`:       `Line 1: There is no field "xxx`,
		`{"name": " "}`:                          "Line 1: The name must have",
		`{"name": "x", "temperature": 9}`:        "Line 1: The temperature",
		`{"name": "x", "model": "` + long + `"}`: "Line 1: There is no model",
		`{"name": "x", "model": "a\u0000"}`:      "Line 1: There is no model",
		head + text + "{}":                       "Line 5: The kind must be",
		head + text + "null":                     "Line 5: The kind must be",
		head + "\n\n{\"kind\": \"TEXT\", \"id\": 1}":                            `Line 6: There is no field "id" here.`,
		head + `{"kind": "TEXT", "text": 7}`:                                    `Line 4: The field "text" has the wrong type.`,
		head + text + text[:20]:                                                 "Line 5: This is not valid JSON: the file ends too early.",
		head + text + "x" + text:                                                "Line 5: This is not valid JSON.",
		head + `{"kind": "FILE", "name": "y", "text": "a\u0000"}`:               "Line 4: The text contains the character U+0000.",
		head + `{"kind": "FILE", "name": "y", "text": " "}`:                     "Line 4: The file has no text.",
		head + `{"kind": "TEXT", "name": "y", "pages": 1, "text": "z"}`:         "Line 4: Only a FILE has pages",
		head + `{"kind": "TEXT", "name": "", "text": ""}`:                       "Line 4: The name must have",
		head + strings.Repeat(text, 2) + strings.Repeat("[", 20_000):            "Line 6: This is not valid JSON",
		head + `{"kind": "TEXT", "name": "y", "questions": ["q"], "text": "z"}`: "Line 4: Only an ANSWER",
	} {
		_, _, err := read(content, enough)
		if !fault.Is(err, fault.InvalidInput) || !strings.HasPrefix(fault.ClientMessage(err), want) ||
			len(err.Error()) > 250 {
			t.Errorf("%.60q: %v, want %q", content, err, want)
		}
	}
	full := errors.New("full")
	_, sources, err := read(head+text+text+text, func(int64) error { return full })
	if !errors.Is(err, full) || sources != nil {
		t.Errorf("without memory: %v %v", sources, err)
	}
}

package agent_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
)

func to[T any](v T) agent.Change[T] { return agent.Change[T]{Set: true, Value: &v} }

func cleared[T any]() agent.Change[T] { return agent.Change[T]{Set: true} }

func known(model string) bool { return model == "sandbox/assistant" || model == "gemini/away" }

func available(model string) bool { return model == "sandbox/assistant" }

// problemsOf returns path and reason of every invalid field, and fails the test if a message is not
// a sentence.
func problemsOf(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != fault.InvalidInput || len(f.Fields) == 0 {
		t.Fatalf("not a fault with fields: %v", err)
	}
	var out []string
	for _, field := range f.Fields {
		if !strings.HasSuffix(field.Message, ".") || len(field.Message) < 15 {
			t.Errorf("%s: no sentence: %q", field.Path, field.Message)
		}
		out = append(out, field.Path+" "+string(field.Reason))
	}
	return out
}

func TestChangesCheck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   agent.Changes
		want []string
	}{
		"nothing":                {in: agent.Changes{}},
		"name of 1":              {in: agent.Changes{Name: to("x")}},
		"name of 100":            {in: agent.Changes{Name: to(strings.Repeat("\u00e9", 100))}},
		"name of 100 in space":   {in: agent.Changes{Name: to("  " + strings.Repeat("x", 100) + "\t\n")}},
		"name of 101":            {in: agent.Changes{Name: to(strings.Repeat("x", 101))}, want: []string{"name too_long"}},
		"name empty":             {in: agent.Changes{Name: to("")}, want: []string{"name blank"}},
		"name blank":             {in: agent.Changes{Name: to(" \t\u00a0\n")}, want: []string{"name blank"}},
		"name null":              {in: agent.Changes{Name: cleared[string]()}, want: []string{"name missing"}},
		"name with a line break": {in: agent.Changes{Name: to("a\nb")}, want: []string{"name invalid_character"}},
		"name with U+0000":       {in: agent.Changes{Name: to("a\x00b")}, want: []string{"name invalid_character"}},
		"name with U+0085":       {in: agent.Changes{Name: to("a\u0085b")}, want: []string{"name invalid_character"}},
		"name not UTF-8":         {in: agent.Changes{Name: to("a\xffb")}, want: []string{"name invalid_character"}},
		"description of 1,000":   {in: agent.Changes{Description: to(strings.Repeat("\u20ac", 1000))}},
		"description of 1,001": {
			in:   agent.Changes{Description: to(strings.Repeat("x", 1001))},
			want: []string{"description too_long"},
		},
		"description empty":       {in: agent.Changes{Description: to("")}},
		"description null":        {in: agent.Changes{Description: cleared[string]()}},
		"description with lines":  {in: agent.Changes{Description: to("a\r\n\tb")}},
		"description with U+0000": {in: agent.Changes{Description: to("\x00")}, want: []string{"description invalid_character"}},
		"instructions of 32,768":  {in: agent.Changes{Instructions: to(strings.Repeat("\U0001f600", 32768))}},
		"instructions of 32,769": {
			in:   agent.Changes{Instructions: to(strings.Repeat("x", 32769))},
			want: []string{"instructions too_long"},
		},
		"instructions blank":         {in: agent.Changes{Instructions: to("  ")}},
		"instructions null":          {in: agent.Changes{Instructions: cleared[string]()}},
		"instructions with controls": {in: agent.Changes{Instructions: to("\x01\x1b[31m\u202e")}},
		"instructions with U+0000":   {in: agent.Changes{Instructions: to("a\x00")}, want: []string{"instructions invalid_character"}},
		"instructions not UTF-8": {
			in:   agent.Changes{Instructions: to("\xed\xa0\x80")},
			want: []string{"instructions invalid_character"},
		},
		"model":                     {in: agent.Changes{Model: to("sandbox/assistant")}},
		"model that is away":        {in: agent.Changes{Model: to("gemini/away")}},
		"model null":                {in: agent.Changes{Model: cleared[string]()}},
		"model unknown":             {in: agent.Changes{Model: to("other/x")}, want: []string{"model invalid_value"}},
		"model empty":               {in: agent.Changes{Model: to("")}, want: []string{"model invalid_value"}},
		"model in other case":       {in: agent.Changes{Model: to("Sandbox/Assistant")}, want: []string{"model invalid_value"}},
		"fallback model":            {in: agent.Changes{FallbackModel: to("gemini/away")}},
		"fallback model null":       {in: agent.Changes{FallbackModel: cleared[string]()}},
		"fallback model unknown":    {in: agent.Changes{FallbackModel: to("other/x")}, want: []string{"fallbackModel invalid_value"}},
		"two models":                {in: agent.Changes{Model: to("sandbox/assistant"), FallbackModel: to("gemini/away")}},
		"temperature 0":             {in: agent.Changes{Temperature: to(0.0)}},
		"temperature 2":             {in: agent.Changes{Temperature: to(2.0)}},
		"temperature null":          {in: agent.Changes{Temperature: cleared[float64]()}},
		"temperature below 0":       {in: agent.Changes{Temperature: to(-0.0001)}, want: []string{"temperature out_of_range"}},
		"temperature above 2":       {in: agent.Changes{Temperature: to(2.0001)}, want: []string{"temperature out_of_range"}},
		"temperature no number":     {in: agent.Changes{Temperature: to(math.NaN())}, want: []string{"temperature out_of_range"}},
		"temperature infinite":      {in: agent.Changes{Temperature: to(math.Inf(1))}, want: []string{"temperature out_of_range"}},
		"temperature less than all": {in: agent.Changes{Temperature: to(math.Inf(-1))}, want: []string{"temperature out_of_range"}},
		"tokens 1":                  {in: agent.Changes{MaxOutputTokens: to(1)}},
		"tokens 1,000,000":          {in: agent.Changes{MaxOutputTokens: to(1_000_000)}},
		"tokens null":               {in: agent.Changes{MaxOutputTokens: cleared[int]()}},
		"tokens 0":                  {in: agent.Changes{MaxOutputTokens: to(0)}, want: []string{"maxOutputTokens out_of_range"}},
		"tokens below 0":            {in: agent.Changes{MaxOutputTokens: to(-1)}, want: []string{"maxOutputTokens out_of_range"}},
		"tokens 1,000,001":          {in: agent.Changes{MaxOutputTokens: to(1_000_001)}, want: []string{"maxOutputTokens out_of_range"}},
		"turns 0":                   {in: agent.Changes{ContextTurns: to(0)}},
		"turns 40":                  {in: agent.Changes{ContextTurns: to(40)}},
		"turns null":                {in: agent.Changes{ContextTurns: cleared[int]()}},
		"turns below 0":             {in: agent.Changes{ContextTurns: to(-1)}, want: []string{"contextTurns out_of_range"}},
		"turns 41":                  {in: agent.Changes{ContextTurns: to(41)}, want: []string{"contextTurns out_of_range"}},
		"a schema":                  {in: agent.Changes{ReplySchema: to(`{"type":"object","title":"\u0000"}`)}},
		"a schema of 16 KiB":        {in: agent.Changes{ReplySchema: to(`{"type":"object"` + strings.Repeat(" ", 16<<10-17) + `}`)}},
		"schema null":               {in: agent.Changes{ReplySchema: cleared[string]()}},
		"a schema over 16 KiB":      {in: agent.Changes{ReplySchema: to(`{"type":"object"` + strings.Repeat(" ", 16<<10-16) + `}`)}, want: []string{"replySchema too_long"}},
		"a schema with U+0000":      {in: agent.Changes{ReplySchema: to("{\"type\":\"object\"}\x00")}, want: []string{"replySchema invalid_character"}},
		"no schema":                 {in: agent.Changes{ReplySchema: to(`{"type":"object","properties":{"a":{"$ref":"http://a"}}}`)}, want: []string{"replySchema invalid_value"}},
		"an empty schema":           {in: agent.Changes{ReplySchema: to("")}, want: []string{"replySchema invalid_value"}},
		"everything at once": {
			in: agent.Changes{Name: to(""), Description: to(strings.Repeat("x", 1001)), Instructions: to("\x00"), Model: to("x"),
				Temperature: to(3.0), MaxOutputTokens: to(0), ContextTurns: to(99), ReplySchema: to("[]")},
			want: []string{"name blank", "description too_long", "instructions invalid_character", "model invalid_value",
				"temperature out_of_range", "maxOutputTokens out_of_range", "contextTurns out_of_range", "replySchema invalid_value"},
		},
	} {
		if got := problemsOf(t, c.in.Check(known)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestNewAgentNeedsAName(t *testing.T) {
	t.Parallel()
	in := agent.Changes{Temperature: to(9.0)}
	if got := problemsOf(t, in.CheckNew(known)); !slices.Equal(got, []string{"name missing", "temperature out_of_range"}) {
		t.Errorf("without a name: %q", got)
	}
	if in.Name.Set {
		t.Error("the check changed its input")
	}
	if err := (agent.Changes{Name: to("x")}).CheckNew(known); err != nil {
		t.Errorf("with a name alone: %v", err)
	}
	in = agent.Changes{Name: to("x"), Model: to("gemini/away"), FallbackModel: to("gemini/away")}
	if got := problemsOf(t, in.CheckNew(known)); !slices.Equal(got, []string{"fallbackModel invalid_value"}) {
		t.Errorf("with the same model twice: %q", got)
	}
}

// TestModelsDiffer shows that a change that makes the two models equal is refused.
func TestModelsDiffer(t *testing.T) {
	t.Parallel()
	first, second := "sandbox/assistant", "gemini/away"
	for name, c := range map[string]struct {
		in   agent.Changes
		want []string
	}{
		"the model":    {in: agent.Changes{Model: to(second)}, want: []string{"model invalid_value"}},
		"the fallback": {in: agent.Changes{FallbackModel: to(first)}, want: []string{"fallbackModel invalid_value"}},
		"both":         {in: agent.Changes{Model: to("gemini/other"), FallbackModel: to("gemini/other")}, want: []string{"fallbackModel invalid_value"}},
		"swapped":      {in: agent.Changes{Model: to(second), FallbackModel: to(first)}},
		"no fallback":  {in: agent.Changes{Model: to(second), FallbackModel: cleared[string]()}},
		"no model":     {in: agent.Changes{Model: cleared[string](), FallbackModel: to(first)}},
		"nothing":      {},
	} {
		after := agent.Apply(agent.Agent{Settings: agent.Settings{Model: &first, FallbackModel: &second}},
			c.in)
		if got := problemsOf(t, c.in.CheckTogether(after.Settings)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestApply(t *testing.T) {
	t.Parallel()
	model, second, warm, most, shape := "sandbox/assistant", "gemini/away", 0.5, 100,
		`{"type":"object"}`
	before := agent.Agent{Name: "Old", Description: "d", State: agent.Live, Settings: agent.Settings{Instructions: "i",
		Model: &model, FallbackModel: &second, Temperature: &warm, MaxOutputTokens: &most, ContextTurns: 7, ReplySchema: &shape,
		Actions: actionsOf(2, anyObject)}}
	if got := agent.Apply(before, agent.Changes{}); !reflect.DeepEqual(got, before) {
		t.Errorf("nothing changed something: %+v", got)
	}
	got := agent.Apply(before,
		agent.Changes{Name: to(" New "), Description: to(" x "), Instructions: to("\n y \n"),
			Model: to("gemini/away"), Temperature: to(0.0), MaxOutputTokens: to(1), ContextTurns: to(0)})
	if got.Name != "New" || got.Description != " x " || got.Instructions != "\n y \n" ||
		*got.Model != "gemini/away" ||
		*got.Temperature != 0 || *got.MaxOutputTokens != 1 || got.State != agent.Live ||
		got.ContextTurns != 0 {
		t.Errorf("replaced: %+v", got)
	}
	got = agent.Apply(before,
		agent.Changes{Description: cleared[string](), Instructions: cleared[string](),
			Model: cleared[string](), FallbackModel: cleared[string](), Temperature: cleared[float64](), MaxOutputTokens: cleared[int](), ContextTurns: cleared[int](), ReplySchema: cleared[string](),
			Actions: cleared[[]agent.Action]()})
	want := agent.Agent{Name: "Old", State: agent.Live, Settings: agent.Settings{ContextTurns: 40}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("cleared: %+v", got)
	}
	if got = agent.Apply(before, agent.Changes{Actions: to([]agent.Action{})}); got.Actions != nil {
		t.Errorf("no actions are %#v, and nil in what the store reads", got.Actions)
	}
	if *before.Model != "sandbox/assistant" || before.Name != "Old" {
		t.Errorf("the agent before was altered: %+v", before)
	}
}

func TestParseSearch(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"": "", "  ": "", " a b ": "a b", "100% _\\": "100% _\\", "\u00c4": "\u00c4",
		strings.Repeat("\u00e9", 100): strings.Repeat("\u00e9", 100)} {
		if got, err := agent.ParseSearch(in); err != nil || got != want {
			t.Errorf("%q: %q %v, want %q", in, got, err, want)
		}
	}
	for in, want := range map[string]string{"a\x00b": "filter.search invalid_character", "\xff": "filter.search invalid_character",
		strings.Repeat("x", 101): "filter.search too_long"} {
		_, err := agent.ParseSearch(in)
		if got := problemsOf(t, err); !slices.Equal(got, []string{want}) {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

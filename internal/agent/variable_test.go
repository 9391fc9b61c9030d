package agent_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentchat/internal/agent"
)

func TestFill(t *testing.T) {
	t.Parallel()
	standard := "standard"
	variables := []agent.Variable{{Name: "name", Required: true}, {Name: "plan", Default: &standard},
		{Name: "none"}, {Name: "_x1"}}
	for instructions, want := range map[string]string{
		"":                                "",
		"{{name}}":                        "Ada",
		"{{name}}{{name}}, {{plan}}":      "AdaAda, standard",
		"[{{none}}]":                      "[]",
		"{{ name }} {{Name}} {{ name}}":   "{{ name }} {{Name}} {{ name}}",
		"{{other}} {{name":                "{{other}} {{name",
		"{{{name}}} {{{{name}}}}":         "{Ada} {{Ada}}",
		"{{_x1}}":                         "{{name}}",
		"{{name }}{{na{{name}}me}}{{1a}}": "{{name }}{{naAdame}}{{1a}}",
	} {
		got := agent.Fill(instructions, variables, map[string]string{"name": "Ada", "_x1": "{{name}}"})
		if got != want {
			t.Errorf("%q: %q, want %q", instructions, got, want)
		}
	}
	if got := agent.Fill("{{name}}", nil, map[string]string{"name": "Ada"}); got != "{{name}}" {
		t.Errorf("of an agent without variables: %q", got)
	}
}

// TestFillIsOnePass shows that the text between placeholders is unchanged, and that values are
// inserted verbatim.
func TestFillIsOnePass(t *testing.T) {
	t.Parallel()
	variables := []agent.Variable{{Name: "a"}, {Name: "b"}}
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.StringOf(rapid.RuneFrom([]rune("ab{} $\\")))
		values := map[string]string{"a": part.Draw(t, "value of a"), "b": part.Draw(t, "value of b")}
		var text, want strings.Builder
		for _, name := range rapid.SliceOf(rapid.SampledFrom([]string{"a", "b", "c"})).Draw(t, "names") {
			between := rapid.SampledFrom([]string{"", " ", "x", "\n", "}", "é"}).Draw(t, "between")
			text.WriteString(between + "{{" + name + "}}")
			if value, ok := values[name]; ok {
				want.WriteString(between + value)
			} else {
				want.WriteString(between + "{{" + name + "}}")
			}
		}
		if got := agent.Fill(text.String(), variables, values); got != want.String() {
			t.Fatalf("%q: %q, want %q", text.String(), got, want.String())
		}
	})
}

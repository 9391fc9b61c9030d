package catalogue_test

import (
	"fmt"
	"strings"
	"testing"
)

// good is a valid file. Line 3 is the provider's kind.
const good = `providers:
  - name: p
    kind: openai
    api_key_env: SET_KEY
models:
  - name: m
    provider: p
    credits: 1
    context_window: 4096
`

// change returns the good file with one piece replaced.
func change(old, replacement string) string {
	if !strings.Contains(good, old) {
		panic(fmt.Sprintf("the good file has no %q", old))
	}
	return strings.Replace(good, old, replacement, 1)
}

// withLine returns the good file with another line in its model, line 9.
func withLine(text string) string { return change("credits: 1", "credits: 1\n    "+text) }

func TestBadModelsFiles(t *testing.T) {
	t.Parallel()
	head, tail, _ := strings.Cut(good, "models:")
	tail = "models:" + tail
	model := "  - {name: m%d, provider: p, credits: 1, context_window: 4096}\n"
	for name, tc := range map[string]struct{ text, want string }{
		"empty":            {"", "1: the file has no providers"},
		"comments only":    {"# nothing\n\n", "1: the file has no providers"},
		"two documents":    {good + "---\n" + good, "1: the file must hold one document"},
		"only providers":   {head, "1: the file has no models"},
		"only models":      {tail, "1: the file has no providers"},
		"unknown part":     {good + "prices: []\n", `10: unknown field "prices"`},
		"too large":        {good + strings.Repeat("# padding\n", 120_000), "1: the file is over its limit of 1 MiB"},
		"deep":             {"\n" + strings.Repeat("[\n", 1000), "1001: sequence end token"},
		"deep in one line": {"\n" + strings.Repeat("{a: ", 1000), "2: could not find map value"},
		"tab":              {change("    kind:", "\tkind:"), "3: "},
		"open quote":       {change("kind: openai", `kind: "openai`), "3: "},
		"colon in value":   {change("kind: openai", "kind: open: ai"), "3: "},
		"key twice":        {change("    kind: openai", "    kind: openai\n    kind: openai"), "4: "},
		"quoted key twice": {change("    kind: openai", "    kind: openai\n    \"kind\": openai"), "4: "},
		"unknown anchor":   {change("kind: openai", "kind: *none"), `3: could not find alias "none"`},
		"anchor later":     {change("name: p", "name: *x") + "  - &x {name: y}\n", `2: could not find alias "x"`},
		// Which of the two prices applies must not depend on the library.
		"merge of a key that is there": {change("credits: 1", "credits: 1\n    <<: {credits: 5}"), `9: duplicate key "credits"`},
		"merge of itself":              {change("- name: p", "- &x\n    <<: *x\n    name: p"), " cannot find anchor by alias name x"},
		"merge of a list":              {change("kind: openai", "kind: openai\n    <<: [{name: q}]"), "4: sequence was used where mapping is expected"},
		"merge of unknown":             {change("kind: openai", "kind: openai\n    <<: {colour: red}"), `4: unknown field "colour"`},
		"providers no list":            {"providers: p\nmodels: []\n", "1: string was used where sequence is expected"},
		"models empty":                 {head + "models: []\n", "5: the file has no models"},
		"models null":                  {head + "models:\n", "5: the file has no models"},
		"provider is text":             {"providers:\n  - p\n" + tail, "2: string was used where mapping is expected"},
		"provider is null":             {"providers:\n  - ~\n" + tail, "2: the provider's name must have at most 32 characters"},

		"provider unknown key":  {change("kind: openai", "typ: openai"), `3: unknown field "typ"`},
		"provider without name": {change("- name: p\n    kind", "- kind"), "2: the provider's name must have at most 32 characters"},
		"provider without kind": {change("    kind: openai\n", ""), "2: the provider p: kind must be gemini or openai"},
		"provider without key": {
			change("    api_key_env: SET_KEY\n", ""),
			"2: the provider p needs api_key_env, or the base_url of a server",
		},
		"gemini without key": {
			change("kind: openai\n    api_key_env: SET_KEY", "kind: gemini\n    base_url: http://h"),
			"2: the provider p needs api_key_env",
		},
		"provider sandbox":     {change("name: p", "name: sandbox"), "2: the name sandbox is reserved"},
		"provider name":        {change("name: p", "name: My Provider"), "2: the provider's name must have at most 32 characters"},
		"provider name number": {change("name: p", "name: 5"), "2: the value must be text: put it in quotes"},
		"provider name long":   {change("name: p", "name: "+strings.Repeat("p", 33)), "2: the provider's name must have at most 32 characters"},
		"provider twice": {
			change("models:", "  - {name: p, kind: openai, base_url: http://h}\nmodels:"),
			"5: the provider p is defined twice",
		},
		"kind":     {change("kind: openai", "kind: acme"), "3: the provider p: kind must be gemini or openai"},
		"base_url": {change("api_key_env: SET_KEY", "base_url: ftp://h"), "4: base_url must begin with http"},
		"base_url credentials": {
			change("api_key_env: SET_KEY", "base_url: https://a:hunter2@h"),
			"4: base_url must not contain a user name",
		},
		"api_key_env is the key": {change("SET_KEY", "sk-hunter2"), "4: api_key_env must be the name of an environment variable"},
		"secret unreadable":      {change("SET_KEY", "BROKEN_KEY"), "4: BROKEN_KEY: the file of this secret cannot be read"},

		"model unknown key":       {change("credits: 1", "price: 1"), `8: unknown field "price"`},
		"model without name":      {change("- name: m\n    provider", "- provider"), "6: the model's name must have at most 64 characters"},
		"model without provider":  {change("    provider: p\n", ""), `6: this file has no provider ""`},
		"model without credits":   {change("    credits: 1\n", ""), "6: credits must be a whole number"},
		"model without window":    {change("    context_window: 4096\n", ""), "6: context_window must be a whole number"},
		"model unknown provider":  {change("provider: p", "provider: q"), `7: this file has no provider "q"`},
		"model of the sandbox":    {change("provider: p", "provider: sandbox"), `7: this file has no provider "sandbox"`},
		"model of other provider": {change("name: m", "name: q/m"), "6: the model's name must have at most 64 characters"},
		"model name twice put":    {change("name: m", "name: p/p/m"), "6: the model's name must have at most 64 characters"},
		"model twice": {
			good + fmt.Sprintf(model, 1) +
				"  - {provider: p, credits: 2,\n     name: p/m, context_window: 4096}\n",
			"12: the model p/m is defined twice",
		},
		"upstream_name":          {withLine("upstream_name: a?b"), "9: upstream_name must be"},
		"label long":             {withLine("label: " + strings.Repeat("é", 81)), "9: label is over its limit of 80"},
		"label of two lines":     {withLine("label: |\n      a\n      b"), "9: label must be one line"},
		"label not UTF-8":        {withLine("label: caf\xe9"), "9: label must be one line of UTF-8"},
		"label invisible":        {withLine("label: \"a\\u202eb\""), "9: label must be one line"},
		"credits negative":       {change("credits: 1", "credits: -1"), "8: credits must be a whole number from 0 to 1000000"},
		"credits high":           {change("credits: 1", "credits: 1000001"), "8: credits must be a whole number"},
		"credits over 64 bits":   {change("credits: 1", "credits: 99999999999999999999999"), "8: credits must be a whole number"},
		"credits text":           {change("credits: 1", `credits: "1"`), "8: credits must be a whole number"},
		"knowledge negative":     {withLine("credits_with_knowledge: -1"), "9: credits_with_knowledge must be a whole number from 0 to 1000000"},
		"knowledge high":         {withLine("credits_with_knowledge: 1000001"), "9: credits_with_knowledge must be a whole number"},
		"window low":             {change("4096", "1023"), "9: context_window must be a whole number from 1024 to 100000000"},
		"window high":            {change("4096", "100000001"), "9: context_window must be a whole number"},
		"output 0":               {withLine("max_output_tokens: 0"), "9: max_output_tokens must be a whole number from 1 to 4096"},
		"output over the window": {withLine("max_output_tokens: 4097"), "9: max_output_tokens must be a whole number from 1 to 4096"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := loadFile(t, tc.text)
			if err == nil {
				t.Fatalf("loaded %+v", c.All())
			}
			text := err.Error()
			if !strings.HasPrefix(text, "models.yaml:"+tc.want) || strings.Contains(text, "hunter2") ||
				strings.ContainsAny(text, "\r\n") ||
				len(text) <= len("models.yaml:3: ") {
				t.Errorf("error %q, want %q", text, tc.want)
			}
		})
	}
}

// TestVariantsThatLoad loads the variants on which the table above builds; otherwise its errors
// could have another cause.
func TestVariantsThatLoad(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"unchanged":         good,
		"byte-order mark":   "\ufeff" + good,
		"Windows line ends": strings.ReplaceAll(good, "\n", "\r\n"),
		"marks":             "---\n" + good + "...\n",
		"comment not UTF-8": good + "# caf\xe9\n",
		"comment after":     good + "---\n# nothing\n",
		"JSON": `{"providers": [{"name": "p", "kind": "openai", "api_key_env": "SET_KEY"}],` +
			`"models": [{"name": "m", "provider": "p", "credits": 1, "context_window": 4096}]}`,
		"merge":               change("kind: openai", "<<: {kind: openai}"),
		"keys without values": withLine("label:\n    upstream_name: ~\n    max_output_tokens: null"),
		"alias of a value":    change("name: m", "name: &m m") + "    label: *m\n",
		"secret with spaces":  change("api_key_env: SET_KEY", "api_key_env: ' SET_KEY '"),
	} {
		c, err := loadFile(t, text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if e, ok := c.Lookup("p/m"); !ok || !e.Available() || e.CreditsPerMessage != 1 ||
			e.ContextWindow != 4096 {
			t.Errorf("%s: %+v", name, c.All())
		}
	}
}

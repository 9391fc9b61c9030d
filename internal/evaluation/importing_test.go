package evaluation_test

import (
	"strings"
	"testing"

	"agentchat/internal/evaluation"
	"agentchat/internal/fault"
)

// TestImport tests the documents that each format is converted to.
func TestImport(t *testing.T) {
	t.Parallel()
	const prefix = `{"name":"m","enabled":true,"message":"m",`
	for _, c := range []struct{ what, file, want string }{
		{"own format", "\ufeff" + example + "\n\n" + `{"message":"m"}` + "\r\n", example + "\n" + `{"name":"m","enabled":false,"message":"m","checks":[]}`},
		{"Evals", `{"input":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"m"}],"ideal":["x","y"]}`,
			`{"name":"m","enabled":true,"history":[{"message":"a","reply":"b"}],"message":"m","checks":[{"type":"contains","text":["x","y"]}]}`},
		{"an item of Evals", `{"item":{"input":"m","ideal":"x"}}`, prefix + `"checks":[{"type":"contains","text":"x"}]}`},
		{"Evals without ideal", `{"input":"m"}`, `{"name":"m","enabled":false,"message":"m","checks":[]}`},
		{"CSV", "message,Contains,not_contains,equals,regex,judge,cites,action,max_ms,contains\nm,a,b,c,d+,e,f,\"order {\"\"id\"\":1}\",900,\"g\nh\"\n",
			prefix + `"checks":[{"type":"contains","text":"a"},{"type":"contains","not":true,"text":"b"},{"type":"equals","text":"c"},{"type":"regex","pattern":"d+"},` +
				`{"type":"judge","criterion":"e"},{"type":"cites","source":"f"},{"type":"action","name":"order","arguments":{"id":1}},{"type":"max_ms","most":900},{"type":"contains","text":"g\nh"}]}`},
		{"CSV of another locale", "name;\"message\";variable:plan;contains\nN;m;gold;a\n;;;\n;m;;\n",
			`{"name":"N","enabled":true,"message":"m","variables":{"plan":"gold"},"checks":[{"type":"contains","text":"a"}]}` + "\n" +
				`{"name":"m","enabled":false,"message":"m","checks":[]}`},
	} {
		cases, skipped, err := evaluation.Import([]byte(c.file), false)
		var got []string
		for _, c := range cases {
			got = append(got, string(c.Document()))
		}
		if strings.Join(got, "\n") != c.want || len(skipped) != 0 || err != nil {
			t.Errorf("%s: %v, %v\n%s\nwant\n%s", c.what, err, skipped, strings.Join(got, "\n"), c.want)
		}
	}
}

// TestRefusedImports tests that nothing is imported if a line is bad, and that the error names it.
func TestRefusedImports(t *testing.T) {
	t.Parallel()
	good, eval := `{"message":"m"}`+"\n", `{"input":"m","ideal":"x"}`+"\n"
	for file, want := range map[string]string{
		"":                             "The file is empty.",
		"\xff":                         "The file is not in UTF-8.",
		strings.Repeat(" ", 5_000_001): "The file is larger than 5 MB.",
		strings.Repeat(good, 501):      "Line 501: the file has more than 500 cases.",
		good + "\n" + `{"mesage":"m"}`: "Line 3: mesage is not known here.",
		good + `{"message":"m"`:        "Line 2: The test case is not valid JSON",
		good + `{"message":"m","checks":[{"type":"regex","pattern":"(?=a)"}]}`:                    "Line 2: checks.0.pattern contains the lookaround",
		eval + `{"input":[{"role":"system","content":"s"},{"role":"user","content":"m"}],"id":7}`: "Line 2: a test case cannot have id, input.0 with the role system.",
		eval + `{"input":[{"role":"user","content":"a"},{"role":"user","content":"m"}]}`:          "Line 2: input.1 must be a message of the role assistant",
		eval + `{"input":[{"role":"user","content":"a"},{"role":"assistant","content":"m"}]}`:     "Line 2: input must end with a message of the role user.",
		eval + `{"input":[{"role":"user","content":[{"type":"image"}]}]}`:                         "Line 2: input.0.content must be a string.",
		eval + `{"input":[{"content":"m"}]}`:                                                      "Line 2: input.0.role is missing.",
		eval + `{"ideal":"x"}`:                                                                    "Line 2: input must end",
		"message,contains\nm,a\n\"\n\n\",b\n":                                                     "Line 3: message is blank.",
		"message,contains\nm,\"a":                                                                 "Line 2: the quotation marks do not match.",
		"message\nm\nm,b":                                                                         "Line 3: there are more cells than columns.",
		"message,max_ms\nm,fast":                                                                  `Line 2: the cell of the column "max_ms" is not valid.`,
		"message,action\nm,order {":                                                               `Line 2: the cell of the column "action" is not valid.`,
		"message,variable:a b\nm,x":                                                               "Line 2: variables.a b has no valid name.",
		"question,answer\nm,x":                                                                    `Line 1: there is no column "message".`,
		"message,message\nm,x":                                                                    `Line 1: there are two columns "message".`,
		"message,expected\nm,x":                                                                   `Line 1: a test case cannot have the column "expected".`,
	} {
		cases, _, err := evaluation.Import([]byte(file), false)
		if message := fault.ClientMessage(err); len(cases) != 0 || !fault.Is(err, fault.InvalidInput) || !strings.HasPrefix(message, want) {
			t.Errorf("%.120q: %d cases, %q, want %q", file, len(cases), message, want)
		}
	}
}

// TestSkipUnsupported tests that skipped parts are listed by line.
func TestSkipUnsupported(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]evaluation.Skipped{
		`{"input":"m","ideal":"x"}` + "\n" + `{"item":{"input":[{"role":"system","content":"s"},{"role":"user","content":"m","name":"n"}],"ideal":"x"},"a":1,"b":2,"c":3,"d":4}`: {
			Line: 2, Message: "Left out: a, b, c, d, item.input.0 with the role system and 1 more."},
		"message,expected,contains\nm,y,x\nm,,x\n": {Line: 1, Message: `Left out: the column "expected".`},
	} {
		cases, skipped, err := evaluation.Import([]byte(file), true)
		if err != nil || len(cases) != 2 || len(skipped) != 1 || skipped[0] != want {
			t.Fatalf("%.60s: %v, %+v", file, err, skipped)
		}
		for _, c := range cases {
			if got, want := string(c.Document()), `{"name":"m","enabled":true,"message":"m","checks":[{"type":"contains","text":"x"}]}`; got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
	}
}

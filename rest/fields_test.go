package rest_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/rest"
)

func TestDecodeRefusesFields(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, body, field string
		reason            fault.Reason
		limit             int64
	}{
		{"upper case", `{"MESSAGE":"hi"}`, "MESSAGE", fault.UnknownField, 0},
		{"camel case", `{"message":"hi","sessionId":"a"}`, "sessionId", fault.UnknownField, 0},
		{"hyphen", `{"message":"hi","session-id":"a"}`, "session-id", fault.UnknownField, 0},
		{"Cyrillic", `{"mеssage":"hi"}`, "mеssage", fault.UnknownField, 0},
		{"long s", `{"message":"hi","ſession_id":"a"}`, "ſession_id", fault.UnknownField, 0},
		{"another's model", `{"message":"hi","model":"x"}`, "model", fault.UnknownField, 0},
		{"the playground's turn", `{"message":"hi","continue_from":"019aa000-0000-7000-8000-000000000000"}`, "continue_from", fault.UnknownField, 0},
		{"api_base", `{"api_base":"http://x","message":"hi"}`, "api_base", fault.UnknownField, 0},
		{"prototype", `{"message":"hi","__proto__":{}}`, "__proto__", fault.UnknownField, 0},
		{"empty name", `{"message":"hi","":1}`, "", fault.UnknownField, 0},
		{"padded name", `{" message":"hi"}`, " message", fault.UnknownField, 0},
		{"first unknown of two", `{"b":1,"a":2,"message":"hi"}`, "b", fault.UnknownField, 0},
		{"unknown wins over missing", `{"text":"hi"}`, "text", fault.UnknownField, 0},
		{"wrong type before unknown", `{"message":1,"x":1}`, "message", fault.WrongType, 0},
		{"unknown before wrong type", `{"x":1,"message":1}`, "x", fault.UnknownField, 0},

		{"message absent", `{}`, "message", fault.Missing, 0},
		{"message absent among others", `{"session_id":"a"}`, "message", fault.Missing, 0},
		{"message null", `{"message":null}`, "message", fault.Missing, 0},
		{"message a huge number", `{"message":1e999999}`, "message", fault.WrongType, 0},
		{"message number", `{"message":1}`, "message", fault.WrongType, 0},
		{"message boolean", `{"message":true}`, "message", fault.WrongType, 0},
		{"message array", `{"message":["hi"]}`, "message", fault.WrongType, 0},
		{"message object", `{"message":{"text":"hi"}}`, "message", fault.WrongType, 0},
		{"message empty", `{"message":""}`, "message", fault.Blank, 0},
		{"message of spaces", quoted(`  \t\r\n `), "message", fault.Blank, 0},
		{"message of no-break spaces", quoted("\u00a0\u202f"), "message", fault.Blank, 0},
		{"message of ideographic spaces", quoted("\u3000"), "message", fault.Blank, 0},
		{"message of invisible characters", quoted("\u200b\u200c\u200d\u2060\ufeff\u180e \u2028"), "message", fault.Blank, 0},
		{"message with U+0000", quoted(`a\u0000b`), "message", fault.InvalidCharacter, 0},
		{"message of U+0000", quoted(`\u0000`), "message", fault.InvalidCharacter, 0},
		{"message too long", quoted(strings.Repeat("a", 32_769)), "message", fault.TooLong, 32_768},
		{"message too long in code points", quoted(strings.Repeat("𝒳", 32_769)), "message", fault.TooLong, 32_768},

		{"session empty", `{"message":"hi","session_id":""}`, "session_id", fault.Empty, 0},
		{"session number", `{"message":"hi","session_id":42}`, "session_id", fault.WrongType, 0},
		{"session array", `{"message":"hi","session_id":["a"]}`, "session_id", fault.WrongType, 0},
		{"session false", `{"message":"hi","session_id":false}`, "session_id", fault.WrongType, 0},
		{"session too long", `{"message":"hi","session_id":"` + strings.Repeat("é", 256) + `"}`, "session_id", fault.TooLong, 255},
		{"session with U+0000", `{"message":"hi","session_id":"a\u0000"}`, "session_id", fault.InvalidCharacter, 0},
		{"session with a newline", `{"message":"hi","session_id":"a\nb"}`, "session_id", fault.InvalidCharacter, 0},
		{"session with DEL", `{"message":"hi","session_id":"\u007f"}`, "session_id", fault.InvalidCharacter, 0},
		{"session with a C1 control", `{"message":"hi","session_id":"\u0085"}`, "session_id", fault.InvalidCharacter, 0},

		{"session unset", `{"message":"hi","session_id":"undefined"}`, "session_id", fault.InvalidValue, 0},
		{"session not filled in", `{"message":"hi","session_id":"{{ $json.chatId }}"}`, "session_id", fault.InvalidValue, 0},

		{"user unset", `{"message":"hi","user_id":"[object Object]"}`, "user_id", fault.InvalidValue, 0},
		{"user empty", `{"message":"hi","user_id":""}`, "user_id", fault.Empty, 0},
		{"user number", `{"message":"hi","user_id":42}`, "user_id", fault.WrongType, 0},
		{"user too long", `{"message":"hi","user_id":"` + strings.Repeat("é", 256) + `"}`, "user_id", fault.TooLong, 255},
		{"user with a newline", `{"message":"hi","user_id":"a\nb"}`, "user_id", fault.InvalidCharacter, 0},
		{"user in camel case", `{"message":"hi","userId":"a"}`, "userId", fault.UnknownField, 0},

		{"variables array", `{"message":"hi","variables":["a"]}`, "variables", fault.WrongType, 0},
		{"variables array of arrays", `{"message":"hi","variables":[[]]}`, "variables", fault.WrongType, 0},
		{"variables string", `{"message":"hi","variables":"a"}`, "variables", fault.WrongType, 0},
		{"variable number", `{"message":"hi","variables":{"a":1}}`, "variables.a", fault.WrongType, 0},
		{"variable null", `{"message":"hi","variables":{"a":null}}`, "variables.a", fault.WrongType, 0},
		{"variable object", `{"message":"hi","variables":{"a":{"b":"c"}}}`, "variables.a", fault.WrongType, 0},
		{"variable with U+0000", `{"message":"hi","variables":{"a":"\u0000"}}`, "variables.a", fault.InvalidCharacter, 0},
		{"variable too long", `{"message":"hi","variables":{"a":"` + strings.Repeat("𝒳", 4_001) + `"}}`, "variables.a", fault.TooLong, 4_000},
		{"variable with an empty name", `{"message":"hi","variables":{"":"x"}}`, "variables.", fault.UnknownField, 0},
		{"variable with U+0000 in its name", `{"message":"hi","variables":{"a\u0000":"x"}}`, "variables.a\x00", fault.UnknownField, 0},
		{"variable with a long name", `{"message":"hi","variables":{"` + strings.Repeat("a", 65) + `":"x"}}`,
			"variables." + strings.Repeat("a", 65), fault.UnknownField, 0},

		{"neither message nor results", `{"message":null,"action_results":null,"session_id":"s"}`, "message", fault.Missing, 0},
		{"results beside a message", `{"message":"hi","session_id":"s","action_results":[{"id":"a","result":1}]}`, "message", fault.InvalidValue, 0},
		{"results beside an empty message", `{"message":"","session_id":"s","action_results":[{"id":"a","result":1}]}`, "message", fault.InvalidValue, 0},
		{"no results beside a message", `{"message":"hi","session_id":"s","action_results":[]}`, "message", fault.InvalidValue, 0},
		{"results beside variables", `{"session_id":"s","variables":{"a":"b"},"action_results":[{"id":"a","result":1}]}`, "variables", fault.InvalidValue, 0},
		{"results without a session", `{"action_results":[{"id":"a","result":1}]}`, "session_id", fault.Missing, 0},
		{"results with a null session", `{"session_id":null,"action_results":[{"id":"a","result":1}]}`, "session_id", fault.Missing, 0},
		{"results with an empty session", `{"session_id":"","action_results":[{"id":"a","result":1}]}`, "session_id", fault.Empty, 0},
		{"results with an empty user", `{"session_id":"s","user_id":"","action_results":[{"id":"a","result":1}]}`, "user_id", fault.Empty, 0},
		{"results string", `{"session_id":"s","action_results":"x"}`, "action_results", fault.WrongType, 0},
		{"results object", `{"session_id":"s","action_results":{"id":"a","result":1}}`, "action_results", fault.WrongType, 0},
		{"results in camel case", `{"session_id":"s","actionResults":[{"id":"a","result":1}]}`, "actionResults", fault.UnknownField, 0},
		{"results empty", bringing(``), "action_results", fault.Empty, 0},
		{"nine results", bringing(strings.Repeat(`,{"id":"a","result":1}`, 9)[1:]), "action_results", fault.TooLong, 8},
		{"result null", bringing(`null`), "action_results.0", fault.WrongType, 0},
		{"second result a string", bringing(`{"id":"a","result":1},"b"`), "action_results.1", fault.WrongType, 0},
		{"result an array", bringing(`[]`), "action_results.0", fault.WrongType, 0},
		{"result with an unknown field", bringing(`{"id":"a","result":1},{"id":"b","output":1}`), "action_results.1.output", fault.UnknownField, 0},
		{"result in upper case", bringing(`{"id":"a","Result":1}`), "action_results.0.Result", fault.UnknownField, 0},
		{"result without an id", bringing(`{"result":1}`), "action_results.0.id", fault.Missing, 0},
		{"result with a null id", bringing(`{"id":null,"result":1}`), "action_results.0.id", fault.Missing, 0},
		{"result with an empty id", bringing(`{"id":"","result":1}`), "action_results.0.id", fault.Empty, 0},
		{"result with a number as id", bringing(`{"id":7,"result":1}`), "action_results.0.id", fault.WrongType, 0},
		{"result with a long id", bringing(`{"id":"` + strings.Repeat("é", 65) + `","result":1}`), "action_results.0.id", fault.TooLong, 64},
		{"neither result nor error", bringing(`{"id":"a"}`), "action_results.0.result", fault.Missing, 0},
		{"error null", bringing(`{"id":"a","error":null}`), "action_results.0.result", fault.Missing, 0},
		{"result and error", bringing(`{"id":"a","result":1,"error":"x"}`), "action_results.0.error", fault.InvalidValue, 0},
		{"result null and error", bringing(`{"id":"a","error":"x","result":null}`), "action_results.0.error", fault.InvalidValue, 0},
		{"error a number", bringing(`{"id":"a","error":7}`), "action_results.0.error", fault.WrongType, 0},
		{"error an object", bringing(`{"id":"a","error":{"message":"x"}}`), "action_results.0.error", fault.WrongType, 0},
		{"error empty", bringing(`{"id":"a","result":1},{"id":"b","error":""}`), "action_results.1.error", fault.Empty, 0},
		{"error with U+0000", bringing(`{"id":"a","error":"a\u0000b"}`), "action_results.0.error", fault.InvalidCharacter, 0},
		{"error too long", bringing(`{"id":"a","error":"` + strings.Repeat("𝒳", 2001) + `"}`), "action_results.0.error", fault.TooLong, 2000},
		{"result too long", bringing(`{"id":"a","result":"` + strings.Repeat("x", 16383) + `"}`), "action_results.0.result", fault.TooLong, 16384},
		{"result too long in bytes", bringing(`{"id":"a","result":"` + strings.Repeat("é", 8192) + `"}`), "action_results.0.result", fault.TooLong, 16384},
		{"result too long in escapes", bringing(`{"id":"a","result":"` + strings.Repeat(`\u0041`, 2731) + `"}`), "action_results.0.result", fault.TooLong, 16384},

		{"stream string", `{"message":"hi","stream":"true"}`, "stream", fault.WrongType, 0},
		{"stream number", `{"message":"hi","stream":1}`, "stream", fault.WrongType, 0},
		{"stream object", `{"message":"hi","stream":{}}`, "stream", fault.WrongType, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := rest.Decode([]byte(tc.body))
			got := fieldOf(t, err)
			if got.Path != tc.field || got.Reason != tc.reason || got.Limit != tc.limit {
				t.Errorf("got field %q, reason %q, limit %d; want %q, %q, %d",
					got.Path, got.Reason, got.Limit, tc.field, tc.reason, tc.limit)
			}
			if got.Message == "" || fault.ClientMessage(err) != got.Message {
				t.Errorf("client reads %q, want the field's own %q", fault.ClientMessage(err), got.Message)
			}
		})
	}
}

func TestDecodeExplains(t *testing.T) {
	t.Parallel()
	for body, says := range map[string]string{
		`{"message":1}`:                           "message must be a string.",
		`{"message":"hi","stream":"true"}`:        "stream must be true or false.",
		`{"message":"hi","variables":"a"}`:        "variables must be an object of strings, such as",
		`{"message":"hi","variables":{"a":1}}`:    "variables.a must be a string.",
		`{"message":"hi","variables":{"a":null}}`: "variables.a must be a string.",
		`{"message":"hi","session_id":""}`:        "silently lose every conversation",
		`{}`:                                      "action_results",
		bringing(`{"id":"a","Result":1}`):         `Did you mean "result"?`,
		bringing(`7`):                             "action_results.0 must be an object.",
		bringing(`null`):                          "action_results.0 must be an object.",
		`{"session_id":"s","action_results":{}}`:  "action_results must be an array.",
		`{"message":"hi","sessionId":"a"}`:        `Did you mean "session_id"?`,
		`{"Message":"hi"}`:                        `Did you mean "message"?`,
		`{"message":"hi","ſession_id":"a"}`:       `Did you mean "session_id"?`,
		`{"message":"hi","temperature":1}`:        `There is no field "temperature".`,
		quoted(strings.Repeat("a", 40_000)):       "32768",
		`{"message":"hi","session_id":"` + strings.Repeat("a", 300) + `"}`: "255",
	} {
		_, err := rest.Decode([]byte(body))
		if message := fault.ClientMessage(err); !strings.Contains(message, says) {
			t.Errorf("%.60s: message %q does not say %q", body, message, says)
		}
	}
	_, err := rest.Decode([]byte(`{"message":"hi","temperature":1}`))
	if strings.Contains(fault.ClientMessage(err), "Did you mean") {
		t.Errorf("a name like no other got a suggestion: %q", fault.ClientMessage(err))
	}
}

func TestDecodeBoundsAnEchoedName(t *testing.T) {
	t.Parallel()
	_, err := rest.Decode([]byte(`{"` + strings.Repeat("ñ", 5_000) + `":1}`))
	field := fieldOf(t, err)
	if field.Path != strings.Repeat("ñ", 100) {
		t.Errorf("the field echoed has %d code points, want the first 100", utf8.RuneCountInString(field.Path))
	}
	if len(field.Message) > 1_000 {
		t.Errorf("the message has %d bytes", len(field.Message))
	}
}

func TestDecodeKeepsValuesExactly(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, body, want string }{
		{"plain", quoted("hi"), "hi"},
		{"surrounding space kept", quoted(`  hi \n`), "  hi \n"},
		{"emoji as a surrogate pair", quoted(`\ud83d\ude00`), "😀"},
		{"emoji as itself", quoted("😀"), "😀"},
		{"visible \\u0000", quoted(`\\u0000`), `\u0000`},
		{"all short escapes", quoted(`\"\\\/\b\f\n\r\t`), "\"\\/\b\f\n\r\t"},
		{"control character", quoted(`\u0001`), "\x01"},
		{"terminal escape", quoted(`\u001b[31m`), "\x1b[31m"},
		{"direction override", quoted("\u202ehi"), "\u202ehi"},
		{"line separator", quoted("a\u2028b"), "a\u2028b"},
		{"non-character", quoted("\uffff"), "\uffff"},
		{"replacement character", quoted("\ufffd"), "\ufffd"},
		{"combining marks", quoted(strings.Repeat("\u0301", 16_000)), strings.Repeat("\u0301", 16_000)},
		{"decomposed stays so", quoted("e\u0301"), "e\u0301"},
		{"composed stays so", quoted("\u00e9"), "\u00e9"},
		{"escaped name", `{"\u006dessage":"hi"}`, "hi"},
		{"longest", quoted(strings.Repeat("a", 32_768)), strings.Repeat("a", 32_768)},
		{"longest of four bytes each", quoted(strings.Repeat("𝒳", 32_768)), strings.Repeat("𝒳", 32_768)},
		{"white space around everything", " \n{\t\"message\"\r:\n\"hi\" } \n", "hi"},
		{"invisible and visible", quoted("\u200bx"), "\u200bx"},
		{"markup", quoted("<b>&amp;</b>"), "<b>&amp;</b>"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			in, err := rest.Decode([]byte(tc.body))
			if err != nil {
				t.Fatal(err)
			}
			if in.Message != tc.want {
				t.Errorf("message is %.60q, want %.60q", in.Message, tc.want)
			}
			if in.Session != nil || in.Stream != nil {
				t.Errorf("absent fields came out as session %v, stream %v", in.Session, in.Stream)
			}
		})
	}
}

func TestDecodeSession(t *testing.T) {
	t.Parallel()
	for _, session := range []string{
		"a", " ", " padded ", "+55 11 9999", "josé", "jose\u0301", "私", "a/b", "A", "Null", "0", "\u200b", "😀",
		strings.Repeat("𝒳", 255), "ada@example.org", "\u2028",
	} {
		in, err := rest.Decode([]byte(`{"session_id":"` + session + `","message":"hi"}`))
		if err != nil {
			t.Errorf("%q: %v", session, err)
			continue
		}
		if in.Session == nil || *in.Session != session {
			t.Errorf("session is %v, want %q byte for byte", in.Session, session)
		}
	}
	in, err := rest.Decode([]byte(`{"message":"hi","session_id":null,"stream":null}`))
	if err != nil || in.Session != nil || in.Stream != nil {
		t.Errorf("null session and stream: got %v, %v, %v; want both absent", in.Session, in.Stream, err)
	}
}

func TestDecodeUserAndVariables(t *testing.T) {
	t.Parallel()
	in, err := rest.Decode([]byte(`{"variables":{"plan":" {{plan}} ","_x9":"","NAME":"😀\u202e"},"user_id":"+1 (555) 私","message":"hi"}`))
	if want := map[string]string{"plan": " {{plan}} ", "_x9": "", "NAME": "😀\u202e"}; err != nil || !maps.Equal(in.Variables, want) {
		t.Errorf("variables %q, %v", in.Variables, err)
	}
	if in.UserID == nil || *in.UserID != "+1 (555) 私" {
		t.Errorf("user_id %v", in.UserID)
	}
	for _, none := range []string{`{"message":"hi"}`, `{"message":"hi","user_id":null,"variables":null}`, `{"message":"hi","variables":{}}`,
		`{"message":"hi","variables":[]}`, `{"variables" : [  ], "message":"hi"}`} {
		if in, err := rest.Decode([]byte(none)); err != nil || in.UserID != nil || len(in.Variables) != 0 {
			t.Errorf("%s: %+v, %v", none, in, err)
		}
	}
	if _, err := rest.Decode([]byte(`{"message":"hi","variables":{"a":"1","\u0061":"2"}}`)); !fault.Is(err, invalidJSON) {
		t.Errorf("a name twice: %v", err)
	}
}

// TestDecodeResults: what is accepted keeps its value, and is in the order of its calls.
func TestDecodeResults(t *testing.T) {
	t.Parallel()
	turn := uuid.MustParse("019a0000-0000-7000-8000-000000000001")
	ids := conversation.ActionCallIDs(turn, 2)
	for _, tc := range []struct{ name, result, want string }{
		{"white space and order", " {\n \"b\" : [ 1 , 2 ], \"a\":{\"d\":1,\"c\":2} } ", `{"a":{"c":2,"d":1},"b":[1,2]}`},
		{"numbers", `[12345678901234567890, 1.10, 1e400, -0, 1E+2]`, `[12345678901234567890,1.10,1e400,-0,1E+2]`},
		{"escapes", `"\u0000\u0041\/\ud83d\ude00"`, `"\u0000\u0041\/\ud83d\ude00"`},
		{"null", `null`, `null`}, {"false", `false`, `false`}, {"empty", `""`, `""`}, {"text", `"é <&>` + "\u2028" + `"`, `"é <&>` + "\u2028" + `"`},
		{"deep", strings.Repeat("[", 60) + strings.Repeat("]", 60), strings.Repeat("[", 60) + strings.Repeat("]", 60)},
		{"longest", strings.Repeat(" ", 20_000) + `"` + strings.Repeat("x", 16_382) + `"`, `"` + strings.Repeat("x", 16_382) + `"`},
	} {
		in, err := rest.Decode([]byte(bringing(`{"id":"` + ids[1] + `","error":" \u0001 "},{"result":` + tc.result + `,"id":"` + ids[0] + `","error":null}`)))
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		list := in.Results.List
		if in.Results.For != turn || len(list) != 2 || list[0].ID != ids[0] || string(list[0].Result) != tc.want || list[0].Error != "" ||
			list[1].ID != ids[1] || list[1].Result != nil || list[1].Error != " \x01 " {
			t.Errorf("%s: %.300q", tc.name, fmt.Sprint(in.Results))
		}
		if in.Message != "" || *in.Session != "s" || len(in.Variables) != 0 {
			t.Errorf("%s: %+v", tc.name, in)
		}
	}
	for name, body := range map[string]string{
		"as if absent": `{"message":null,"variables":{},"session_id":"s","stream":true,"action_results":[{"id":"a","error":"` + strings.Repeat("𝒳", 2000) + `"}]}`,
		"PHP":          `{"variables":[],"session_id":"s","action_results":[{"id":"` + strings.Repeat("é", 64) + `","result":[]}]}`,
		"twice":        bringing(`{"id":"` + ids[0] + `","result":1},{"id":"` + ids[0] + `","result":1}`),
		"not one":      bringing(`{"id":"` + ids[1] + `","result":1}`),
	} {
		if in, err := rest.Decode([]byte(body)); err != nil || in.Results.For != uuid.Nil || len(in.Results.List) == 0 {
			t.Errorf("%s: %+v, %v", name, in.Results, err)
		}
	}
	if in, err := rest.Decode([]byte(`{"message":"hi","action_results":null}`)); err != nil || in.Results != nil {
		t.Errorf("null: %+v, %v", in.Results, err)
	}
	if _, err := rest.Decode([]byte(bringing(`{"id":"a","result":{"a":1,"\u0061":2}}`))); !fault.Is(err, invalidJSON) {
		t.Errorf("a name twice: %v", err)
	}
}

func TestWhoAsksForAStream(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, body string
		accept     []string
		streamed   bool
	}{
		{"nothing said", `{"message":"hi"}`, nil, false},
		{"stream false", `{"message":"hi","stream":false}`, nil, false},
		{"stream true", `{"message":"hi","stream":true}`, nil, true},
		{"stream true wins over Accept", `{"message":"hi","stream":true}`, []string{"application/json"}, true},
		{"Accept lists it", `{"message":"hi"}`, []string{"text/event-stream"}, true},
		{"Accept prefers it", `{"message":"hi"}`, []string{"application/json;q=0.5, Text/Event-Stream"}, true},
		{"Accept prefers another", `{"message":"hi"}`, []string{"application/json, text/event-stream;q=0.5"}, false},
		{"second Accept prefers it", `{"message":"hi"}`, []string{"application/json;q=0.5", "text/event-stream"}, true},
		{"Accept names both alike", `{"message":"hi"}`, []string{"text/event-stream, application/json"}, false},
		{"stream null leaves it to Accept", `{"message":"hi","stream":null}`, []string{"text/event-stream"}, true},
		{"stream false wins over Accept", `{"message":"hi","stream":false}`, []string{"text/event-stream"}, false},
		{"weight zero is no list", `{"message":"hi"}`, []string{"text/event-stream;q=0, application/json"}, false},
		{"anything", `{"message":"hi"}`, []string{"*/*"}, false},
		{"any text", `{"message":"hi"}`, []string{"text/*"}, false},
		{"html", `{"message":"hi"}`, []string{"text/html"}, false},
		{"nonsense", `{"message":"hi"}`, []string{";;, text/event-streams, ="}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			in, err := rest.Decode([]byte(tc.body))
			if err != nil {
				t.Fatal(err)
			}
			if got := rest.WantsStream(in, http.Header{"Accept": tc.accept}); got != tc.streamed {
				t.Errorf("streamed: %t, want %t", got, tc.streamed)
			}
		})
	}
}

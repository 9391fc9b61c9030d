package rest_test

import (
	"strings"
	"testing"
	"unicode/utf8"

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

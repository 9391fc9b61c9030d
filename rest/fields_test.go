package rest_test

import (
	"maps"
	"net/http"
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
		`{"message":1}`:                                                    "message must be a string.",
		`{"message":"hi","stream":"true"}`:                                 "stream must be true or false.",
		`{"message":"hi","variables":"a"}`:                                 "variables must be an object of strings, such as",
		`{"message":"hi","variables":{"a":1}}`:                             "variables.a must be a string.",
		`{"message":"hi","variables":{"a":null}}`:                          "variables.a must be a string.",
		`{"message":"hi","session_id":""}`:                                 "silently lose every conversation",
		`{"message":"hi","sessionId":"a"}`:                                 `Did you mean "session_id"?`,
		`{"Message":"hi"}`:                                                 `Did you mean "message"?`,
		`{"message":"hi","ſession_id":"a"}`:                                `Did you mean "session_id"?`,
		`{"message":"hi","temperature":1}`:                                 `There is no field "temperature".`,
		quoted(strings.Repeat("a", 40_000)):                                "32768",
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

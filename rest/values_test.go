package rest_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/rest"
)

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

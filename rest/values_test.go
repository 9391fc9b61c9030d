package rest_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/rest"
)

// TestDecodeKeepsValues tests that accepted values are kept byte for byte.
// TestTextIsStoredAndSentExactly has more texts.
func TestDecodeKeepsValues(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		quoted(`  hi \n`):                   "  hi \n",
		quoted(`\ud83d\ude00`):              "😀",
		quoted(`\\u0000`):                   `\u0000`,
		quoted(`\"\\\/\b\f\n\r\t`):          "\"\\/\b\f\n\r\t",
		quoted("e\u0301 \u200bx"):           "e\u0301 \u200bx",
		`{"\u006dessage":"hi"}`:             "hi",
		quoted(strings.Repeat("𝒳", 32_768)): strings.Repeat("𝒳", 32_768),
		`{"message":"hi","session_id":null,"stream":null,"user_id":null,"variables":null}`: "hi",
	} {
		in, err := rest.Decode([]byte(body))
		if err != nil || in.Message != want || in.Session != nil || in.Stream != nil ||
			in.UserID != nil || len(in.Variables) != 0 {
			t.Errorf("%.60q: got %+v, %v", body, in, err)
		}
	}
	for _, session := range []string{" padded ", "jose\u0301", "Null", "\u200b",
		strings.Repeat("𝒳", 255), "\u2028"} {
		in, err := rest.Decode([]byte(with("session_id", `"`+session+`"`)))
		if err != nil || in.Session == nil || *in.Session != session {
			t.Errorf("session %q: got %v, %v", session, in.Session, err)
		}
	}
}

func TestDecodeUserAndVariables(t *testing.T) {
	t.Parallel()
	in, err := rest.Decode([]byte(`{"variables":{"plan":" {{plan}} ","_x9":"","NAME":"😀\u202e"},"user_id":"+1 (555) 私","message":"hi"}`))
	if want := map[string]string{"plan": " {{plan}} ", "_x9": "", "NAME": "😀\u202e"}; err != nil ||
		!maps.Equal(in.Variables, want) {
		t.Errorf("variables %q, %v", in.Variables, err)
	}
	if in.UserID == nil || *in.UserID != "+1 (555) 私" {
		t.Errorf("user_id %v", in.UserID)
	}
	for _, none := range []string{with("variables", "{}"), with("variables", "[]"),
		`{"variables" : [  ], "message":"hi"}`} {
		if in, err := rest.Decode([]byte(none)); err != nil || in.UserID != nil || len(in.Variables) != 0 {
			t.Errorf("%s: %+v, %v", none, in, err)
		}
	}
}

// TestDecodeResults tests that accepted results keep their values, in the order of their calls.
func TestDecodeResults(t *testing.T) {
	t.Parallel()
	turn := uuid.MustParse("019a0000-0000-7000-8000-000000000001")
	ids := conversation.ActionCallIDs(turn, 2)
	for _, tc := range []struct{ result, want string }{
		{" {\n \"b\" : [ 1 , 2 ], \"a\":{\"d\":1,\"c\":2} } ", `{"a":{"c":2,"d":1},"b":[1,2]}`},
		{`[12345678901234567890, 1.10, 1e400, -0, 1E+2]`, `[12345678901234567890,1.10,1e400,-0,1E+2]`},
		{`"\u0000\u0041\/\ud83d\ude00"`, `"\u0000\u0041\/\ud83d\ude00"`},
		{`null`, `null`},
		{`"é <&>` + "\u2028" + `"`, `"é <&>` + "\u2028" + `"`},
		{strings.Repeat("[", 60) + strings.Repeat("]", 60), strings.Repeat("[", 60) + strings.Repeat("]", 60)},
		{strings.Repeat(" ", 20_000) + `"` + strings.Repeat("x", 16_382) + `"`, `"` +
			strings.Repeat("x", 16_382) + `"`},
	} {
		in, err := rest.Decode([]byte(bringing(`{"id":"` + ids[1] + `","error":" \u0001 "},{"result":` + tc.result +
			`,"id":"` + ids[0] + `","error":null}`)))
		if err != nil {
			t.Errorf("%.60s: %v", tc.result, err)
			continue
		}
		list := in.Results.List
		if in.Results.For != turn || len(list) != 2 || list[0].ID != ids[0] ||
			string(list[0].Result) != tc.want || list[0].Error != "" ||
			list[1].ID != ids[1] || list[1].Result != nil || list[1].Error != " \x01 " || in.Message != "" ||
			*in.Session != "s" {
			t.Errorf("%.60s: %.300q", tc.result, fmt.Sprint(in))
		}
	}
	if in, err := rest.Decode([]byte(`{"message":"hi","action_results":null}`)); err != nil || in.Results != nil {
		t.Errorf("null: %+v, %v", in.Results, err)
	}
}

// TestResultsOfNoTurn tests that results whose ids are not exactly those of one turn, each once,
// name no turn. The store then refuses them as a mismatch.
func TestResultsOfNoTurn(t *testing.T) {
	t.Parallel()
	ids := conversation.ActionCallIDs(uuid.MustParse("019a0000-0000-7000-8000-000000000001"), 3)
	other := conversation.ActionCallIDs(uuid.MustParse("019a0000-0000-7000-8000-000000000002"), 2)
	one := func(id string) string { return `{"id":"` + id + `","result":1}` }
	for name, list := range map[string]string{
		"an id of the caller":    `{"id":"' OR 1=1 --\u0000","error":"x"}`,
		"a long id":              `{"id":"` + strings.Repeat("é", 64) + `","result":[]}`,
		"upper case":             one(strings.ToUpper(ids[0])) + "," + one(ids[1]),
		"one twice":              one(ids[0]) + "," + one(ids[0]),
		"one twice among all":    one(ids[0]) + "," + one(ids[1]) + "," + one(ids[0]),
		"one of another turn":    one(ids[0]) + "," + one(other[1]),
		"another turn's as well": one(ids[0]) + "," + one(ids[1]) + "," + one(other[0]),
		"the second alone":       one(ids[1]),
		"the first and third":    one(ids[0]) + "," + one(ids[2]),
	} {
		if in, err := rest.Decode([]byte(bringing(list))); err != nil || in.Results.For != uuid.Nil ||
			len(in.Results.List) == 0 {
			t.Errorf("%s: %+v, %v", name, in.Results, err)
		}
	}
	// PHP sends variables as an empty array.
	body := `{"variables":[],"session_id":"s","action_results":[` + one(ids[0]) + `]}`
	if in, err := rest.Decode([]byte(body)); err != nil || in.Results.For == uuid.Nil {
		t.Errorf("the first alone: %+v, %v", in.Results, err)
	}
}

// TestStreamWinsOverAccept tests that the field stream decides, and that the Accept header decides
// without it.
func TestStreamWinsOverAccept(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		body, accept string
		streamed     bool
	}{
		{quoted("hi"), "", false},
		{quoted("hi"), "text/event-stream", true},
		{with("stream", "null"), "text/event-stream", true},
		{with("stream", "true"), "application/json", true},
		{with("stream", "false"), "text/event-stream", false},
	} {
		in, err := rest.Decode([]byte(tc.body))
		if err != nil {
			t.Fatal(err)
		}
		if got := rest.WantsStream(in, http.Header{"Accept": {tc.accept}}); got != tc.streamed {
			t.Errorf("%s with Accept %q: streamed %t", tc.body, tc.accept, got)
		}
	}
}

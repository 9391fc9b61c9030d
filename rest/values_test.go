package rest_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/rest"
)

// TestBodiesAreAccepted tests that accepted values are kept byte for byte.
func TestBodiesAreAccepted(t *testing.T) {
	t.Parallel()
	hi := rest.Input{Message: "hi"}
	longest := strings.Repeat("𝒳", 32_768)
	for body, want := range map[string]rest.Input{
		quoted(`  hi \n`):           {Message: "  hi \n"},
		quoted(`\ud83d\ude00`):      {Message: "😀"},
		quoted(`\\u0000`):           {Message: `\u0000`},
		quoted(`\"\\\/\b\f\n\r\t`):  {Message: "\"\\/\b\f\n\r\t"},
		quoted("e\u0301 \u200bx"):   {Message: "e\u0301 \u200bx"},
		quoted(longest):             {Message: longest},
		`{"\u006dessage":"hi"}`:     hi,
		with("session_id", "null"):  hi,
		with("user_id", "null"):     hi,
		with("variables", "null"):   hi,
		with("stream", "null"):      hi,
		with("variables", "{}"):     hi,
		with("variables", " [  ] "): hi,

		with("action_results", "null"):               hi,
		with("stream", "false"):                      {Message: "hi", Stream: new(false)},
		with("session_id", `"Null"`):                 {Message: "hi", Session: new("Null")},
		with("session_id", "\" jose\u0301\u2028 \""): {Message: "hi", Session: new(" jose\u0301\u2028 ")},
		with("session_id", `"`+longest[:4*255]+`"`):  {Message: "hi", Session: new(longest[:4*255])},
		with("user_id", `"+1 (555) 私"`):              {Message: "hi", UserID: new("+1 (555) 私")},
		with("variables", `{"plan":" {{plan}} ","_x9":"","NAME":"\u202e"}`): {
			Message:   "hi",
			Variables: map[string]string{"plan": " {{plan}} ", "_x9": "", "NAME": "\u202e"},
		},
		rated("", ""): {Rating: &conversation.Rating{TurnID: uuid.MustParse(messageID), Value: 1}},
		rated(`,"note":"e\u0301 \n"`, `,"user_id":"u","message":null,"variables":{},"stream":false,"background":false`): {
			UserID: new("u"),
			Stream: new(false),
			Rating: &conversation.Rating{TurnID: uuid.MustParse(messageID), Value: 1, Note: "e\u0301 \n"},
		},
		with("rating", "null"): hi,
	} {
		if want.Variables == nil {
			want.Variables = map[string]string{}
		}
		in, err := rest.Decode([]byte(body))
		if err != nil || !reflect.DeepEqual(in, want) {
			t.Errorf("%.80q: got %+v, %v", body, in, err)
		}
	}
}

// TestResultsAreAccepted tests that accepted results are kept in canonical JSON, in the order of
// their calls. White space does not count for their limit.
func TestResultsAreAccepted(t *testing.T) {
	t.Parallel()
	turn := uuid.MustParse("019a0000-0000-7000-8000-000000000001")
	ids := conversation.ActionCallIDs(turn, 3)
	longest := `"` + strings.Repeat("x", 16_382) + `"`
	in, err := rest.Decode([]byte(bringing(`{"id":"` + ids[2] + `","error":" \u0001 "},` +
		`{"result":` + strings.Repeat(" ", 20_000) + longest + `,"id":"` + ids[0] + `","error":null},` +
		`{"id":"` + ids[1] + `","result":{ "b" : [ 1.10, 1e400 ], "a" : "\u0000\/é<" }}`)))
	if err != nil {
		t.Fatal(err)
	}
	want := []conversation.ActionResult{
		{ID: ids[0], Result: json.RawMessage(longest)},
		{ID: ids[1], Result: json.RawMessage(`{"a":"\u0000\/é<","b":[1.10,1e400]}`)},
		{ID: ids[2], Error: " \x01 "},
	}
	if in.Results.For != turn || !reflect.DeepEqual(in.Results.List, want) || in.Message != "" ||
		*in.Session != "s" {
		t.Errorf("got %.300s", in.Results.Text())
	}
}

// TestResultsOfNoTurn tests that results whose ids are not exactly those of one turn, each once,
// name no turn. The store then refuses them as a mismatch.
func TestResultsOfNoTurn(t *testing.T) {
	t.Parallel()
	turn := uuid.MustParse("019a0000-0000-7000-8000-000000000001")
	ids := conversation.ActionCallIDs(turn, 3)
	other := conversation.ActionCallIDs(uuid.MustParse("019a0000-0000-7000-8000-000000000002"), 2)
	for name, tc := range map[string]struct {
		ids  []string
		want uuid.UUID
	}{
		"the first alone":        {ids[:1], turn},
		"an id of the caller":    {[]string{`' OR 1=1 --\u0000`}, uuid.Nil},
		"a long id":              {[]string{strings.Repeat("é", 64)}, uuid.Nil},
		"upper case":             {[]string{strings.ToUpper(ids[0]), ids[1]}, uuid.Nil},
		"one twice":              {[]string{ids[0], ids[0]}, uuid.Nil},
		"one twice among all":    {[]string{ids[0], ids[1], ids[0]}, uuid.Nil},
		"one of another turn":    {[]string{ids[0], other[1]}, uuid.Nil},
		"another turn's as well": {[]string{ids[0], ids[1], other[0]}, uuid.Nil},
		"the second alone":       {ids[1:2], uuid.Nil},
		"the first and third":    {[]string{ids[0], ids[2]}, uuid.Nil},
	} {
		list := `{"id":"` + strings.Join(tc.ids, `","result":1},{"id":"`) + `","result":1}`
		in, err := rest.Decode([]byte(bringing(list)))
		if err != nil || in.Results.For != tc.want || len(in.Results.List) != len(tc.ids) {
			t.Errorf("%s: %+v, %v", name, in.Results, err)
		}
	}
}

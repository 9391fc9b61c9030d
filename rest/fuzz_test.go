package rest_test

import (
	stdjson "encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/rest"
)

// FuzzDecode holds the decoder to what the contract promises of any body: whatever is accepted is
// within the limits and means the same to other readers; whatever is refused has a clear reason.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"message":"hi"}`, `{"message":"hi","session_id":"a","stream":false}`, `{"message":"\ud83d\ude00"}`,
		`{"message":"\ud800"}`, `{"message":"a","\u006dessage":"b"}`, `{"message":"\u0000"}`, `{"message":"\\u0000"}`,
		"\ufeff{}", `{"message":"hi","session_id":null,"stream":null}`, `{"ſession_id":"x"}`, `[[[[`, `{"message":"hi"}x`,
		`{"message":" ` + "\u200b\u3000" + `"}`, `{"a":{"b":[1,2.5e9,true,null]},"message":"x"}`, "\xff", "",
		`{"session_id":"s","action_results":[{"id":"a","result":{"b":1,"a":[]}},{"id":"b","error":"x"}]}`,
		`{"rating":{"message_id":"019a8f2e-7d31-7c55-9c1b-5b8f0a6d2e41","value":-1,"note":"x"},"user_id":"a"}`,
		`"hi"`, `{'message':'hi'}`, `{"message":NaN}`, `{"message":"hi",}`, `{"message":"\x41"}`,
		`{"message":"\ud83d`, `{"message":"a","":1,"":2}`, "{\"\xff\":1}", `{"message":["hi"]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		in, err := rest.Decode(body)
		if err != nil {
			checkRefusal(t, body, err)
			return
		}
		checkAccepted(t, body, in)
	})
}

func checkRefusal(t *testing.T, body []byte, err error) {
	t.Helper()
	kind, message := fault.KindOf(err), fault.ClientMessage(err)
	if kind != invalidJSON && kind != fault.InvalidInput {
		t.Fatalf("refused as %q: %v", kind, err)
	}
	if message == "" || !utf8.ValidString(message) {
		t.Fatalf("refused with the message %q", message)
	}
	strict := jsontext.Value(body).IsValid()
	if kind == fault.InvalidInput && !strict {
		t.Fatalf("a field was judged in a body that is no JSON: %v", err)
	}
	if kind == invalidJSON && strict && strings.HasPrefix(strings.TrimLeft(string(body), " \t\r\n"), "{") &&
		!strings.Contains(message, "nested") {
		t.Fatalf("a JSON object was refused as none: %v", err)
	}
}

func checkAccepted(t *testing.T, body []byte, in rest.Input) {
	t.Helper()
	switch {
	case in.Results != nil:
		checkResults(t, in)
		return
	case in.Rating != nil:
		if r := in.Rating; in.Message != "" || in.Session != nil || len(in.Variables) > 0 || r.Value < -1 || r.Value > 1 ||
			conversation.CheckRatingNote("", r.Value, r.Note) != nil {
			t.Fatalf("accepted %+v", in)
		}
		return
	}
	if !utf8.ValidString(in.Message) || strings.ContainsRune(in.Message, 0) ||
		strings.TrimSpace(in.Message) == "" {
		t.Fatalf("accepted the message %q", in.Message)
	}
	if n := utf8.RuneCountInString(in.Message); n > 32_768 {
		t.Fatalf("accepted a message of %d code points", n)
	}
	if s := in.Session; s != nil {
		n := utf8.RuneCountInString(*s)
		if !utf8.ValidString(*s) || n < 1 || n > 255 || strings.ContainsAny(*s, "\x00\n\x7f\u0085") {
			t.Fatalf("accepted the session %q", *s)
		}
	}
	// Two other readers, one strict and one lax, must understand the same.
	type shape struct {
		Message string  `json:"message"`
		Session *string `json:"session_id"`
		Stream  *bool   `json:"stream"`
	}
	var strict, lax shape
	if err := json.Unmarshal(body, &strict, json.RejectUnknownMembers(true)); err != nil {
		t.Fatalf("accepted what the strict reader refuses: %v", err)
	}
	if err := stdjson.Unmarshal(body, &lax); err != nil {
		t.Fatalf("accepted what the standard reader refuses: %v", err)
	}
	again, err := json.Marshal(shape{Message: in.Message, Session: in.Session, Stream: in.Stream})
	if err != nil {
		t.Fatalf("cannot be encoded again: %v", err)
	}
	back, err := rest.Decode(again)
	if err != nil {
		t.Fatalf("cannot be decoded again: %v", err)
	}
	for name, other := range map[string]shape{
		"strict reader": strict, "standard reader": lax, "round trip": {back.Message, back.Session, back.Stream},
	} {
		if !reflect.DeepEqual(other, shape{in.Message, in.Session, in.Stream}) {
			t.Fatalf("%s understands %+v, the decoder %+v", name, other, in)
		}
	}
}

// checkResults checks that the canonical form of accepted results is accepted and stays the same.
func checkResults(t *testing.T, in rest.Input) {
	t.Helper()
	if n := len(in.Results.List); n < 1 || n > 8 || in.Message != "" || in.Session == nil ||
		len(in.Variables) > 0 {
		t.Fatalf("accepted %+v", in)
	}
	again, err := stdjson.Marshal(map[string]any{"session_id": in.Session,
		"action_results": stdjson.RawMessage(in.Results.Text())})
	if err != nil {
		t.Fatalf("cannot be encoded again: %v", err)
	}
	back, err := rest.Decode(again)
	if err != nil || back.Results.Text() != in.Results.Text() {
		t.Fatalf("%s came back as %+v: %v", again, back.Results, err)
	}
}

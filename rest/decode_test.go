package rest_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf16"

	"agentchat/internal/apikey"
	"agentchat/internal/fault"
	"agentchat/rest"
)

const invalidJSON = fault.Kind("invalid_json")

// quoted is a body with the message, which must need no escapes.
func quoted(message string) string { return `{"message":"` + message + `"}` }

// with is a body with a message and another field.
func with(field, value string) string { return `{"message":"hi","` + field + `":` + value + `}` }

const messageID = "019a8f2e-7d31-7c55-9c1b-5b8f0a6d2e41"

// rated returns a body with a good rating. in adds fields to the rating, along to the body.
func rated(in, along string) string {
	return `{"rating":{"message_id":"` + messageID + `","value":1` + in + `}` + along + `}`
}

func utf16Bytes(order binary.ByteOrder, s string) string {
	var out bytes.Buffer
	for _, unit := range utf16.Encode([]rune(s)) {
		_ = binary.Write(&out, order, unit)
	}
	return out.String()
}

// TestBodiesAreRefused tests that a body is refused with the place of a syntax error, or with the
// first field at fault, its reason and its limit. A syntax error anywhere wins over a field. The
// description refuses the same bodies, as far as it can express the rules.
func TestBodiesAreRefused(t *testing.T) {
	t.Parallel()
	const unknown, missing, wrongType = fault.UnknownField, fault.Missing, fault.WrongType
	const empty, blank, tooLong, character, value = fault.Empty, fault.Blank, fault.TooLong, fault.InvalidCharacter, fault.InvalidValue
	document, key := described(t, "http://localhost"), apikey.Mint().Reveal()
	long := strings.Repeat("é", 256)
	result := func(fields string) string { return bringing(`{"id":"a",` + fields + `}`) }
	for _, tc := range []struct {
		body, field string
		reason      fault.Reason // empty: invalid_json
		limit       int64
		says        string // must be in the message
		// described says that the description accepts the body: it cannot express every rule.
		described bool
	}{
		// Syntax.
		{body: " \r\n\t ", says: "empty"},
		{body: "null", says: "one JSON object"},
		{body: "\ufeff" + quoted("hi"), says: "byte-order mark"},
		{body: "\xff\xfe" + utf16Bytes(binary.LittleEndian, quoted("hi")), says: "UTF-16"},
		{body: "\xfe\xff" + utf16Bytes(binary.BigEndian, quoted("hi")), says: "UTF-16"},
		{body: utf16Bytes(binary.LittleEndian, quoted("hi")), says: "UTF-16"},
		{body: utf16Bytes(binary.BigEndian, quoted("hi")), says: "UTF-16"},
		{body: "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff", says: "compressed"},
		{body: quoted("a\xff"), says: "UTF-8 at byte 13"},
		{body: quoted("\xc0\xaf"), says: "UTF-8 at byte 12"},
		{body: quoted("\xed\xa0\x80"), says: "UTF-8 at byte 12"},
		{body: quoted(`\ud800`), says: "surrogate pair at byte 12"},
		{body: quoted(`\uDC00\uD800`), says: "surrogate pair at byte 12"},
		{body: `{"message":"hi","\udfff":1}`, says: "surrogate pair"},
		{body: quoted("a\nb"), says: "at byte 13"},
		{body: "\u00a0" + quoted("hi"), says: "at byte 0"},
		{body: `{"message":"hi`, says: "ends before"},
		{body: `{"message":"a","\u006dessage":"b"}`, says: "repeated at byte 15"},
		{body: `{"message":"a","x":[{"y":1,"y":2}]}`, says: "repeated"},
		{body: with("variables", `{"a":"1","\u0061":"2"}`), says: "repeated"},
		{body: result(`"result":{"a":1,"\u0061":2}`), says: "repeated"},
		{body: quoted("hi") + quoted("hi"), says: "after the JSON object"},
		{body: `{"message":5,"session_id":"","x":`, says: "ends before"},
		{body: `{"unknown":1,"message":" ",}`, says: "at byte"},

		// Names.
		{body: `{"Message":"hi"}`, field: "Message", reason: unknown, says: `Did you mean "message"?`},
		{body: with("sessionId", `"a"`), field: "sessionId", reason: unknown, says: `Did you mean "session_id"?`},
		{body: with("session-id", `"a"`), field: "session-id", reason: unknown, says: `Did you mean "session_id"?`},
		{body: with("ſession_id", `"a"`), field: "ſession_id", reason: unknown, says: `Did you mean "session_id"?`},
		{body: `{"mеssage":"hi"}`, field: "mеssage", reason: unknown}, // a Cyrillic letter
		{body: with("temperature", "1"), field: "temperature", reason: unknown,
			says: `There is no field "temperature".`},
		{body: with("__proto__", "{}"), field: "__proto__", reason: unknown},
		{body: with(strings.Repeat("ñ", 5_000), "1"), field: strings.Repeat("ñ", 100), reason: unknown},
		{body: with("", "1"), reason: unknown},
		{body: `{"b":1,"a":2,"message":"hi"}`, field: "b", reason: unknown},
		{body: `{"message":1,"x":1}`, field: "message", reason: wrongType},
		{body: `{"x":1,"message":1}`, field: "x", reason: unknown},

		// The message.
		{body: `{}`, field: "message", reason: missing, says: "action_results"},
		{body: `{"message":null,"session_id":"s"}`, field: "message", reason: missing},
		{body: `{"message":1e999999}`, field: "message", reason: wrongType, says: "message must be a string."},
		{body: quoted(""), field: "message", reason: blank},
		{body: quoted(`  \t\r\n `), field: "message", reason: blank},
		{body: quoted("\u00a0\u202f\u3000"), field: "message", reason: blank, described: true},
		{body: quoted("\u200b\u200c\u200d\u2060\ufeff\u180e \u2028"), field: "message", reason: blank, described: true},
		{body: quoted(`a\u0000b`), field: "message", reason: character},
		{body: quoted(strings.Repeat("𝒳", 32_769)), field: "message", reason: tooLong,
			limit: 32_768, says: "32768"},

		// The session, the end user and the form of the reply.
		{body: with("session_id", `""`), field: "session_id", reason: empty,
			says: "silently lose every conversation"},
		{body: with("session_id", "42"), field: "session_id", reason: wrongType},
		{body: with("session_id", `"`+long+`"`), field: "session_id", reason: tooLong, limit: 255, says: "255"},
		{body: with("session_id", `"a\u0000"`), field: "session_id", reason: character},
		{body: with("session_id", `"a\nb"`), field: "session_id", reason: character},
		{body: with("session_id", `"\u0085"`), field: "session_id", reason: character},
		{body: with("session_id", `"undefined"`), field: "session_id", reason: value, described: true},
		{body: with("user_id", `"[object Object]"`), field: "user_id", reason: value, described: true},
		{body: with("user_id", `""`), field: "user_id", reason: empty},
		{body: with("user_id", "42"), field: "user_id", reason: wrongType},
		{body: with("user_id", `"`+long+`"`), field: "user_id", reason: tooLong, limit: 255},
		{body: with("user_id", `"a\nb"`), field: "user_id", reason: character},
		{body: with("stream", `"true"`), field: "stream", reason: wrongType, says: "stream must be true or false."},

		// Variables.
		{body: with("variables", `["a"]`), field: "variables", reason: wrongType},
		{body: with("variables", `"a"`), field: "variables", reason: wrongType,
			says: "variables must be an object of strings, such as"},
		{body: with("variables", `{"a":1}`), field: "variables.a", reason: wrongType,
			says: "variables.a must be a string."},
		{body: with("variables", `{"a":null}`), field: "variables.a", reason: wrongType},
		{body: with("variables", `{"a":"\u0000"}`), field: "variables.a", reason: character},
		{body: with("variables", `{"a":"`+strings.Repeat("𝒳", 4_001)+`"}`), field: "variables.a",
			reason: tooLong, limit: 4_000},
		{body: with("variables", `{"":"x"}`), field: "variables.", reason: unknown},
		{body: with("variables", `{"a\u0000":"x"}`), field: "variables.a\x00", reason: unknown},

		// Results of actions.
		{body: `{"message":null,"action_results":null,"session_id":"s"}`, field: "message", reason: missing},
		{body: `{"message":"","session_id":"s","action_results":[]}`, field: "message", reason: value},
		{body: `{"session_id":"s","variables":{"a":"b"},"action_results":[{"id":"a","result":1}]}`,
			field: "variables", reason: value},
		{body: `{"session_id":null,"action_results":[{"id":"a","result":1}]}`, field: "session_id", reason: missing},
		{body: `{"session_id":"","action_results":[{"id":"a","result":1}]}`, field: "session_id", reason: empty},
		{body: `{"session_id":"s","user_id":"","action_results":[{"id":"a","result":1}]}`,
			field: "user_id", reason: empty},
		{body: `{"session_id":"s","action_results":{}}`, field: "action_results", reason: wrongType,
			says: "action_results must be an array."},
		{body: bringing(``), field: "action_results", reason: empty},
		{body: bringing(strings.Repeat(`,{"id":"a","result":1}`, 9)[1:]), field: "action_results",
			reason: tooLong, limit: 8},
		{body: bringing(`null`), field: "action_results.0", reason: wrongType,
			says: "action_results.0 must be an object."},
		{body: bringing(`{"id":"a","result":1},"b"`), field: "action_results.1", reason: wrongType},
		{body: bringing(`{"id":"a","result":1},{"id":"b","output":1}`), field: "action_results.1.output",
			reason: unknown},
		{body: result(`"Result":1`), field: "action_results.0.Result", reason: unknown,
			says: `Did you mean "result"?`},
		{body: bringing(`{"result":1}`), field: "action_results.0.id", reason: missing},
		{body: bringing(`{"id":"","result":1}`), field: "action_results.0.id", reason: empty},
		{body: bringing(`{"id":7,"result":1}`), field: "action_results.0.id", reason: wrongType},
		{body: bringing(`{"id":"` + long[:130] + `","result":1}`), field: "action_results.0.id",
			reason: tooLong, limit: 64},
		{body: result(`"error":null`), field: "action_results.0.result", reason: missing},
		{body: result(`"result":null,"error":"x"`), field: "action_results.0.error", reason: value},
		{body: result(`"error":7`), field: "action_results.0.error", reason: wrongType},
		{body: result(`"error":""`), field: "action_results.0.error", reason: empty},
		{body: result(`"error":"a\u0000b"`), field: "action_results.0.error", reason: character},
		{body: result(`"error":"` + strings.Repeat("𝒳", 2001) + `"`), field: "action_results.0.error",
			reason: tooLong, limit: 2000},
		{body: result(`"result":"` + strings.Repeat("é", 8192) + `"`), field: "action_results.0.result",
			reason: tooLong, limit: 16384, described: true},
		{body: result(`"result":"` + strings.Repeat(`\u0041`, 2731) + `"`),
			field: "action_results.0.result", reason: tooLong, limit: 16384, described: true},

		// Ratings.
		{body: rated(``, `,"message":"hi"`), field: "message", reason: value, says: "alone, or with user_id"},
		{body: rated(``, `,"session_id":"s"`), field: "session_id", reason: value},
		{body: rated(``, `,"variables":{"a":"b"}`), field: "variables", reason: value},
		{body: rated(``, `,"action_results":[]`), field: "action_results", reason: value},
		{body: rated(``, `,"stream":true`), field: "stream", reason: value},
		{body: rated(``, `,"background":true`), field: "background", reason: value},
		{body: rated(``, `,"user_id":""`), field: "user_id", reason: empty},
		{body: rated(`,"Note":"x"`, ``), field: "rating.Note", reason: unknown, says: `Did you mean "note"?`},
		{body: rated(`,"rated_by":"x"`, ``), field: "rating.rated_by", reason: unknown},
		{body: `{"rating":5}`, field: "rating", reason: wrongType, says: "rating must be an object."},
		{body: `{"rating":{"value":1}}`, field: "rating.message_id", reason: missing},
		{body: `{"rating":{"message_id":"` + messageID + `","value":null}}`, field: "rating.value", reason: missing},
		{body: `{"rating":{"message_id":7,"value":1}}`, field: "rating.message_id", reason: wrongType},
		{body: `{"rating":{"message_id":"019a","value":1}}`, field: "rating.message_id", reason: value},
		{body: `{"rating":{"message_id":"urn:uuid:` + messageID + `","value":1}}`, field: "rating.message_id", reason: value},
		{body: `{"rating":{"message_id":"` + messageID + `","value":2}}`, field: "rating.value", reason: value},
		{body: `{"rating":{"message_id":"` + messageID + `","value":"1"}}`, field: "rating.value", reason: wrongType,
			says: "rating.value must be 1, -1, or 0"},
		{body: `{"rating":{"message_id":"` + messageID + `","value":0.5}}`, field: "rating.value", reason: wrongType},
		{body: `{"rating":{"message_id":"` + messageID + `","value":0,"note":"x"}}`, field: "rating.note", reason: value},
		{body: rated(`,"note":5`, ``), field: "rating.note", reason: wrongType},
		{body: rated(`,"note":"a\u0000b"`, ``), field: "rating.note", reason: character},
		{body: rated(`,"note":"`+strings.Repeat("𝒳", 1_001)+`"`, ``), field: "rating.note", reason: tooLong, limit: 1_000},
	} {
		_, err := rest.Decode([]byte(tc.body))
		message := fault.ClientMessage(err)
		if !strings.Contains(message, tc.says) {
			t.Errorf("%.80q: message %q does not say %q", tc.body, message, tc.says)
		}
		if tc.reason == "" {
			if !fault.Is(err, invalidJSON) {
				t.Errorf("%.80q: got %v, want invalid_json", tc.body, err)
			}
			continue
		}
		r := httptest.NewRequest(http.MethodPost, rest.ChatPath, strings.NewReader(tc.body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+key)
		if err := document.Accepts(t, r); (err == nil) != tc.described {
			t.Errorf("%.80q: the description: %v", tc.body, err)
		}
		got := fieldOf(t, err)
		if got.Path != tc.field || got.Reason != tc.reason || got.Limit != tc.limit ||
			got.Message == "" || len(message) > 1_000 || message != got.Message {
			t.Errorf("%.80q: got %+v, the client reads %q; want %q %s %d", tc.body, got, message, tc.field,
				tc.reason, tc.limit)
		}
		if tc.field == "temperature" && strings.Contains(message, "Did you mean") {
			t.Errorf("a name like no other got a suggestion: %q", message)
		}
	}
}

// fieldOf returns the first field of a refusal.
func fieldOf(t *testing.T, err error) fault.Field {
	t.Helper()
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != fault.InvalidInput || len(f.Fields) == 0 {
		t.Fatalf("got %v, want invalid_request with a field", err)
	}
	return f.Fields[0]
}

func TestDecodeNeverRepeatsContent(t *testing.T) {
	t.Parallel()
	const marker = "quicksilver"
	for _, body := range []string{
		`{"message":"` + marker + `\x"}`,
		`{"message":` + marker + `}`,
		`{"message":"a","` + marker + `":1,"` + marker + `":2}`,
		`{"message":"` + marker,
		`{"message":"a"}` + marker,
	} {
		if _, err := rest.Decode([]byte(body)); !fault.Is(err, invalidJSON) || strings.Contains(err.Error(), marker) {
			t.Errorf("%s: got %v, want invalid_json without the input", body, err)
		}
	}
}

// TestDecodeStopsAtTheDepthLimit tests that reading stops at the limit, which bounds its time: text
// beyond it is never read, even if it is no JSON.
func TestDecodeStopsAtTheDepthLimit(t *testing.T) {
	t.Parallel()
	for _, depth := range []int{62, 63, 50_000} {
		for _, open := range []string{"[", `{"a":`} {
			_, err := rest.Decode([]byte(`{"message":` + strings.Repeat(open, depth) + "?"))
			if message := fault.ClientMessage(err); !fault.Is(err, invalidJSON) ||
				strings.Contains(message, "nested") != (depth > 63) {
				t.Errorf("%s, %d deep: %v", open, depth, err)
			}
		}
	}
	nested := strings.Repeat("[", 63) + strings.Repeat("]", 63) // with the object itself 64 levels
	if _, err := rest.Decode([]byte(`{"message":` + nested + `}`)); !fault.Is(err, fault.InvalidInput) {
		t.Errorf("64 deep: got %v, want wrong_type", err)
	}
	if _, err := rest.Decode([]byte(`{"message":[` + nested + `]}`)); !fault.Is(err, invalidJSON) {
		t.Errorf("65 deep: got %v, want invalid_json", err)
	}
}

// TestManyResultsTakeLittleMemory tests that of a body full of results only as many are kept as are
// checked. It counts allocations, so it does not run in parallel.
func TestManyResultsTakeLittleMemory(t *testing.T) {
	body := []byte(bringing(strings.Repeat(`{},`, rest.MaxBodyBytes/3-30) + `{}`))
	allocations := testing.AllocsPerRun(3, func() {
		if _, err := rest.Decode(body); fieldOf(t, err).Reason != fault.TooLong {
			t.Error(err)
		}
	})
	if allocations > 200 {
		t.Errorf("%g allocations", allocations)
	}
}

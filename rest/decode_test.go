package rest_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"agentchat/internal/fault"
	"agentchat/rest"
)

const invalidJSON = fault.Kind("invalid_json")

// quoted is a body with the message, which must need no escapes.
func quoted(message string) string { return `{"message":"` + message + `"}` }

func utf16Bytes(order binary.ByteOrder, s string) string {
	var out bytes.Buffer
	for _, unit := range utf16.Encode([]rune(s)) {
		_ = binary.Write(&out, order, unit)
	}
	return out.String()
}

func TestDecodeRefusesWhatIsNotOneJSONObject(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, body string
		says       string // must be in the message
	}{
		{"empty", "", "empty"},
		{"spaces", " \r\n\t ", "empty"},
		{"null", "null", "one JSON object"},
		{"array", "[]", "one JSON object"},
		{"string", `"hi"`, "one JSON object"},
		{"number", "1", "one JSON object"},
		{"boolean", "true", "one JSON object"},
		{"byte-order mark", "\ufeff" + quoted("hi"), "byte-order mark"},
		{"UTF-16 with a mark", "\xff\xfe" + utf16Bytes(binary.LittleEndian, quoted("hi")), "UTF-16"},
		{"UTF-16 big endian with a mark", "\xfe\xff" + utf16Bytes(binary.BigEndian, quoted("hi")), "UTF-16"},
		{"UTF-16 without a mark", utf16Bytes(binary.LittleEndian, quoted("hi")), "UTF-16"},
		{"UTF-16 big endian", utf16Bytes(binary.BigEndian, quoted("hi")), "UTF-16"},
		{"gzip", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff", "compressed"},
		{"byte FF", quoted("a\xff"), "UTF-8 at byte 13"},
		{"overlong slash", quoted("\xc0\xaf"), "UTF-8 at byte 12"},
		{"encoded surrogate", quoted("\xed\xa0\x80"), "UTF-8 at byte 12"},
		{"beyond Unicode", quoted("\xf4\x90\x80\x80"), "UTF-8 at byte 12"},
		{"cut character", quoted("\xe2\x82"), "UTF-8 at byte 12"},
		{"Latin 1", quoted("caf\xe9"), "UTF-8 at byte 15"},
		{"invalid UTF-8 in a name", "{\"\xff\":1}", "UTF-8 at byte 2"},
		{"invalid UTF-8 outside", quoted("hi") + "\xff", "after the JSON object"},
		{"lone high surrogate", quoted(`\ud800`), "surrogate pair at byte 12"},
		{"lone low surrogate", quoted(`\udc00`), "surrogate pair at byte 12"},
		{"two high surrogates", quoted(`\ud800\ud800`), "surrogate pair at byte 12"},
		{"upper-case surrogate", quoted(`\uDBFFx`), "surrogate pair at byte 12"},
		{"pair in the wrong order", quoted(`\uDC00\uD800`), "surrogate pair at byte 12"},
		{"high surrogate before text", quoted(`\ud83d x`), "surrogate pair at byte 12"},
		{"surrogate in a name", `{"message":"hi","\udfff":1}`, "surrogate pair"},
		{"raw newline", quoted("a\nb"), "at byte 13"},
		{"raw NUL", quoted("a\x00b"), "at byte 13"},
		{"trailing comma", `{"message":"hi",}`, "at byte"},
		{"single quotes", `{'message':'hi'}`, "at byte 1"},
		{"line comment", "{\"message\":\"hi\"} // bye", "after the JSON object"},
		{"block comment", `{/* x */"message":"hi"}`, "at byte 1"},
		{"NaN", `{"message":NaN}`, "at byte"},
		{"Infinity", `{"message":Infinity}`, "at byte"},
		{"True", `{"message":True}`, "at byte"},
		{"leading zero", `{"message":01}`, "at byte"},
		{"plus", `{"message":+1}`, "at byte"},
		{"number that begins with a dot", `{"message":.5}`, "at byte"},
		{"number that ends in a dot", `{"message":1.}`, "at byte"},
		{"hexadecimal", `{"message":0x10}`, "at byte"},
		{"tab", quoted("a\tb"), "at byte 13"},
		{"lone comma", `{,}`, "at byte 1"},
		{"bad escape", quoted(`\x41`), "at byte 12"},
		{"short escape", quoted(`\u12`), "at byte"},
		{"unquoted name", `{message:"hi"}`, "at byte 1"},
		{"number as name", `{1:"hi"}`, "at byte 1"},
		{"missing colon", `{"message" "hi"}`, "at byte"},
		{"missing value", `{"message":}`, "at byte"},
		{"no comma", `{"message":"hi" "stream":true}`, "at byte"},
		{"cut in a string", `{"message":"hi`, "ends before"},
		{"cut after a name", `{"message"`, "ends before"},
		{"cut before the brace", `{"message":"hi"`, "ends before"},
		{"cut in an escape", `{"message":"\ud83d`, "ends before"},
		{"wrong brace", `{"message":"hi"]`, "at byte"},
		{"message twice", `{"message":"a","message":"b"}`, "repeated at byte 15"},
		{"message twice, escaped", `{"message":"a","\u006dessage":"b"}`, "repeated"},
		{"unknown name twice", `{"message":"a","x":1,"x":2}`, "repeated"},
		{"empty name twice", `{"message":"a","":1,"":2}`, "repeated"},
		{"name twice deep inside", `{"message":"a","x":[{"y":1,"y":2}]}`, "repeated"},
		{"second object", quoted("hi") + quoted("hi"), "after the JSON object"},
		{"second object after a newline", quoted("hi") + "\n" + quoted("hi"), "after the JSON object"},
		{"garbage after", quoted("hi") + "x", "after the JSON object"},
		{"brace after", quoted("hi") + "}", "after the JSON object"},
		{"comma after", quoted("hi") + ",", "after the JSON object"},
		{"form feed after", quoted("hi") + "\f", "after the JSON object"},
		{"NUL after", quoted("hi") + "\x00", "after the JSON object"},
		{"vertical tab before", "\v" + quoted("hi"), "at byte 0"},
		{"no-break space before", "\u00a0" + quoted("hi"), "at byte 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := rest.Decode([]byte(tc.body))
			if !fault.Is(err, invalidJSON) {
				t.Fatalf("got %v, want invalid_json", err)
			}
			if message := fault.ClientMessage(err); !strings.Contains(message, tc.says) {
				t.Errorf("message %q does not say %q", message, tc.says)
			}
		})
	}
}

func TestDecodeSyntaxWinsOverFields(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"unknown":1,"message":"hi",}`,
		`{"message":5,"session_id":"","x":`,
		`{"message":" "} {}`,
		`{"stream":"yes","a":1,"a":2}`,
	} {
		if _, err := rest.Decode([]byte(body)); !fault.Is(err, invalidJSON) {
			t.Errorf("%s: got %v, want invalid_json", body, err)
		}
	}
}

func TestDecodeNeverRepeatsContent(t *testing.T) {
	t.Parallel()
	const marker = "quicksilver"
	for _, body := range []string{
		`{"message":"` + marker + `\x"}`,
		`{"message":` + marker + `}`,
		`{"message":"a","` + marker + `":1,"` + marker + `":2}`,
		`{"message":"a","x":{"` + marker + `":{"` + marker + `":?}}}`,
		`{"message":"` + marker,
		`{"message":"` + marker + `\ud800"}`,
		`{"message":"a"}` + marker,
	} {
		_, err := rest.Decode([]byte(body))
		if !fault.Is(err, invalidJSON) {
			t.Errorf("%s: got %v, want invalid_json", body, err)
		}
		if strings.Contains(err.Error(), marker) {
			t.Errorf("%s: the error repeats the input: %v", body, err)
		}
	}
}

// The time that deep nesting takes is bounded by reading no further than the limit: what lies beyond it is never looked at,
// not even when it is no JSON. BenchmarkDecodeDeepNesting measures the time.
func TestDecodeStopsAtTheDepthLimit(t *testing.T) {
	t.Parallel()
	for _, depth := range []int{10, 62, 100, 9_999, 50_000} {
		for name, open := range map[string]string{"arrays": "[", "objects": `{"a":`} {
			for _, before := range []string{`{"message":`, `{"x":`} {
				_, err := rest.Decode([]byte(before + strings.Repeat(open, depth) + "?"))
				if !fault.Is(err, invalidJSON) {
					t.Fatalf("%s, %d deep: got %v, want invalid_json", name, depth, err)
				}
				if message := fault.ClientMessage(err); strings.Contains(message, "nested") != (depth > 62) {
					t.Errorf("%s, %d deep: %q", name, depth, message)
				}
			}
		}
	}
}

func BenchmarkDecodeDeepNesting(b *testing.B) {
	for _, open := range []string{"[", `{"a":`} {
		body := []byte(`{"message":` + strings.Repeat(open, 50_000))
		b.Run(open[:1], func(b *testing.B) {
			for b.Loop() {
				if _, err := rest.Decode(body); err == nil {
					b.Fatal("accepted")
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, size := range []int{100, 32_000} {
		body := []byte(`{"message":"` + strings.Repeat("a", size) + `","session_id":"order-42"}`)
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := rest.Decode(body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestDecodeDepthLimit(t *testing.T) {
	t.Parallel()
	nested := func(depth int) []byte { // depth counts the object itself
		return []byte(`{"message":` + strings.Repeat("[", depth-1) + strings.Repeat("]", depth-1) + `}`)
	}
	if _, err := rest.Decode(nested(64)); !fault.Is(err, fault.InvalidInput) {
		t.Errorf("64 deep: got %v, want the field's wrong type", err)
	}
	if _, err := rest.Decode(nested(65)); !fault.Is(err, invalidJSON) {
		t.Errorf("65 deep: got %v, want invalid_json", err)
	}
}

// Bodies that fill the whole allowance with one kind of thing are judged like any other.
func TestDecodeLargeHostileBodies(t *testing.T) {
	t.Parallel()
	var names strings.Builder
	for i := 0; names.Len() < rest.MaxBodyBytes-100; i++ {
		fmt.Fprintf(&names, `"%x":0,`, i)
	}
	for name, body := range map[string]string{
		"many names":   "{" + names.String() + `"message":"hi"}`,
		"many escapes": quoted(strings.Repeat(`\u0041`, 32_000)),
		"many numbers": `{"x":[` + strings.Repeat("1,", 100_000) + `1],"message":"hi"}`,
		"one number":   `{"message":` + strings.Repeat("9", 200_000) + `}`,
		"white space":  strings.Repeat(" ", 200_000) + quoted("hi"),
	} {
		if _, err := rest.Decode([]byte(body)); err != nil && !fault.Is(err, fault.InvalidInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func fieldOf(t *testing.T, err error) fault.Field {
	t.Helper()
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != fault.InvalidInput || len(f.Fields) == 0 {
		t.Fatalf("got %v, want invalid_request with a field", err)
	}
	return f.Fields[0]
}

// TestManyResultsTakeLittleMemory: of a body full of results only as many are kept as are looked at. Beside other tests it could not count.
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

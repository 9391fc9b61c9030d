package e2e_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"agentchat/internal/faults"
	"agentchat/internal/store/storetest"
)

// TestRESTJSON: cases 24 to 38, media types and JSON, one request each.
func TestRESTJSON(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	d.run(t, mediaTypes())
	d.run(t, notJSON())
	d.run(t, unicodeText())
	d.run(t, memberNames())
}

func mediaTypes() []scenario {
	withType := func(s *scenario, lines string) { s.raw = post(hello, authorized, lines) }
	refused := scenario{name: "row 24: not JSON", status: http.StatusUnsupportedMediaType, code: "unsupported_media_type"}
	out := variants(refused, []string{
		"X-No: type", "Content-Type:", "Content-Type: text/plain", "Content-Type: application/x-www-form-urlencoded", "Content-Type: */*",
		"Content-Type: multipart/form-data; boundary=x", "Content-Type: application/xml", "Content-Type: application/vnd.x+json",
		"Content-Type: application/json-patch+json", "Content-Type: application/jsonx", "Content-Type: text/json", "Content-Type: json",
		"Content-Type: application/json, text/plain", "Content-Type: application/json\r\nContent-Type: application/json",
		"Content-Type: application/json; charset=iso-8859-1", "Content-Type: application/json; charset=utf-16", // row 26
		"Content-Type: application/json; charset=", "Content-Type: application/json; charset=\"utf-16\"",
		"Content-Type: application/json; charset=utf-8; charset=utf-16",
		"Content-Type: application/json\r\nContent-Encoding: gzip", "Content-Type: application/json\r\nContent-Encoding: identity, br", // row 27
		"Content-Type: application/json\r\nContent-Encoding: identity\r\nContent-Encoding: deflate",
	}, withType)
	return append(out, variants(scenario{name: "row 25: JSON", status: http.StatusOK}, []string{
		"Content-Type: application/json; charset=utf-8", "Content-Type: Application/JSON", "Content-Type: application/json;",
		"Content-Type: application/json;charset=UTF-8", "Content-Type: application/json; charset=\"utf-8\"", "content-type:application/json ",
		"Content-Type: application/json; profile=x", "Content-Type: application/json\r\nContent-Encoding: identity",
		"Content-Type: application/json\r\nAccept: text/html", "Content-Type: application/json\r\nAccept-Encoding: gzip",
	}, withType)...)
}

func notJSON() []scenario {
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	_, _ = zip.Write([]byte(`{"message":"hello"}`))
	_ = zip.Close()
	refused := scenario{name: "row 28: not UTF-8", status: http.StatusBadRequest, code: "invalid_json"}
	with := func(name string, bodies ...string) []scenario {
		refused.name = name
		return variants(refused, bodies, func(s *scenario, body string) { s.body = body })
	}
	out := with("row 28: not UTF-8", zipped.String(), inUTF16(hello, false), inUTF16(hello, true), "\xff\xfe"+inUTF16(hello, false),
		"\xfe\xff"+inUTF16(hello, true), "\xff", "{\"message\":\"\xff\"}", "{\"message\":\"\xc0\xaf\"}", "{\"message\":\"\xed\xa0\x80\"}",
		"{\"message\":\"\xf4\x90\x80\x80\"}", "{\"message\":\"\xe2\x82\"}", "{\"message\":\"caf\xe9\"}", "{\"mess\xffage\":\"x\"}", hello+"\xff")
	out = append(out, with("row 29: not an object", "", " \n\t ", "null", "[]", `"hi"`, "1", "true", "-0", `["{text}"]`, "[{\"message\":\"x\"}]")...)
	bom := with("row 30: a byte-order mark", "\xef\xbb\xbf"+hello, "\xef\xbb\xbf", "\xef\xbb\xbf \xef\xbb\xbf{}")
	for i := range bom {
		bom[i].contain = []string{"byte-order mark"}
	}
	out = append(out, bom...)
	out = append(out, with("row 31: half a surrogate", `{"message":"\ud800"}`, `{"message":"\udc00"}`, `{"message":"\ud800\ud800"}`,
		`{"message":"\uDC00\uD800"}`, `{"message":"\ud83d x"}`, `{"message":"x","session_id":"\ud800"}`, `{"message":"x","\ud800":1}`,
		`{"message":"\ud800A"}`)...)
	out = append(out, with("row 35: nearly JSON", "{\"message\":\"a\nb\"}", "{\"message\":\"a\tb\"}", "{\"message\":\"a\x00b\"}", `{"message":"x",}`,
		`{'message':'x'}`, `{"message":"x"/* y */}`, "{\"message\":\"x\"} // y", `{"message":NaN}`, `{"message":Infinity}`, `{"message":01}`,
		`{"message":+1}`, `{"message":.5}`, `{"message":1.}`, `{"message":0x10}`, `{message:"x"}`, `{"message":"\x41"}`, `{"message":"\u12"}`,
		`{"message":"x" "stream":false}`, `{"message" "x"}`, `{,}`, `{"message":True}`, `{"message":undefined}`, `{"message":"x"`, `{"message":"x`,
		"{\u00a0\"message\":\"x\"}", "{\"message\":\"x\"}\x00", "{\"message\":\"x\"}\u200b", "\v"+hello, `{"message":"\'"}`)...)
	out = append(out, with("row 36: a member twice", `{"message":"a","message":"a"}`, `{"message":"a","\u006dessage":"b"}`,
		`{"session_id":null,"message":"a","session\u005fid":"s"}`, `{"message":"a","stream":false,"stream":false}`,
		`{"message":"a","x":{"y":1,"y":2}}`, `{"x":1,"message":"a","x":1}`, `{"":1,"":2,"message":"a"}`)...)
	return append(out, with("row 38: something after it", hello+hello, hello+" "+hello, hello+"x", hello+"]", hello+"}", hello+",", hello+"null",
		hello+"\n\"\"")...)
}

func inUTF16(text string, bigEndian bool) string {
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		pair := []byte{byte(unit), byte(unit >> 8)}
		if bigEndian {
			slices.Reverse(pair)
		}
		out = append(out, pair...)
	}
	return string(out)
}

// storedAs returns a check that the caller's only turn contains exactly the message, and that the model got exactly that.
func storedAs(message string) func(t *testing.T, d *deployment, caller *apiCaller, got answer) {
	return func(t *testing.T, d *deployment, caller *apiCaller, got answer) {
		t.Helper()
		want := caller.expand.Replace(message)
		var stored string
		err := d.store.DB().QueryRowContext(t.Context(), `SELECT message FROM turns WHERE account_id = $1`, caller.Account.ID).Scan(&stored)
		if err != nil || stored != want {
			t.Errorf("stored as %.200q, want %.200q, %v", stored, want, err)
		}
		if turns := history(t, got); turns[len(turns)-1].Text != want {
			t.Errorf("the model got %.200q, want %.200q", turns[len(turns)-1].Text, want)
		}
	}
}

// contextTurn is one text of a conversation as the sandbox shows it.
type contextTurn struct{ Role, Text string }

// history decodes a reply to [[sandbox history]].
func history(t *testing.T, got answer) []contextTurn {
	t.Helper()
	var context struct{ Turns []contextTurn }
	if err := json.Unmarshal([]byte(got.Reply), &context); err != nil || len(context.Turns) == 0 {
		t.Fatalf("no history: %v: %.200q", err, got.Reply)
	}
	return context.Turns
}

// withHistory returns a body whose reply shows the message. escaped is the beginning of the message in its JSON form.
func withHistory(escaped string) string {
	return `{"message":"` + escaped + ` {text} [[sandbox history]]"}`
}

func unicodeText() []scenario {
	kept := func(name, escaped, text string) scenario {
		return scenario{name: name, status: http.StatusOK, body: withHistory(escaped), check: storedAs(text + " {text} [[sandbox history]]")}
	}
	marks := strings.Repeat("\u0301", 16_000)
	return []scenario{
		kept("row 32: an escaped pair", `\ud83d\ude00`, "😀"), kept("row 32: capitals", `\uD83D\uDE00`, "😀"), kept("row 32: as it is", "😀", "😀"),
		kept("row 33: an escaped backslash", `\\u0000`, `\u0000`), kept("row 33: and a surrogate's six characters", `\\ud800`, `\ud800`),
		kept("row 33: escapes", `\"\\\/\b\f\n\r\t\u00e9`, "\"\\/\b\f\n\r\té"),
		kept("row 43: 16,000 combining marks", "e"+marks, "e"+marks), kept("row 43: right to left", "a\u202eb", "a\u202eb"),
		kept("row 43: line separators", "a\u2028b\u2029c\u0085d", "a\u2028b\u2029c\u0085d"), kept("row 43: noncharacters", "\uffff\ufffe\U0010ffff", "\uffff\ufffe\U0010ffff"),
		kept("row 43: control characters", `\u0001\u001b[31m\u007f`, "\x01\x1b[31m\x7f"), kept("row 43: the replacement character", "\ufffd\\ufffd", "\ufffd\ufffd"),
		kept("row 43: a byte-order mark inside", "\ufeffx", "\ufeffx"), kept("row 43: white space around", `  \n\t `, "  \n\t "),
		kept("row 43: carriage returns", `a\r\nb\rc`, "a\r\nb\rc"), kept("row 43: decomposed", "jose\u0301", "jose\u0301"),
		kept("row 43: markup", `<script>&amp;</script>\u003c%s%d{{.}}$1`, `<script>&amp;</script><%s%d{{.}}$1`), kept("row 43: SQL", `'; DROP TABLE turns; --`, `'; DROP TABLE turns; --`),
		{name: "row 34: U+0000 in message", status: 400, code: "invalid_request", body: `{"message":"{text}\u0000"}`,
			details: map[string]any{"field": "message", "reason": "invalid_character"}},
		{name: "row 34: only U+0000", status: 400, code: "invalid_request", body: `{"message":"\u0000"}`, details: map[string]any{"field": "message"}},
		{name: "row 34: U+0000 in session_id", status: 400, code: "invalid_request", body: `{"message":"{text}","session_id":"a\u0000"}`,
			details: map[string]any{"field": "session_id", "reason": "invalid_character"}},
	}
}

func memberNames() []scenario {
	unknown := scenario{name: "row 37: unknown field", status: http.StatusBadRequest, code: "invalid_request"}
	out := variants(unknown, []string{"MESSAGE", "Message", "sessionId", "session-id", "ſession_id", "meſsage", "model", "api_base", "__proto__", "", " message",
		"message ", "mеssage", "messages", "Stream", "temperature", "constructor", "$ref", strings.Repeat("n", 1000), "a\\u0000b", "\\u202e", "'", "<b>"},
		func(s *scenario, name string) {
			s.body = fmt.Sprintf(`{"message":"{text}","%s":"x"}`, name)
			s.details = map[string]any{"reason": "unknown_field"}
			if !strings.Contains(name, "\\") && len(name) < 100 {
				s.details["field"] = name
			}
		})
	return append(out,
		scenario{name: "row 37: the unknown name wins over the missing message", status: 400, code: "invalid_request", body: `{"Message":"{text}"}`,
			details: map[string]any{"field": "Message"}, contain: []string{`Did you mean \"message\"?`}},
		scenario{name: "row 37: with an object as value", status: 400, code: "invalid_request", body: `{"message":"{text}","model":{"message":"x"}}`,
			details: map[string]any{"field": "model"}})
}

// nestedBodies are bodies of deeply nested JSON, and the code for each.
func nestedBodies() []struct{ body, code string } {
	array := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	object := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	return []struct{ body, code string }{
		{`{"message":` + array(10) + `}`, "invalid_request"}, {`{"message":"m","x":` + object(10) + `}`, "invalid_request"}, {array(10), "invalid_json"},
		{`{"message":` + array(9_999) + `}`, "invalid_json"}, {object(9_999), "invalid_json"}, {`{"message":"m","x":` + object(9_999) + `}`, "invalid_json"},
		{`{"message":` + array(50_000) + `}`, "invalid_json"}, {object(42_000), "invalid_json"}, {`{"message":` + strings.Repeat("[", 250_000), "invalid_json"},
	}
}

// TestRESTNesting: case 39. Deeply nested JSON is rejected.
func TestRESTNesting(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	caller := d.newCaller(t, storetest.Options{})
	before := d.figures(t, caller)
	for _, c := range nestedBodies() {
		d.checkAnswer(t, caller, scenario{status: http.StatusBadRequest, code: c.code}, d.post(t, d.chat(), caller, c.body))
	}
	d.checkFigures(t, caller, scenario{}, before, answer{})
}

// TestRESTNestingTime: case 39. Deeply nested JSON takes about as long as flat JSON of the same size.
func TestRESTNestingTime(t *testing.T) {
	faults.Heavy(t) // it compares times, which needs a quiet machine
	d := newDeployment(t, 1)
	defer d.finish(t)
	caller := d.newCaller(t, storetest.Options{})
	nested := nestedBodies()
	flat := struct{ body, code string }{`{"message":[` + strings.Repeat("1,", 125_000) + `1]}`, "invalid_request"}
	times := make([][]time.Duration, len(nested)+1)
	for range 7 {
		for i, c := range append(nested, flat) {
			began := time.Now()
			got := d.post(t, d.chat(), caller, c.body)
			times[i] = append(times[i], time.Since(began))
			d.checkAnswer(t, caller, scenario{status: http.StatusBadRequest, code: c.code}, got)
		}
	}
	median := func(i int) time.Duration {
		slices.Sort(times[i])
		return times[i][len(times[i])/2]
	}
	for i := range nested {
		if median(i) > 5*median(len(nested)) {
			t.Errorf("body %d takes %v, flat JSON %v", i, median(i), median(len(nested)))
		}
	}
}

package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

// TestRESTFields: cases 40 to 44, field values, one request each.
func TestRESTFields(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	field := func(name, field, reason string) scenario {
		return scenario{name: name, status: http.StatusBadRequest, code: "invalid_request", details: map[string]any{"field": field, "reason": reason}}
	}
	bodies := func(s scenario, format string, values ...string) []scenario {
		return variants(s, values, func(s *scenario, value string) { s.body = fmt.Sprintf(format, value) })
	}
	d.run(t, bodies(field("row 40: message is absent", "message", "missing"), "%s", `{}`, ` { } `, `{"message":null}`, `{"session_id":"s"}`, `{"stream":false}`))
	d.run(t, bodies(field("row 40: message of another type", "message", "wrong_type"), `{"message":%s}`, "0", "1.5e300", "true", "false", "[]",
		"{}", `["{text}"]`, `{"text":"{text}"}`, "1e999999"))
	d.run(t, bodies(field("row 41: message is blank", "message", "blank"), `{"message":"%s"}`, "", " ", "\u00a0", "\u200b", "\u3000", `\t\n\r`, "\u2003\u2060\ufeff",
		`\u00a0\u200d`, "\u180e\u200c", strings.Repeat(" ", 30_000)))
	d.run(t, messageLengths())
	control := field("row 44: session_id with a control character", "session_id", "invalid_character")
	d.run(t, bodies(control, `{"message":"{text}","session_id":"%s"}`, `\u0001`, `a\nb`, `\t`, "\u007f", "\u0085", `\u009f`, `\u001b[31m`))
	d.run(t, bodies(field("row 44: session_id of another type", "session_id", "wrong_type"), `{"message":"{text}","session_id":%s}`, "1", "0", "true", "false",
		"[]", `["s"]`, "{}", "42.0"))
	d.run(t, bodies(field("stream of another type", "stream", "wrong_type"), `{"message":"{text}","stream":%s}`, `"true"`, "1", "0", "[]", "{}", `""`))
	d.run(t, bodies(scenario{name: "no stream", status: http.StatusOK}, `{"message":"{text}"%s}`, "", `,"stream":false`, `,"stream":null`, `,"session_id":null`))
	long := field("row 44: session_id too long", "session_id", "too_long")
	long.details["limit"] = 255.0
	d.run(t, append(bodies(long, `{"message":"{text}","session_id":"%s"}`, strings.Repeat("s", 256), strings.Repeat("私", 256), strings.Repeat("😀", 256),
		strings.Repeat("s", 100_000)),
		bodies(field("row 44: session_id is empty", "session_id", "empty"), `{"message":"{text}","session_id":%s}`, `""`)...))
}

func messageLengths() []scenario {
	const limit, frame = 32_768, len("{text} [[sandbox history]]") - len("{text}") + len("private-") + 36
	var out []scenario
	for _, char := range []string{"a", "é", "私", "😀", "\u0301"} {
		rest := strings.Repeat(char, limit-frame)
		kept := rest + "{text} [[sandbox history]]"
		name := fmt.Sprintf("row 42: %d bytes a character", len(char))
		out = append(out,
			scenario{name: name + ", at the limit", status: http.StatusOK, body: `{"message":"` + kept + `"}`, check: storedAs(kept)},
			scenario{name: name + ", over the limit", status: http.StatusBadRequest, code: "invalid_request", body: `{"message":"` + char + kept + `"}`,
				details: map[string]any{"field": "message", "reason": "too_long", "limit": float64(limit)}, lack: []string{"[[sandbox"}})
	}
	escaped := strings.Repeat(`\u00e9`, limit-frame) // six bytes of JSON, one code point
	return append(out, scenario{name: "row 42: an escape counts as its character", status: http.StatusOK, body: `{"message":"` + escaped + `{text} [[sandbox history]]"}`,
		check: storedAs(strings.Repeat("é", limit-frame) + "{text} [[sandbox history]]")})
}

// labels are session IDs that look alike or that software often changes.
var labels = []string{
	strings.Repeat("😀", 255), strings.Repeat("😀", 254), strings.Repeat("s", 255), "+55 11 9999", "+55119999", "5511 9999", "ada@example.com", "Ada@example.com",
	"jos\u00e9", "jose\u0301", "jose", "JOS\u00c9", "jos\u00e9 ", " jos\u00e9", "jos\u00e9\u00a0", "jos\u00e9\u200b", "jos\u00e9\ufe0f", "\u79c1", "\u2f2d", "\uf9c4", "a/b", "a%2Fb", "a\\b", "a", "A",
	"\uff21", "\u0430", "0", "00", "0.0", "null", "undefined", "true", " ", "  ", "\u3000", "\u200b", "\ufeff", "'; --", "%", "_", "*", "..", "{}", "[]", "\"", "<b>", "a b", "a\u00a0b", "a+b", "ß", "ss", "SS",
	"ı", "i", "I", "İ", "ﬁ", "fi", "\u202ea", "\u2066a", "e\u0301", "\u00e9", "\u1112\u1161\u11ab", "\ud55c", "\u00c5", "\u212b", "A\u030a", "µ", "μ", "①", "1", "²", "2",
	"\uffff", "\U0010ffff", "\ufffd",
}

// TestRESTLabels: case 45. A session ID comes back byte for byte, and similar ones never share a conversation.
func TestRESTLabels(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	caller := d.newCaller(t, storetest.Options{Credits: 10_000})
	for round := 1; round <= 2; round++ {
		for i, label := range labels {
			message := fmt.Sprintf("%s label %d round %d. [[sandbox history]]", caller.text, i, round)
			body, err := json.Marshal(map[string]string{"message": message, "session_id": label})
			if err != nil {
				t.Fatal(err)
			}
			got := d.post(t, d.chat(), caller, string(body))
			d.checkAnswer(t, caller, scenario{status: http.StatusOK}, got)
			if got.Session != label {
				t.Errorf("session %+q came back as %+q", label, got.Session)
			}
			turns := history(t, got)
			if len(turns) != 2*round-1 || !strings.Contains(turns[0].Text, fmt.Sprintf(" label %d round 1.", i)) {
				t.Errorf("session %+q, message %d: the conversation has %d texts and begins with %.80q", label, round, len(turns), turns[0].Text)
			}
		}
	}
	if b := d.figures(t, caller); b.Conversations != int64(len(labels)) || b.Answered != int64(2*len(labels)) {
		t.Errorf("%d sessions made %d conversations with %d turns", len(labels), b.Conversations, b.Answered)
	}
	for _, body := range []string{hello, `{"message":"{text}","session_id":null}`} {
		first, second := d.post(t, d.chat(), caller, caller.expand.Replace(body)), d.post(t, d.chat(), caller, caller.expand.Replace(body))
		if len(first.Session) < 16 || first.Session == second.Session {
			t.Errorf("without session_id: %q and then %q", first.Session, second.Session)
		}
		again := d.post(t, d.chat(), caller, fmt.Sprintf(`{"message":"%s","session_id":"%s"}`, caller.text, first.Session))
		if numberIn(turnPattern, again.Reply) != 2 {
			t.Errorf("with the generated session ID: %s", again.Reply)
		}
	}
}

// TestRESTForeignLabels: case 46. The session ID of another agent or account starts a new, empty conversation.
func TestRESTForeignLabels(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	owner, stranger := d.newCaller(t, storetest.Options{}), d.newCaller(t, storetest.Options{})
	sibling := *owner
	sibling.Agent = storetest.SeedAgent(t, d.store, owner.Account.ID, storetest.Options{Model: storetest.SandboxModel, Instructions: "Another agent."})
	sibling.Export, sibling.KeyID, sibling.Key = storetest.SeedExport(t, d.store, owner.Account.ID, sibling.Agent.ID, 600)
	second := *owner
	second.Export, second.KeyID, second.Key = storetest.SeedExport(t, d.store, owner.Account.ID, owner.Agent.ID, 600)
	made := d.post(t, d.chat(), owner, owner.expand.Replace(hello)).Session // a session ID that the service generated
	for _, label := range []string{"order-42", uuid.NewString(), made} {
		body := func(caller *apiCaller) string {
			return fmt.Sprintf(`{"message":"%s [[sandbox history]]","session_id":"%s"}`, caller.text, label)
		}
		d.post(t, d.chat(), owner, body(owner))
		for _, caller := range []*apiCaller{stranger, &sibling} {
			got := d.post(t, d.chat(), caller, body(caller))
			if turns := history(t, got); got.Status != http.StatusOK || len(turns) != 1 || caller == stranger && strings.Contains(got.Reply, owner.text) {
				t.Errorf("%d texts in a new conversation: %s", len(turns), excerpt(got.Body))
			}
		}
		if turns := history(t, d.post(t, d.chat(), &second, body(owner))); len(turns) < 3 {
			t.Errorf("through another export of the agent the conversation has %d texts", len(turns))
		}
	}
}

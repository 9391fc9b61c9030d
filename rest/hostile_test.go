package rest_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"agentchat/internal/agent"
	"agentchat/internal/store/storetest"
	"agentchat/rest"
)

// hostileTexts are JSON values that no sensible caller sends.
var hostileTexts = []string{`""`, `" "`, `"\u0000"`, `"a\u0000b"`, "\"\x00\"", "\"\xff\"",
	"\"a\xc3\"", `"\ud800"`, `"a\udfff"`, `"\uffff"`, `"\u202eabc"`, `"\u0301"`,
	`"\n"`, `"\u007f"`, `"%"`, `"'"`, `"{{x}}"`, `"` + strings.Repeat("x", 256) + `"`, `"` +
		strings.Repeat("私", 60_000) + `"`, `null`, `true`, `0`, `-1`, `1.5`,
	`9223372036854775808`, `1e400`, `-0`, `NaN`, `[]`, `[[]]`, `["x"]`, `{}`, `{"":""}`, `{"a":"\u0000"}`, `{"a":"\ud800"}`, `{"\u0000":"x"}`, `{"a":null}`, `{"a":{}}`, ``}

// TestHostileValues sends hostile values in every header and every field of the description, alone
// and together. None of them is an internal fault.
func TestHostileValues(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{Credits: 1_000_000, Variables: []agent.Variable{{Name: "a"}}}, unobserved)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	pick := func() string { return hostileTexts[random.IntN(len(hostileTexts))] }
	spec, err := openapi3.NewLoader().LoadFromData(rest.OpenAPI("0.2.0", "/"))
	if err != nil {
		t.Fatal(err)
	}
	operation := spec.Paths.Value(rest.ChatPath).Post
	asked := 0
	ask := func(body string, headers ...string) {
		t.Helper()
		asked++
		r := sendRaw(t, b.address, request(b.fixture.Key.Reveal(), body, headers...))[0]
		if r.StatusCode >= http.StatusInternalServerError || strings.Contains(r.text, "event: error") {
			t.Errorf("%.200q with %.200q: %d %s", body, headers, r.StatusCode, r.text)
		}
	}
	headers := []string{"User-Agent", "Accept", "Content-Type", "Traceparent", "X-Forwarded-For", "Forwarded"}
	for _, p := range operation.Parameters {
		if p.Value.In != "header" {
			t.Errorf("a parameter in %s: teach this test of it", p.Value.In)
		}
		headers = append(headers, p.Value.Name)
	}
	fields := slices.Sorted(maps.Keys(operation.RequestBody.Value.Content["application/json"].Schema.Value.Properties))
	body := func(values map[string]string) string {
		var parts []string
		if values["message"] == "" && values["action_results"] == "" {
			parts = append(parts, `"message":"hello"`)
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			parts = append(parts, `"`+name+`":`+values[name])
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	for _, value := range hostileTexts {
		for _, name := range fields {
			ask(body(map[string]string{name: value}))
		}
		for _, name := range []string{"result", "error"} {
			ask(bringing(`{"id":"a","` + name + `":` + value + `}`))
		}
		var text string
		_ = json.Unmarshal([]byte(value), &text)
		for _, name := range headers {
			ask(body(nil), name+": "+strings.ReplaceAll(text, "\n", "")+"x")
		}
	}
	for range 100 {
		values := map[string]string{}
		for _, name := range fields {
			if random.IntN(2) == 0 {
				values[name] = pick()
			}
		}
		ask(body(values))
	}
	if log := b.journal.String(); strings.Contains(log, "internal fault") || asked < 300 {
		t.Errorf("%d requests: %.2000s", asked, log)
	}
}

// TestSessionsAreNeverMerged tests that a session ID comes back byte for byte, and that IDs which
// look alike, or which software often changes, never share a conversation.
func TestSessionsAreNeverMerged(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	sessions := []string{
		strings.Repeat("😀", 255), strings.Repeat("😀", 254), "+55 11 9999", "+55119999", "5511 9999",
		"jos\u00e9", "jose\u0301", "jose", "JOS\u00c9", "jos\u00e9 ", " jos\u00e9", "jos\u00e9\u00a0",
		"jos\u00e9\u200b", "jos\u00e9\ufe0f", "\u79c1", "\u2f2d", "\uf9c4", "a/b", "a%2Fb", "a\\b", "a",
		"A", "\uff21", "\u0430", "0", "00", "Null", " ", "  ", "\u3000", "\u200b", "\ufeff", "'; --", "%",
		"_", "*", "..", "{}", "[]", "\"", "<b>", "ß", "ss", "ı", "i", "I", "İ", "ﬁ", "fi", "\u202ea",
		"\u2066a", "\u1112\u1161\u11ab", "\ud55c", "\u00c5", "\u212b", "A\u030a", "①", "1", "\uffff",
		"\U0010ffff", "\ufffd",
	}
	for _, session := range sessions {
		text, err := json.Marshal(map[string]string{"message": "Hello", "session_id": session})
		if err != nil {
			t.Fatal(err)
		}
		if a := b.post(t, string(text)).answer(t); a.SessionID != session {
			t.Errorf("session %+q came back as %+q", session, a.SessionID)
		}
	}
	var conversations int
	const count = `SELECT count(*) FROM conversations`
	err := b.store.SQL().QueryRowContext(t.Context(), count).Scan(&conversations)
	if err != nil || conversations != len(sessions) {
		t.Errorf("%d sessions made %d conversations, %v", len(sessions), conversations, err)
	}
}

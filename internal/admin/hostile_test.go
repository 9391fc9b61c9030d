package admin_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

// hostileTexts has values that break careless parsers.
var hostileTexts = []string{"", " ", "\x00", "a\x00b", "\xff", "a\xc3", "\xed\xa0\x80", "\uffff", "\u202eabc", "\u0301", "%", "_", `\`, "'", `"`, "a/b", "\n",
	"email:", "email:\x00", "email:a\x00b@example.com", "email:a\xff@example.com", "email:a@example.com\x00", "email:" + strings.Repeat("a", 4000) + "@example.com",
	"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "{01a1fc5b-13c4-7d92-be70-3f5a9bdd38d4}",
	"urn:uuid:01a1fc5b-13c4-7d92-be70-3f5a9bdd38d4", strings.Repeat("x", 7000), "-1", "9223372036854775808", "1e309"}

// TestHostileValues sends such values in every parameter and every field of the description, first
// one at a time, then all at once. No response may be an internal error.
func TestHostileValues(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	pick := func() string { return hostileTexts[random.IntN(len(hostileTexts))] }
	asked := 0
	ask := func(method, path string, query url.Values, body string) {
		t.Helper()
		asked++
		if len(query) > 0 {
			path += "?" + query.Encode()
		}
		got := b.send(method, path, token, body)
		if got.status >= http.StatusInternalServerError || got.status == http.StatusUnauthorized {
			t.Errorf("%s %.200q %.200q: %d %v", method, path, body, got.status, got.object)
		}
	}
	for _, path := range b.spec.Paths.InMatchingOrder() {
		item := b.spec.Paths.Value(path)
		operations := item.Operations()
		for _, method := range slices.Sorted(maps.Keys(operations)) {
			operation := operations[method]
			account := b.fixture.Account.ID
			if method == http.MethodDelete {
				account = storetest.Seed(t, b.store, storetest.Options{}).Account.ID
			}
			id := strings.NewReplacer("{id}", account.String(), "{user_id}", "user").Replace(path)
			var names []string
			for _, p := range slices.Concat(item.Parameters, operation.Parameters) {
				switch p.Value.In {
				case "query":
					names = append(names, p.Value.Name)
				case "path":
					for _, text := range hostileTexts {
						one := strings.ReplaceAll(path, "{"+p.Value.Name+"}", url.PathEscape(text))
						ask(method, strings.NewReplacer("{id}", account.String(), "{user_id}", "user").Replace(one), nil, "")
					}
				case "header": // see TestHostileOperators
				default:
					t.Errorf("a parameter in %s: teach this test of it", p.Value.In)
				}
			}
			for _, text := range hostileTexts {
				for _, name := range names {
					ask(method, id, url.Values{name: {text}}, "")
				}
				all := url.Values{text: {text}}
				for _, name := range names {
					all[name] = []string{pick(), pick()}
				}
				ask(method, id, all, "")
			}
			if operation.RequestBody != nil {
				schema := operation.RequestBody.Value.Content["application/json"].Schema.Value
				for _, body := range hostileBodies(t, schema, pick) {
					ask(method, id, nil, body)
				}
			}
		}
	}
	if strings.Contains(b.logged(), "internal fault") || asked < 500 {
		t.Errorf("%d requests: %s", asked, b.logged())
	}
}

// hostileBodies returns bodies with one hostile field, and some in which all fields are hostile.
func hostileBodies(t *testing.T, schema *openapi3.Schema, pick func() string) (bodies []string) {
	t.Helper()
	encode := func(fields map[string]any) {
		body, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, string(body))
	}
	all := map[string]any{"kind": "GRANT", "amount": 1, "note": "n", "reference": "r", "unique": "service",
		"email": uuid.NewString() + "@example.com", "name": "Ada"}
	valid := map[string]any{}
	for name := range schema.Properties {
		valid[name] = all[name]
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		if valid[name] == nil {
			t.Fatalf("a field %s: teach this test of it", name)
		}
		values := []any{nil, true, []any{}, map[string]any{}, 0, -1, 1.5, json.RawMessage("9223372036854775808"), json.RawMessage("1e400"),
			json.RawMessage(`"\ud800"`), json.RawMessage("\"\xff\"")}
		for _, text := range hostileTexts {
			values = append(values, text)
		}
		for _, value := range values {
			fields := maps.Clone(valid)
			fields[name] = value
			encode(fields)
		}
	}
	for range 50 {
		fields := maps.Clone(valid)
		for name := range fields {
			fields[name] = pick()
		}
		encode(fields)
	}
	return bodies
}

package admin_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/usage"
)

// settle settles a message with its cost at the provider; nil is unknown. A failed message has no
// credits.
func (b *bench) settle(key apikey.Key, model string, cost *int64, state conversation.TurnState) {
	b.Helper()
	in := turns.Settlement{State: state, Reply: "hi", FinishReason: "stop", ErrorCode: "model_error",
		FallbackModel: model, InputTokens: new(int64(1000)), CachedTokens: new(int64(400)),
		OutputTokens: new(int64(200)), ProviderCost: cost}
	if state == conversation.Failed {
		in.ErrorCode, in.Reply, in.FinishReason = "model_error", "", ""
	}
	storetest.BeginTurn(b.T, b.store, key, func(begin *turns.Begin) {
		storetest.InOwnSession("u" + uuid.NewString())(begin)
		in.TurnID = begin.TurnID
	})
	if _, err := turns.On(b.store).SettleTurn(b.Context(), in); err != nil {
		b.Fatal(err)
	}
}

// TestMargins tests the numbers of a row with and without costs, credits and unknown costs.
func TestMargins(t *testing.T) {
	t.Parallel()
	b := newBench(t) // a credit is worth 0.001 dollars
	costed := func(nanos int64) *int64 { return &nanos }
	for _, m := range []struct {
		model string
		cost  *int64
		state conversation.TurnState
	}{
		{"acme/known", costed(560_000), conversation.Answered},
		{"acme/known", costed(0), conversation.Answered},
		{"acme/partly", nil, conversation.Answered},
		{"acme/partly", costed(560_000), conversation.Answered},
		{"acme/unknown", nil, conversation.Answered},
		{"acme/unknown", nil, conversation.Failed},
		{"acme/failed", costed(560_000), conversation.Failed},
		{"acme/dear", costed(9_000_000_000_000_001), conversation.Answered},
	} {
		b.settle(b.fixture.Key, m.model, m.cost, m.state)
	}
	if _, err := usage.On(b.store).CountFailedTurns(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	got := b.want(http.MethodGet, "/admin/v1/margins"+today("model"), "", http.StatusOK).text
	want := `{"next":null,"rows":[` + strings.Join([]string{
		`{"cached_tokens":400,"cost_nano_usd":9000000000000001,"credits":1,"failed":0,"input_tokens":1000,"margin":-8999999999,` +
			`"messages":1,"model":"acme/dear","output_tokens":200,"revenue_nano_usd":1000000,"uncosted":0}`,
		`{"cached_tokens":0,"cost_nano_usd":560000,"credits":0,"failed":1,"input_tokens":0,"margin":null,` +
			`"messages":0,"model":"acme/failed","output_tokens":0,"revenue_nano_usd":0,"uncosted":0}`,
		`{"cached_tokens":800,"cost_nano_usd":560000,"credits":2,"failed":0,"input_tokens":2000,"margin":0.72,` +
			`"messages":2,"model":"acme/known","output_tokens":400,"revenue_nano_usd":2000000,"uncosted":0}`,
		`{"cached_tokens":800,"cost_nano_usd":560000,"credits":2,"failed":0,"input_tokens":2000,"margin":0.72,` +
			`"messages":2,"model":"acme/partly","output_tokens":400,"revenue_nano_usd":2000000,"uncosted":1}`,
		`{"cached_tokens":400,"cost_nano_usd":null,"credits":1,"failed":1,"input_tokens":1000,"margin":null,` +
			`"messages":1,"model":"acme/unknown","output_tokens":200,"revenue_nano_usd":1000000,"uncosted":2}`,
	}, ",") + "]}\n"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// today returns the parameters of a period around now.
func today(by string) string {
	now := time.Now()
	return "?by=" + by + "&from=" + now.Add(-time.Hour).UTC().Format(time.RFC3339Nano) +
		"&to=" + now.AddDate(0, 0, 2).Format(time.DateOnly)
}

// TestMarginPages tests pages over all dimensions, and that a bad parameter is named.
func TestMarginPages(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	other := storetest.Seed(t, b.store, storetest.Options{})
	want := []string{}
	for _, f := range []storetest.Fixture{b.fixture, other} {
		for _, model := range []string{"acme/a", "acme/b"} {
			b.settle(f.Key, model, nil, conversation.Answered)
			want = append(want, fmt.Sprint(f.Account.ID, f.Account.Email, f.Agent.ID, f.Agent.Name, model))
		}
	}
	slices.Sort(want)
	var got []string
	for _, row := range b.list("/admin/v1/margins"+today("account,agent,model,day")+"&limit=1", "rows") {
		got = append(got, fmt.Sprint(row["account"], row["email"], row["agent"], row["agent_name"], row["model"]))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	total := b.get("/admin/v1/margins" + today(""))
	if rows := total["rows"].([]any); len(rows) != 1 || rows[0].(map[string]any)["messages"] != 4.0 {
		t.Errorf("without by: %v", total)
	}
	next := b.get("/admin/v1/margins" + today("account") + "&limit=1")["next"].(string)
	for bad, name := range map[string]string{
		"?from=2026-01-01":                   "to",
		"?to=2026-01-01":                     "from",
		"?from=2026-01-02&to=2026-01-02":     "to",
		today("user"):                        "by",
		today("day,day"):                     "by",
		today("day") + "&limit=0":            "limit",
		today("day") + "&limit=1001":         "limit",
		today("day") + "&after=x":            "after",
		today("day") + "&after=" + next:      "after", // of another list
		today("") + "&after=e30":             "after", // {}
		today("model") + "&after=" + nulByte: "after",
	} {
		text := b.refuses(http.MethodGet, "/admin/v1/margins"+bad, "", "invalid_request").text
		if !strings.Contains(text, `"message":"`+name+" ") {
			t.Errorf("%s: %s does not name %s", bad, text, name)
		}
	}
}

// nulByte is a key that PostgreSQL cannot compare: {"model":"\u0000"}.
const nulByte = "eyJtb2RlbCI6Ilx1MDAwMCJ9"

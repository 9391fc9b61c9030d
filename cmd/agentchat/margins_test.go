package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

const pricedModels = `providers: [{name: acme, kind: openai, base_url: %s/v1}]
models:
  - {name: one, provider: acme, credits: 1, context_window: 400000, cost: {input: 0.25, cached_input: 0.025, output: 2}}
  - {name: two, provider: acme, credits: 1, context_window: 400000, cost: {input: 0.123457, output: 0.000001}}
  - {name: dear, provider: acme, credits: 1, context_window: 400000, cost: {input: 10, output: 10}}
  - {name: plain, provider: acme, credits: 1, context_window: 400000}
`

// earning is a service with CREDIT_VALUE set, and its model provider.
type earning struct {
	*testing.T
	*service
	provider *llmtest.Server
	store    *store.DB
	env      []string
	sessions atomic.Int64
}

func newEarning(t *testing.T) *earning {
	t.Helper()
	e, url := &earning{T: t, provider: llmtest.NewOpenAI(t, "")}, storetest.URL(t)
	e.store = storetest.Open(t, url)
	e.env = onDatabase(t, url, "MODELS_FILE="+writeFile(t, fmt.Sprintf(pricedModels, e.provider.URL)),
		"CREDIT_VALUE=0.001", "ADMIN_ADDR=127.0.0.1:0", "ADMIN_TOKEN="+testToken)
	e.service = startService(t, e.env)
	return e
}

// agent opens an account with an agent, and returns its key. fallback may be empty.
func (e *earning) agent(model, fallback string) string {
	e.Helper()
	return storetest.Seed(e.T, e.store, storetest.Options{Model: model, FallbackModel: fallback, Credits: 5_000}).Key.Reveal()
}

// chat sends a message in a session of its own.
func (e *earning) chat(key string, status int) {
	e.Helper()
	if got, r := say(e.T, e.Chat, key, fmt.Sprint("s", e.sessions.Add(1)), "hello"); got != status {
		e.Errorf("status %d %+v, want %d", got, r, status)
	}
}

// rows returns the margins by model, as the admin API has them, once the failed turns are counted.
func (e *earning) rows(failed int) map[string]string {
	e.Helper()
	var out map[string]string
	until(e.T, "failed turns are counted", func() bool {
		request, err := http.NewRequestWithContext(e.Context(), http.MethodGet, e.Admin+"/admin/v1/margins?by=model&from="+
			time.Now().UTC().Format(time.DateOnly)+"&to="+time.Now().AddDate(0, 0, 2).Format(time.DateOnly), nil)
		if err != nil {
			e.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+testToken)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			e.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		var page struct {
			Rows []struct {
				Model                               string
				Messages, Failed, Credits, Uncosted json.Number
				CachedTokens                        json.Number  `json:"cached_tokens"`
				Cost                                *json.Number `json:"cost_nano_usd"`
				Revenue                             json.Number  `json:"revenue_nano_usd"`
				Margin                              *json.Number
			}
		}
		if err := json.NewDecoder(response.Body).Decode(&page); err != nil {
			e.Fatal(err)
		}
		out = map[string]string{}
		counted := int64(0)
		for _, r := range page.Rows {
			n, _ := r.Failed.Int64()
			counted += n
			out[strings.TrimPrefix(r.Model, "acme/")] = fmt.Sprintf("%s %s %s %s %s %s %s", r.Messages, r.Failed, r.Credits,
				orNull(r.Cost), r.Uncosted, r.Revenue, orNull(r.Margin))
		}
		return counted == int64(failed)
	})
	return out
}

func orNull(n *json.Number) string {
	if n == nil {
		return "null"
	}
	return n.String()
}

// used answers with token counts.
func used(input, cached, output int64) llmtest.Reply {
	return llmtest.OpenAIChunks(llmtest.OpenAIChunk("Hello", "stop"), usageChunk(input, cached, output))
}

func usageChunk(input, cached, output int64) string {
	return llmtest.OpenAIUsage(fmt.Sprintf(
		`{"prompt_tokens":%d,"completion_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d}}`, input, output, cached))
}

// TestMargins tests what the admin API, the command, the doctor and the metrics show for calls that
// cost something, failed, broke off or have no price.
func TestMargins(t *testing.T) {
	t.Parallel()
	e := newEarning(t)
	one, falls, two := e.agent("acme/one", ""), e.agent("acme/one", "acme/two"), e.agent("acme/two", "")
	e.provider.Next(used(1_000, 400, 200), llmtest.OpenAIChunks(llmtest.OpenAIChunk("", "content_filter"),
		usageChunk(1_000, 0, 0)), llmtest.FailAfter("Hel"), used(1_000, 0, 200))
	e.chat(one, http.StatusOK)
	e.chat(one, http.StatusUnprocessableEntity)
	e.chat(falls, http.StatusOK)
	rows := e.rows(1)
	for model, want := range map[string]string{
		"one": "1 1 1 810000 0 1000000 0.19", // 560,000, and 250,000 for the blocked reply
		"two": "1 0 1 null 1 1000000 null",
	} {
		if rows[model] != want {
			t.Errorf("%s: %s, want %s", model, rows[model], want)
		}
	}
	e.provider.Always(used(1_000, 0, 0))
	for _, key := range []string{two, e.agent("acme/plain", ""), e.agent("acme/dear", "")} {
		e.chat(key, http.StatusOK)
	}
	if got := e.rows(1)["two"]; got != "2 0 2 123457 1 2000000 0.938" {
		t.Errorf("two, with a costed turn: %s", got)
	}
	e.says("usage", "--money", "--by=model", "--from=2000-01-01", "--to=2100-01-01")(
		"acme/dear  1 messages, 0 failed, 1 credits, 1000 tokens in, 0 out, 0 cached; cost $0.01; worth $0.001; margin -900.0 %",
		"acme/one  1 messages, 1 failed, 1 credits, 1000 tokens in, 200 out, 400 cached; cost $0.00081; worth $0.001; margin 19.0 %",
		"acme/plain  1 messages, 0 failed, 1 credits, 1000 tokens in, 0 out, 0 cached; cost unknown, 1 without a known cost; worth $0.001",
		"acme/two  2 messages, 0 failed, 2 credits, 2000 tokens in, 200 out, 0 cached; cost $0.000123457, 1 without a known cost; "+
			"worth $0.002; margin at most 93.8 %")
	all := commandLine{t, e.env, e.service}.do("usage", "--money", "--by=", "--from=2000-01-01", "--to=2100-01-01")["rows"].([]any)
	if row := all[0].(map[string]any); row["cost_nano_usd"] != 10_933_457.0 || row["uncosted"] != 2.0 ||
		row["revenue_nano_usd"] != 5_000_000.0 || row["margin"] != -1.187 || row["cached_tokens"] != 400.0 {
		t.Errorf("as JSON: %v", row)
	}
	e.says("doctor")(
		"Model acme/dear cost $0.01 for credits worth $0.001 in the last 7 days. Raise its credits, or use a cheaper model.",
		"1 of 1 turns of model acme/plain have no known cost. Add its cost to the models file.")
	metrics := read(t, e.Ops+"/metrics")
	for _, line := range []string{
		`agentchat_provider_cost_usd_total{model="acme/one"} 0.00081`,
		`agentchat_uncosted_calls_total{model="acme/one"} 1`, // it broke off before the fallback
		`agentchat_uncosted_calls_total{model="acme/two"} 0`,
		`agentchat_uncosted_calls_total{model="acme/plain"} 1`,
		`agentchat_tokens_total{kind="cached",model="acme/one"} 400`,
	} {
		if !strings.Contains(metrics, line+"\n") {
			t.Errorf("there is no %s", line)
		}
	}
}

// says returns a check that a command prints exactly the given lines.
func (e *earning) says(args ...string) func(lines ...string) {
	return func(lines ...string) {
		e.Helper()
		got := invoke(e.T, e.env, "", args...).stdout
		if want := strings.Join(lines, "\n") + "\n"; got != want {
			e.Errorf("%v: %s\nwant %s", args, got, want)
		}
	}
}

// TestMarginsAreTheBill compares the costs of mixed turns with the provider's own bill.
func TestMarginsAreTheBill(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	e := newEarning(t)
	var bill, n atomic.Int64
	e.provider.Always(func(c *llmtest.Call) {
		input := rand.Int64N(50_000)
		cached, output := rand.Int64N(input+1), rand.Int64N(2_000)
		switch n.Add(1) % 50 {
		case 0: // answered by the retry
			llmtest.Status(http.StatusServiceUnavailable)(c)
			return
		case 1:
			llmtest.Status(http.StatusBadRequest)(c)
			return
		case 2: // a count that cannot be right: the input is priced in full
			used(input, input+1, output)(c)
			cached = 0
		case 3:
			llmtest.OpenAIChunks(llmtest.OpenAIChunk("", "content_filter"), usageChunk(input, cached, output))(c)
		default:
			used(input, cached, output)(c)
		}
		nanos := (input-cached)*250_000_000 + cached*25_000_000 + output*2_000_000_000
		if strings.Contains(string(c.Request.Body), `"two"`) {
			nanos = input*123_457_000 + output*1_000
		}
		bill.Add((nanos + 500_000) / 1_000_000)
	})
	keys := []string{e.agent("acme/one", ""), e.agent("acme/two", ""), e.agent("acme/one", "acme/two")}
	const turns, workers = 1_000, 8
	var failed atomic.Int64
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := range turns / workers {
				if status, _ := say(t, e.Chat, keys[(w+i)%len(keys)], fmt.Sprint("s", w, i%20), "hello"); status != http.StatusOK {
					failed.Add(1)
				}
			}
		})
	}
	all.Wait()
	cost := int64(0)
	for model, row := range e.rows(int(failed.Load())) {
		var messages, failures, credits, nanos, uncosted int64
		if _, err := fmt.Sscan(row, &messages, &failures, &credits, &nanos, &uncosted); err != nil || uncosted != 0 || credits != messages {
			t.Errorf("%s: %s (%v)", model, row, err)
		}
		cost += nanos
	}
	if cost != bill.Load() || failed.Load() == 0 {
		t.Errorf("the margins' cost is %d, the bill %d; %d turns failed", cost, bill.Load(), failed.Load())
	}
}

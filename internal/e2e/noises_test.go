package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/google/uuid"
	limit "golang.org/x/time/rate"

	"agentchat/internal/knowledge"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
)

// query sends a query to a replica and returns its code. A refusal without a time to wait has a
// code of its own.
func (n *tenants) query(ctx context.Context, replica int, token, query string) string {
	url := n.replicas[replica].base() + "/graphql"
	resp, err := post(ctx, n.http, url, token, map[string]string{"query": query})
	if err != nil {
		return err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	var got panelAnswer
	if err == nil {
		err = json.Unmarshal(raw, &got)
	}
	if err != nil {
		return err.Error()
	}
	return got.limitedCode()
}

// limitedCode is code, but for a RATE_LIMITED without a time to wait.
func (a panelAnswer) limitedCode() string {
	if a.code() == "RATE_LIMITED" && a.Errors[0].Extensions.RetryAfterSeconds < 1 {
		return "RATE_LIMITED without a time"
	}
	return a.code()
}

// queries are queries of the noisy tenant.
func (n *tenants) queries(conns int, query func() string) noise {
	return noise{
		conns: conns,
		want:  []string{"ok", "RATE_LIMITED"},
		send: func(ctx context.Context, replica int) string {
			return n.query(ctx, replica, n.token, query())
		},
	}
}

// insert inserts rows for an agent of the noisy tenant, and returns its ID. The statement's
// parameters are the account and the agent.
func (n *tenants) insert(statement string) uuid.UUID {
	n.t.Helper()
	id := storetest.SeedAgent(n.t, n.store, n.noisy, storetest.Options{}).ID
	if statement == "" {
		return id
	}
	if _, err := n.store.SQL().ExecContext(n.t.Context(), statement, n.noisy, id); err != nil {
		n.t.Fatal(err)
	}
	return id
}

// manyReads and someReads are queries for as much as a request may ask for: searches that match
// nothing in 50,000 conversations, and the usage of years.
func (n *tenants) manyReads() noise {
	n.t.Helper()
	reads := n.reads(60)
	reads.limited = true
	return reads
}

func (n *tenants) someReads() noise {
	n.t.Helper()
	return n.reads(12)
}

func (n *tenants) reads(conns int) noise {
	n.t.Helper()
	n.insert(`INSERT INTO conversations
			(id, account_id, agent_id, source, session_id, turn_count, last_turn_at)
		SELECT gen_random_uuid(), $1, $2, 'API', 'session ' || n, 0, now() - n * interval '1 minute'
		FROM generate_series(1, 50000) n`)
	execute(n.t, n.url, `ANALYZE conversations`)
	fields := strings.Builder{}
	for i := range 10 {
		fmt.Fprintf(&fields, ` s%d: conversations(filter: {search: "zzz%[1]d"}) { nodes { id } }`, i)
		fmt.Fprintf(&fields, ` u%d: usage(filter: {from: "2025-0%d-01T00:00:00Z", `+
			`to: "2026-01-31T00:00:00Z"}, groupBy: [], interval: MONTH) { credits }`, i, i%9+1)
	}
	query := `{ viewer {` + fields.String() + ` } }`
	return n.queries(conns, func() string { return query })
}

// manyChats are messages with enough keys to stay below the rate limit of each.
func (n *tenants) manyChats() noise {
	n.t.Helper()
	agent := storetest.SeedAgent(n.t, n.store, n.noisy, storetest.Options{Model: "sandbox/free"})
	var keys []string
	for range 4 {
		rate := n.quiet.Export.RatePerMinute
		_, _, key := storetest.SeedExport(n.t, n.store, n.noisy, agent.ID, rate)
		keys = append(keys, key.Reveal())
	}
	var sent atomic.Int64
	return noise{
		conns: 32,
		want:  []string{"200"},
		send: func(ctx context.Context, replica int) string {
			key := keys[int(sent.Add(1))%len(keys)]
			return outcomeOf(ask(ctx, n.http, n.chat(replica), key, uuid.NewString(), "hello"))
		},
	}
}

// strangersSignIns are sign-ins to unknown addresses on 100 connections from one client address.
func (n *tenants) strangersSignIns() noise {
	n.t.Helper()
	browsers := make(chan *browser, 100)
	for range cap(browsers) {
		browsers <- newBrowser(n.t, "X-Forwarded-For", "203.0.113.1")
	}
	return noise{
		conns:   cap(browsers),
		want:    []string{"INVALID_CREDENTIALS", "RATE_LIMITED"},
		limited: true,
		send: func(_ context.Context, replica int) string {
			b := <-browsers
			defer func() { browsers <- b }()
			email := uuid.NewString() + "@example.com"
			got, err := b.signIn(n.replicas[replica], signInQuery, email, "Summer2026!")
			if err != nil {
				return err.Error()
			}
			return got.limitedCode()
		},
	}
}

// documents are large GraphQL documents without a token, all different.
func (n *tenants) documents() noise {
	return noise{
		conns: 8,
		want:  []string{"UNAUTHENTICATED"},
		send: func(ctx context.Context, replica int) string {
			fields := strings.Repeat("id ", 900)
			document := fmt.Sprintf("{ viewer { ... { %s} } } # %s", fields, uuid.New())
			return n.query(ctx, replica, "", document)
		},
	}
}

// textSearches search 110 MB of texts for words.
func (n *tenants) textSearches() noise {
	n.t.Helper()
	for range 10 { // statements have a time limit
		n.insert(`WITH c AS (
				INSERT INTO conversations
					(id, account_id, agent_id, source, session_id, turn_count, last_turn_at)
				SELECT gen_random_uuid(), $1, $2, 'API', gen_random_uuid()::text, 20,
					now() - n * interval '1 minute'
				FROM generate_series(1, 500) n RETURNING id)
			INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message,
				model, price, request_id, deadline)
			SELECT gen_random_uuid(), $1, $2, c.id, 'API', n, 'FAILED',
				CASE n % 2 WHEN 0 THEN repeat('Are the biscuits in it free of nuts? ', 30)
					ELSE repeat('Печенье без орехов. ', 30) END, 'm', 0, 'r', now()
			FROM c, generate_series(1, 20) n`)
	}
	const query = `{ viewer { conversations(first: 50, filter: {text: "parcel"}) { nodes { id } } } }`
	return n.queries(4, func() string { return query })
}

// knowledgeSearches search as much knowledge as an agent can have.
func (n *tenants) knowledgeSearches() noise {
	n.t.Helper()
	agent := n.insert("")
	n.addPassages(agent, knowledge.MaxPassages)
	return n.queries(16, func() string {
		return fmt.Sprintf(`{ searchKnowledge(agentId: %q, message: %q, previousMessage: %q) { score } }`,
			agent, zipf(12), zipf(12))
	})
}

// hostileSearches search for ligatures that a search expands to 18 letters each.
func (n *tenants) hostileSearches() noise {
	n.t.Helper()
	agent := n.insert("")
	n.addPassages(agent, 500)
	query := fmt.Sprintf(`{ searchKnowledge(agentId: %q, message: %q) { score } }`, agent,
		strings.Repeat("\uFDFA", 10_000))
	return n.queries(16, func() string { return query })
}

// addPassages adds a number of passages of 220 words to an agent, at least 500.
func (n *tenants) addPassages(agent uuid.UUID, passages int) {
	n.t.Helper()
	for from := 0; from < passages; from += 500 {
		name := fmt.Sprint("manual ", from)
		in := sources.NewKnowledge{Kind: knowledge.Text, Name: name, Text: name}
		for range 500 {
			passage := knowledge.Passage{Heading: "Chapter", Text: zipf(220)}
			in.Passages = append(in.Passages, passage)
		}
		if _, err := sources.On(n.store).AddKnowledge(n.t.Context(), n.noisy, agent, in); err != nil {
			n.t.Fatal(err)
		}
	}
}

// zipf returns words with the frequencies of a natural language: of 30,000 words, the n-th is n
// times rarer than the first.
func zipf(words int) string {
	var text strings.Builder
	for range words {
		fmt.Fprintf(&text, "w%d ", int(math.Exp(rand.Float64()*math.Log(30_000))))
	}
	return text.String()
}

// largeExamples are examples of a schema that asks for as much as possible, made for the panel and
// by the sandbox. A version whose replies never fit its schema is refused for a while.
func (n *tenants) largeExamples() noise {
	n.t.Helper()
	branches := make([]string, 200)
	for i := range branches {
		branches[i] = fmt.Sprintf(`{"minimum":%d}`, i)
	}
	schema := `{"type":"object","required":["a"],"properties":{"a":{"type":"array","minItems":9999,` +
		`"items":{"anyOf":[` + strings.Join(branches, ",") + `],"not":{}}}}}`
	agent := storetest.SeedAgent(n.t, n.store, n.noisy,
		storetest.Options{Model: "sandbox/free", ReplySchema: schema})
	rate := n.quiet.Export.RatePerMinute
	_, _, key := storetest.SeedExport(n.t, n.store, n.noisy, agent.ID, rate)
	query := fmt.Sprintf(`{ exampleReply(schema: %q) }`, schema)
	return noise{
		conns: 16,
		want:  []string{"ok", "RATE_LIMITED", "invalid_output", "rate_limited", "model_unavailable"},
		send: func(ctx context.Context, replica int) string {
			if rand.IntN(2) == 0 {
				return n.query(ctx, replica, n.token, query)
			}
			return outcomeOf(ask(ctx, n.http, n.chat(replica), key.Reveal(), "", "hello"))
		},
	}
}

// refusedRequests are a thousand invalid requests per second, which the service records.
func (n *tenants) refusedRequests() noise {
	n.t.Helper()
	noisy := storetest.Seed(n.t, n.store, storetest.Options{})
	pace := limit.NewLimiter(1_000, 100)
	return noise{
		conns: 16,
		want:  []string{"invalid_request"},
		send: func(ctx context.Context, replica int) string {
			if err := pace.Wait(ctx); err != nil {
				return "invalid_request" // the noise ends
			}
			body := map[string]any{}
			return outcomeOf(askWith(ctx, n.http, n.chat(replica), noisy.Key.Reveal(), body))
		},
	}
}

// failingCalls are messages for which the model's server hangs, fails, or stops after its headers.
// It answers all other messages at once.
func (n *tenants) failingCalls(server *llmtest.Server) (noises []noise) {
	n.t.Helper()
	replies := map[string]llmtest.Reply{
		"poison: hang": llmtest.Hang(),
		"poison: fail": llmtest.Status(http.StatusInternalServerError),
		"poison: stop": llmtest.HangAfter(),
	}
	server.Always(func(c *llmtest.Call) {
		for message, reply := range replies {
			if bytes.Contains(c.Request.Body, []byte(message)) {
				reply(c)
				return
			}
		}
		llmtest.Text("Aye.")(c)
	})
	noisy := storetest.Seed(n.t, n.store, storetest.Options{Model: openAIModel})
	for message := range replies {
		noises = append(noises, noise{
			conns: 4,
			want:  []string{"model_timeout", "model_error", "model_unavailable", "rate_limited"},
			send: func(ctx context.Context, replica int) string {
				return outcomeOf(ask(ctx, n.http, n.chat(replica), noisy.Key.Reveal(), "", message))
			},
		})
	}
	return noises
}

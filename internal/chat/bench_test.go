package chat_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/rest"
)

// The benchmarks measure a chat against its own two statements in the same run, so that their figures mean the same on any
// machine: x_statements is how many times longer a chat takes than its statements alone.

func BenchmarkChat(b *testing.B) {
	for name, accounts := range map[string]int{"one_account": 1, "many_accounts": 32} {
		b.Run(name, func(b *testing.B) {
			s, fixtures := benchStore(b, accounts)
			floor := timeEach(b, func(i int) error { return statementsAlone(b, s, fixtures[i%accounts]) })
			service := chat.New(chat.Config{Store: s, Catalogue: sandboxOnly(), Logger: slog.New(slog.DiscardHandler)})
			each := timeEach(b, func(i int) error {
				_, err := service.Send(b.Context(), request(fixtures[i%accounts], uuid.NewString(), "hello"))
				return err
			})
			b.ReportMetric(float64(each)/float64(floor), "x_statements")
		})
	}
}

func BenchmarkChatOverHTTP(b *testing.B) {
	const accounts = 32
	s, fixtures := benchStore(b, accounts)
	floor := timeEach(b, func(i int) error { return statementsAlone(b, s, fixtures[i%accounts]) })
	service := chat.New(chat.Config{Store: s, Catalogue: sandboxOnly(), Logger: slog.New(slog.DiscardHandler)})
	server := httptest.NewServer(rest.New(rest.Config{Chat: service}))
	b.Cleanup(server.Close)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	each := timeEach(b, func(i int) error {
		req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, server.URL+"/v1/agent/chat", strings.NewReader(`{"message":"hello"}`))
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+fixtures[i%accounts].Key.Reveal())
		req.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		if resp.StatusCode != http.StatusOK {
			b.Errorf("status %d", resp.StatusCode)
		}
		return resp.Body.Close()
	})
	b.ReportMetric(float64(each)/float64(floor), "x_statements")
}

// BenchmarkLongConversation is a turn of a conversation of 10,000 turns against one of 10.
func BenchmarkLongConversation(b *testing.B) {
	s, fixtures := benchStore(b, 2)
	for i, turns := range []int{10, 10_000} {
		_, err := s.DB().ExecContext(b.Context(), `
			WITH c AS (
				INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
				VALUES (gen_random_uuid(), $1, $2, 'API', 'long', $3) RETURNING id
			)
			INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price,
				request_id, deadline)
			SELECT gen_random_uuid(), $1, $2, c.id, 'API', n, 'ANSWERED', 'hello', 'hi', 'm', 0, 'r', now()
			FROM c, generate_series(1, $3::int) n`, fixtures[i].Account.ID, fixtures[i].Agent.ID, turns)
		if err != nil {
			b.Fatal(err)
		}
	}
	if _, err := s.DB().ExecContext(b.Context(), `ANALYZE`); err != nil {
		b.Fatal(err)
	}
	service := chat.New(chat.Config{Store: s, Catalogue: sandboxOnly(), Logger: slog.New(slog.DiscardHandler)})
	each := func(f storetest.Fixture) time.Duration {
		started := time.Now()
		for range b.N {
			if _, err := service.Send(b.Context(), request(f, "long", "hello")); err != nil {
				b.Fatal(err)
			}
		}
		return time.Since(started)
	}
	short := each(fixtures[0])
	b.ReportMetric(float64(each(fixtures[1]))/float64(short), "x_short")
}

func benchStore(b *testing.B, accounts int) (*store.Store, []storetest.Fixture) {
	b.Helper()
	s := storetest.New(b)
	fixtures := make([]storetest.Fixture, accounts)
	for i := range fixtures {
		fixtures[i] = storetest.Seed(b, s, storetest.Options{Credits: 1 << 40})
	}
	return s, fixtures
}

// timeEach runs b.N calls on parallel workers and returns the time they took together.
func timeEach(b *testing.B, call func(i int) error) time.Duration {
	b.Helper()
	var next atomic.Int64
	b.SetParallelism(8)
	started := time.Now()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := call(int(next.Add(1))); err != nil {
				b.Error(err)
			}
		}
	})
	return time.Since(started)
}

func statementsAlone(b *testing.B, s *store.Store, f storetest.Fixture) error {
	b.Helper()
	id := uuid.Must(uuid.NewV7())
	begun, err := s.BeginTurn(b.Context(), store.Begin{
		Gate:    store.Gate{Key: f.Key.Hash(), SpendRate: true, Models: []string{storetest.SandboxModel}, Prices: []int64{1}},
		Session: uuid.NewString(), Message: "hello", TurnID: id, ConversationID: uuid.Must(uuid.NewV7()), HoldFor: time.Minute,
		RequestID: "r", MaxContextBytes: 96 << 10,
	})
	if err != nil || begun.Outcome != store.Go {
		b.Errorf("begin: %s %v", begun.Outcome, err)
		return err
	}
	_, err = s.FinishTurn(b.Context(), store.Settlement{TurnID: id, State: conversation.Answered, Reply: "hi", FinishReason: "stop"})
	return err
}

package chat_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/rest"
)

// The benchmarks measure a chat against its own two statements in the same run, so that their
// figures mean the same on any machine: x_statements is the time of a chat divided by that of its
// statements alone.

func BenchmarkChat(b *testing.B) {
	for name, accounts := range map[string]int{"one_account": 1, "many_accounts": 32} {
		b.Run(name, func(b *testing.B) {
			s, fixtures := benchStore(b, accounts)
			alone := func(i int) error { return statementsAlone(b, s, fixtures[i%accounts]) }
			floor := timeEach(b, alone)
			service := chat.New(chat.Config{Store: s, Catalogue: sandboxOnly(), Logger: slog.New(slog.DiscardHandler)})
			each := timeEach(b, func(i int) error {
				_, err := service.Send(b.Context(), newMessage(fixtures[i%accounts], uuid.NewString(), "hello"))
				return err
			})
			reportAgainst(b, each, floor, timeEach(b, alone))
		})
	}
}

// reportAgainst reports how many times longer a call took than its statements alone, before it and
// after it: the tables grow meanwhile, and the disk has its moments.
func reportAgainst(b *testing.B, each, before, after time.Duration) {
	b.Helper()
	b.ReportMetric(2*float64(each)/float64(before+after), "x_statements")
}

func BenchmarkChatOverHTTP(b *testing.B) {
	const accounts = 32
	s, fixtures := benchStore(b, accounts)
	alone := func(i int) error { return statementsAlone(b, s, fixtures[i%accounts]) }
	floor := timeEach(b, alone)
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
	reportAgainst(b, each, floor, timeEach(b, alone))
}

// BenchmarkLongConversation is a turn of a conversation of 10,000 turns against one of 10.
func BenchmarkLongConversation(b *testing.B) {
	s, fixtures := benchStore(b, 2)
	seedTurns(b, s, fixtures[0], "long", 10)
	seedTurns(b, s, fixtures[1], "long", 10_000)
	if _, err := s.SQL().ExecContext(b.Context(), `ANALYZE`); err != nil {
		b.Fatal(err)
	}
	service := chat.New(chat.Config{Store: s, Catalogue: sandboxOnly(), Logger: slog.New(slog.DiscardHandler)})
	each := func(f storetest.Fixture) time.Duration {
		started := time.Now()
		for range b.N {
			if _, err := service.Send(b.Context(), newMessage(f, "long", "hello")); err != nil {
				b.Fatal(err)
			}
		}
		return time.Since(started)
	}
	short := each(fixtures[0])
	b.ReportMetric(float64(each(fixtures[1]))/float64(short), "x_short")
}

// BenchmarkBeginOfALongConversation is the statement that begins turn 5,000 of a conversation
// against the one of turn 10, both with messages and replies of 300 bytes, in turn. The agent of
// the first is given all 40 turns, or as many as the other has. x_bytes is the growth of the
// prompt's bytes, which the limits bound, and x_begin that of the statement's time.
func BenchmarkBeginOfALongConversation(b *testing.B) {
	nine := 9
	for name, turns := range map[string]*int{"40_turns": nil, "as_many_turns": &nine} {
		b.Run(name, func(b *testing.B) {
			s := storetest.New(b)
			var fixtures [2]storetest.Fixture
			for i, before := range []int{9, 4999} {
				fixtures[i] = storetest.Seed(b, s, storetest.Options{Credits: 1 << 40, ContextTurns: turns})
				seedTurns(b, s, fixtures[i], "s", before)
			}
			_, err := s.SQL().ExecContext(b.Context(), `UPDATE turns SET message = repeat('m', 300), reply = repeat('r', 300)`)
			if err == nil {
				_, err = s.SQL().ExecContext(b.Context(), `VACUUM ANALYZE`)
			}
			if err != nil {
				b.Fatal(err)
			}
			var took [2][]time.Duration
			var bytes [2]int
			for b.Loop() {
				for i, f := range fixtures { // in turn, so that what else the machine does falls on both
					d, n := beginAlone(b, s, f)
					took[i], bytes[i] = append(took[i], d), n
				}
			}
			b.ReportMetric(float64(median(took[1]))/float64(median(took[0])), "x_begin")
			b.ReportMetric(float64(bytes[1])/float64(bytes[0]), "x_bytes")
			if bytes[1] > 96<<10 {
				b.Errorf("%d bytes are given", bytes[1])
			}
		})
	}
}

// beginAlone begins a turn and gives it up; it returns how long the beginning took, and the bytes
// of the earlier turns.
func beginAlone(b *testing.B, s *store.DB, f storetest.Fixture) (time.Duration, int) {
	b.Helper()
	id := uuid.Must(uuid.NewV7())
	started := time.Now()
	begun, err := turns.On(s).BeginTurn(b.Context(), turns.Begin{
		Key: f.Key.Hash(), SpendRate: true, Models: []string{storetest.SandboxModel}, Prices: []int64{1},
		Session: "s", Message: "hello", TurnID: id, ConversationID: uuid.Must(uuid.NewV7()), HoldFor: time.Minute,
		RequestID: "r", MaxContextBytes: 96 << 10,
	})
	took := time.Since(started)
	if err != nil || begun.Outcome != turns.Begun {
		b.Fatalf("begin: %s %v", begun.Outcome, err)
	}
	if _, err := turns.On(s).SettleTurn(b.Context(), turns.Settlement{TurnID: id, State: conversation.Failed, ErrorCode: "internal"}); err != nil {
		b.Fatal(err)
	}
	if _, err := s.SQL().ExecContext(b.Context(), `DELETE FROM turns WHERE id = $1`, id); err != nil { // it is still the same turn next time
		b.Fatal(err)
	}
	return took, bytesOf(begun)
}

func bytesOf(begun turns.BeginResult) int {
	bytes := 0
	for _, e := range begun.History {
		bytes += len(e.Message) + len(e.Reply)
	}
	return bytes
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func benchStore(b *testing.B, accounts int) (*store.DB, []storetest.Fixture) {
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
	b.ResetTimer() // neither the database's start nor an earlier call counts
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

func statementsAlone(b *testing.B, s *store.DB, f storetest.Fixture) error {
	b.Helper()
	id := uuid.Must(uuid.NewV7())
	begun, err := turns.On(s).BeginTurn(b.Context(), turns.Begin{
		Key: f.Key.Hash(), SpendRate: true, Models: []string{storetest.SandboxModel}, Prices: []int64{1},
		Session: uuid.NewString(), Message: "hello", TurnID: id, ConversationID: uuid.Must(uuid.NewV7()), HoldFor: time.Minute,
		RequestID: "r", MaxContextBytes: 96 << 10,
	})
	if err != nil || begun.Outcome != turns.Begun {
		b.Errorf("begin: %s %v", begun.Outcome, err)
		return err
	}
	_, err = turns.On(s).SettleTurn(b.Context(), turns.Settlement{TurnID: id, State: conversation.Answered, Reply: "hi", FinishReason: "stop"})
	return err
}

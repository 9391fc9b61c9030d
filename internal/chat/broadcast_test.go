package chat_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/memory"
	"agentchat/internal/store/storetest"
)

// pieces is a model that sends the pieces of a channel until it is closed, and ends with its error.
type pieces struct {
	next chan string
	err  error
}

func (m *pieces) Generate(
	_ context.Context, _ llm.Request, emit func(string) error,
) (llm.Reply, error) {
	for piece := range m.next {
		if err := emit(piece); err != nil {
			return llm.Reply{}, err
		}
	}
	return llm.Reply{Finish: llm.FinishStop}, m.err
}

// heard is a stream that keeps the pieces of a reply apart.
type heard struct {
	mu     sync.Mutex
	pieces []string
}

func (*heard) Begun(chat.BegunTurn) {}

func (h *heard) Text(piece string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pieces = append(h.pieces, piece)
}

// has waits until the pieces have arrived.
func (h *heard) has(t *testing.T, want ...string) {
	t.Helper()
	eventually(t, func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return slices.Equal(h.pieces, want)
	})
}

// TestLiveStreams tests that a stream that joins another one in the same process gets the text so
// far as one piece, then each new piece, and the turn's own end. If memory is short, only that
// stream ends; a drain ends none.
func TestLiveStreams(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string]error{"": nil, "model_error": byProvider(fault.ModelError)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &pieces{next: make(chan string), err: failure}
			b := newSetup(t, 1, offering(m))
			s, f := b.replicas[0], storetest.Seed(t, b.store, storetest.Options{Model: testModel})
			msg, streams := newMessage(f, "s", "hello"), []*heard{{}, {}, {}}
			msg.IdempotencyKey, msg.Stream = "k", streams[0]
			all := []<-chan sent{sending(t, s, msg)}
			for _, piece := range []string{"I ", "see "} {
				m.next <- piece
			}
			streams[0].has(t, "I ", "see ")
			msg.Stream = streams[1]
			all = append(all, sending(t, s, msg))
			streams[1].has(t, "I see ")
			msg.Stream, msg.Memory = streams[2], memory.Bytes(200).Hold(uuid.Nil)
			poor := sending(t, s, msg)
			streams[2].has(t, "I see ")
			s.Drain()
			m.next <- "you."
			got := <-poor
			if !fault.Is(got.err, fault.Unavailable) {
				t.Errorf("without memory: %+v %v", got.Answer, got.err)
			}
			streams[1].has(t, "I see ", "you.")
			close(m.next)
			first, joined := <-all[0], <-all[1]
			if failure != nil {
				wantRetry(t, "a joined stream", joined, fault.ModelError, time.Second)
				return
			}
			if joined.err != nil || !joined.Answer.Replayed || joined.Answer.Reply != "I see you." ||
				joined.Answer.MessageID != first.Turn || first.Answer.Replayed {
				t.Errorf("%+v, then %+v", first.Answer, joined.Answer)
			}
			wantCredits(t, b.store, f, 99)
		})
	}
}

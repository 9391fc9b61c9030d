package chat_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"agentchat/internal/llm"
	"agentchat/internal/store/storetest"
)

// echo is a model that replies with all messages of its context, so that a reply shows what its
// turn saw.
type echo struct{}

func (echo) Generate(_ context.Context, req llm.Request, _ func(string) error) (llm.Reply, error) {
	words := make([]string, 0, len(req.History)+1)
	for _, turn := range req.History {
		words = append(words, turn.User)
	}
	return llm.Reply{Text: strings.Join(append(words, req.Message), " "), Finish: llm.FinishStop}, nil
}

// TestOrder sends messages of one session at once through two replicas: each sees exactly those
// answered before it.
func TestOrder(t *testing.T) {
	t.Parallel()
	const messages = 40
	b := newSetup(t, 2, offering(echo{}))
	f := storetest.Seed(t, b.store, storetest.Options{Model: testModel})
	replies := make([][]string, messages)
	counts := parallel(t, messages, messages, func(i int) string {
		got, err := b.replicas[i%2].Send(t.Context(), newMessage(f, "one", fmt.Sprint("m", i)))
		if err == nil {
			replies[i] = strings.Fields(got.Answer.Reply)
		}
		return fmt.Sprint(err)
	})
	if counts["<nil>"] != messages {
		t.Fatalf("outcomes: %v", counts)
	}
	slices.SortFunc(replies, func(a, b []string) int { return len(a) - len(b) })
	for i, reply := range replies {
		if len(reply) != i+1 || i > 0 && !slices.Equal(reply[:i], replies[i-1]) {
			t.Fatalf("turn %d saw %v after %v", i+1, reply, replies[max(i-1, 0)])
		}
	}
}

// TestArrivalOrder sends messages one by one while the first is being answered: one replica keeps
// their order.
func TestArrivalOrder(t *testing.T) {
	t.Parallel()
	b, f, gate := newGated(t, 1)
	const messages = 20
	replies := make([]string, messages)
	var work sync.WaitGroup
	for i := range messages {
		work.Go(func() {
			got, err := b.replicas[0].Send(t.Context(), newMessage(f, "one", fmt.Sprint("m", i)))
			if err != nil {
				t.Errorf("message %d: %v", i, err)
				return
			}
			replies[i] = got.Answer.Reply
		})
		eventually(t, func() bool {
			return b.replicas[0].InFlight() == int64(i+1) &&
				b.replicas[0].Waiting() == i
		})
	}
	close(gate)
	work.Wait()
	for i, reply := range replies {
		if got := len(strings.Fields(reply)); got != i+1 {
			t.Errorf("message %d was answered as number %d", i, got)
		}
	}
}

package turns

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
)

// TestBatchBytes: what is too long together goes in several batches, in turn, and an item that is
// too long for any goes alone.
func TestBatchBytes(t *testing.T) {
	t.Parallel()
	const third = maxBatchBytes/3 + 1
	s := newSender()
	s.size = func(_ uuid.UUID, item string) int64 {
		return map[byte]int64{'t': third, 'l': 2 * maxBatchBytes, 's': 1}[item[0]]
	}
	s.begun(t)
	account := uuid.New()
	for _, item := range []string{"t1", "t2", "t3", "t4", "long", "s1", "s2"} {
		s.do(t.Context(), account, item)
	}
	s.gate <- ""
	batches := []string{"t1 t2", "t3 t4", "long", "s1 s2"}
	want(t, <-s.entered, batches[0])
	for range maxSingles {
		s.gate <- ""
	}
	for _, batch := range batches[1:] {
		want(t, <-s.entered, batch)
		s.gate <- ""
	}
	s.becomesIdle(t)
}

// TestBackSizes: an account counts with the most until it is known, then with what came back, which
// fades slowly.
func TestBackSizes(t *testing.T) {
	t.Parallel()
	s := newBackSizes()
	account := uuid.New()
	of := func(bytes int) *beginRow {
		return &beginRow{BeginResult: BeginResult{Outcome: Begun, Sender: Sender{AccountID: account}}, Texts: strings.Repeat("x", bytes)}
	}
	message := &Begin{Message: "four", Variables: map[string]string{"a": "six is"}}
	want(t, s.sizeOf(account, message), mostBack+10)
	s.came(&beginRow{BeginResult: BeginResult{Outcome: RateLimited}})
	want(t, s.of(account), mostBack)
	s.came(of(8000))
	want(t, s.sizeOf(account, message), 8010)
	s.came(of(1))
	want(t, s.of(account), 7000)
	s.came(of(9000))
	want(t, s.of(account), 9000)
	want(t, s.of(uuid.New()), mostBack)
	message.AdmitOnly = true
	want(t, s.sizeOf(account, message), 10)
	for range 100 {
		s.came(of(5))
	}
	if got := s.of(account); got > 16 {
		t.Errorf("%d bytes after 100 short ones", got)
	}
	want(t, sizeOfReply(account, Settlement{State: conversation.Answered, Reply: "four"}), 4)
	want(t, sizeOfReply(account, Settlement{State: conversation.Failed, Reply: "four"}), 0)
}

package turns

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
)

// TestResponseSizes: an account counts with the maximum until a response is observed, then with the
// largest response, which fades slowly.
func TestResponseSizes(t *testing.T) {
	t.Parallel()
	s := newResponseSizes()
	account := uuid.New()
	of := func(bytes int) *beginRow {
		return &beginRow{BeginResult: BeginResult{Outcome: Begun, Sender: Sender{AccountID: account}}, Texts: strings.Repeat("x", bytes)}
	}
	message := &Begin{Message: "four", Variables: map[string]string{"a": "six is"}}
	want(t, s.sizeOf(account, message), maxResponseBytes+10)
	s.observe(&beginRow{BeginResult: BeginResult{Outcome: RateLimited}})
	want(t, s.of(account), maxResponseBytes)
	s.observe(of(8000))
	want(t, s.sizeOf(account, message), 8010)
	s.observe(of(1))
	want(t, s.of(account), 7000)
	s.observe(of(9000))
	want(t, s.of(account), 9000)
	want(t, s.of(uuid.New()), maxResponseBytes)
	message.AdmitOnly = true
	want(t, s.sizeOf(account, message), 10)
	for range 100 {
		s.observe(of(5))
	}
	if got := s.of(account); got > 16 {
		t.Errorf("%d bytes after 100 short ones", got)
	}
	want(t, sizeOfReply(account, Settlement{State: conversation.Answered, Reply: "four"}), 4)
	want(t, sizeOfReply(account, Settlement{State: conversation.Failed, Reply: "four"}), 0)
}

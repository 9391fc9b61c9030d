package chat_test

import (
	"testing"

	"agentchat/internal/fault"
)

// TestDeletedAfterTheFirstText tests that sent text is paid for, however and through whichever
// replica its conversation is deleted.
func TestDeletedAfterTheFirstText(t *testing.T) {
	t.Parallel()
	for name, remove := range deletions {
		for _, replica := range []int{0, 1} {
			t.Run(name+[]string{" through the same replica", " through another replica"}[replica], func(t *testing.T) {
				t.Parallel()
				s := newSentTurn(t)
				s.start(t)
				close(s.model.before)
				<-s.stream.first
				remove(t, s.stores[replica], s.f)
				close(s.model.between)
				close(s.model.after)
				s.expectWhole(t)
			})
		}
	}
}

// TestDeletedAfterTheLastWord deletes a conversation when the whole reply was sent and the stream
// has not ended. A retry learns the outcome.
func TestDeletedAfterTheLastWord(t *testing.T) {
	t.Parallel()
	s := newSentTurn(t)
	s.start(t)
	close(s.model.before)
	close(s.model.between)
	eventually(t, func() bool { _, text := s.stream.received(); return text == "one two" })
	deleteConversations(t, s.stores[0], s.f)
	close(s.model.after)
	if err := <-s.done; err != nil {
		t.Errorf("the stream: %v", err)
	}
	s.check(t, 1)
	for range 2 {
		if _, err := s.replicas[1].Send(t.Context(), s.msg); !fault.Is(err, fault.ConversationDeleted) {
			t.Errorf("a retry: %v, want conversation_deleted", err)
		}
	}
	s.check(t, 1)
}

// TestDeletedBeforeTheFirstText tests that a deletion through the same replica stops the turn at
// once, at no cost. Text that another replica sends after the deletion is paid for. An unsent reply
// is dropped.
func TestDeletedBeforeTheFirstText(t *testing.T) {
	t.Parallel()
	for name, remove := range deletions {
		t.Run(name+" through the same replica", func(t *testing.T) {
			t.Parallel()
			s := newSentTurn(t)
			s.start(t)
			remove(t, s.stores[0], s.f)
			if err := <-s.done; !fault.Is(err, fault.ConversationDeleted) {
				t.Errorf("the stream: %v, want conversation_deleted", err)
			}
			if _, text := s.stream.received(); text != "" {
				t.Errorf("streamed %q", text)
			}
			s.check(t, 0)
		})
		t.Run(name+" through another replica", func(t *testing.T) {
			t.Parallel()
			s := newSentTurn(t)
			s.start(t)
			remove(t, s.stores[1], s.f)
			close(s.model.before)
			close(s.model.between)
			close(s.model.after)
			s.expectWhole(t)
		})
		for replica, where := range []string{"the same", "another"} {
			t.Run(name+" through "+where+" replica, whole reply", func(t *testing.T) {
				t.Parallel()
				s := newSentTurn(t)
				s.msg.Stream = nil
				s.start(t)
				remove(t, s.stores[replica], s.f)
				close(s.model.before)
				close(s.model.between)
				close(s.model.after)
				if err := <-s.done; !fault.Is(err, fault.ConversationDeleted) {
					t.Errorf("the caller: %v, want conversation_deleted", err)
				}
				s.check(t, 0)
			})
		}
	}
}

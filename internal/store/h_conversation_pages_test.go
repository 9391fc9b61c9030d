package store_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// sessionsOf reads a whole list page by page and returns the session IDs of its conversations.
func sessionsOf(t *testing.T, s *store.Store, accountID uuid.UUID, q store.ConversationQuery, between func()) (out []string) {
	t.Helper()
	for {
		page, err := s.ConversationPage(t.Context(), accountID, q)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range page.Items {
			out = append(out, c.SessionID)
			place := store.ConversationPlace(c)
			q.After = &place
		}
		if len(page.Items) > q.First || page.HasNext && len(page.Items) != q.First {
			t.Errorf("a page of %d, next %v", len(page.Items), page.HasNext)
		}
		if !page.HasNext {
			return out
		}
		if between != nil {
			between()
		}
	}
}

// test begins a turn in the playground of the fixture's agent, and answers it.
func test(t *testing.T, s *store.Store, f storetest.Fixture, session string) uuid.UUID {
	t.Helper()
	var id uuid.UUID
	begun := begin(t, s, f.Key, func(b *store.Begin) {
		b.Source, b.AccountID, b.AgentID, b.Session, id = conversation.Playground, f.Account.ID, f.Agent.ID, session, b.TurnID
	})
	if begun.Outcome != store.Begun {
		t.Fatalf("a turn of the playground: %s", begun.Outcome)
	}
	finish(t, s, id, conversation.Answered)
	return id
}

package storetest

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/turns"
)

// SessionsOf reads a whole list page by page and returns the session IDs.
func SessionsOf(
	t *testing.T, s *store.DB, accountID uuid.UUID, q conversations.ConversationQuery, between func(),
) (out []string) {
	t.Helper()
	for {
		page, err := conversations.On(s).ConversationPage(t.Context(), accountID, q)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range page.Items {
			out = append(out, c.SessionID)
			place := conversations.ConversationPlace(c)
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

// AnswerInPlayground begins a turn in the playground of the fixture's agent, and answers it.
func AnswerInPlayground(t *testing.T, s *store.DB, f Fixture, session string) uuid.UUID {
	t.Helper()
	var id uuid.UUID
	begun := BeginTurn(t, s, f.Key, func(b *turns.Begin) {
		b.Source, b.AccountID, b.AgentID, b.Session, id = conversation.Playground, f.Account.ID,
			f.Agent.ID, session, b.TurnID
	})
	if begun.Outcome != turns.Begun {
		t.Fatalf("a turn of the playground: %s", begun.Outcome)
	}
	FinishTurn(t, s, id, conversation.Answered)
	return id
}

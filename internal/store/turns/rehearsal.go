package turns

import (
	"context"
	_ "embed" // the statement is a file of its own
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/store/internal/db"
)

//go:embed sql/rehearsal.sql
var rehearsalSQL string

// rehearseEvery is the interval at which Ready rehearses a chat while rehearsals succeed.
const rehearseEvery = 10 * time.Second

// rehearse begins and settles two turns of an account that is never committed, on a new connection:
// older connections may have loaded what a new one cannot find. It uses nothing that a tenant can
// exhaust: no slot of an account, no batch, no model.
func (q *queues) rehearse(ctx context.Context, s *db.DB) error {
	since := time.Now()
	if last := q.rehearsed.Load(); last != nil && since.Sub(*last) < rehearseEvery {
		return nil
	}
	errWell := errors.New("rolled back")
	err := db.InNewProbe(ctx, s, func(tx *db.DB) error {
		if err := On(tx).rehearseTurns(ctx); err != nil {
			return err
		}
		return errWell
	})
	if !errors.Is(err, errWell) {
		return err
	}
	q.rehearsed.Store(&since)
	return nil
}

// rehearseTurns begins and settles a turn that is answered, and in the same session one that fails.
func (s Store) rehearseTurns(ctx context.Context) error {
	id, key, model, user := uuid.Must(uuid.NewV7()), apikey.Mint().Hash(), "readiness", "readiness"
	settings, err := json.Marshal(agent.Settings{Instructions: "Hello, {{name}}.", Model: &model, ContextTurns: 1,
		Variables: []agent.Variable{{Name: "name"}}})
	if err != nil {
		return err
	}
	if _, err := db.Exec(ctx, s.db, rehearsalSQL, id, string(settings), key[:]); err != nil {
		return err
	}
	for _, end := range []Settlement{
		{State: conversation.Answered, Reply: "Hello.", FinishReason: "stop"}, {State: conversation.Failed, ErrorCode: "readiness"},
	} {
		end.TurnID = uuid.Must(uuid.NewV7())
		begun, err := s.beginTurns(ctx, []*Begin{{Key: key, SpendRate: true, UserID: &user, Session: "readiness", Message: "Hello!",
			Variables: map[string]string{"name": "Ready"}, TurnID: end.TurnID, ConversationID: id, RequestID: "readiness",
			Models: []string{model}, Prices: []int64{1}, HoldFor: time.Minute, MaxContextBytes: 100}})
		if err != nil {
			return err
		}
		if begun[0].Outcome != Begun {
			return fmt.Errorf("a message was not begun: %s", begun[0].Outcome)
		}
		settled, err := s.settleTurns(ctx, []Settlement{end})
		if err != nil {
			return err
		}
		if settled[0].Outcome != Settled || settled[0].ErrorCode != end.ErrorCode {
			return fmt.Errorf("a turn was not settled: %s %s", settled[0].Outcome, settled[0].ErrorCode)
		}
	}
	_, err = db.Exec(ctx, s.db, `SET CONSTRAINTS ALL IMMEDIATE`) // runs what would run at a commit
	return err
}

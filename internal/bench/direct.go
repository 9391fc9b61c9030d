package main

import (
	"context"
	_ "embed" // the floor is a file of SQL
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/turns"
)

//go:embed floor.sql
var floorSQL string

// reply is the reply that statements without a service store. It is as long as the sandbox's.
const reply = "This is turn 3 of our conversation. It has a reply of forty words, like that of the sandbox, and it is made up so that " +
	"what is stored by the statements alone takes as many bytes as a chat that came over HTTP does in all."

// throughStore begins and settles a turn through the service's own statements, without a service.
func throughStore(ctx context.Context, s *store.DB, from speaker, session string) error {
	ctx = store.ForAccount(ctx, from.account)
	id := newID()
	for range 100 {
		begun, err := turns.On(s).BeginTurn(ctx, turns.Begin{
			Key:             from.key.Hash(),
			SpendRate:       true,
			Models:          []string{sandboxModel},
			Prices:          []int64{1},
			Session:         session,
			Message:         ask,
			TurnID:          id,
			ConversationID:  newID(),
			HoldFor:         2 * time.Minute,
			RequestID:       "bench",
			MaxContextBytes: 96 << 10,
		})
		switch {
		case err != nil:
			return err
		case begun.Outcome == turns.Retry:
			continue
		case begun.Outcome != turns.Begun:
			return fmt.Errorf("begin: %s", begun.Outcome)
		}
		return settle(ctx, s, id)
	}
	return errors.New("begin: too many retries")
}

func settle(ctx context.Context, s *store.DB, id uuid.UUID) error {
	in, out := int64(10), int64(40)
	for range 100 {
		finished, err := turns.On(s).SettleTurn(ctx, turns.Settlement{
			TurnID:       id,
			State:        conversation.Answered,
			Reply:        reply,
			FinishReason: "stop",
			InputTokens:  &in,
			OutputTokens: &out,
		})
		if err != nil || finished.Outcome == turns.Settled {
			return err
		}
	}
	return errors.New("settle: too many retries")
}

// floor runs the floor's statements, with one connection per client.
type floor struct {
	conns         []*pgx.Conn
	begin, finish []string
}

// beginStatements is the number of the floor's statements that begin a turn.
const beginStatements = 5

func openFloor(ctx context.Context, databaseURL string, clients int) (*floor, error) {
	all := statements(floorSQL)
	f := &floor{begin: all[:beginStatements], finish: all[beginStatements:]}
	for range clients {
		conn, err := pgx.Connect(ctx, databaseURL)
		if err != nil {
			f.close(ctx)
			return nil, err
		}
		f.conns = append(f.conns, conn)
		// The service uses the same setting.
		if _, err := conn.Exec(ctx, "SET plan_cache_mode = force_generic_plan"); err != nil {
			f.close(ctx)
			return nil, err
		}
	}
	return f, nil
}

func (f *floor) close(ctx context.Context) {
	for _, conn := range f.conns {
		_ = conn.Close(ctx)
	}
}

// chat begins and settles a turn on a client's connection.
func (f *floor) chat(ctx context.Context, client int, from speaker, session string) error {
	args := pgx.NamedArgs{
		"account": from.account, "agent": from.agent, "export": from.export, "conversation": newID(), "session": session,
		"turn": newID(), "entry": newID(), "message": ask, "reply": reply,
	}
	for _, half := range [][]string{f.begin, f.finish} {
		batch := &pgx.Batch{} // one transaction
		for _, statement := range half {
			batch.Queue(statement, args)
		}
		results := f.conns[client].SendBatch(ctx, batch)
		for i := range half {
			tag, err := results.Exec()
			if err == nil && tag.RowsAffected() != 1 {
				err = fmt.Errorf("statement %d of the floor changed %d rows", i+1, tag.RowsAffected())
			}
			if err != nil {
				_ = results.Close()
				return err
			}
		}
		if err := results.Close(); err != nil {
			return err
		}
	}
	return nil
}

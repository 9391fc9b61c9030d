package turns

import (
	"context"
	"time"

	"agentchat/internal/store/internal/db"
)

// beatWithin is the time limit of a beat's statement, as of readiness.
const beatWithin = 2 * time.Second

// Replica is a process of the service, with the number of its beats so far.
type Replica struct {
	Number int32
	Beats  int64
}

// Register gives this process a number, which its turns store from then on. Without a connection
// for beats it gets none, and its turns fail only at their deadline.
func (s Store) Register(ctx context.Context) error {
	probe := db.Probe(s.db)
	if probe == nil || s.queues.replica.Load() != 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, beatWithin)
	defer cancel()
	number, err := db.One[int32](ctx, probe, `INSERT INTO replicas DEFAULT VALUES RETURNING number`)
	if err == nil && !s.queues.replica.CompareAndSwap(0, number) {
		return s.removeReplica(ctx, probe, number) // another call was faster
	}
	return err
}

// Beat shows the other replicas that this one runs, and returns all of them. It registers this
// process if it is not registered yet, and inserts its row again if another replica has removed it.
// Without a connection for beats it returns nothing.
func (s Store) Beat(ctx context.Context) ([]Replica, error) {
	if err := s.Register(ctx); err != nil {
		return nil, err
	}
	number := s.queues.replica.Load()
	if number == 0 {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, beatWithin)
	defer cancel()
	return db.All[Replica](ctx, db.Probe(s.db), `
		WITH beat AS (
			INSERT INTO replicas AS r (number, beats) OVERRIDING SYSTEM VALUE VALUES ($1::int, 1)
			ON CONFLICT (number) DO UPDATE SET beats = r.beats + 1
		)
		SELECT r.number, r.beats FROM replicas r`, number)
}

// ReapReplica does what ReapTurns does, and also fails the turns of a dead replica, unless it has
// beaten since.
func (s Store) ReapReplica(ctx context.Context, dead Replica, limit int) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, db.StatementDeadline)
	defer cancel()
	return db.One[int](ctx, s.db, `SELECT reap_turns_1($1::int, $2::int, $3::bigint)`,
		limit, dead.Number, dead.Beats)
}

// Unregister removes the row of this process, which must have no pending turn.
func (s Store) Unregister(ctx context.Context) error {
	number := s.queues.replica.Swap(0)
	if number == 0 {
		return nil
	}
	return s.removeReplica(ctx, db.Probe(s.db), number)
}

func (Store) removeReplica(ctx context.Context, on *db.DB, number int32) error {
	_, err := db.Exec(ctx, on, `DELETE FROM replicas WHERE number = $1::int`, number)
	return err
}

// RemoveReplica removes the row of another replica, unless it has beaten since.
func (s Store) RemoveReplica(ctx context.Context, dead Replica) error {
	_, err := db.Exec(ctx, s.db, `DELETE FROM replicas WHERE (number, beats) = ($1::int, $2::bigint)`,
		dead.Number, dead.Beats)
	return err
}

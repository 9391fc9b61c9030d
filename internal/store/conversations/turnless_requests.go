package conversations

import (
	"context"
	_ "embed" // the statement is a file of its own
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/store/internal/db"
)

//go:embed sql/record_turnless.sql
var recordTurnlessSQL string

// TurnlessBurst is the most requests of an account that are listed at once, and one more is each second.
// record_turnless.sql has the same number.
const TurnlessBurst = 3600

// TurnlessRequest is a request that began no turn. Its texts are valid UTF-8 without U+0000.
type TurnlessRequest struct {
	Key       apikey.Hash
	At        time.Time
	RequestID string
	Status    int
	// Code and Detail are the error; empty for a stored reply.
	Code, Detail      string
	ClientAddress     string
	SessionID, UserID *string
	Streamed          bool
	Duration          time.Duration
	// Turn is the turn whose stored reply was sent. For a refusal it is the turn that may have begun unseen.
	Turn uuid.UUID
}

// RecordTurnless records requests under the accounts that their keys belong or belonged to, and counts refused ones in the usage. It
// leaves out requests with keys that nobody has, and refused ones whose turn has begun after all, and the ids of a request of an end user
// or a session that was erased since it arrived. Past TurnlessBurst and one a second, an
// account's requests are only counted.
func (s Store) RecordTurnless(ctx context.Context, turnless []TurnlessRequest) error {
	n := len(turnless)
	ids, turns, hashes := make([]uuid.UUID, n), make([]uuid.UUID, n), make([][]byte, n)
	at, requests, statuses := make([]time.Time, n), make([]string, n), make([]int, n)
	codes, details, addresses := make([]*string, n), make([]*string, n), make([]string, n)
	sessions, users, streamed, took := make([]*string, n), make([]*string, n), make([]bool, n), make([]int64, n)
	there := make([]int64, n)
	for i := range turnless {
		r := &turnless[i]
		ids[i], turns[i], hashes[i], at[i], requests[i] = turnlessID(r.At), r.Turn, r.Key[:], r.At, r.RequestID
		statuses[i], addresses[i], sessions[i], users[i], streamed[i] = r.Status, r.ClientAddress, r.SessionID, r.UserID, r.Streamed
		took[i] = r.Duration.Round(time.Millisecond).Milliseconds()
		if r.Code != "" {
			codes[i], details[i] = &r.Code, &r.Detail
		}
	}
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		// The next statement sees the deletions of agents, the erasures and the beginnings of turns that were committed while this one
		// waited.
		_, err := db.Exec(ctx, tx, `
			INSERT INTO usage_cursors AS u (account_id)
			SELECT DISTINCT k.account_id FROM (SELECT DISTINCT unnest($1::bytea[]) AS hash) i JOIN api_keys k ON k.hash = i.hash ORDER BY 1
			ON CONFLICT (account_id) DO UPDATE SET number = u.number`, hashes)
		if err != nil {
			return err
		}
		for i := range turnless {
			there[i] = time.Since(turnless[i].At).Milliseconds() + 1
		}
		_, err = db.Exec(ctx, tx, recordTurnlessSQL, ids, turns, hashes, at, requests, statuses, codes, details, addresses, sessions, users,
			streamed, took, there)
		return err
	})
}

// turnlessID is a new UUIDv7 with the time at which a request arrived.
func turnlessID(at time.Time) uuid.UUID {
	id, first := uuid.Must(uuid.NewV7()), conversation.FirstID(at.Truncate(time.Millisecond))
	copy(id[:6], first[:6])
	return id
}

// PurgeTurnless removes at most limit turnless requests that are older than keep; it returns how many.
func (s Store) PurgeTurnless(ctx context.Context, keep time.Duration, limit int) (int, error) {
	return db.Exec(ctx, s.db, `DELETE FROM turnless_requests WHERE id IN (
		SELECT r.id FROM turnless_requests r WHERE r.id < $1 ORDER BY r.id LIMIT $2 FOR UPDATE SKIP LOCKED)`,
		conversation.FirstID(time.Now().Add(-keep)), limit)
}

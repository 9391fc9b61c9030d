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

//go:embed sql/record_rejected.sql
var recordRejectedSQL string

// RejectedBurst is the largest number of requests of an account that are listed at once. The allowance
// grows back by one each second. record_rejected.sql has the same number.
const RejectedBurst = 3600

// RejectedRequest is a request that began no turn: it was rejected, or answered with a stored reply. Its
// texts are valid UTF-8 without U+0000.
type RejectedRequest struct {
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
	// Turn is the turn whose stored reply was sent. For a rejection it is the turn that may have begun
	// without an answer from the database.
	Turn uuid.UUID
}

// RecordRejected records requests under the accounts that their keys belong or belonged to, and counts
// rejected ones in the usage. It leaves out requests with unknown keys and rejected ones whose turn has
// begun after all. It drops the ids of end users and sessions that were erased since the request arrived.
// Past RejectedBurst and one a second, an account's requests are only counted.
func (s Store) RecordRejected(ctx context.Context, rejected []RejectedRequest) error {
	n := len(rejected)
	ids, turns, hashes := make([]uuid.UUID, n), make([]uuid.UUID, n), make([][]byte, n)
	at, requests, statuses := make([]time.Time, n), make([]string, n), make([]int, n)
	codes, details, addresses := make([]*string, n), make([]*string, n), make([]string, n)
	sessions, users := make([]*string, n), make([]*string, n)
	streamed, took := make([]bool, n), make([]int64, n)
	there := make([]int64, n)
	for i := range rejected {
		r := &rejected[i]
		ids[i], turns[i], hashes[i], at[i], requests[i] = rejectedID(r.At), r.Turn, r.Key[:], r.At, r.RequestID
		statuses[i], addresses[i], sessions[i], users[i], streamed[i] = r.Status, r.ClientAddress, r.SessionID, r.UserID, r.Streamed
		took[i] = r.Duration.Round(time.Millisecond).Milliseconds()
		if r.Code != "" {
			codes[i], details[i] = &r.Code, &r.Detail
		}
	}
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		// The next statement sees the deletions of agents, the erasures and the new turns that were committed
		// while this one waited.
		_, err := db.Exec(ctx, tx, `
			INSERT INTO usage_cursors AS u (account_id)
			SELECT DISTINCT k.account_id FROM (SELECT DISTINCT unnest($1::bytea[]) AS hash) i JOIN api_keys k ON k.hash = i.hash ORDER BY 1
			ON CONFLICT (account_id) DO UPDATE SET last_entry = u.last_entry`, hashes)
		if err != nil {
			return err
		}
		for i := range rejected {
			there[i] = time.Since(rejected[i].At).Milliseconds() + 1
		}
		_, err = db.Exec(ctx, tx, recordRejectedSQL, ids, turns, hashes, at, requests, statuses, codes, details, addresses, sessions, users,
			streamed, took, there)
		return err
	})
}

// rejectedID returns a new UUIDv7 with the time at which a request arrived.
func rejectedID(at time.Time) uuid.UUID {
	id, first := uuid.Must(uuid.NewV7()), conversation.FirstID(at.Truncate(time.Millisecond))
	copy(id[:6], first[:6])
	return id
}

// PurgeRejected removes at most limit rejected requests that are older than keep. It returns their number.
func (s Store) PurgeRejected(ctx context.Context, keep time.Duration, limit int) (int, error) {
	return db.Exec(ctx, s.db, `DELETE FROM rejected_requests WHERE id IN (
		SELECT r.id FROM rejected_requests r WHERE r.id < $1 ORDER BY r.id LIMIT $2 FOR UPDATE SKIP LOCKED)`,
		conversation.FirstID(time.Now().Add(-keep)), limit)
}

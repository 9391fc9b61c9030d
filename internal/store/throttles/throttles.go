package throttles

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
)

// Attempt is the result of a limited attempt.
type Attempt struct {
	// Allowed reports whether the attempt is within its limit and was counted.
	Allowed bool
	// At is the time at which it was counted, for GiveBack.
	At time.Time
	// RetryAfter is the time until the next attempt can be allowed; set only if this one is refused.
	RetryAfter time.Duration
}

// Throttle counts an attempt under the key unless limit attempts, at least 1, were counted within
// the window before it. It is exact for every window and over all replicas, by the database's
// clock: it is one statement that locks the key's row. userID is the user whose sign-in is
// attempted, for RecordFailedSignIns; uuid.Nil for an unknown address and for other attempts.
func (s Store) Throttle(
	ctx context.Context, key [32]byte, userID uuid.UUID, limit int, window time.Duration,
) (Attempt, error) {
	type row struct {
		Refused bool
		At      time.Time
		Wait    int64 // microseconds
	}
	counted, err := db.One[row](ctx, s.db, `
		INSERT INTO throttles AS t (key, hits, expires_at, user_id)
		VALUES ($1, ARRAY[clock_timestamp()], clock_timestamp() + $3::interval, $4)
		ON CONFLICT (key) DO UPDATE SET (hits, refused, expires_at, user_id) = (
			SELECT CASE WHEN cardinality(f.hits) < $2::integer THEN f.hits || f.now ELSE f.hits END,
				cardinality(f.hits) >= $2::integer,
				CASE WHEN cardinality(f.hits) < $2::integer THEN f.now + $3::interval ELSE t.expires_at END,
				excluded.user_id
			FROM (
				SELECT n.now, ARRAY(SELECT h FROM unnest(t.hits) h WHERE h > n.now - $3::interval ORDER BY h) AS hits
				FROM (SELECT clock_timestamp() AS now) n
			) f
		)
		RETURNING refused, hits[cardinality(hits)] AS at,
			ceil(extract(epoch FROM hits[1] + $3::interval - clock_timestamp()) * 1000000)::bigint AS wait`,
		key[:], limit, window,
		uuid.NullUUID{UUID: userID, Valid: userID != uuid.Nil})
	if err != nil {
		return Attempt{}, err
	}
	if counted.Refused {
		return Attempt{RetryAfter: max(time.Duration(counted.Wait)*time.Microsecond, time.Millisecond)}, nil
	}
	return Attempt{Allowed: true, At: counted.At}, nil
}

// GiveBack removes an attempt that was not a guess from the count. at is Attempt.At.
func (s Store) GiveBack(ctx context.Context, key [32]byte, at time.Time) error {
	_, err := db.Exec(ctx, s.db, `
		UPDATE throttles SET hits = hits[:array_position(hits, $2::timestamptz) - 1]
			|| hits[array_position(hits, $2::timestamptz) + 1:]
		WHERE key = $1 AND array_position(hits, $2::timestamptz) IS NOT NULL`, key[:], at)
	return err
}

// PurgeThrottles removes at most limit counts that no longer refuse an attempt and returns the
// number removed.
func (s Store) PurgeThrottles(ctx context.Context, limit int) (int, error) {
	return db.Exec(ctx, s.db, `
		DELETE FROM throttles WHERE key IN (
			SELECT key FROM throttles WHERE expires_at < statement_timestamp()
			ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
			AND expires_at < statement_timestamp()`, limit)
}

// Unthrottle deletes the counts under keys.
func (s Store) Unthrottle(ctx context.Context, keys ...[32]byte) error {
	for _, key := range keys {
		if _, err := db.Exec(ctx, s.db, `DELETE FROM throttles WHERE key = $1`, key[:]); err != nil {
			return err
		}
	}
	return nil
}

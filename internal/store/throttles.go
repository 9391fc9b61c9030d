package store

import (
	"context"
	"time"
)

// Attempt is the answer to one attempt at something that is limited.
type Attempt struct {
	// Allowed says that the attempt is within its limit and was counted.
	Allowed bool
	// At is when it was counted, for GiveBack.
	At time.Time
	// RetryAfter is how long until the next attempt can be allowed; only for a refused one.
	RetryAfter time.Duration
}

// Throttle counts an attempt under the key unless limit of them, at least 1, were counted within the window before it. It is
// exact for every window, over all replicas and by the database's clock alone: one statement that holds the key's row.
func (s *Store) Throttle(ctx context.Context, key [32]byte, limit int, window time.Duration) (Attempt, error) {
	var out Attempt
	var refused bool
	var waitMicros int64
	err := s.pool.QueryRowContext(ctx, `
		INSERT INTO throttles AS t (key, hits, expires_at)
		VALUES ($1, ARRAY[clock_timestamp()], clock_timestamp() + $3::interval)
		ON CONFLICT (key) DO UPDATE SET (hits, refused, expires_at) = (
			SELECT CASE WHEN cardinality(f.hits) < $2::integer THEN f.hits || f.now ELSE f.hits END,
				cardinality(f.hits) >= $2::integer,
				CASE WHEN cardinality(f.hits) < $2::integer THEN f.now + $3::interval ELSE t.expires_at END
			FROM (
				SELECT n.now, ARRAY(SELECT h FROM unnest(t.hits) h WHERE h > n.now - $3::interval ORDER BY h) AS hits
				FROM (SELECT clock_timestamp() AS now) n
			) f
		)
		RETURNING refused, hits[cardinality(hits)],
			ceil(extract(epoch FROM hits[1] + $3::interval - clock_timestamp()) * 1000000)::bigint`,
		key[:], limit, window).Scan(&refused, &out.At, &waitMicros)
	if err != nil {
		return Attempt{}, translate(err)
	}
	if refused {
		return Attempt{RetryAfter: max(time.Duration(waitMicros)*time.Microsecond, time.Millisecond)}, nil
	}
	out.Allowed = true
	return out, nil
}

// GiveBack takes an attempt out of the count: one that turned out not to be a guess. at is the Attempt's.
func (s *Store) GiveBack(ctx context.Context, key [32]byte, at time.Time) error {
	_, err := s.pool.ExecContext(ctx, `
		UPDATE throttles SET hits = hits[:array_position(hits, $2::timestamptz) - 1]
			|| hits[array_position(hits, $2::timestamptz) + 1:]
		WHERE key = $1 AND array_position(hits, $2::timestamptz) IS NOT NULL`, key[:], at)
	return translate(err)
}

// PurgeThrottles removes at most limit counts that no longer refuse anything; it returns how many.
func (s *Store) PurgeThrottles(ctx context.Context, limit int) (int, error) {
	return s.purge(ctx, `
		DELETE FROM throttles WHERE key IN (
			SELECT key FROM throttles WHERE expires_at < statement_timestamp()
			ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
			AND expires_at < statement_timestamp()`, limit)
}

func (s *Store) purge(ctx context.Context, query string, limit int) (int, error) {
	result, err := s.pool.ExecContext(ctx, query, limit)
	if err != nil {
		return 0, translate(err)
	}
	n, err := result.RowsAffected()
	return int(n), err
}

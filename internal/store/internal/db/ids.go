package db

// The database makes the ids and times that lists are ordered by. With ids made by replicas, one
// whose clock is off would put its rows above, or below, all rows of the others. Every replica asks
// the same clock, under the lock by which an account's creations wait for each other: a new id is
// above all that existed when it was made, so that reading on page by page misses none.
const (
	// DatabaseTime is a row n whose one column, now, is the database's time: for a row's created_at as
	// well as for its id.
	DatabaseTime = ` (SELECT clock_timestamp() AS now) n `
	// NewID is a UUIDv7 of n.now (RFC 9562, 6.2, method 3: 48 bits of milliseconds, then their
	// fraction in 12 bits, which holds the microseconds), with the 62 random bits of gen_random_uuid.
	// It sorts among the ids that replicas made before. PostgreSQL's own uuidv7() exists from version
	// 18 on, and takes no time from outside.
	NewID = `encode(int8send(
			((extract(epoch FROM n.now) * 1000000)::bigint / 1000 << 16) | 28672
			| (extract(epoch FROM n.now) * 1000000)::bigint % 1000 * 4096 / 1000)
		|| substring(uuid_send(gen_random_uuid()) FROM 9), 'hex')::uuid`
)

// FirstID is the smallest id of what was made in the millisecond of a time, or later.
func FirstID(at string) string {
	return `encode(int8send(floor(extract(epoch FROM ` + at + `) * 1000)::bigint << 16) || int8send(0), 'hex')::uuid`
}

// OneAfterTheOther is the n.now of a row of one statement that makes several, which are in the
// order of an expression: a place from 1 on. They are a microsecond apart, since all have the same
// n.now; it takes longer to insert one, so that the last is in the past by then.
func OneAfterTheOther(place string) string { return `n.now + ` + place + ` * interval '1 microsecond'` }

// NilUUID is the zero UUID in SQL.
const NilUUID = `'00000000-0000-0000-0000-000000000000'::uuid`

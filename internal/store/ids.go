package store

// What lists are ordered by is made by the database. With ids that replicas made, one whose clock is off would put its things
// above, or below, all that the others make. Every replica asks the same clock, and under the lock by which an account's
// creations wait for each other: an id is above all that were there when it was made, and a page that is read on misses none.
const (
	// moment is a row n whose one column, now, is the database's time; for the created_at of the thing as well as for its id.
	moment = ` (SELECT clock_timestamp() AS now) n `
	// momentID is a UUIDv7 of n.now (RFC 9562, 6.2, method 3: 48 bits of milliseconds, then their fraction in 12 bits, which holds
	// the microseconds), with the 62 random bits of gen_random_uuid. It sorts among the ids that replicas made before.
	// PostgreSQL's own uuidv7() is there from version 18 on, and knows no moment but its own.
	momentID = `encode(int8send(
			((extract(epoch FROM n.now) * 1000000)::bigint / 1000 << 16) | 28672
			| (extract(epoch FROM n.now) * 1000000)::bigint % 1000 * 4096 / 1000)
		|| substring(uuid_send(gen_random_uuid()) FROM 9), 'hex')::uuid`
)

-- reap_turns: fails pending turns whose deadline has passed, by the database's clock: it settles them like any other turn that failed.
-- Turns that are being settled are skipped. It returns how many it failed.
--
-- With a dead replica, it also fails that replica's turns, unless the replica has beaten since. Locks in the order replica, turn, counter,
-- account. A beat locks its replica and nothing else, and calls share that lock, so they cannot deadlock.
CREATE FUNCTION reap_turns_1(
    most int,
    dead int DEFAULT NULL, dead_beats bigint DEFAULT NULL -- a replica and its last known beats
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    gone CONSTANT int := (SELECT r.number FROM replicas r WHERE (r.number, r.beats) = (dead, dead_beats) FOR SHARE); -- null if it has beaten since
    -- In the order of turns_one_pending, so that its entries of settled turns are marked on the way, and passed over from then on.
    due CONSTANT uuid[] := ARRAY(SELECT t.id FROM turns t
                                 WHERE t.state = 'PENDING' AND (t.deadline < clock_timestamp() OR t.replica = gone)
                                 ORDER BY t.conversation_id LIMIT most FOR UPDATE SKIP LOCKED);
    n   CONSTANT int[] := ARRAY[cardinality(due)];
BEGIN
    RETURN (SELECT count(*)
            FROM settle_turns_1(due, array_fill('FAILED'::text, n), array_fill('unavailable'::text, n), patience => NULL) s
            WHERE s.outcome = 'settled');
END
$$;

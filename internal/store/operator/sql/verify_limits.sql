-- verify_limits: the counters of limits against the turns that they count. A counter may exceed its turns by deleted ones,
-- because their charges stay.
WITH counted AS (
    SELECT l.counted_for, l.period, l.starts, l.user_hash, l.amount, t.state, t.settled_at
    FROM turns t CROSS JOIN LATERAL counters_of_1(t) l
    WHERE t.state <> 'FAILED'
), counters AS (
    SELECT c.*, c.base + coalesce(sum(t.amount), 0) AS found, count(t.amount) AS turns
    FROM limit_counters c LEFT JOIN counted t ON t.counted_for = c.counted_for AND t.period = c.period AND t.starts = c.starts
        AND t.user_hash = c.user_hash AND (t.state = 'PENDING' OR t.settled_at >= c.since)
    GROUP BY c.starts, c.counted_for, c.period, c.user_hash
)
SELECT 'counter_is_not_its_turns', c.account_id,
       format('counter of %s, %s of %s: used %s, base %s, %s turns make %s, deleted turns at most %s', c.counted_for, c.period, c.starts, c.used,
              c.base, c.turns, c.found, deleted.amount)
FROM counters c CROSS JOIN LATERAL (
    SELECT coalesce(CASE WHEN c.period = 'USER_DAY' THEN count(*) ELSE -sum(e.amount) END, 0) AS amount
    FROM credit_entries e
    WHERE c.used <> c.found AND e.account_id = c.account_id AND c.counted_for IN (e.export_id, e.account_id) AND e.kind = 'CHARGE'
      AND e.created_at >= c.since AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.id = e.turn_id)
) deleted
WHERE c.used <> c.found AND (c.used < c.found OR c.used > c.found + deleted.amount)

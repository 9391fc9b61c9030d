-- reap: fails pending turns whose deadline has passed, by the database's clock, and releases their holds. $1 most turns at once
-- Turns that are being settled are skipped; counters and accounts are locked in the order of their keys, so that replicas never deadlock.
WITH due AS MATERIALIZED (
    -- In the order of turns_one_pending, so that its entries of settled turns are marked on the way, and passed over from then on.
    SELECT * FROM turns WHERE state = 'PENDING' AND deadline < clock_timestamp()
    ORDER BY conversation_id LIMIT $1::int FOR UPDATE SKIP LOCKED
), uncounted AS MATERIALIZED (
    SELECT t.export_id, l.period, l.starts, l.user_hash, sum(l.amount)::bigint AS amount
    FROM due t CROSS JOIN LATERAL (VALUES {counted}) l(period, starts, user_hash, amount)
    WHERE l.starts IS NOT NULL GROUP BY 1, 2, 3, 4
), counters AS MATERIALIZED (
    SELECT c.export_id FROM uncounted u JOIN limit_counters c USING (starts, export_id, period, user_hash)
    ORDER BY c.export_id, c.period, c.starts, c.user_hash FOR UPDATE OF c
), given_back AS (
    UPDATE limit_counters c SET used = c.used - u.amount
    FROM uncounted u, (SELECT count(*) FROM counters) locked
    WHERE c.starts = u.starts AND c.export_id = u.export_id AND c.period = u.period AND c.user_hash = u.user_hash
    RETURNING 1
), owners AS MATERIALIZED (
    SELECT a.id FROM accounts a, (SELECT count(*) FROM given_back) after_counting
    WHERE a.id IN (SELECT account_id FROM due) ORDER BY a.id FOR UPDATE OF a
), released AS (
    UPDATE accounts a SET credits_held = a.credits_held - d.held
    FROM (SELECT account_id, sum(price)::bigint AS held FROM due GROUP BY account_id) d, owners
    WHERE a.id = d.account_id AND owners.id = a.id
), failed AS (
    UPDATE turns t SET state = 'FAILED', error_code = 'unavailable', settled_at = clock_timestamp()
    FROM due WHERE t.id = due.id RETURNING t.id
)
SELECT count(*) FROM failed

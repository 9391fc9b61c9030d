-- reap: fails pending turns whose deadline has passed, by the database's clock, and releases their holds. $1 most turns at once
-- Turns that are being settled are skipped; accounts are locked in the order of their ids, so that replicas never deadlock.
WITH due AS MATERIALIZED (
    SELECT id, account_id, price FROM turns WHERE state = 'PENDING' AND deadline < clock_timestamp()
    ORDER BY deadline LIMIT $1::int FOR UPDATE SKIP LOCKED
), owners AS MATERIALIZED (
    SELECT a.id FROM accounts a WHERE a.id IN (SELECT account_id FROM due) ORDER BY a.id FOR UPDATE
), released AS (
    UPDATE accounts a SET credits_held = a.credits_held - d.held
    FROM (SELECT account_id, sum(price)::bigint AS held FROM due GROUP BY account_id) d, owners
    WHERE a.id = d.account_id AND owners.id = a.id
), failed AS (
    UPDATE turns t SET state = 'FAILED', error_code = 'unavailable', settled_at = clock_timestamp()
    FROM due WHERE t.id = due.id RETURNING t.id
)
SELECT count(*) FROM failed

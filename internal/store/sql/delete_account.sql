-- Fails the pending turns of an account that is being deleted, wipes their text and releases their holds. $1 account id
-- Its agents are deleted, their exports removed and committed begins are seen by now. Locks in the order turn, account.
WITH due AS MATERIALIZED (
    SELECT id, account_id, price FROM turns WHERE account_id = $1::uuid AND state = 'PENDING' ORDER BY id FOR UPDATE
), released AS (
    UPDATE accounts a SET credits_held = a.credits_held - d.held
    FROM (SELECT account_id, sum(price)::bigint AS held FROM due GROUP BY account_id) d WHERE a.id = d.account_id
)
UPDATE turns t SET state = 'FAILED', error_code = 'conversation_deleted', message = '', settled_at = clock_timestamp()
FROM due WHERE t.id = due.id

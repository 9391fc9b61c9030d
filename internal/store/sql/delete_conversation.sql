-- Fails the pending turn of a conversation that is being deleted and releases its hold. $1 conversation id
WITH due AS MATERIALIZED (
    SELECT id, account_id, price FROM turns WHERE conversation_id = $1::uuid AND state = 'PENDING' FOR UPDATE
), released AS (
    UPDATE accounts a SET credits_held = a.credits_held - due.price FROM due WHERE a.id = due.account_id
)
UPDATE turns t SET state = 'FAILED', error_code = 'conversation_deleted', settled_at = clock_timestamp()
FROM due WHERE t.id = due.id

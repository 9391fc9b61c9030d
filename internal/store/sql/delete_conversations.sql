-- Fails the pending turns of conversations that are being deleted and releases their holds. $1 account id  $2 conversation ids
WITH due AS MATERIALIZED (
    SELECT t.id, t.account_id, t.price FROM turns t JOIN conversations c ON c.id = t.conversation_id
    WHERE c.account_id = $1::uuid AND c.id = ANY($2::uuid[]) AND c.deleted_at IS NOT NULL AND t.state = 'PENDING'
    ORDER BY t.id FOR UPDATE OF t
), released AS (
    UPDATE accounts a SET credits_held = a.credits_held - d.held
    FROM (SELECT account_id, sum(price)::bigint AS held FROM due GROUP BY account_id) d WHERE a.id = d.account_id
)
UPDATE turns t SET state = 'FAILED', error_code = 'conversation_deleted', settled_at = clock_timestamp()
FROM due WHERE t.id = due.id

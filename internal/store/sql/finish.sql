-- finish: settles one turn: stores the reply with its charge and history row, or releases the hold. Safe to repeat.
-- $1 turn id  $2 ANSWERED|FAILED  $3 reply  $4 finish reason  $5 error code  $6 input tokens  $7 output tokens  $8 entry id
-- $9 bytes of the whole prompt bigint|null
-- Locks in the order turn, account. Outcomes: settled (now), ANSWERED or FAILED (already), retry (the snapshot is older than
-- the lock), gone (no such turn: a crash lost it before anyone saw its reply).
WITH t AS MATERIALIZED (
    SELECT id, account_id, agent_id, export_id, price FROM turns WHERE id = $1::uuid AND state = 'PENDING' FOR UPDATE
), a AS (
    UPDATE accounts a SET credits_held = a.credits_held - t.price,
           credit_balance = a.credit_balance - CASE WHEN $2::text = 'ANSWERED' THEN t.price ELSE 0 END,
           entry_count = a.entry_count + CASE WHEN $2::text = 'ANSWERED' THEN 1 ELSE 0 END
    FROM t WHERE a.id = t.account_id
    RETURNING a.id, a.credit_balance, a.credit_balance - a.credits_held AS available, a.entry_count
), e AS (
    INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, agent_id, agent_name, export_id,
                                export_name, turn_id)
    SELECT $8::uuid, a.id, a.entry_count, 'CHARGE', -t.price, a.credit_balance, t.agent_id, coalesce(g.name, ''),
           t.export_id, coalesce(x.name, ''), t.id
    FROM a, t LEFT JOIN agents g ON g.id = t.agent_id LEFT JOIN api_exports x ON x.id = t.export_id
    WHERE $2::text = 'ANSWERED'
), s AS (
    UPDATE turns u SET state = $2::text, reply = $3::text, finish_reason = $4::text, error_code = $5::text,
           input_tokens = $6::bigint, output_tokens = $7::bigint, input_bytes = $9::bigint, credits_remaining = a.available,
           settled_at = clock_timestamp()
    FROM a, t WHERE u.id = t.id RETURNING u.id, u.credits_remaining
)
SELECT CASE WHEN s.id IS NOT NULL THEN 'settled' WHEN o.id IS NULL THEN 'gone' WHEN o.state = 'PENDING' THEN 'retry'
            ELSE o.state END AS outcome,
       coalesce(s.credits_remaining, o.credits_remaining) AS credits_remaining, o.error_code,
       (extract(epoch FROM c.contended_until - clock_timestamp())::float8 * 1e9)::bigint AS contended
FROM (SELECT 1) one
LEFT JOIN s ON true
LEFT JOIN turns o ON o.id = $1::uuid
LEFT JOIN conversations c ON c.id = o.conversation_id

-- finish: settles one turn: stores the reply with its charge and history row, or releases the hold. Safe to repeat.
-- $1 turn id  $2 ANSWERED|FAILED  $3 reply  $4 finish reason  $5 error code  $6 input tokens  $7 output tokens  $8 entry id
-- $9 bytes of the whole prompt bigint|null  $10 has text of the reply left the service? bool
-- $11 to $14 milliseconds waited, of the model, to the first text, in all int|null  $15 streamed? bool
-- A turn whose conversation was deleted while it was pending stores no reply. It is charged only if text had left the service, and
-- has failed otherwise.
-- Locks in the order turn, counter, account. Outcomes: settled (now), ANSWERED or FAILED (already), retry (the snapshot is older than
-- the lock), gone (no such turn: a crash lost it before anyone saw its reply).
WITH t AS MATERIALIZED (
    SELECT id, account_id, agent_id, export_id, price, day_counted, month_counted, user_day_counted, user_hash, deleted_at IS NULL AS kept,
           $2::text = 'ANSWERED' AND (deleted_at IS NULL OR $10::bool) AS answered,
           $2::text = 'ANSWERED' AND deleted_at IS NOT NULL AND NOT $10::bool AS dropped
    -- Pending, written so that no index of pending turns fits: a plan from when there were none would read them all.
    FROM turns WHERE id = $1::uuid AND state NOT IN ('ANSWERED', 'FAILED') FOR UPDATE
), uncounted AS MATERIALIZED (
    -- A turn that costs nothing does not count against the limits either.
    SELECT uncount_turn_1(t.export_id, t.price, t.day_counted, t.month_counted, t.user_day_counted, t.user_hash)
    FROM t WHERE NOT t.answered AND num_nonnulls(t.day_counted, t.month_counted, t.user_day_counted) > 0
), a AS (
    UPDATE accounts a SET credits_held = a.credits_held - t.price,
           credit_balance = a.credit_balance - CASE WHEN t.answered THEN t.price ELSE 0 END,
           entry_count = a.entry_count + CASE WHEN t.answered THEN 1 ELSE 0 END
    FROM t, (SELECT count(*) FROM uncounted) after_counting WHERE a.id = t.account_id
    RETURNING a.id, a.credit_balance, a.credit_balance - a.credits_held AS available, a.entry_count
), e AS (
    INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, agent_id, agent_name, export_id,
                                export_name, turn_id)
    SELECT $8::uuid, a.id, a.entry_count, 'CHARGE', -t.price, a.credit_balance, t.agent_id, coalesce(g.name, ''),
           t.export_id, coalesce(x.name, ''), t.id
    FROM a, t LEFT JOIN agents g ON g.id = t.agent_id LEFT JOIN api_exports x ON x.id = t.export_id
    WHERE t.answered
), s AS (
    UPDATE turns u SET state = CASE WHEN t.answered THEN 'ANSWERED' ELSE 'FAILED' END,
           reply = CASE WHEN t.kept THEN $3::text END,
           finish_reason = CASE WHEN t.answered THEN $4::text END,
           error_code = CASE WHEN t.dropped THEN 'conversation_deleted' ELSE $5::text END,
           input_tokens = $6::bigint, output_tokens = $7::bigint, input_bytes = $9::bigint, credits_remaining = a.available,
           waited_ms = $11::int, model_ms = $12::int, first_text_ms = $13::int, duration_ms = $14::int, streamed = $15::bool,
           settled_at = clock_timestamp()
    FROM a, t WHERE u.id = t.id RETURNING u.id, u.credits_remaining, u.error_code
)
SELECT CASE WHEN s.id IS NOT NULL THEN 'settled' WHEN o.id IS NULL THEN 'gone' WHEN o.state = 'PENDING' THEN 'retry'
            ELSE o.state END AS outcome,
       coalesce(s.credits_remaining, o.credits_remaining) AS credits_remaining, coalesce(s.error_code, o.error_code) AS error_code,
       (extract(epoch FROM c.contended_until - clock_timestamp())::float8 * 1e9)::bigint AS contended
FROM (SELECT 1) one
LEFT JOIN s ON true
LEFT JOIN turns o ON o.id = $1::uuid
LEFT JOIN conversations c ON c.id = o.conversation_id

-- roll_up: adds the next charges of an account's ledger to its usage. $1 account id  $2 number of the last entry that is in it
-- $3 most entries. The account's row of usage_cursors is locked. It returns the number of the last entry that was read, and how many
-- there were.
WITH charges AS MATERIALIZED (
    SELECT e.number, e.kind, -e.amount AS credits, date_bin('15 minutes', e.created_at, 'epoch') AS start,
           coalesce(e.agent_id, '00000000-0000-0000-0000-000000000000') AS agent_id,
           coalesce(e.export_id, '00000000-0000-0000-0000-000000000000') AS export_id,
           coalesce(t.model, '') AS model, coalesce(t.source, '') AS source, t.input_tokens, t.output_tokens,
           latency_bucket_1({duration}) AS duration, latency_bucket_1(t.first_text_ms) AS first_text
    FROM (SELECT * FROM credit_entries e WHERE e.account_id = $1::uuid AND e.number > $2::bigint ORDER BY e.number LIMIT $3::bigint) e
    LEFT JOIN turns t ON t.id = e.turn_id
), used AS (
    INSERT INTO usage_quarters AS q (account_id, start, agent_id, export_id, model, source, status, messages, credits, input_tokens,
                                     output_tokens)
    SELECT $1::uuid, start, agent_id, export_id, model, source, 'answered', count(*), sum(credits)::bigint,
           coalesce(sum(input_tokens), 0)::bigint, coalesce(sum(output_tokens), 0)::bigint
    FROM charges WHERE kind = 'CHARGE' GROUP BY start, agent_id, export_id, model, source
    ON CONFLICT (account_id, start, agent_id, export_id, model, source, status) DO UPDATE
    SET messages = q.messages + excluded.messages, credits = q.credits + excluded.credits,
        input_tokens = q.input_tokens + excluded.input_tokens, output_tokens = q.output_tokens + excluded.output_tokens
), latencies AS (
    INSERT INTO usage_latencies AS l (account_id, start, agent_id, export_id, model, source, bucket, durations, first_texts)
    SELECT $1::uuid, start, agent_id, export_id, model, source, b.bucket, sum(b.durations), sum(b.first_texts)
    FROM charges CROSS JOIN LATERAL (VALUES (duration, 1, 0), (first_text, 0, 1)) b(bucket, durations, first_texts)
    WHERE kind = 'CHARGE' AND b.bucket IS NOT NULL GROUP BY start, agent_id, export_id, model, source, b.bucket
    ON CONFLICT (account_id, start, agent_id, export_id, model, source, bucket) DO UPDATE
    SET durations = l.durations + excluded.durations, first_texts = l.first_texts + excluded.first_texts
)
SELECT coalesce(max(number), $2::bigint) AS last, count(*) AS read FROM charges

-- roll_up_charges: adds the next entries of an account's ledger to its usage, at most `most`, and returns how many it read. The second
-- statement sees the entries that were committed while the first waited.
CREATE FUNCTION roll_up_charges_1(account uuid, most bigint) RETURNS bigint LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    done bigint;
    read bigint;
BEGIN
    INSERT INTO usage_cursors AS u (account_id) VALUES (account)
    ON CONFLICT (account_id) DO UPDATE SET last_entry = u.last_entry RETURNING u.last_entry INTO done;
    WITH charges AS MATERIALIZED (
        SELECT e.number, e.kind, -e.amount AS credits, e.created_at,
               coalesce(e.agent_id, '00000000-0000-0000-0000-000000000000') AS agent_id,
               coalesce(e.export_id, '00000000-0000-0000-0000-000000000000') AS export_id,
               coalesce(t.model, '') AS model, coalesce(t.source, '') AS source, t.input_tokens, t.output_tokens,
               t.cached_tokens, t.provider_cost,
               latency_bucket_1(turn_duration_1(t.duration_ms, t.created_at, t.settled_at)) AS duration,
               latency_bucket_1(t.first_text_ms) AS first_text
        FROM (SELECT * FROM credit_entries e WHERE e.account_id = account AND e.number > done ORDER BY e.number LIMIT most) e
        LEFT JOIN LATERAL (SELECT * FROM turns t WHERE t.id = e.turn_id LIMIT 1) t ON true -- one by one, whatever the planner knows
    ), spans AS MATERIALIZED (
        SELECT c.*, s.minutes, s.start FROM charges c CROSS JOIN LATERAL usage_spans_1(c.created_at) s WHERE c.kind = 'CHARGE'
    ), used AS (
        INSERT INTO usage_rollups AS r (account_id, minutes, start, agent_id, export_id, model, source, status, messages, credits,
                                        input_tokens, output_tokens, cached_tokens, provider_cost, uncosted)
        SELECT account, minutes, start, agent_id, export_id, model, source, 'answered', count(*), sum(credits)::bigint,
               coalesce(sum(input_tokens), 0)::bigint, coalesce(sum(output_tokens), 0)::bigint,
               coalesce(sum(cached_tokens), 0)::bigint, coalesce(sum(provider_cost), 0)::bigint,
               count(*) FILTER (WHERE provider_cost IS NULL) -- also without the turn
        FROM spans GROUP BY minutes, start, agent_id, export_id, model, source
        ON CONFLICT (account_id, minutes, start, agent_id, export_id, model, source, status) DO UPDATE
        SET messages = r.messages + excluded.messages, credits = r.credits + excluded.credits,
            input_tokens = r.input_tokens + excluded.input_tokens, output_tokens = r.output_tokens + excluded.output_tokens,
            cached_tokens = r.cached_tokens + excluded.cached_tokens, provider_cost = r.provider_cost + excluded.provider_cost,
            uncosted = r.uncosted + excluded.uncosted
    ), latencies AS (
        INSERT INTO latency_rollups AS r (account_id, minutes, start, agent_id, export_id, model, source, bucket, durations, first_texts)
        SELECT account, minutes, start, agent_id, export_id, model, source, b.bucket, sum(b.durations), sum(b.first_texts)
        FROM spans CROSS JOIN LATERAL (VALUES (duration, 1, 0), (first_text, 0, 1)) b(bucket, durations, first_texts)
        WHERE b.bucket IS NOT NULL GROUP BY minutes, start, agent_id, export_id, model, source, b.bucket
        ON CONFLICT (account_id, minutes, start, agent_id, export_id, model, source, bucket) DO UPDATE
        SET durations = r.durations + excluded.durations, first_texts = r.first_texts + excluded.first_texts
    ), moved AS (
        UPDATE usage_cursors u SET last_entry = c.last FROM (SELECT max(number) AS last FROM charges) c
        WHERE u.account_id = account AND u.last_entry < c.last
    )
    SELECT count(*) INTO read FROM charges;
    RETURN read;
END
$$;

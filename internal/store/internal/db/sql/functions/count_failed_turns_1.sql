-- count_failed_turns: counts failed turns in the usage and in their conversations, each once, and returns them.
-- Locks in the order conversation, usage, turn.
CREATE FUNCTION count_failed_turns_1(turn_ids uuid[]) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
    newly uuid[];
BEGIN
    PERFORM 1 FROM conversations c
    WHERE c.id IN (SELECT t.conversation_id FROM turns t WHERE t.id = ANY (turn_ids)) ORDER BY c.id FOR NO KEY UPDATE;
    INSERT INTO usage_cursors AS u (account_id) SELECT DISTINCT t.account_id FROM turns t WHERE t.id = ANY (turn_ids) ORDER BY 1
    ON CONFLICT (account_id) DO UPDATE SET last_entry = u.last_entry;
    WITH failed AS (
        UPDATE turns t SET counted = true WHERE t.id = ANY (turn_ids) AND t.state = 'FAILED' AND NOT t.counted RETURNING t.*
    ), conv AS (
        UPDATE conversations c SET failed_turns = c.failed_turns + f.n
        FROM (SELECT conversation_id, count(*) AS n FROM failed GROUP BY 1) f WHERE c.id = f.conversation_id
    ), used AS (
        INSERT INTO usage_rollups AS r (account_id, minutes, start, agent_id, export_id, model, source, status, failed,
                                        provider_cost, uncosted)
        SELECT f.account_id, s.minutes, s.start, f.agent_id, coalesce(f.export_id, '00000000-0000-0000-0000-000000000000'), f.model, f.source,
               coalesce(f.error_code, ''), count(*), coalesce(sum(f.provider_cost), 0)::bigint,
               count(*) FILTER (WHERE f.provider_cost IS NULL)
        FROM failed f CROSS JOIN LATERAL usage_spans_1(f.created_at) s GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
        ON CONFLICT (account_id, minutes, start, agent_id, export_id, model, source, status) DO UPDATE
        SET failed = r.failed + excluded.failed, provider_cost = r.provider_cost + excluded.provider_cost,
            uncosted = r.uncosted + excluded.uncosted
    )
    SELECT coalesce(array_agg(id), '{}') INTO newly FROM failed;
    RETURN newly;
END
$$;

-- verify_conversations: the turns of each conversation, in their order. A deleted conversation, or one of a deleted agent, may
-- have lost turns.
WITH numbered AS (
    SELECT conversation_id, count(*) AS turns, count(*) FILTER (WHERE state = 'PENDING') AS pending,
           count(*) FILTER (WHERE state = 'PENDING' AND deleted_at IS NULL) AS unmarked, min(number) AS lowest,
           max(number) AS highest, max(same) AS same, min(number) FILTER (WHERE number <> place) AS misnumbered
    FROM (
        SELECT conversation_id, number, state, deleted_at, row_number() OVER w AS place, count(*) OVER (w RANGE CURRENT ROW) AS same
        FROM turns WINDOW w AS (PARTITION BY conversation_id ORDER BY number)
    ) t
    GROUP BY conversation_id
)
SELECT v.kind, c.account_id, v.figures
FROM conversations c
LEFT JOIN agents a ON a.id = c.agent_id
LEFT JOIN numbered n ON n.conversation_id = c.id
CROSS JOIN LATERAL (SELECT c.deleted_at IS NOT NULL OR a.deleted_at IS NOT NULL AS deleted) d
CROSS JOIN LATERAL (VALUES
    ('two_pending_turns', n.pending > 1, format('conversation %s: %s pending turns', c.id, n.pending)),
    ('pending_after_deletion', n.unmarked > 0 AND d.deleted,
     format('conversation %s: %s pending turns that its deletion did not mark', c.id, n.unmarked)),
    ('turn_numbers', CASE WHEN d.deleted THEN n.lowest < 1 OR n.highest > c.turn_count OR n.same > 1
                     ELSE n.misnumbered IS NOT NULL OR coalesce(n.turns, 0) <> c.turn_count END,
     format('conversation %s: %s turns up to number %s, counted %s, first wrong number %s', c.id, coalesce(n.turns, 0),
            coalesce(n.highest, 0), c.turn_count, coalesce(n.misnumbered::text, 'none')))
) v(kind, broken, figures)
WHERE v.broken
UNION ALL
SELECT 'turn_without_conversation', t.account_id, format('turn %s, number %s, of conversation %s', t.id, t.number, t.conversation_id)
FROM turns t WHERE NOT EXISTS (SELECT 1 FROM conversations c WHERE c.id = t.conversation_id AND c.account_id = t.account_id)
UNION ALL
-- Results answer all actions of the newest reply before them and continue its message. In a deleted conversation that turn may
-- be missing.
SELECT 'results_out_of_order', t.account_id, format('turn %s, number %s, of conversation %s, for turn %s', t.id, t.number, t.conversation_id, t.results_for)
FROM turns t JOIN conversations c ON c.id = t.conversation_id AND c.deleted_at IS NULL
JOIN agents a ON a.id = c.agent_id AND a.deleted_at IS NULL
LEFT JOIN LATERAL (
    SELECT * FROM turns b WHERE b.conversation_id = t.conversation_id AND b.number < t.number AND b.state = 'ANSWERED'
    ORDER BY b.number DESC LIMIT 1
) b ON true
WHERE num_nonnulls(t.results_for, t.message_number) > 0 AND (b.id = t.results_for AND b.action_count > 0 AND t.message = ''
    AND t.message_number = coalesce(b.message_number, b.number)) IS NOT TRUE
UNION ALL
SELECT 'text_after_deletion', t.account_id, format('turn %s of conversation %s, which is deleted', t.id, t.conversation_id)
FROM turns t WHERE t.deleted_at IS NOT NULL AND (t.message <> '' OR t.reply IS NOT NULL OR t.rejected_reply IS NOT NULL
    OR t.action_results IS NOT NULL OR t.action_calls IS NOT NULL OR t.knowledge IS NOT NULL
    OR num_nonnulls(t.provider_status, t.provider_code, t.provider_error) > 0)

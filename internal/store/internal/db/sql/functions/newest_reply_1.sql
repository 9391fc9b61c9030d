-- newest_reply: the newest answered turn of a conversation, which results continue, and the message that began its chain; null for none.
CREATE TYPE newest_reply_1 AS (
    id uuid, results_for uuid, results text, action_count int, message_number bigint, version int, variables jsonb
);
CREATE FUNCTION newest_reply_1(conversation uuid) RETURNS newest_reply_1 LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT ROW(t.id, t.results_for, t.action_results, t.action_count, m.number, m.version, m.variables)::newest_reply_1
        FROM (SELECT * FROM turns t WHERE t.conversation_id = conversation AND t.state = 'ANSWERED' ORDER BY t.number DESC LIMIT 1) t
        JOIN turns m ON m.conversation_id = t.conversation_id AND m.number = coalesce(t.message_number, t.number));
END
$$;

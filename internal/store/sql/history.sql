-- history: the earlier turns of a turn that began, as begin.sql and begin_batch.sql return them.
-- k is the row with the version's settings, turn the one that began, and {bytes} the most bytes of earlier turns.
-- Newest first, as they are read: sorting them again for each aggregate took longer than reading them.
-- All texts are one string, and the byte lengths and token counts (-1 for unknown) one string of fixed-size numbers: arrays are
-- encoded and parsed character by character, which took longer than all the rest for 40 turns.
SELECT string_agg(y.message || y.reply, '') AS texts,
       string_agg(int4send(octet_length(y.message)) || int4send(octet_length(y.reply)) || int8send(coalesce(y.input_tokens, -1))
           || int8send(coalesce(y.input_bytes, -1)) || int8send(coalesce(y.output_tokens, -1)), '') AS counts
FROM (
    -- Another model counts tokens differently.
    SELECT t.message, t.reply, t.input_bytes,
           CASE WHEN t.model = k.model THEN t.input_tokens END AS input_tokens,
           CASE WHEN t.model = k.model THEN t.output_tokens END AS output_tokens,
           sum(octet_length(t.message) + octet_length(t.reply)) OVER (ORDER BY t.number DESC ROWS UNBOUNDED PRECEDING) AS bytes
    FROM turns t
    -- What the model's safety rules cut off is charged but not remembered.
    WHERE turn.number > 1 AND t.conversation_id = turn.conversation_id AND t.state = 'ANSWERED' AND t.finish_reason IS DISTINCT FROM 'content_blocked'
    ORDER BY t.number DESC LIMIT k.context_turns
) y
WHERE y.bytes <= {bytes}::bigint

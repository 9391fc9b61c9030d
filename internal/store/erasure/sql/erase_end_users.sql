-- erase_end_users: erases a batch of the text of deleted conversations that had an end user. $1 most conversations at once
-- $2 most turns
-- The batch that erases the last text of a conversation removes the id. Turns that hold an idempotency key, and those that were
-- pending when the conversation was deleted, stay without text until it is purged.
-- Locks in the order conversation, turn; another replica's batch is skipped.
WITH conv AS MATERIALIZED (
    SELECT id, rated_up + rated_down > 0 AS rated FROM conversations WHERE deleted_at IS NOT NULL AND user_id IS NOT NULL
    ORDER BY deleted_at LIMIT $1::int FOR UPDATE SKIP LOCKED
), batch AS MATERIALIZED (
    SELECT t.id, conv.rated, t.state = 'ANSWERED' AND t.idempotency_key IS NULL
        OR t.state = 'FAILED' AND (t.background AND t.error_code NOT IN ('unavailable', 'model_unavailable')) IS NOT TRUE AS whole
    FROM conv JOIN turns t ON t.conversation_id = conv.id
    WHERE t.state <> 'PENDING' AND (t.message <> '' OR t.reply IS NOT NULL OR t.rejected_reply IS NOT NULL OR t.variables IS NOT NULL
        OR t.action_results IS NOT NULL OR t.action_calls IS NOT NULL OR t.knowledge IS NOT NULL) LIMIT $2::int
), unrated AS (
    DELETE FROM ratings WHERE turn_id = ANY (ARRAY(SELECT b.id FROM batch b WHERE b.rated))
), erased AS (
    DELETE FROM turns USING batch WHERE turns.id = batch.id AND batch.whole
), wiped AS (
    UPDATE turns t SET message = '', reply = NULL, rejected_reply = NULL, variables = NULL, action_results = NULL, action_calls = NULL,
        action_provider = NULL, knowledge = NULL, provider_status = NULL, provider_code = NULL, provider_error = NULL
    FROM batch WHERE t.id = batch.id AND NOT batch.whole
), done AS (
    UPDATE conversations c SET user_id = NULL FROM conv WHERE c.id = conv.id AND (SELECT count(*) FROM batch) < $2::int
)
SELECT greatest((SELECT count(*) FROM conv), (SELECT count(*) FROM batch) / 2)

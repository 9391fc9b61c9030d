-- Erases a batch of a deleted agent's text. $1 agent id  $2 most conversations at once  $3 most turns at once
-- The batch that erases the last turns of a conversation marks it deleted. Turns that were pending when the agent was deleted
-- have no text. They stay until their conversations are purged, so that settling one again finds its outcome.
-- A rating that commits between the start of this statement and its lock on the conversation stays; deleteRatings deletes it.
-- Locks in the order conversation, turn; another replica's batch is skipped.
WITH conv AS MATERIALIZED (
    SELECT id, rated_up + rated_down > 0 AS rated FROM conversations WHERE agent_id = $1::uuid AND deleted_at IS NULL LIMIT $2::int FOR UPDATE SKIP LOCKED
), batch AS MATERIALIZED (
    SELECT t.id, conv.rated FROM conv JOIN turns t ON t.conversation_id = conv.id
    WHERE t.state <> 'PENDING' AND t.deleted_at IS NULL AND t.error_code IS DISTINCT FROM 'conversation_deleted' LIMIT $3::int
), unrated AS (
    DELETE FROM ratings WHERE turn_id = ANY (ARRAY(SELECT b.id FROM batch b WHERE b.rated))
), erased AS (
    DELETE FROM turns USING batch WHERE turns.id = batch.id
), marked AS (
    UPDATE conversations c SET deleted_at = clock_timestamp(), session_id = '', user_id = NULL
    FROM conv WHERE c.id = conv.id AND (SELECT count(*) FROM batch) < $3::int
)
SELECT count(*) FROM conv

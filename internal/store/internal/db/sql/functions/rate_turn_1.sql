-- rate_turn: stores or withdraws the rating of an answered reply. It returns no row if no live conversation has such a reply.
-- An identical rating writes nothing.
--
-- Like everything that deletes turns or wipes their text, this function locks the conversation before it reads the turn. If the deletion
-- comes second, it finds the rating and deletes it. If it comes first, the reply is not found.
-- Callers' ratings of a version wait for each other at an advisory lock before they lock their conversations. If they waited at the
-- version's count, the chats of these conversations would wait, too. The lock order is advisory lock, conversation, rating, count.
CREATE TYPE rated_1 AS (session_id text, changed boolean, rated_at timestamptz);

CREATE FUNCTION rate_turn_1(
    of_account uuid,
    of_agent uuid,    -- null: any agent of the account
    of_user text,     -- the end user of the conversation; null: any or none
    turn uuid,
    rating_kind text, -- CALLER rates replies of the API; TEAM also rates replies of the playground
    given_value int,  -- 1, -1, or 0 to withdraw
    given_note text,
    rater uuid        -- the member or account token; null for a caller
) RETURNS SETOF rated_1 LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    session   text;
    rated     record;
    old       record;
    stored_at timestamptz;
    more_up   int;
    more_down int;
BEGIN
    IF rating_kind = 'CALLER' THEN
        PERFORM pg_advisory_xact_lock(hashtextextended(format('ratings %s %s', t.agent_id, t.version), 0))
        FROM turns t WHERE t.id = turn AND t.account_id = of_account AND (of_agent IS NULL OR t.agent_id = of_agent);
    END IF;
    SELECT c.session_id INTO session FROM conversations c
    WHERE c.id = (SELECT t.conversation_id FROM turns t
                  WHERE t.id = turn AND t.account_id = of_account AND (of_agent IS NULL OR t.agent_id = of_agent))
      AND c.deleted_at IS NULL AND (of_user IS NULL OR c.user_id = of_user)
    FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    -- The turn, and whether its agent is deleted, read after the lock.
    SELECT t.conversation_id, t.agent_id, t.version INTO rated
    FROM turns t JOIN agents a ON a.id = t.agent_id AND a.deleted_at IS NULL
    WHERE t.id = turn AND t.state = 'ANSWERED' AND (t.source = 'API' OR rating_kind = 'TEAM' AND t.source = 'PLAYGROUND');
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT r.value, r.note, r.rated_by, r.rated_at INTO old FROM ratings r WHERE r.turn_id = turn AND r.kind = rating_kind;
    IF coalesce(old.value, 0) = given_value AND coalesce(old.note, '') = given_note
        AND (old.value IS NULL OR old.rated_by IS NOT DISTINCT FROM rater) THEN
        RETURN NEXT ROW(session, false, old.rated_at)::rated_1;
        RETURN;
    END IF;
    IF given_value = 0 THEN
        DELETE FROM ratings r WHERE r.turn_id = turn AND r.kind = rating_kind;
    ELSE
        INSERT INTO ratings AS r (turn_id, kind, account_id, agent_id, value, note, rated_by, rated_at)
        VALUES (turn, rating_kind, of_account, rated.agent_id, given_value, given_note, rater, clock_timestamp())
        ON CONFLICT (turn_id, kind) DO UPDATE
        SET value = excluded.value, note = excluded.note, rated_by = excluded.rated_by, rated_at = excluded.rated_at
        RETURNING r.rated_at INTO stored_at;
    END IF;
    more_up := (given_value = 1)::int - (old.value IS NOT DISTINCT FROM 1)::int;
    more_down := (given_value = -1)::int - (old.value IS NOT DISTINCT FROM -1)::int;
    IF more_up <> 0 OR more_down <> 0 THEN
        UPDATE conversations c SET rated_up = c.rated_up + more_up, rated_down = c.rated_down + more_down
        WHERE c.id = rated.conversation_id;
        IF rating_kind = 'CALLER' THEN
            INSERT INTO rating_counts AS n (agent_id, version, up, down) VALUES (rated.agent_id, rated.version, more_up, more_down)
            ON CONFLICT (agent_id, version) DO UPDATE SET up = n.up + excluded.up, down = n.down + excluded.down;
        END IF;
    END IF;
    RETURN NEXT ROW(session, true, stored_at)::rated_1;
END
$$;

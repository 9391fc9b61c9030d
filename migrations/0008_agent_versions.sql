-- +goose NO TRANSACTION
-- +goose Up

-- A statement that begins a chat locks several of these tables. One transaction that changed them all would wait for it while it
-- waits for the transaction, so each table has its own; every statement may be run again when a start was killed in between.

-- The versions of an agent: each is a copy of everything that shapes a reply, and is never changed. An agent's own columns are its
-- draft. 0.1.0 removes agents without knowing of versions, so they go by themselves.
CREATE TABLE IF NOT EXISTS agent_versions (
    agent_id          uuid             NOT NULL REFERENCES agents ON DELETE CASCADE,
    number            integer          NOT NULL CHECK (number > 0),
    account_id        uuid             NOT NULL,
    note              text             NOT NULL DEFAULT '',
    instructions      text             NOT NULL,
    model             text             NOT NULL,
    temperature       double precision,
    max_output_tokens integer,
    context_turns     integer          NOT NULL,
    created_at        timestamptz      NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (agent_id, number)
);

-- The version that callers get while the agent is COMPLETED; null until it is first published. The background of the service makes
-- version 1 of the agents that were completed before. The draft may be incomplete while callers get the published version.
ALTER TABLE agents ADD COLUMN IF NOT EXISTS published_version integer, DROP CONSTRAINT IF EXISTS agents_completed;

-- The version that an export is pinned to; null follows the published one.
ALTER TABLE api_exports ADD COLUMN IF NOT EXISTS version integer;

-- The version that answered; null for the playground's draft, and for turns from before there were versions.
ALTER TABLE turns ADD COLUMN IF NOT EXISTS version integer;

-- Version 0.1.0, which may still serve beside this one, completes an agent by its state alone. To be dropped one release later.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION agents_publish_1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT 1 FROM agent_versions v WHERE v.agent_id = NEW.id AND v.number = NEW.published_version
            AND (v.instructions, v.model, v.temperature, v.max_output_tokens, v.context_turns) IS NOT DISTINCT FROM
                (NEW.instructions, NEW.model, NEW.temperature, NEW.max_output_tokens, NEW.context_turns)
    ) THEN
        NEW.published_version := 1 + coalesce((SELECT max(v.number) FROM agent_versions v WHERE v.agent_id = NEW.id), 0);
        INSERT INTO agent_versions (agent_id, number, account_id, instructions, model, temperature, max_output_tokens, context_turns)
        VALUES (NEW.id, NEW.published_version, NEW.account_id, NEW.instructions, NEW.model, NEW.temperature, NEW.max_output_tokens,
                NEW.context_turns);
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE OR REPLACE TRIGGER agents_publish BEFORE UPDATE ON agents FOR EACH ROW
    WHEN (OLD.state = 'DRAFT' AND NEW.state = 'COMPLETED') EXECUTE FUNCTION agents_publish_1();

-- Completed agents that have no version yet: it empties itself. To be dropped one release later.
SET lock_timeout = 0; -- see 0004
DROP INDEX CONCURRENTLY IF EXISTS agents_without_version;
CREATE INDEX CONCURRENTLY agents_without_version ON agents (id) WHERE state = 'COMPLETED' AND published_version IS NULL;
RESET lock_timeout;

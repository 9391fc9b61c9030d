-- +goose NO TRANSACTION
-- +goose Up

-- Each table is changed by its own statement, all of which may be run again: see 0008.

-- How long a turn took, in milliseconds since its request arrived: until it began, until the first text of a streamed reply was sent, and
-- until its end was stored; and how long its model took. Null where it is not known. Whether the caller asked for a stream.
-- counted: a failed turn is in the usage and in its conversation's failed turns.
ALTER TABLE turns ADD COLUMN IF NOT EXISTS waited_ms integer, ADD COLUMN IF NOT EXISTS model_ms integer,
    ADD COLUMN IF NOT EXISTS first_text_ms integer, ADD COLUMN IF NOT EXISTS duration_ms integer,
    ADD COLUMN IF NOT EXISTS streamed boolean, ADD COLUMN IF NOT EXISTS counted boolean NOT NULL DEFAULT false;

-- What the turns up to number counted_turns cost; those after it are added up when it is asked for. And how many turns have failed.
ALTER TABLE conversations ADD COLUMN IF NOT EXISTS counted_turns bigint NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS counted_credits bigint NOT NULL DEFAULT 0, ADD COLUMN IF NOT EXISTS failed_turns bigint NOT NULL DEFAULT 0;

-- What an account used in a span of time, by what caused it: in each quarter of an hour, and again in each hour, quarter of a day and day,
-- in UTC, so that a long range is read from few rows, whatever zone its days begin in. Charges come from the ledger, in the order of their
-- numbers, by the time of the charge; failed turns and refused calls by the time at which they began.
CREATE TABLE IF NOT EXISTS usage_rollups (
    account_id    uuid        NOT NULL,
    minutes       smallint    NOT NULL,
    start         timestamptz NOT NULL,
    agent_id      uuid        NOT NULL,
    -- The null UUID for the playground.
    export_id     uuid        NOT NULL,
    -- Empty where they are not known: charges whose turn was erased before it was counted here, and refused calls.
    model         text        COLLATE "C" NOT NULL,
    source        text        COLLATE "C" NOT NULL,
    -- 'answered', or the REST API's code for why it failed or was refused.
    status        text        COLLATE "C" NOT NULL,
    messages      bigint      NOT NULL DEFAULT 0,
    failed        bigint      NOT NULL DEFAULT 0,
    refused       bigint      NOT NULL DEFAULT 0,
    credits       bigint      NOT NULL DEFAULT 0,
    input_tokens  bigint      NOT NULL DEFAULT 0,
    output_tokens bigint      NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, minutes, start, agent_id, export_id, model, source, status)
) WITH (fillfactor = 70);

-- How long answered messages took: a histogram for each row of usage_rollups that has any.
CREATE TABLE IF NOT EXISTS latency_rollups (
    account_id  uuid        NOT NULL,
    minutes     smallint    NOT NULL,
    start       timestamptz NOT NULL,
    agent_id    uuid        NOT NULL,
    export_id   uuid        NOT NULL,
    model       text        COLLATE "C" NOT NULL,
    source      text        COLLATE "C" NOT NULL,
    -- latency_bucket_1 of the times below.
    bucket      smallint    NOT NULL,
    durations   bigint      NOT NULL DEFAULT 0,
    first_texts bigint      NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, minutes, start, agent_id, export_id, model, source, bucket)
) WITH (fillfactor = 70);

-- Up to which number an account's ledger is in the usage. Whoever changes an account's usage locks this row first.
CREATE TABLE IF NOT EXISTS usage_cursors (
    account_id uuid   PRIMARY KEY,
    number     bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- The bucket of a time in milliseconds: 0 below 1 ms, then six to a factor of ten (each 1.47 times the one before), the last from 681 s on.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION latency_bucket_1(ms integer) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN ms < 1 THEN 0 ELSE least(1 + floor(6 * log(ms::float8)), 36) END::smallint
$$;
-- +goose StatementEnd

-- The spans of usage_rollups that a moment is in.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION usage_spans_1(at timestamptz) RETURNS TABLE (minutes smallint, start timestamptz) LANGUAGE sql STABLE AS $$
    SELECT m::smallint, date_bin(m * interval '1 minute', at, 'epoch') FROM unnest('{15, 60, 360, 1440}'::int[]) m
$$;
-- +goose StatementEnd

-- How long a settled turn took, in milliseconds; one from before that was measured, since it began.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION turn_duration_1(ms integer, began timestamptz, settled timestamptz) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(ms, least(extract(epoch FROM settled - began) * 1000, 1e9)::int)
$$;
-- +goose StatementEnd

-- Adds the next charges of an account's ledger to its usage, at most so many entries, and returns how many it read. What was committed
-- while it waited for another one is seen by the second statement.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION roll_up_charges_1(account uuid, most bigint) RETURNS bigint LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    done bigint;
    read bigint;
BEGIN
    INSERT INTO usage_cursors AS u (account_id) VALUES (account)
    ON CONFLICT (account_id) DO UPDATE SET number = u.number RETURNING u.number INTO done;
    WITH charges AS MATERIALIZED (
        SELECT e.number, e.kind, -e.amount AS credits, e.created_at,
               coalesce(e.agent_id, '00000000-0000-0000-0000-000000000000') AS agent_id,
               coalesce(e.export_id, '00000000-0000-0000-0000-000000000000') AS export_id,
               coalesce(t.model, '') AS model, coalesce(t.source, '') AS source, t.input_tokens, t.output_tokens,
               latency_bucket_1(turn_duration_1(t.duration_ms, t.created_at, t.settled_at)) AS duration,
               latency_bucket_1(t.first_text_ms) AS first_text
        FROM (SELECT * FROM credit_entries e WHERE e.account_id = account AND e.number > done ORDER BY e.number LIMIT most) e
        LEFT JOIN LATERAL (SELECT * FROM turns t WHERE t.id = e.turn_id LIMIT 1) t ON true -- one by one, whatever the planner knows
    ), spans AS MATERIALIZED (
        SELECT c.*, s.minutes, s.start FROM charges c CROSS JOIN LATERAL usage_spans_1(c.created_at) s WHERE c.kind = 'CHARGE'
    ), used AS (
        INSERT INTO usage_rollups AS r (account_id, minutes, start, agent_id, export_id, model, source, status, messages, credits,
                                        input_tokens, output_tokens)
        SELECT account, minutes, start, agent_id, export_id, model, source, 'answered', count(*), sum(credits)::bigint,
               coalesce(sum(input_tokens), 0)::bigint, coalesce(sum(output_tokens), 0)::bigint
        FROM spans GROUP BY minutes, start, agent_id, export_id, model, source
        ON CONFLICT (account_id, minutes, start, agent_id, export_id, model, source, status) DO UPDATE
        SET messages = r.messages + excluded.messages, credits = r.credits + excluded.credits,
            input_tokens = r.input_tokens + excluded.input_tokens, output_tokens = r.output_tokens + excluded.output_tokens
    ), latencies AS (
        INSERT INTO latency_rollups AS r (account_id, minutes, start, agent_id, export_id, model, source, bucket, durations, first_texts)
        SELECT account, minutes, start, agent_id, export_id, model, source, b.bucket, sum(b.durations), sum(b.first_texts)
        FROM spans CROSS JOIN LATERAL (VALUES (duration, 1, 0), (first_text, 0, 1)) b(bucket, durations, first_texts)
        WHERE b.bucket IS NOT NULL GROUP BY minutes, start, agent_id, export_id, model, source, b.bucket
        ON CONFLICT (account_id, minutes, start, agent_id, export_id, model, source, bucket) DO UPDATE
        SET durations = r.durations + excluded.durations, first_texts = r.first_texts + excluded.first_texts
    ), moved AS (
        UPDATE usage_cursors u SET number = c.last FROM (SELECT max(number) AS last FROM charges) c
        WHERE u.account_id = account AND u.number < c.last
    )
    SELECT count(*) INTO read FROM charges;
    RETURN read;
END
$$;
-- +goose StatementEnd

-- Counts failed turns in the usage and in their conversations, each once, and returns how many it counted. Locks in the order conversation,
-- usage, turn.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_failed_turns_1(turn_ids uuid[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
BEGIN
    PERFORM 1 FROM conversations c
    WHERE c.id IN (SELECT t.conversation_id FROM turns t WHERE t.id = ANY (turn_ids)) ORDER BY c.id FOR NO KEY UPDATE;
    INSERT INTO usage_cursors AS u (account_id) SELECT DISTINCT t.account_id FROM turns t WHERE t.id = ANY (turn_ids) ORDER BY 1
    ON CONFLICT (account_id) DO UPDATE SET number = u.number;
    WITH failed AS (
        UPDATE turns t SET counted = true WHERE t.id = ANY (turn_ids) AND t.state = 'FAILED' AND NOT t.counted RETURNING t.*
    ), conv AS (
        UPDATE conversations c SET failed_turns = c.failed_turns + f.n
        FROM (SELECT conversation_id, count(*) AS n FROM failed GROUP BY 1) f WHERE c.id = f.conversation_id
    ), used AS (
        INSERT INTO usage_rollups AS r (account_id, minutes, start, agent_id, export_id, model, source, status, failed)
        SELECT f.account_id, s.minutes, s.start, f.agent_id, coalesce(f.export_id, '00000000-0000-0000-0000-000000000000'), f.model, f.source,
               coalesce(f.error_code, ''), count(*)
        FROM failed f CROSS JOIN LATERAL usage_spans_1(f.created_at) s GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
        ON CONFLICT (account_id, minutes, start, agent_id, export_id, model, source, status) DO UPDATE SET failed = r.failed + excluded.failed
    )
    SELECT count(*) INTO n FROM failed;
    RETURN n;
END
$$;
-- +goose StatementEnd

-- Calls of the API that began no turn: refused ones, of keys that are or were an account's, and stored replies that were sent again.
CREATE TABLE IF NOT EXISTS recorded_calls (
    id             uuid        PRIMARY KEY, -- UUIDv7
    account_id     uuid        NOT NULL,
    agent_id       uuid        NOT NULL,
    export_id      uuid        NOT NULL,
    key_hint       text        NOT NULL,
    created_at     timestamptz NOT NULL,
    request_id     text        NOT NULL,
    status         integer     NOT NULL,
    -- The code and the message of the error; null for a stored reply.
    code           text        COLLATE "C",
    detail         text,
    client_address text        NOT NULL,
    session_id     text        COLLATE "C",
    user_id        text        COLLATE "C",
    streamed       boolean     NOT NULL,
    duration_ms    integer     NOT NULL,
    -- The turn whose stored reply was sent again.
    turn_id        uuid
);

SET lock_timeout = 0; -- see 0004
-- The calls of an export, the failed ones by code, and those under a request id. A turn gets its entries when it is settled.
DROP INDEX CONCURRENTLY IF EXISTS turns_calls;
CREATE INDEX CONCURRENTLY turns_calls ON turns (export_id, id) WHERE state <> 'PENDING' AND export_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS turns_failed;
CREATE INDEX CONCURRENTLY turns_failed ON turns (export_id, id) WHERE state = 'FAILED' AND export_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS turns_failed_code;
CREATE INDEX CONCURRENTLY turns_failed_code ON turns (export_id, error_code, id) WHERE state = 'FAILED' AND export_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS turns_request;
CREATE INDEX CONCURRENTLY turns_request ON turns (request_id, account_id, id) WHERE state <> 'PENDING';
-- Failed turns that are not counted yet: it empties itself.
DROP INDEX CONCURRENTLY IF EXISTS turns_uncounted;
CREATE INDEX CONCURRENTLY turns_uncounted ON turns (account_id, id) WHERE state = 'FAILED' AND NOT counted;

DROP INDEX CONCURRENTLY IF EXISTS conversations_failed;
CREATE INDEX CONCURRENTLY conversations_failed ON conversations (agent_id, source, last_turn_at, id)
    WHERE failed_turns > 0 AND deleted_at IS NULL;
-- Conversations whose counted turns are far behind: it empties itself.
DROP INDEX CONCURRENTLY IF EXISTS conversations_uncounted;
CREATE INDEX CONCURRENTLY conversations_uncounted ON conversations (id) WHERE turn_count - counted_turns > 200 AND deleted_at IS NULL;

DROP INDEX CONCURRENTLY IF EXISTS recorded_calls_refused;
CREATE INDEX CONCURRENTLY recorded_calls_refused ON recorded_calls (export_id, id) WHERE code IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS recorded_calls_replayed;
CREATE INDEX CONCURRENTLY recorded_calls_replayed ON recorded_calls (export_id, id) WHERE code IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS recorded_calls_code;
CREATE INDEX CONCURRENTLY recorded_calls_code ON recorded_calls (export_id, code, id) WHERE code IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS recorded_calls_request;
CREATE INDEX CONCURRENTLY recorded_calls_request ON recorded_calls (request_id, account_id, id);
DROP INDEX CONCURRENTLY IF EXISTS recorded_calls_session;
CREATE INDEX CONCURRENTLY recorded_calls_session ON recorded_calls (account_id, session_id, id) WHERE session_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS recorded_calls_user;
CREATE INDEX CONCURRENTLY recorded_calls_user ON recorded_calls (account_id, user_id, id) WHERE user_id IS NOT NULL;
RESET lock_timeout;

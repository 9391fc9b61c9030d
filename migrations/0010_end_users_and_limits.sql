-- +goose NO TRANSACTION
-- +goose Up

-- Each table is changed by its own statement, all of which may be run again: see 0008.

-- The variables of the draft and of each version: an array of objects with name, description, required and default.
ALTER TABLE agents ADD COLUMN IF NOT EXISTS variables jsonb NOT NULL DEFAULT '[]';
ALTER TABLE agent_versions ADD COLUMN IF NOT EXISTS variables jsonb NOT NULL DEFAULT '[]';

-- The limits of an export; null for none.
ALTER TABLE api_exports ADD COLUMN IF NOT EXISTS require_user_id boolean NOT NULL DEFAULT false,
    ADD COLUMN IF NOT EXISTS daily_credit_limit bigint, ADD COLUMN IF NOT EXISTS monthly_credit_limit bigint,
    ADD COLUMN IF NOT EXISTS user_daily_message_limit integer;

-- The end user that the conversation belongs to; null for none. It stays in a deleted conversation until its turns have no text.
ALTER TABLE conversations ADD COLUMN IF NOT EXISTS user_id text COLLATE "C";

-- The values that came with the message, an object; null for none. The days and the month whose counters include the turn, and the
-- hash by which its end user is counted; null where there was no limit.
ALTER TABLE turns ADD COLUMN IF NOT EXISTS variables jsonb, ADD COLUMN IF NOT EXISTS day_counted date,
    ADD COLUMN IF NOT EXISTS month_counted date, ADD COLUMN IF NOT EXISTS user_day_counted date, ADD COLUMN IF NOT EXISTS user_hash bytea;

-- What an export, or one of its end users, has used of a limit in a period: the turns that are pending or answered.
CREATE TABLE IF NOT EXISTS limit_counters (
    export_id  uuid        NOT NULL,
    -- DAY and MONTH count the export's credits, USER_DAY an end user's messages.
    period     text        NOT NULL CHECK (period IN ('DAY', 'MONTH', 'USER_DAY')),
    -- The period's first day, in UTC.
    starts     date        NOT NULL,
    user_hash  bytea       NOT NULL DEFAULT '',
    account_id uuid        NOT NULL,
    used       bigint      NOT NULL,
    -- The limit when a turn was last counted.
    allowed    bigint      NOT NULL,
    -- What was used before the counter began, and when it did.
    base       bigint      NOT NULL DEFAULT 0,
    since      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (starts, export_id, period, user_hash),
    -- As with the credits: whatever a statement tries, no limit is overrun.
    CONSTRAINT limit_counters_cover CHECK (used >= 0 AND used <= allowed)
) WITH (fillfactor = 50);

-- End users are counted by a keyed hash: erasing one leaves no id behind, and resets no limit. The key was made here, for this alone.
CREATE TABLE IF NOT EXISTS end_users_key (
    id  boolean PRIMARY KEY DEFAULT true CHECK (id),
    key bytea   NOT NULL CHECK (length(key) = 32)
);
INSERT INTO end_users_key (key)
SELECT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
ON CONFLICT DO NOTHING;

-- What few chats need is in functions, so that the statements of the others cost nothing more. A release that changes one gives it the
-- next number, because the release before goes on with its own.

-- The first of a message's values that the version does not declare, or that it requires and is not given; otherwise, whether the values
-- make the instructions too long. A name in braces overlaps no other, so that the lengths add up. Null if all fits; else the outcome
-- and the variable.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION variables_misfit_1(instructions text, declared jsonb, given jsonb, longest int) RETURNS text[]
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT ARRAY['variable_unknown', g.name] FROM jsonb_object_keys(given) g(name)
        WHERE NOT declared @> jsonb_build_array(jsonb_build_object('name', g.name))
        UNION ALL
        SELECT ARRAY['variable_missing', d.name] FROM jsonb_to_recordset(declared) d(name text, required bool)
        WHERE d.required AND given -> d.name IS NULL
        UNION ALL
        SELECT ARRAY['instructions_too_long', NULL] FROM (
            SELECT sum((length(instructions) - length(replace(instructions, '{{' || d.name || '}}', ''))) / (length(d.name) + 4)
                       * (length(coalesce(given ->> d.name, d."default", '')) - length(d.name) - 4)) AS more
            FROM jsonb_to_recordset(declared) d(name text, "default" text)
        ) filled
        WHERE length(instructions) + filled.more > longest
        LIMIT 1);
END
$$;
-- +goose StatementEnd

-- The hash by which an end user is counted.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION end_user_hash_1(user_id text) RETURNS bytea LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT sha256(k.key || convert_to(user_id, 'UTF8')) FROM end_users_key k);
END
$$;
-- +goose StatementEnd

-- The counters that a message counts in under the limits of its export, with what it adds and when they end.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION limits_1(price bigint, daily bigint, monthly bigint, per_user int, user_id text)
RETURNS TABLE (period text, starts date, user_hash bytea, amount bigint, allowed bigint, ends timestamptz)
LANGUAGE sql STABLE AS $$
    SELECT l.period, l.starts::date, l.user_hash, l.amount, l.allowed, l.ends AT TIME ZONE 'UTC'
    FROM (SELECT date_trunc('day', statement_timestamp() AT TIME ZONE 'UTC') AS day,
                 date_trunc('month', statement_timestamp() AT TIME ZONE 'UTC') AS month) n
    CROSS JOIN LATERAL (VALUES
        ('DAY', n.day, ''::bytea, price, daily, n.day + interval '1 day'),
        ('MONTH', n.month, '', price, monthly, n.month + interval '1 month'),
        ('USER_DAY', n.day, CASE WHEN per_user IS NOT NULL THEN end_user_hash_1(user_id) END, 1, per_user, n.day + interval '1 day')
    ) l(period, starts, user_hash, amount, allowed, ends)
    WHERE l.allowed IS NOT NULL
$$;
-- +goose StatementEnd

-- The limit that a message would exceed, null for none. Of several, the one that ends last.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION limit_reached_1(export uuid, price bigint, daily bigint, monthly bigint, per_user int, user_id text)
RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT jsonb_build_object('period', l.period, 'allowed', l.allowed, 'used', coalesce(c.used, 0), 'ends', l.ends)
        FROM limits_1(price, daily, monthly, per_user, user_id) l
        LEFT JOIN limit_counters c ON c.starts = l.starts AND c.export_id = export AND c.period = l.period AND c.user_hash = l.user_hash
        WHERE coalesce(c.used, 0) + l.amount > l.allowed
        ORDER BY l.ends DESC LIMIT 1);
END
$$;
-- +goose StatementEnd

-- Counts a message that begins. No condition on what is used, which would leave it uncounted: the CHECK (23514) undoes the whole
-- statement that calls this.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_turn_1(export uuid, account uuid, price bigint, daily bigint, monthly bigint, per_user int, user_id text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO limit_counters AS c (export_id, account_id, period, starts, user_hash, used, allowed)
    SELECT export, account, l.period, l.starts, l.user_hash, l.amount, l.allowed FROM limits_1(price, daily, monthly, per_user, user_id) l
    ON CONFLICT (starts, export_id, period, user_hash) DO UPDATE SET used = c.used + excluded.used, allowed = excluded.allowed;
END
$$;
-- +goose StatementEnd

-- Gives back what a turn that failed had counted, in the periods in which it was counted.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION uncount_turn_1(export uuid, price bigint, day_counted date, month_counted date,
                                           user_day_counted date, hash bytea) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE limit_counters c SET used = c.used - l.amount
    FROM (VALUES ('DAY', day_counted, ''::bytea, price), ('MONTH', month_counted, '', price),
                 ('USER_DAY', user_day_counted, hash, 1)) l(period, starts, user_hash, amount)
    WHERE c.starts = l.starts AND c.export_id = export AND c.period = l.period AND c.user_hash = l.user_hash;
END
$$;
-- +goose StatementEnd

-- 0008's trigger, now with the variables. To be dropped one release later.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION agents_publish_1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT 1 FROM agent_versions v WHERE v.agent_id = NEW.id AND v.number = NEW.published_version
            AND (v.instructions, v.model, v.temperature, v.max_output_tokens, v.context_turns, v.variables) IS NOT DISTINCT FROM
                (NEW.instructions, NEW.model, NEW.temperature, NEW.max_output_tokens, NEW.context_turns, NEW.variables)
    ) THEN
        NEW.published_version := 1 + coalesce((SELECT max(v.number) FROM agent_versions v WHERE v.agent_id = NEW.id), 0);
        INSERT INTO agent_versions (agent_id, number, account_id, instructions, model, temperature, max_output_tokens, context_turns,
                                    variables)
        VALUES (NEW.id, NEW.published_version, NEW.account_id, NEW.instructions, NEW.model, NEW.temperature, NEW.max_output_tokens,
                NEW.context_turns, NEW.variables);
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd

SET lock_timeout = 0; -- see 0004
-- What an export was charged in a period is added up from the index alone. It takes the place of 0004's.
DROP INDEX CONCURRENTLY IF EXISTS credit_entries_export_2;
CREATE INDEX CONCURRENTLY credit_entries_export_2 ON credit_entries (account_id, export_id, number) INCLUDE (amount, created_at)
    WHERE export_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS credit_entries_export;
-- An account's end users, also of one agent. A conversation without one is not in it.
DROP INDEX CONCURRENTLY IF EXISTS conversations_end_user;
CREATE INDEX CONCURRENTLY conversations_end_user ON conversations (account_id, user_id, agent_id)
    WHERE user_id IS NOT NULL AND deleted_at IS NULL;
-- The conversations of erased end users whose text has still to go: it empties itself.
DROP INDEX CONCURRENTLY IF EXISTS conversations_erasing;
CREATE INDEX CONCURRENTLY conversations_erasing ON conversations (deleted_at) WHERE user_id IS NOT NULL AND deleted_at IS NOT NULL;
RESET lock_timeout;

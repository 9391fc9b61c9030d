-- +goose Up

-- Every table carries account_id; ids are UUIDv7 made by the service; order is by stored number, never by id or clock.
-- The tables on the path of a chat (conversations, turns, credit_entries) have no foreign keys: a key check would lock the
-- account's row once more per insert, and the history has to outlive what it speaks of.

CREATE TABLE accounts (
    id             uuid        PRIMARY KEY,
    email          text        COLLATE "C" NOT NULL CONSTRAINT accounts_email UNIQUE,
    name           text        NOT NULL,
    password_hash  text        NOT NULL,
    state          text        NOT NULL DEFAULT 'ACTIVE' CHECK (state IN ('ACTIVE', 'SUSPENDED')),
    credit_balance bigint      NOT NULL DEFAULT 0,
    credits_held   bigint      NOT NULL DEFAULT 0,
    entry_count    bigint      NOT NULL DEFAULT 0,
    created_at     timestamptz NOT NULL DEFAULT now(),
    -- The last line of defence: whatever a statement tries, no credit is spent twice.
    CONSTRAINT accounts_credits_cover CHECK (credits_held >= 0 AND credit_balance >= credits_held),
    CONSTRAINT accounts_balance_range CHECK (credit_balance <= 9007199254740991)
) WITH (fillfactor = 50); -- half-empty pages keep the hot row's updates on its page, without index writes

CREATE TABLE agents (
    id                uuid             PRIMARY KEY,
    account_id        uuid             NOT NULL REFERENCES accounts,
    name              text             NOT NULL,
    description       text             NOT NULL DEFAULT '',
    instructions      text             NOT NULL DEFAULT '',
    model             text,
    temperature       double precision,
    max_output_tokens integer,
    context_turns     integer          NOT NULL DEFAULT 40 CHECK (context_turns BETWEEN 0 AND 40),
    state             text             NOT NULL DEFAULT 'DRAFT' CHECK (state IN ('DRAFT', 'COMPLETED')),
    created_at        timestamptz      NOT NULL DEFAULT now(),
    updated_at        timestamptz      NOT NULL DEFAULT now(),
    deleted_at        timestamptz,
    CONSTRAINT agents_completed CHECK (state = 'DRAFT' OR (name <> '' AND instructions <> '' AND model IS NOT NULL))
);
CREATE INDEX agents_account ON agents (account_id, id) WHERE deleted_at IS NULL;

CREATE TABLE api_exports (
    id              uuid        PRIMARY KEY,
    account_id      uuid        NOT NULL REFERENCES accounts,
    agent_id        uuid        NOT NULL REFERENCES agents,
    name            text        NOT NULL,
    rate_per_minute integer     NOT NULL DEFAULT 600 CHECK (rate_per_minute BETWEEN 1 AND 1000000),
    -- The theoretical arrival time of the generic cell rate algorithm (GCRA): one timestamp is the whole state of the rate.
    rate_tat        timestamptz NOT NULL DEFAULT 'epoch',
    created_at      timestamptz NOT NULL DEFAULT now(),
    removed_at      timestamptz
) WITH (fillfactor = 50);
CREATE INDEX api_exports_account ON api_exports (account_id, id);
CREATE INDEX api_exports_agent ON api_exports (agent_id, id);

CREATE TABLE api_keys (
    id           uuid        PRIMARY KEY,
    account_id   uuid        NOT NULL REFERENCES accounts,
    export_id    uuid        NOT NULL REFERENCES api_exports,
    hash         bytea       NOT NULL CONSTRAINT api_keys_hash UNIQUE CHECK (length(hash) = 32), -- SHA-256; the key is stored nowhere
    hint         text        NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    expires_at   timestamptz,
    removed_at   timestamptz,
    last_used_at timestamptz
) WITH (fillfactor = 70);
CREATE INDEX api_keys_export ON api_keys (export_id, id);

CREATE TABLE conversations (
    id              uuid        PRIMARY KEY,
    account_id      uuid        NOT NULL,
    agent_id        uuid        NOT NULL,
    source          text        NOT NULL CHECK (source IN ('API', 'PLAYGROUND')),
    session_id      text        COLLATE "C" NOT NULL,
    turn_count      bigint      NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    last_turn_at    timestamptz NOT NULL DEFAULT now(),
    -- Until when another replica's message is known to wait for this conversation: the replica that has the turn then makes way.
    contended_until timestamptz,
    -- A deleted conversation keeps its row, without text and label, as long as its idempotency keys are kept.
    deleted_at      timestamptz
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX conversations_label ON conversations (agent_id, source, session_id) WHERE deleted_at IS NULL;
CREATE INDEX conversations_deleted ON conversations (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE turns (
    id                uuid        PRIMARY KEY,
    account_id        uuid        NOT NULL,
    agent_id          uuid        NOT NULL,
    conversation_id   uuid        NOT NULL,
    export_id         uuid,
    source            text        NOT NULL CHECK (source IN ('API', 'PLAYGROUND')),
    number            bigint      NOT NULL,
    state             text        NOT NULL CHECK (state IN ('PENDING', 'ANSWERED', 'FAILED')),
    message           text        NOT NULL,
    reply             text,
    finish_reason     text,
    error_code        text,
    model             text        NOT NULL,
    price             bigint      NOT NULL CHECK (price >= 0),
    credits_remaining bigint,
    input_tokens      bigint,
    output_tokens     bigint,
    request_id        text        NOT NULL,
    idempotency_key   text        COLLATE "C",
    fingerprint       bytea,
    deadline          timestamptz NOT NULL,
    created_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    settled_at        timestamptz,
    CONSTRAINT turns_number UNIQUE (conversation_id, number)
);
-- One turn at a time in a conversation, over all replicas.
CREATE UNIQUE INDEX turns_one_pending ON turns (conversation_id) WHERE state = 'PENDING';
-- A failed turn gives its idempotency key free: the retry is a new attempt.
CREATE UNIQUE INDEX turns_idempotency ON turns (agent_id, source, idempotency_key)
    WHERE idempotency_key IS NOT NULL AND state <> 'FAILED';

CREATE TABLE credit_entries (
    id            uuid        PRIMARY KEY,
    account_id    uuid        NOT NULL,
    number        bigint      NOT NULL,
    kind          text        NOT NULL CHECK (kind IN ('GRANT', 'CHARGE', 'ADJUSTMENT')),
    amount        bigint      NOT NULL CHECK (kind <> 'CHARGE' OR amount <= 0),
    balance_after bigint      NOT NULL CHECK (balance_after >= 0),
    note          text        NOT NULL DEFAULT '',
    reference     text        COLLATE "C",
    agent_id      uuid,
    agent_name    text        NOT NULL DEFAULT '',
    export_id     uuid,
    export_name   text        NOT NULL DEFAULT '',
    turn_id       uuid,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT credit_entries_number UNIQUE (account_id, number),
    -- A turn is charged once, whatever repeats the settling.
    CONSTRAINT credit_entries_once UNIQUE (turn_id, kind)
);
CREATE UNIQUE INDEX credit_entries_reference ON credit_entries (account_id, reference) WHERE reference IS NOT NULL;

-- +goose StatementBegin
CREATE FUNCTION credit_entries_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'credit_entries is append-only: correct with an ADJUSTMENT entry';
END
$$;
-- +goose StatementEnd
CREATE TRIGGER credit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION credit_entries_append_only();

-- A sign-in is one browser, or program, with its family of refresh tokens. Each renewal makes the next generation; of a
-- token only the SHA-256 is stored.
CREATE TABLE sign_ins (
    id           uuid        PRIMARY KEY,
    account_id   uuid        NOT NULL REFERENCES accounts,
    browser      text        NOT NULL,
    address      text        NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- When the password was given last.
    confirmed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    rotated_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    generation   integer     NOT NULL DEFAULT 1 CHECK (generation > 0),
    refresh_hash bytea       NOT NULL CHECK (length(refresh_hash) = 32),
    -- The end of the sign-in's longest life, and the end of it without a renewal, which is never later.
    expires_at   timestamptz NOT NULL,
    renew_before timestamptz NOT NULL,
    ended_at     timestamptz,
    CONSTRAINT sign_ins_lifetime CHECK (renew_before <= expires_at)
) WITH (fillfactor = 70);
CREATE INDEX sign_ins_account ON sign_ins (account_id, id);
CREATE INDEX sign_ins_renew_before ON sign_ins (renew_before);
CREATE INDEX sign_ins_ended ON sign_ins (ended_at) WHERE ended_at IS NOT NULL;

-- Attempts that are counted over all replicas. The key is a keyed hash: no address and no e-mail is stored. The moments of
-- the attempts that counted make the limit exact for every window, where a count and a start would let through twice as many.
CREATE TABLE throttles (
    key        bytea         PRIMARY KEY CHECK (length(key) = 32),
    hits       timestamptz[] NOT NULL,
    -- Whether the latest attempt was refused.
    refused    boolean       NOT NULL DEFAULT false,
    expires_at timestamptz   NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX throttles_expires ON throttles (expires_at);

-- Deleted agents whose text is still being erased; they leave the table, and this index, when nothing of them is left.
CREATE INDEX agents_deleted ON agents (deleted_at) WHERE deleted_at IS NOT NULL;

-- A deleted account keeps its row, without name, address and password, for the ledger. This accepts more than the check
-- before, so that nothing has to be read through.
ALTER TABLE accounts DROP CONSTRAINT accounts_state_check,
    ADD CONSTRAINT accounts_state_check CHECK (state IN ('ACTIVE', 'SUSPENDED', 'DELETED')) NOT VALID;


-- What the panel's lists are read by. Each page of a list is one range of one index, wherever it lies; the indexes on the path
-- of a chat are as few as that takes.

-- The history of one agent and of one export. An account's whole history is read by credit_entries_number, also from and to a
-- moment: entries are numbered in the order of their times, so that a moment's number is found by bisection, without an index.
CREATE INDEX credit_entries_agent ON credit_entries (account_id, agent_id, number) WHERE agent_id IS NOT NULL;
-- Charges are by far the most: without them, this one costs a chat nothing.
CREATE INDEX credit_entries_kind ON credit_entries (account_id, kind, number) WHERE kind <> 'CHARGE';

-- One index for the conversations of an agent and, agent by agent, of an account: those of deleted agents are never met.
CREATE INDEX conversations_latest ON conversations (agent_id, source, last_turn_at, id) WHERE deleted_at IS NULL;

-- An account may have removed any number of exports; those in use are few.
CREATE INDEX api_exports_in_use ON api_exports (account_id, id) WHERE removed_at IS NULL;
CREATE INDEX api_exports_agent_in_use ON api_exports (agent_id, id) WHERE removed_at IS NULL;


-- How many bytes of text the model was given in all: instructions, earlier turns and message. Beside the tokens that it counted
-- for them this says what a byte costs in its tokens, for the choice of the next turn's context. Null where it is not known.
ALTER TABLE turns ADD COLUMN input_bytes bigint;

-- When the conversation of a turn was deleted while the turn was pending. Settling it then stores no reply, and charges it only if
-- text had left the service. Null for every other turn.
ALTER TABLE turns ADD COLUMN deleted_at timestamptz;

-- Version 0.1.0, which may still serve beside this one, does not know the column and would store the reply of such a turn. To be
-- dropped one release later.
-- +goose StatementBegin
CREATE FUNCTION turns_drop_reply_1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.reply := NULL;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER turns_drop_reply BEFORE UPDATE ON turns FOR EACH ROW
    WHEN (NEW.deleted_at IS NOT NULL AND NEW.reply IS NOT NULL) EXECUTE FUNCTION turns_drop_reply_1();

-- What /readyz writes, to see that the database takes what a chat writes. One row, always updated on its page.
CREATE TABLE readiness (
    id         boolean     PRIMARY KEY DEFAULT true CHECK (id),
    written_at timestamptz NOT NULL
);

-- The addresses that had an account: starting credits are given once per address, also when an account was deleted in between.
-- Only a keyed hash of an address is stored, and the key was made here, for this alone.
CREATE TABLE seen_addresses (
    address_hash bytea       PRIMARY KEY CHECK (length(address_hash) = 32),
    seen_at      timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE seen_addresses_key (
    id  boolean PRIMARY KEY DEFAULT true CHECK (id),
    key bytea   NOT NULL CHECK (length(key) = 32)
);
-- A random UUID has 122 random bits.
INSERT INTO seen_addresses_key (key)
SELECT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- A statement that begins a chat locks several of these tables. One transaction that changed them all would wait for it while it
-- waits for the transaction, so each table has its own; every statement may be run again when a start was killed in between.

-- The versions of an agent: each is a copy of everything that shapes a reply, and is never changed. An agent's own columns are its
-- draft. 0.1.0 removes agents without knowing of versions, so they go by themselves.
CREATE TABLE agent_versions (
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

-- The version that callers get while the agent is COMPLETED; null until it is first published.
-- version 1 of the agents that were completed before. The draft may be incomplete while callers get the published version.
ALTER TABLE agents ADD COLUMN published_version integer, DROP CONSTRAINT agents_completed;

-- The version that an export is pinned to; null follows the published one.
ALTER TABLE api_exports ADD COLUMN version integer;

-- The version that answered; null for the playground's draft, and for turns from before there were versions.
ALTER TABLE turns ADD COLUMN version integer;

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
CREATE TRIGGER agents_publish BEFORE UPDATE ON agents FOR EACH ROW
    WHEN (OLD.state = 'DRAFT' AND NEW.state = 'COMPLETED') EXECUTE FUNCTION agents_publish_1();

-- Completed agents that have no version yet: it empties itself. To be dropped one release later.
CREATE INDEX agents_without_version ON agents (id) WHERE state = 'COMPLETED' AND published_version IS NULL;

-- Since when an export is paused, and until when its keys are accepted; null for never.
ALTER TABLE api_exports ADD COLUMN paused_at timestamptz, ADD COLUMN expires_at timestamptz;


-- The variables of the draft and of each version: an array of objects with name, description, required and default.
ALTER TABLE agents ADD COLUMN variables jsonb NOT NULL DEFAULT '[]';
ALTER TABLE agent_versions ADD COLUMN variables jsonb NOT NULL DEFAULT '[]';

-- The limits of an export; null for none.
ALTER TABLE api_exports ADD COLUMN require_user_id boolean NOT NULL DEFAULT false,
    ADD COLUMN daily_credit_limit bigint, ADD COLUMN monthly_credit_limit bigint,
    ADD COLUMN user_daily_message_limit integer;

-- The end user that the conversation belongs to; null for none. It stays in a deleted conversation until its turns have no text.
ALTER TABLE conversations ADD COLUMN user_id text COLLATE "C";

-- The values that came with the message, an object; null for none. The days and the month whose counters include the turn, and the
-- hash by which its end user is counted; null where there was no limit.
ALTER TABLE turns ADD COLUMN variables jsonb, ADD COLUMN day_counted date,
    ADD COLUMN month_counted date, ADD COLUMN user_day_counted date, ADD COLUMN user_hash bytea;

-- What an export, or one of its end users, has used of a limit in a period: the turns that are pending or answered.
CREATE TABLE limit_counters (
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
CREATE TABLE end_users_key (
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

-- What an export was charged in a period is added up from the index alone.
CREATE INDEX credit_entries_export_2 ON credit_entries (account_id, export_id, number) INCLUDE (amount, created_at)
    WHERE export_id IS NOT NULL;
-- An account's end users, also of one agent. A conversation without one is not in it.
CREATE INDEX conversations_end_user ON conversations (account_id, user_id, agent_id)
    WHERE user_id IS NOT NULL AND deleted_at IS NULL;
-- The conversations of erased end users whose text has still to go: it empties itself.
CREATE INDEX conversations_erasing ON conversations (deleted_at) WHERE user_id IS NOT NULL AND deleted_at IS NOT NULL;

-- What batches change in rows that other replicas change at the same time: the rates of exports and the credits of accounts. A statement
-- that has waited for a row looks at it again with all of its plan, which took longer than the rest of a batch. Here the plans are small,
-- and each statement sees what was committed before it. Rows are locked in the order of their ids first: an UPDATE alone would meet them
-- in the order of its plan.

-- Spends the rates of exports, for all messages of an export or for none. An export has no row in the result if its rate does not suffice,
-- if it does not answer, if it needs an end user and some messages have none, or if it has limits.
-- +goose StatementBegin
CREATE FUNCTION spend_rates_1(export_ids uuid[], messages bigint[], anonymous boolean[])
RETURNS TABLE (export_id uuid, tat timestamptz) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM api_exports e WHERE e.id = ANY (export_ids) ORDER BY e.id FOR NO KEY UPDATE;
    RETURN QUERY
        UPDATE api_exports e
        SET rate_tat = greatest(e.rate_tat, statement_timestamp()) + interval '1 minute' / e.rate_per_minute * x.messages
        FROM unnest(export_ids, messages, anonymous) x(id, messages, anonymous)
        WHERE e.id = x.id AND num_nulls(e.removed_at, e.paused_at) = 2 -- keeps to the primary key
          AND NOT (e.require_user_id AND x.anonymous)
          AND num_nonnulls(e.daily_credit_limit, e.monthly_credit_limit, e.user_daily_message_limit) = 0
          AND greatest(e.rate_tat, statement_timestamp()) + interval '1 minute' / e.rate_per_minute * x.messages - statement_timestamp()
              <= interval '1 minute' / e.rate_per_minute * e.rate_per_minute
        RETURNING e.id, e.rate_tat;
END
$$;
-- +goose StatementEnd

-- Holds credits of accounts. No condition on what they have: the CHECK (23514) undoes the whole statement that calls this.
-- +goose StatementBegin
CREATE FUNCTION hold_credits_1(account_ids uuid[], prices bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM accounts a WHERE a.id = ANY (account_ids) ORDER BY a.id FOR NO KEY UPDATE;
    UPDATE accounts a SET credits_held = a.credits_held + x.price
    FROM unnest(account_ids, prices) x(id, price) WHERE a.id = x.id;
END
$$;
-- +goose StatementEnd

-- Charges accounts for so many turns each, whose credits were held.
-- +goose StatementBegin
CREATE FUNCTION charge_credits_1(account_ids uuid[], prices bigint[], turns bigint[])
RETURNS TABLE (account_id uuid, balance bigint, available bigint, entries bigint) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM accounts a WHERE a.id = ANY (account_ids) ORDER BY a.id FOR NO KEY UPDATE;
    RETURN QUERY
        UPDATE accounts a SET credits_held = a.credits_held - x.price, credit_balance = a.credit_balance - x.price,
               entry_count = a.entry_count + x.turns
        FROM unnest(account_ids, prices, turns) x(id, price, turns) WHERE a.id = x.id
        RETURNING a.id, a.credit_balance, a.credit_balance - a.credits_held, a.entry_count;
END
$$;
-- +goose StatementEnd


-- How long a turn took, in milliseconds since its request arrived: until it began, until the first text of a streamed reply was sent, and
-- until its end was stored; and how long its model took. Null where it is not known. Whether the caller asked for a stream.
-- counted: a failed turn is in the usage and in its conversation's failed turns.
ALTER TABLE turns ADD COLUMN waited_ms integer, ADD COLUMN model_ms integer,
    ADD COLUMN first_text_ms integer, ADD COLUMN duration_ms integer,
    ADD COLUMN streamed boolean, ADD COLUMN counted boolean NOT NULL DEFAULT false;

-- What the turns up to number counted_turns cost; those after it are added up when it is asked for. And how many turns have failed.
ALTER TABLE conversations ADD COLUMN counted_turns bigint NOT NULL DEFAULT 0,
    ADD COLUMN counted_credits bigint NOT NULL DEFAULT 0, ADD COLUMN failed_turns bigint NOT NULL DEFAULT 0;

-- What an account used in a span of time, by what caused it: in each quarter of an hour, and again in each hour, quarter of a day and day,
-- in UTC, so that a long range is read from few rows, whatever zone its days begin in. Charges come from the ledger, in the order of their
-- numbers, by the time of the charge; failed turns and refused calls by the time at which they began.
CREATE TABLE usage_rollups (
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
CREATE TABLE latency_rollups (
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
CREATE TABLE usage_cursors (
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
CREATE TABLE recorded_calls (
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

-- The calls of an export, the failed ones by code, and those under a request id. A turn gets its entries when it is settled.
CREATE INDEX turns_calls ON turns (export_id, id) WHERE state <> 'PENDING' AND export_id IS NOT NULL;
CREATE INDEX turns_failed ON turns (export_id, id) WHERE state = 'FAILED' AND export_id IS NOT NULL;
CREATE INDEX turns_failed_code ON turns (export_id, error_code, id) WHERE state = 'FAILED' AND export_id IS NOT NULL;
CREATE INDEX turns_request ON turns (request_id, account_id, id) WHERE state <> 'PENDING';
-- Failed turns that are not counted yet: it empties itself.
CREATE INDEX turns_uncounted ON turns (account_id, id) WHERE state = 'FAILED' AND NOT counted;

CREATE INDEX conversations_failed ON conversations (agent_id, source, last_turn_at, id)
    WHERE failed_turns > 0 AND deleted_at IS NULL;
-- Conversations whose counted turns are far behind: it empties itself.
CREATE INDEX conversations_uncounted ON conversations (id) WHERE turn_count - counted_turns > 200 AND deleted_at IS NULL;

CREATE INDEX recorded_calls_refused ON recorded_calls (export_id, id) WHERE code IS NOT NULL;
CREATE INDEX recorded_calls_replayed ON recorded_calls (export_id, id) WHERE code IS NULL;
CREATE INDEX recorded_calls_code ON recorded_calls (export_id, code, id) WHERE code IS NOT NULL;
CREATE INDEX recorded_calls_request ON recorded_calls (request_id, account_id, id);
CREATE INDEX recorded_calls_session ON recorded_calls (account_id, session_id, id) WHERE session_id IS NOT NULL;
CREATE INDEX recorded_calls_user ON recorded_calls (account_id, user_id, id) WHERE user_id IS NOT NULL;

-- Entries are found by their account and number, or by their turn. Nothing looks one up by its id, in the release before either, so a
-- chat need not write to an index of them.
ALTER TABLE credit_entries DROP CONSTRAINT credit_entries_pkey, REPLICA IDENTITY USING INDEX credit_entries_number;

-- Few turns are pending: the reaper finds those whose deadline has passed by turns_one_pending.

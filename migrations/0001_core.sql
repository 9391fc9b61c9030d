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
CREATE INDEX turns_deadline ON turns (deadline) WHERE state = 'PENDING';

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

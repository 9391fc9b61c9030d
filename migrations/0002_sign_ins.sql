-- +goose Up

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

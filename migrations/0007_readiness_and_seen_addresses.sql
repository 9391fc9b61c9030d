-- +goose Up

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

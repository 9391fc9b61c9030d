-- +goose NO TRANSACTION
-- +goose Up

-- A deleted account keeps its row, without name, address and password, for the ledger. This accepts more than the check
-- before, so that nothing has to be read through.
ALTER TABLE accounts DROP CONSTRAINT accounts_state_check,
    ADD CONSTRAINT accounts_state_check CHECK (state IN ('ACTIVE', 'SUSPENDED', 'DELETED')) NOT VALID;

-- Chats go on while these indexes are built, however long the tables are: CONCURRENTLY, so in no transaction. Each statement may be
-- run again when a start was killed between two of them; an index that was left unfinished is dropped first. Waiting for older
-- transactions holds nobody up, so that it may take its time.
SET lock_timeout = 0;

-- What the panel's lists are read by. Each page of a list is one range of one index, wherever it lies; the indexes on the path
-- of a chat are as few as that takes.

-- The history of one agent and of one export. An account's whole history is read by credit_entries_number, also from and to a
-- moment: entries are numbered in the order of their times, so that a moment's number is found by bisection, without an index.
DROP INDEX CONCURRENTLY IF EXISTS credit_entries_agent;
CREATE INDEX CONCURRENTLY credit_entries_agent ON credit_entries (account_id, agent_id, number) WHERE agent_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS credit_entries_export;
CREATE INDEX CONCURRENTLY credit_entries_export ON credit_entries (account_id, export_id, number) WHERE export_id IS NOT NULL;
-- Charges are by far the most: without them, this one costs a chat nothing.
DROP INDEX CONCURRENTLY IF EXISTS credit_entries_kind;
CREATE INDEX CONCURRENTLY credit_entries_kind ON credit_entries (account_id, kind, number) WHERE kind <> 'CHARGE';

-- One index for the conversations of an agent and, agent by agent, of an account: those of deleted agents are never met.
DROP INDEX CONCURRENTLY IF EXISTS conversations_latest;
CREATE INDEX CONCURRENTLY conversations_latest ON conversations (agent_id, source, last_turn_at, id) WHERE deleted_at IS NULL;

-- An account may have removed any number of exports; those in use are few.
DROP INDEX CONCURRENTLY IF EXISTS api_exports_in_use;
CREATE INDEX CONCURRENTLY api_exports_in_use ON api_exports (account_id, id) WHERE removed_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS api_exports_agent_in_use;
CREATE INDEX CONCURRENTLY api_exports_agent_in_use ON api_exports (agent_id, id) WHERE removed_at IS NULL;

RESET lock_timeout;

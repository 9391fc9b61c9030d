-- +goose Up

-- Entries are found by their account and number, or by their turn. Nothing looks one up by its id, in the release before either, so a
-- chat need not write to an index of them.
ALTER TABLE credit_entries DROP CONSTRAINT credit_entries_pkey, REPLICA IDENTITY USING INDEX credit_entries_number;

-- +goose Up

-- Deleted agents whose text is still being erased; they leave the table, and this index, when nothing of them is left.
CREATE INDEX agents_deleted ON agents (deleted_at) WHERE deleted_at IS NOT NULL;

-- +goose Up

-- Since when an export is paused, and until when its keys are accepted; null for never.
ALTER TABLE api_exports ADD COLUMN paused_at timestamptz, ADD COLUMN expires_at timestamptz;

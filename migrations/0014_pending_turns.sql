-- +goose NO TRANSACTION
-- +goose Up

-- Few turns are pending: the reaper finds those whose deadline has passed among all of them, by turns_one_pending, in this release and in
-- the one before. A chat need not write to an index of deadlines.
DROP INDEX CONCURRENTLY IF EXISTS turns_deadline;

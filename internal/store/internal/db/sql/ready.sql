-- Writes as a chat does, and returns the schema's version and how many functions differ. A full disk takes updates in place for a long
-- time, so this also asks for new space: half a megabyte that exceeds work_mem goes to a temporary file, on the disk of the database
-- itself.
WITH settings AS MATERIALIZED (
    SELECT set_config('work_mem', '64kB', true) || set_config('temp_tablespaces', '', true) <> '' AS made
), space AS MATERIALIZED (
    -- The number of pieces depends on the settings, which are therefore made first.
    SELECT sum(length(piece)) AS bytes
    FROM settings, LATERAL unnest(array_fill(repeat('x', 8192), ARRAY[CASE WHEN settings.made THEN 64 END])) AS piece
), written AS (
    INSERT INTO readiness (written_at) SELECT clock_timestamp() FROM space WHERE bytes > 0
    ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at
)
SELECT coalesce(max(version_id), 0) AS version, ({other_functions}) AS other_functions FROM goose_db_version WHERE is_applied

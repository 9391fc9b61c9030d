-- Backdates what working-day.mjs did in each of its steps, and computes the usage again. It changes the credit history
-- and the audit trail of one account. Settings: working.account, its id; working.steps, a JSON array of {since, ago} in
-- milliseconds.
BEGIN;

CREATE TEMP TABLE steps ON COMMIT DROP AS
SELECT to_timestamp(since / 1000) AS since, ago * interval '1 ms' AS ago
FROM jsonb_to_recordset(current_setting('working.steps')::jsonb) AS s(since double precision, ago double precision);
CREATE INDEX ON steps (since);

-- What is later than the last step, whose ago is 0, stays, and so does what is earlier than the first.
CREATE FUNCTION pg_temp.moved(at timestamptz) RETURNS timestamptz LANGUAGE sql AS $$
    SELECT at - coalesce((SELECT s.ago FROM steps s WHERE s.since <= at ORDER BY s.since DESC LIMIT 1), '0')
$$;

-- The requests are in the order of their ids, which begin with their times (UUIDv7).
CREATE FUNCTION pg_temp.moved(id uuid) RETURNS uuid LANGUAGE sql AS $$
    SELECT (lpad(to_hex(round(extract(epoch FROM pg_temp.moved(to_timestamp(
        ('x' || left(h, 12))::bit(48)::bigint / 1000.0))) * 1000)::bigint), 12, '0') || substr(h, 13))::uuid
    FROM replace(id::text, '-', '') h
$$;

ALTER TABLE credit_entries DISABLE TRIGGER credit_entries_append_only;
ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_append_only;
INSERT INTO usage_cursors AS u (account_id) VALUES (current_setting('working.account')::uuid)
ON CONFLICT (account_id) DO UPDATE SET last_entry = u.last_entry;

DO $$
DECLARE
    account uuid := current_setting('working.account');
    t record;
BEGIN
    FOR t IN
        SELECT c.table_name, string_agg(format('%1$I = pg_temp.moved(%1$I)', c.column_name), ', ') AS moves,
               CASE c.table_name WHEN 'accounts' THEN 'id' ELSE 'account_id' END AS owner
        FROM information_schema.columns c
        WHERE c.table_schema = current_schema() AND c.table_name NOT LIKE '%\_rollups'
            AND (c.data_type = 'timestamp with time zone'
                OR (c.table_name, c.column_name) IN (('turns', 'id'), ('credit_entries', 'turn_id'), ('conversations', 'continues'),
                                                     ('rejected_requests', 'id'), ('rejected_requests', 'turn_id')))
            AND (c.table_name = 'accounts' OR c.table_name IN (
                SELECT o.table_name FROM information_schema.columns o
                WHERE o.table_schema = c.table_schema AND o.column_name = 'account_id'))
        GROUP BY c.table_name
    LOOP
        EXECUTE format('UPDATE %I SET %s WHERE %I = $1', t.table_name, t.moves, t.owner) USING account;
    END LOOP;
END
$$;
-- The id of a charge is made from that of its turn (credit.ChargeID).
UPDATE credit_entries c SET id = encode(set_byte(set_byte(b.id, 0, get_byte(b.id, 0) | 128), 6, get_byte(b.id, 6) & 15 | 128), 'hex')::uuid
FROM (SELECT x.account_id, x.number, uuid_send(x.turn_id) AS id FROM credit_entries x
      WHERE x.kind = 'CHARGE' AND x.account_id = current_setting('working.account')::uuid) b
WHERE c.account_id = b.account_id AND c.number = b.number;
ALTER TABLE credit_entries ENABLE TRIGGER credit_entries_append_only;
ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_append_only;

DELETE FROM usage_rollups WHERE account_id = current_setting('working.account')::uuid;
DELETE FROM latency_rollups WHERE account_id = current_setting('working.account')::uuid;
UPDATE usage_cursors SET last_entry = 0 WHERE account_id = current_setting('working.account')::uuid;
UPDATE conversations SET failed_turns = 0 WHERE account_id = current_setting('working.account')::uuid;
UPDATE turns SET counted = false WHERE account_id = current_setting('working.account')::uuid;
SELECT count_failed_turns_1(array_agg(id)) FROM turns
WHERE account_id = current_setting('working.account')::uuid AND state = 'FAILED';
SELECT roll_up_charges_1(current_setting('working.account')::uuid, 1000000);
INSERT INTO usage_rollups (account_id, minutes, start, agent_id, export_id, model, source, status, refused)
SELECT r.account_id, s.minutes, s.start, r.agent_id, r.export_id, '', 'API', r.code, count(*)
FROM rejected_requests r CROSS JOIN LATERAL usage_spans_1(r.created_at) s
WHERE r.account_id = current_setting('working.account')::uuid AND r.code IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 8
ON CONFLICT (account_id, minutes, start, agent_id, export_id, model, source, status) DO UPDATE SET refused = excluded.refused;
COMMIT;

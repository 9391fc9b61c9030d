-- record_rejected: see RecordRejected. An earlier statement has locked the usage of the accounts. An array has an element for each request.
--
-- These requests cost no credits, and any caller with a key can send them. So an account gets rows for 3,600 of them, and for one more each
-- second. Requests past that are only counted, in the usage rows that listed requests have created.
--
-- $1 ids uuid[]  $2 turns uuid[] (zero: none)  $3 key hashes bytea[]  $4 times timestamptz[]  $5 request ids text[]  $6 statuses int[]
-- $7 codes text[] (null: a stored reply)  $8 details text[]  $9 client addresses text[]  $10 sessions text[]  $11 end users text[]
-- $12 streamed bool[]  $13 milliseconds int[]  $14 age when the transaction began, in milliseconds bigint[]
WITH keys AS MATERIALIZED ( -- a batch has few keys and many requests
    SELECT k.hash, k.account_id, e.agent_id, k.export_id, k.hint, u.rejected_tat,
           (SELECT 1 FROM erasures r WHERE r.account_id = k.account_id LIMIT 1) IS NOT NULL AS has_erased
    FROM (SELECT DISTINCT hash FROM unnest($3::bytea[]) h(hash)) h
    CROSS JOIN LATERAL (SELECT * FROM api_keys k WHERE k.hash = h.hash LIMIT 1) k
    CROSS JOIN LATERAL (SELECT * FROM api_exports e WHERE e.id = k.export_id LIMIT 1) e
    CROSS JOIN LATERAL (SELECT * FROM agents a WHERE a.id = e.agent_id AND a.deleted_at IS NULL LIMIT 1) a
    CROSS JOIN LATERAL (SELECT * FROM usage_cursors u WHERE u.account_id = k.account_id LIMIT 1) u
), counted AS MATERIALIZED (
    SELECT i.id, k.account_id, k.agent_id, k.export_id, k.hint, i.at, i.request_id, i.status, i.code, i.detail, i.client_address,
           CASE WHEN e.at IS NULL THEN i.session_id END AS session_id, CASE WHEN e.at IS NULL THEN i.user_id END AS user_id,
           i.streamed, i.duration_ms, CASE WHEN i.code IS NULL THEN i.turn_id END AS turn_id,
           row_number() OVER (PARTITION BY k.account_id ORDER BY i.id) * interval '1 second'
               <= interval '1 hour' + statement_timestamp() - greatest(k.rejected_tat, statement_timestamp()) AS listed
    FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::timestamptz[], $5::text[], $6::int[], $7::text[], $8::text[], $9::text[], $10::text[],
                $11::text[], $12::bool[], $13::int[], $14::bigint[])
         AS i(id, turn_id, hash, at, request_id, status, code, detail, client_address, session_id, user_id, streamed, duration_ms, age_ms)
    JOIN keys k ON k.hash = i.hash
    LEFT JOIN LATERAL ( -- an erasure since the request arrived, by the clock of this database alone
        SELECT r.at FROM (VALUES ('user_id', end_user_hash_1(i.user_id)), ('session_id', end_user_hash_1(i.session_id))) x(kind, hash)
        CROSS JOIN LATERAL (
            SELECT r.erased_at AS at FROM erasures r
            WHERE r.account_id = k.account_id AND r.kind = x.kind AND r.id_hash = x.hash
                AND r.agent_id IN (k.agent_id, '00000000-0000-0000-0000-000000000000')
                AND r.erased_at >= now() - i.age_ms * interval '1 millisecond' LIMIT 1
        ) r
        WHERE k.has_erased LIMIT 1
    ) e ON true
    WHERE i.code IS NULL OR i.turn_id = '00000000-0000-0000-0000-000000000000'
        OR (SELECT 1 FROM turns t WHERE t.id = i.turn_id LIMIT 1) IS NULL
), listed AS (
    INSERT INTO rejected_requests (id, account_id, agent_id, export_id, key_hint, created_at, request_id, status, code, detail, client_address,
                                session_id, user_id, streamed, duration_ms, turn_id)
    SELECT c.id, c.account_id, c.agent_id, c.export_id, c.hint, c.at, c.request_id, c.status, c.code, c.detail, c.client_address,
           c.session_id, c.user_id, c.streamed, c.duration_ms, c.turn_id
    FROM counted c WHERE c.listed
), allowance AS (
    UPDATE usage_cursors u SET rejected_tat = greatest(u.rejected_tat, statement_timestamp()) + l.n * interval '1 second'
    FROM (SELECT c.account_id, count(*) AS n FROM counted c WHERE c.listed GROUP BY 1) l WHERE u.account_id = l.account_id
), rejected AS ( -- every span of the usage consists of whole quarter hours
    SELECT c.account_id, c.agent_id, c.export_id, c.code, date_bin('15 minutes', c.at, 'epoch') AS at, count(*) AS n,
           bool_or(c.listed) AS listed
    FROM counted c WHERE c.code IS NOT NULL GROUP BY 1, 2, 3, 4, 5
)
INSERT INTO usage_rollups AS r (account_id, minutes, start, agent_id, export_id, model, source, status, refused)
SELECT c.account_id, s.minutes, s.start, c.agent_id, c.export_id, '', 'API', c.code, sum(c.n)
FROM rejected c CROSS JOIN LATERAL usage_spans_1(c.at) s GROUP BY 1, 2, 3, 4, 5, 8
HAVING bool_or(c.listed) OR EXISTS (
    SELECT 1 FROM usage_rollups x WHERE (x.account_id, x.minutes, x.start, x.agent_id, x.export_id, x.model, x.source, x.status)
        = (c.account_id, s.minutes, s.start, c.agent_id, c.export_id, '', 'API', c.code))
ON CONFLICT (account_id, minutes, start, agent_id, export_id, model, source, status) DO UPDATE SET refused = r.refused + excluded.refused

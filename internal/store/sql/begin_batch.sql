-- begin_batch: begin.sql for several messages at once: one statement, one commit. It begins what is plain: an export without limits, a
-- version without variables, a conversation in which no turn is pending, credits and a rate that suffice. A message that has no row in
-- the result has changed nothing, and begin.sql finds out why.
-- An array has an element for each message; $4, $5 and $12 to $14 are the same for all.
-- $1 key hashes bytea[]  $2 idempotency keys text[] (null: none)  $3 fingerprints bytea[]  $4 model names text[]  $5 prices bigint[]
-- $6 end users text[] (null: none)  $7 session labels text[]  $8 messages text[]  $9 turn ids uuid[]  $10 ids for new conversations uuid[]
-- $11 request ids text[]  $12 time to the deadline interval  $13 most bytes of earlier turns bigint
-- $14 models that are unavailable now text[]
-- No two messages may share a key with a session label or with an idempotency key. Two keys of one agent still may: a unique index
-- (23505), like the check of credits that another replica has just taken (23514), undoes the whole batch.
-- Locks in the order export, conversation, turn, account, and the rows of each in the order of their ids: an UPDATE alone would meet them
-- in the order of whatever plan it has.
-- A batch that meets a lock soon gives up, so that what holds up one message does not hold up all: each then waits alone.
WITH patience AS MATERIALIZED (
    SELECT set_config('lock_timeout', '250ms', true)
), plain AS MATERIALIZED (
    SELECT i.*, k.id AS key_id, k.account_id, e.id AS export_id, e.rate_per_minute, e.rate_tat, e.require_user_id, a.id AS agent_id,
           v.number AS version, v.instructions, v.model, v.temperature, v.max_output_tokens, v.context_turns, p.price,
           c.credit_balance - c.credits_held AS available, statement_timestamp() AS now,
           interval '1 minute' / e.rate_per_minute AS step, conv.id AS known_conversation, conv.turn_count,
           count(*) OVER (PARTITION BY e.id ORDER BY i.n) AS nth
    FROM patience, unnest($1::bytea[], $2::text[], $3::bytea[], $6::text[], $7::text[], $8::text[], $9::uuid[], $10::uuid[], $11::text[])
         WITH ORDINALITY AS i(hash, idempotency_key, fingerprint, user_id, session_id, message, turn_id, new_conversation, request_id, n)
    -- One row after the other, as in gate.sql.
    CROSS JOIN LATERAL (SELECT * FROM api_keys k WHERE k.hash = i.hash LIMIT 1) k
    CROSS JOIN LATERAL (SELECT * FROM api_exports e WHERE e.id = k.export_id LIMIT 1) e
    CROSS JOIN LATERAL (SELECT * FROM agents a WHERE a.id = e.agent_id LIMIT 1) a
    CROSS JOIN LATERAL (SELECT * FROM accounts c WHERE c.id = k.account_id LIMIT 1) c
    CROSS JOIN LATERAL (
        SELECT * FROM agent_versions v WHERE v.agent_id = a.id AND v.number = coalesce(e.version, a.published_version) LIMIT 1
    ) v
    JOIN unnest($4::text[], $5::bigint[]) AS p(model, price) ON p.model = v.model AND p.model <> ALL (coalesce($14::text[], '{}'))
    LEFT JOIN LATERAL (
        -- Found as in begin.sql.
        SELECT c.id, c.agent_id, c.source, c.session_id, c.turn_count, c.user_id FROM conversations c
        WHERE (c.agent_id, c.source, c.session_id) >= (a.id, 'API', i.session_id) AND c.deleted_at IS NULL
        ORDER BY c.agent_id, c.source, c.session_id LIMIT 1
    ) conv ON conv.agent_id = a.id AND conv.source = 'API' AND conv.session_id = i.session_id
    -- Only the newest turn of a conversation can be pending. It is found by its number, whatever the planner knows of the table.
    WHERE k.removed_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > statement_timestamp())
      AND e.removed_at IS NULL AND e.paused_at IS NULL AND (e.expires_at IS NULL OR e.expires_at > statement_timestamp())
      AND num_nonnulls(e.daily_credit_limit, e.monthly_credit_limit, e.user_daily_message_limit) = 0
      AND (NOT e.require_user_id OR i.user_id IS NOT NULL)
      AND a.deleted_at IS NULL AND a.state = 'COMPLETED' AND c.state = 'ACTIVE' AND v.variables = '[]'
      AND (conv.id IS NULL OR conv.user_id IS NOT DISTINCT FROM i.user_id)
      AND (SELECT t.state FROM turns t WHERE t.conversation_id = conv.id ORDER BY t.number DESC LIMIT 1) IS DISTINCT FROM 'PENDING'
      AND (i.idempotency_key IS NULL OR (
              SELECT 1 FROM turns t
              WHERE t.agent_id = a.id AND t.source = 'API' AND t.idempotency_key = i.idempotency_key AND t.state <> 'FAILED'
              LIMIT 1) IS NULL)
), within_rate AS MATERIALIZED (
    SELECT p.*, sum(p.price) OVER (PARTITION BY p.account_id ORDER BY p.n) AS prices
    FROM plain p WHERE greatest(p.rate_tat, p.now) + p.step * p.nth - p.now <= p.step * p.rate_per_minute
), fit AS MATERIALIZED (
    SELECT w.*, count(*) OVER (PARTITION BY w.export_id ORDER BY w.n) AS spent FROM within_rate w WHERE w.prices <= w.available
), rate AS MATERIALIZED (
    SELECT r.export_id, r.tat, x.spent
    FROM (SELECT array_agg(y.export_id) AS exports, array_agg(y.spent) AS spent, array_agg(y.anonymous) AS anonymous
          FROM (SELECT f.export_id, max(f.spent) AS spent, bool_or(f.user_id IS NULL) AS anonymous FROM fit f GROUP BY 1) y) all_exports
    CROSS JOIN LATERAL spend_rates_1(all_exports.exports, all_exports.spent, all_exports.anonymous) r
    CROSS JOIN LATERAL (SELECT max(f.spent) AS spent FROM fit f WHERE f.export_id = r.export_id) x
), gate AS MATERIALIZED (
    SELECT f.*, r.tat - f.step * (r.spent - f.spent) AS tat,
           r.tat > greatest(f.rate_tat, f.now) + f.step * r.spent AS elsewhere -- another replica spent since the snapshot
    FROM fit f JOIN rate r ON r.export_id = f.export_id
), known AS MATERIALIZED (
    SELECT c.id FROM conversations c WHERE c.id IN (SELECT known_conversation FROM gate) ORDER BY c.id FOR NO KEY UPDATE
), resumed AS (
    -- Only if no turn began since the snapshot: the history read below would lack it. No row means "retry".
    UPDATE conversations c SET turn_count = c.turn_count + 1, last_turn_at = clock_timestamp()
    FROM gate g JOIN known ON known.id = g.known_conversation
    WHERE c.id = g.known_conversation AND c.turn_count = g.turn_count AND num_nulls(c.deleted_at) = 1 -- keeps to the primary key
    RETURNING c.id, c.turn_count, g.n
), opened AS (
    INSERT INTO conversations (id, account_id, agent_id, source, session_id, user_id, turn_count)
    SELECT g.new_conversation, g.account_id, g.agent_id, 'API', g.session_id, g.user_id, 1
    FROM gate g WHERE g.known_conversation IS NULL ORDER BY g.agent_id, g.session_id
    RETURNING id, turn_count
), turn AS (
    INSERT INTO turns (id, account_id, agent_id, conversation_id, export_id, source, number, state, message, version, model, price,
                       request_id, idempotency_key, fingerprint, deadline)
    SELECT g.turn_id, g.account_id, g.agent_id, conv.id, g.export_id, 'API', conv.turn_count, 'PENDING', g.message, g.version, g.model,
           g.price, g.request_id, g.idempotency_key, CASE WHEN g.idempotency_key IS NULL THEN NULL ELSE g.fingerprint END,
           clock_timestamp() + $12::interval
    FROM (SELECT n, id, turn_count FROM resumed
          UNION ALL SELECT g.n, o.id, o.turn_count FROM opened o JOIN gate g ON g.new_conversation = o.id) conv
    JOIN gate g ON g.n = conv.n
    ORDER BY g.agent_id, g.idempotency_key
    RETURNING id, account_id, conversation_id, number, price
), hold AS MATERIALIZED (
    SELECT hold_credits_1(array_agg(x.account_id), array_agg(x.price))
    FROM (SELECT account_id, sum(price)::bigint AS price FROM turn GROUP BY 1) x
)
SELECT k.n, CASE WHEN turn.id IS NULL THEN 'retry' ELSE 'begun' END AS outcome,
       set_config('synchronous_commit', 'off', true) AS _config, -- as in begin.sql
       k.key_id, k.account_id, k.agent_id, k.export_id, k.rate_per_minute,
       (extract(epoch FROM greatest(k.tat - k.now, interval '0'))::float8 * 1e9)::bigint AS rate_ahead,
       k.available, k.price, k.version, k.model, k.instructions, k.temperature, k.max_output_tokens,
       turn.conversation_id, turn.number, h.texts, h.counts, k.elsewhere
FROM gate k CROSS JOIN hold
LEFT JOIN turn ON turn.id = k.turn_id
LEFT JOIN LATERAL ({history}) h ON turn.id IS NOT NULL

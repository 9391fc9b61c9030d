-- begin: the gate, then the turn with its hold. One statement, one round trip, always one row that says what happened.
-- $10 session label text  $11 message text  $12 turn id  $13 id for a new conversation  $14 time to the deadline interval
-- $15 request id text  $16 most bytes of earlier turns bigint  $17 time until a caller who finds the session busy tries again interval
-- $18 models that are unavailable now text[]: refused before anything is held
-- Locks in the order export, conversation, turn, counter, account; every other statement keeps to that order.
, conv0 AS MATERIALIZED (
    SELECT c.id, c.turn_count, c.user_id IS DISTINCT FROM $9::text AS of_another,
           -- Only the newest turn can be pending. It is found by its number, whatever the planner knows of the table.
           (SELECT t.state = 'PENDING' FROM turns t WHERE t.conversation_id = c.id ORDER BY t.number DESC LIMIT 1) AS busy
    FROM gate g
    JOIN k ON g.outcome = 'admitted'
    CROSS JOIN LATERAL (
        -- The next label in the order of the index of labels, which may be another one. Only that index has the order, and the planner takes
        -- the condition for one that many rows meet, so it uses this index whatever it knows of the table.
        SELECT c.id, c.turn_count, c.user_id, c.agent_id, c.source, c.session_id FROM conversations c
        WHERE (c.agent_id, c.source, c.session_id) >= (k.agent_id, '{source}', $10::text) AND c.deleted_at IS NULL
        ORDER BY c.agent_id, c.source, c.session_id LIMIT 1
    ) c
    WHERE c.agent_id = k.agent_id AND c.source = '{source}' AND c.session_id = $10::text
), verdict AS MATERIALIZED (
    SELECT CASE
        WHEN g.outcome <> 'admitted' THEN g.outcome
        WHEN c.of_another THEN 'other_user'
        WHEN c.busy THEN 'session_busy'
        WHEN k.available < k.price THEN 'insufficient_credits'
        WHEN k.limited AND limit_reached_1(k.export_id, k.price, k.daily_credit_limit, k.monthly_credit_limit, k.user_daily_message_limit,
                                           $9::text) IS NOT NULL THEN 'limit_reached'
        WHEN k.model = ANY ($18::text[]) THEN 'model_unavailable'
        ELSE 'begun' END AS outcome
    FROM gate g LEFT JOIN k ON true LEFT JOIN conv0 c ON true
), waits AS (
    UPDATE conversations c SET contended_until = clock_timestamp() + $17::interval
    FROM verdict v, conv0 WHERE v.outcome = 'session_busy' AND c.id = conv0.id
), resumed AS (
    -- Only if no turn began since the snapshot: the history read below would lack it. No row means "retry".
    UPDATE conversations c SET turn_count = c.turn_count + 1, last_turn_at = clock_timestamp()
    FROM verdict v, conv0
    WHERE v.outcome = 'begun' AND c.id = conv0.id AND c.turn_count = conv0.turn_count
      AND num_nulls(c.deleted_at) = 1 -- keeps to the primary key
    RETURNING c.id, c.turn_count
), opened AS (
    INSERT INTO conversations (id, account_id, agent_id, source, session_id, user_id, turn_count)
    SELECT $13::uuid, k.account_id, k.agent_id, '{source}', $10::text, $9::text, 1
    FROM verdict v JOIN k ON v.outcome = 'begun' WHERE NOT EXISTS (SELECT 1 FROM conv0)
    RETURNING id, turn_count
), conv AS (
    SELECT id, turn_count FROM resumed UNION ALL SELECT id, turn_count FROM opened
), turn AS (
    -- 23505 on turns_idempotency, turns_one_pending or turns_number undoes the whole statement: retry_unspent.
    INSERT INTO turns (id, account_id, agent_id, conversation_id, export_id, source, number, state, message, version, model, price,
                       request_id, idempotency_key, fingerprint, deadline, variables, day_counted, month_counted, user_day_counted,
                       user_hash)
    SELECT $12::uuid, k.account_id, k.agent_id, conv.id, k.export_id, '{source}', conv.turn_count, 'PENDING', $11::text, k.version,
           k.model, k.price, $15::text, $3::text, CASE WHEN $3::text IS NULL THEN NULL ELSE $4::bytea END, clock_timestamp() + $14::interval,
           $8::jsonb, CASE WHEN k.daily_credit_limit IS NOT NULL THEN (k.now AT TIME ZONE 'UTC')::date END,
           CASE WHEN k.monthly_credit_limit IS NOT NULL THEN date_trunc('month', k.now AT TIME ZONE 'UTC')::date END,
           CASE WHEN k.user_daily_message_limit IS NOT NULL THEN (k.now AT TIME ZONE 'UTC')::date END,
           CASE WHEN k.user_daily_message_limit IS NOT NULL THEN end_user_hash_1($9::text) END
    FROM conv, k
    RETURNING id, account_id, conversation_id, number, price
), counted AS MATERIALIZED (
    SELECT count_turn_1(k.export_id, k.account_id, k.price, k.daily_credit_limit, k.monthly_credit_limit, k.user_daily_message_limit,
                        $9::text)
    FROM turn, k WHERE k.limited
), hold AS (
    UPDATE accounts a SET credits_held = a.credits_held + turn.price
    FROM turn, (SELECT count(*) FROM counted) after_counting WHERE a.id = turn.account_id RETURNING a.id
)
SELECT CASE WHEN v.outcome = 'begun' AND turn.id IS NULL THEN 'retry' ELSE v.outcome END AS outcome,
       -- The hold need not reach the disk before the model is called: settling commits synchronously and flushes it too, and a
       -- crash before that loses only a turn whose reply nobody has seen. The column _config is not read.
       set_config('synchronous_commit', 'off', true) AS _config, admission.*,
       k.available, k.price, k.version, k.model, k.instructions, k.temperature, k.max_output_tokens,
       nullif(k.variables, '[]') AS variables, turn.conversation_id, turn.number, h.texts, h.counts,
       CASE WHEN v.outcome = 'limit_reached' THEN limit_reached_1(k.export_id, k.price, k.daily_credit_limit, k.monthly_credit_limit,
                                                                  k.user_daily_message_limit, $9::text) END AS "limit"
FROM verdict v
CROSS JOIN admission
LEFT JOIN k ON true
LEFT JOIN turn ON true
LEFT JOIN LATERAL ({history}) h ON turn.id IS NOT NULL

-- admission: what may the caller's message do? The decision of both gates, and the columns that admit.sql and begin.sql both return: the
-- caller, its rate, and the stored reply to an earlier request with the same idempotency key.
-- $3 idempotency key text|null  $4 fingerprint bytea|null  $5 model names text[]  $6 prices bigint[]
-- $8 values of variables jsonb|null  $9 end user text|null
-- {source} is API or PLAYGROUND; each has its own gate.
, prior AS MATERIALIZED (
    SELECT t.*, c.session_id, t.fingerprint = $4::bytea AS same, c.id IS NULL OR c.deleted_at IS NOT NULL AS deleted
    FROM k
    JOIN turns t ON t.agent_id = k.agent_id AND t.source = '{source}' AND t.idempotency_key = $3::text AND t.state <> 'FAILED'
    LEFT JOIN conversations c ON c.id = t.conversation_id
), gate AS MATERIALIZED (
    SELECT CASE
        WHEN d.closed IS NOT NULL THEN d.closed
        WHEN p.id IS NOT NULL THEN
            CASE WHEN NOT p.same THEN 'idempotency_key_reused'
                 WHEN p.deleted THEN 'conversation_deleted'
                 WHEN p.state = 'PENDING' THEN 'request_in_progress'
                 ELSE 'replay' END
        WHEN k.not_ready IS NOT NULL THEN k.not_ready
        WHEN k.user_required AND $9::text IS NULL THEN 'user_missing'
        WHEN k.variables = '[]' AND $8::jsonb IS NULL THEN 'admitted'
        ELSE coalesce((variables_misfit_1(k.instructions, k.variables, $8::jsonb, {max_instructions}))[1], 'admitted') END AS outcome
    FROM door d LEFT JOIN k ON true LEFT JOIN prior p ON true
), admission AS (
    SELECT k.key_id, k.account_id, k.agent_id, k.export_id, k.rate_per_minute,
           (extract(epoch FROM greatest(coalesce((SELECT rate_tat FROM rate), k.rate_tat) - k.now, interval '0'))::float8
               * 1e9)::bigint AS rate_ahead,
           CASE WHEN g.outcome LIKE 'variable%' THEN
               (variables_misfit_1(k.instructions, k.variables, $8::jsonb, {max_instructions}))[2] END AS variable,
           p.id AS prior_turn_id, p.session_id AS prior_session_id, p.reply AS prior_reply, p.finish_reason AS prior_finish_reason,
           p.model AS prior_model, p.version AS prior_version, p.price AS prior_price, p.credits_remaining AS prior_credits_remaining,
           p.input_tokens AS prior_input_tokens, p.output_tokens AS prior_output_tokens
    FROM gate g LEFT JOIN k ON true LEFT JOIN prior p ON true
)

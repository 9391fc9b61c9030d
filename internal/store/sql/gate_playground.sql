-- gate_playground: the gate for the panel's playground, whose caller is signed in. It is the head of begin.sql and of admit.sql.
-- Drafts answer here, when they have a model that is available; there is no rate.
-- $1 account id uuid  $2 agent id uuid  $3 idempotency key text|null  $4 fingerprint bytea|null  $5 model names text[]
-- $6 prices bigint[]
WITH k AS MATERIALIZED (
    SELECT NULL::uuid AS key_id, a.account_id, NULL::uuid AS export_id, 0 AS rate_per_minute, NULL::timestamptz AS rate_tat,
           a.id AS agent_id, a.instructions, a.model, a.temperature, a.max_output_tokens, a.context_turns, p.price,
           c.credit_balance - c.credits_held AS available, statement_timestamp() AS now
    FROM agents a
    JOIN accounts c ON c.id = a.account_id
    LEFT JOIN unnest($5::text[], $6::bigint[]) AS p(model, price) ON p.model = a.model
    WHERE a.account_id = $1::uuid AND a.id = $2::uuid AND a.deleted_at IS NULL AND c.state = 'ACTIVE'
), rate AS MATERIALIZED (
    -- In the place of the export's row: whoever deletes the agent waits for this statement, or is seen on the newest version.
    SELECT NULL::timestamptz AS rate_tat FROM agents a
    WHERE a.id = $2::uuid AND a.account_id = $1::uuid AND a.deleted_at IS NULL FOR SHARE
), prior AS MATERIALIZED (
    SELECT t.id, t.state, t.reply, t.finish_reason, t.model, t.credits_remaining, t.price, t.input_tokens, t.output_tokens,
           c.session_id, t.fingerprint = $4::bytea AS same, c.id IS NULL OR c.deleted_at IS NOT NULL AS deleted
    FROM k
    JOIN turns t ON t.agent_id = k.agent_id AND t.source = 'PLAYGROUND' AND t.idempotency_key = $3::text AND t.state <> 'FAILED'
    LEFT JOIN conversations c ON c.id = t.conversation_id
), gate AS MATERIALIZED (
    SELECT CASE
        WHEN k.agent_id IS NULL THEN 'unauthorized'
        WHEN NOT EXISTS (SELECT 1 FROM rate) THEN 'again'
        WHEN p.id IS NOT NULL THEN
            CASE WHEN NOT p.same THEN 'idempotency_key_reused'
                 WHEN p.deleted THEN 'conversation_deleted'
                 WHEN p.state = 'PENDING' THEN 'request_in_progress'
                 ELSE 'replay' END
        WHEN k.model IS NULL THEN 'no_model'
        WHEN k.price IS NULL THEN 'model_withdrawn'
        ELSE 'pass' END AS outcome
    FROM (SELECT 1) one LEFT JOIN k ON true LEFT JOIN prior p ON true
)

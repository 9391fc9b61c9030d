-- gate_playground: takes the place of gate.sql for the panel's playground, where the caller is signed in to an account.
-- The draft answers here too once it has a model, and there is neither a rate nor a limit.
-- $1 account id uuid  $2 agent id uuid  $7 version bigint|null: null for the draft
WITH k AS MATERIALIZED (
    SELECT NULL::uuid AS key_id, a.account_id, NULL::uuid AS export_id, 0 AS rate_per_minute, NULL::timestamptz AS rate_tat,
           a.id AS agent_id, s.number AS version, s.instructions, s.model, s.temperature, s.max_output_tokens, s.context_turns,
           s.variables, p.price, NULL::bigint AS daily_credit_limit, NULL::bigint AS monthly_credit_limit,
           NULL::int AS user_daily_message_limit, false AS limited, false AS user_required,
           c.credit_balance - c.credits_held AS available, statement_timestamp() AS now,
           CASE WHEN $7::bigint IS NOT NULL AND s.number IS NULL THEN 'no_version'
                WHEN s.model IS NULL THEN 'no_model'
                WHEN p.price IS NULL THEN 'model_withdrawn' END AS not_ready
    FROM agents a
    JOIN accounts c ON c.id = a.account_id
    LEFT JOIN LATERAL (
        SELECT NULL::int AS number, a.instructions, a.model, a.temperature, a.max_output_tokens, a.context_turns, a.variables
        WHERE $7::bigint IS NULL
        UNION ALL
        SELECT v.number, v.instructions, v.model, v.temperature, v.max_output_tokens, v.context_turns, v.variables
        FROM agent_versions v WHERE v.agent_id = a.id AND v.number = $7::bigint
    ) s ON true
    LEFT JOIN unnest($5::text[], $6::bigint[]) AS p(model, price) ON p.model = s.model
    WHERE a.account_id = $1::uuid AND a.id = $2::uuid AND a.deleted_at IS NULL AND c.state = 'ACTIVE'
), rate AS MATERIALIZED (
    -- Locks the agent as gate.sql locks the export: a deletion waits for this statement, or this statement sees it.
    SELECT NULL::timestamptz AS rate_tat FROM agents a
    WHERE a.id = $2::uuid AND a.account_id = $1::uuid AND a.deleted_at IS NULL FOR SHARE
), door AS MATERIALIZED (
    SELECT CASE WHEN k.agent_id IS NULL THEN 'not_found'
                WHEN NOT EXISTS (SELECT 1 FROM rate) THEN 'retry' END AS closed
    FROM (SELECT 1) one LEFT JOIN k ON true
)

-- gate: who is calling, and may they send a message now? admission.sql and then admit.sql or begin.sql are appended to it, so
-- that all of it is one statement with one snapshot.
-- $1 key hash bytea  $2 spend the rate? bool (false when the same request is tried again)  $3 idempotency key text|null
-- $4 fingerprint bytea|null  $5 model names text[]  $6 prices bigint[]  $7 null: the playground's choice of a version
WITH k AS MATERIALIZED (
    SELECT k.id AS key_id, k.account_id, e.id AS export_id, e.rate_per_minute, e.rate_tat, e.paused_at, a.id AS agent_id, a.state,
           v.number AS version, v.instructions, v.model, v.temperature, v.max_output_tokens, v.context_turns, p.price,
           c.credit_balance - c.credits_held AS available, statement_timestamp() AS now,
           interval '1 minute' / e.rate_per_minute AS step
    FROM api_keys k
    JOIN api_exports e ON e.id = k.export_id
    JOIN agents a ON a.id = e.agent_id
    JOIN accounts c ON c.id = k.account_id
    LEFT JOIN agent_versions v ON v.agent_id = a.id AND v.number = coalesce(e.version, a.published_version)
    LEFT JOIN unnest($5::text[], $6::bigint[]) AS p(model, price) ON p.model = v.model
    WHERE k.hash = $1 AND k.removed_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > statement_timestamp())
      AND e.removed_at IS NULL AND (e.expires_at IS NULL OR e.expires_at > statement_timestamp()) AND a.deleted_at IS NULL AND c.state = 'ACTIVE' AND $7::bigint IS NULL
), rate AS (
    -- GCRA with a burst of one minute's worth. The row is locked even when nothing is spent: this statement then sees a removal
    -- that has just been committed, and a removal or deletion waits for this statement and finds the turn that begins here.
    UPDATE api_exports e
    SET rate_tat = CASE WHEN $2::bool THEN greatest(e.rate_tat, k.now) + k.step ELSE e.rate_tat END
    FROM k
    WHERE e.id = k.export_id AND e.removed_at IS NULL AND e.paused_at IS NULL
      AND (NOT $2::bool OR greatest(e.rate_tat, k.now) + k.step - k.now <= k.step * k.rate_per_minute)
    RETURNING e.rate_tat
), prior AS MATERIALIZED (
    SELECT t.*, c.session_id, t.fingerprint = $4::bytea AS same, c.id IS NULL OR c.deleted_at IS NOT NULL AS deleted
    FROM k
    JOIN turns t ON t.agent_id = k.agent_id AND t.source = 'API' AND t.idempotency_key = $3::text AND t.state <> 'FAILED'
    LEFT JOIN conversations c ON c.id = t.conversation_id
), gate AS MATERIALIZED (
    SELECT CASE
        WHEN k.agent_id IS NULL THEN 'unauthorized'
        WHEN k.paused_at IS NOT NULL THEN 'export_paused'
        WHEN NOT EXISTS (SELECT 1 FROM rate) THEN
            CASE WHEN $2::bool AND greatest(k.rate_tat, k.now) + k.step - k.now > k.step * k.rate_per_minute
                 THEN 'rate_limited' ELSE 'retry' END
        WHEN p.id IS NOT NULL THEN
            CASE WHEN NOT p.same THEN 'idempotency_key_reused'
                 WHEN p.deleted THEN 'conversation_deleted'
                 WHEN p.state = 'PENDING' THEN 'request_in_progress'
                 ELSE 'replay' END
        WHEN k.state <> 'COMPLETED' THEN 'draft'
        WHEN k.version IS NULL THEN 'unversioned'
        WHEN k.price IS NULL THEN 'model_withdrawn'
        ELSE 'admitted' END AS outcome
    FROM (SELECT 1) one LEFT JOIN k ON true LEFT JOIN prior p ON true
)

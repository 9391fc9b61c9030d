-- gate: who is calling, and may they come in? admission.sql and then admit.sql or begin.sql are appended to it, so that all of it is one
-- statement with one snapshot.
-- $1 key hash bytea  $2 spend the rate? bool (false when the same request is tried again)  $7 null: the playground's choice of a version
WITH k AS MATERIALIZED (
    SELECT k.id AS key_id, k.account_id, e.id AS export_id, e.rate_per_minute, e.rate_tat, e.paused_at, a.id AS agent_id,
           v.number AS version, v.instructions, v.model, v.temperature, v.max_output_tokens, v.context_turns, v.variables, p.price,
           e.require_user_id, e.daily_credit_limit, e.monthly_credit_limit, e.user_daily_message_limit,
           num_nonnulls(e.daily_credit_limit, e.monthly_credit_limit, e.user_daily_message_limit) > 0 AS limited,
           e.require_user_id OR e.user_daily_message_limit IS NOT NULL AS user_required,
           c.credit_balance - c.credits_held AS available, statement_timestamp() AS now,
           interval '1 minute' / e.rate_per_minute AS step,
           CASE WHEN a.state <> 'COMPLETED' THEN 'draft'
                WHEN v.number IS NULL THEN 'unversioned'
                WHEN p.price IS NULL THEN 'model_withdrawn' END AS not_ready
    -- One row after the other, each by its key. The planner would choose another order, and indexes of all that is in use, while it takes
    -- the tables for short ones.
    FROM api_keys k
    CROSS JOIN LATERAL (SELECT * FROM api_exports e WHERE e.id = k.export_id LIMIT 1) e
    CROSS JOIN LATERAL (SELECT * FROM agents a WHERE a.id = e.agent_id LIMIT 1) a
    CROSS JOIN LATERAL (SELECT * FROM accounts c WHERE c.id = k.account_id LIMIT 1) c
    LEFT JOIN LATERAL (
        SELECT * FROM agent_versions v WHERE v.agent_id = a.id AND v.number = coalesce(e.version, a.published_version) LIMIT 1
    ) v ON true
    LEFT JOIN unnest($5::text[], $6::bigint[]) AS p(model, price) ON p.model = v.model
    WHERE k.hash = $1 AND k.removed_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > statement_timestamp())
      AND e.removed_at IS NULL AND (e.expires_at IS NULL OR e.expires_at > statement_timestamp()) AND a.deleted_at IS NULL
      AND c.state = 'ACTIVE' AND $7::bigint IS NULL
), rate AS (
    -- GCRA with a burst of one minute's worth. The row is locked even when nothing is spent: this statement then sees a removal
    -- that has just been committed, and a removal or deletion waits for this statement and finds the turn that begins here. Nor does
    -- a message that waited for a new limit begin under the old one.
    UPDATE api_exports e
    SET rate_tat = CASE WHEN $2::bool THEN greatest(e.rate_tat, k.now) + k.step ELSE e.rate_tat END
    FROM k
    WHERE e.id = k.export_id AND num_nulls(e.removed_at, e.paused_at) = 2 -- keeps to the primary key
      AND (e.require_user_id, e.daily_credit_limit, e.monthly_credit_limit, e.user_daily_message_limit) IS NOT DISTINCT FROM
          (k.require_user_id, k.daily_credit_limit, k.monthly_credit_limit, k.user_daily_message_limit)
      AND (NOT $2::bool OR greatest(e.rate_tat, k.now) + k.step - k.now <= k.step * k.rate_per_minute)
    RETURNING e.rate_tat
), door AS MATERIALIZED (
    SELECT CASE
        WHEN k.agent_id IS NULL THEN 'unauthorized'
        WHEN k.paused_at IS NOT NULL THEN 'export_paused'
        WHEN NOT EXISTS (SELECT 1 FROM rate) THEN
            CASE WHEN $2::bool AND greatest(k.rate_tat, k.now) + k.step - k.now > k.step * k.rate_per_minute
                 THEN 'rate_limited' ELSE 'retry' END
        END AS closed
    FROM (SELECT 1) one LEFT JOIN k ON true
)

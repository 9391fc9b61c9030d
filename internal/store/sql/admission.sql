-- admission: the columns that admit.sql and begin.sql both return: the caller, its rate, and the stored reply to an earlier request
-- with the same idempotency key.
, admission AS (
    SELECT k.key_id, k.account_id, k.agent_id, k.export_id, k.rate_per_minute,
           (extract(epoch FROM greatest(coalesce((SELECT rate_tat FROM rate), k.rate_tat) - k.now, interval '0'))::float8
               * 1e9)::bigint AS rate_ahead,
           p.id AS prior_turn_id, p.session_id AS prior_session_id, p.reply AS prior_reply, p.finish_reason AS prior_finish_reason,
           p.model AS prior_model, p.version AS prior_version, p.price AS prior_price, p.credits_remaining AS prior_credits_remaining,
           p.input_tokens AS prior_input_tokens, p.output_tokens AS prior_output_tokens
    FROM (SELECT 1) one LEFT JOIN k ON true LEFT JOIN prior p ON true
)

-- admit: the gate alone, for requests that are refused for their body, or that have to wait for their session.
SELECT g.outcome, set_config('synchronous_commit', 'off', true),
       k.key_id, k.account_id, k.agent_id, k.export_id, k.rate_per_minute,
       extract(epoch FROM greatest(coalesce((SELECT rate_tat FROM rate), k.rate_tat) - k.now, interval '0'))::float8 AS ahead,
       p.id, p.session_id, p.reply, p.finish_reason, p.model, p.price, p.credits_remaining, p.input_tokens, p.output_tokens
FROM gate g LEFT JOIN k ON true LEFT JOIN prior p ON true

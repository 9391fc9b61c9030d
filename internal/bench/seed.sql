-- What a side starts with. Arguments, the same in every commit: @accounts, @agents uuid[] side by side; @owners, @speakers
-- (the account and the agent of an export), @exports, @keys uuid[] and @hashes bytea[] side by side; @model; @context turns of history;
-- @conversations per account and @turns in each; @message and @reply.

INSERT INTO accounts (id, name, credit_balance, entry_count)
SELECT a.id, 'Bench', 1000000000 - @conversations::bigint * @turns::bigint,
       1 + @conversations::bigint * @turns::bigint
FROM unnest(@accounts::uuid[]) a(id);

INSERT INTO agents (id, account_id, name, description, settings, state, published_version, created_at, updated_at)
SELECT a.agent_id, a.id, 'Bench', '', jsonb_build_object('instructions', 'You are the assistant of a shop.', 'model', @model::text,
       'temperature', NULL, 'max_output_tokens', NULL, 'context_turns', @context::int, 'variables', '[]'::jsonb), 'LIVE', 1, now(), now()
FROM unnest(@accounts::uuid[], @agents::uuid[]) a(id, agent_id);

INSERT INTO agent_versions (id, agent_id, number, account_id, note, settings, fingerprint)
SELECT gen_random_uuid(), a.id, 1, a.account_id, '', a.settings, sha256('') FROM agents a WHERE a.id = ANY (@agents::uuid[]);

INSERT INTO api_exports (id, account_id, agent_id, name, rate_per_minute)
SELECT e.id, e.account_id, e.agent_id, 'Bench', 1000000
FROM unnest(@owners::uuid[], @speakers::uuid[], @exports::uuid[]) e(account_id, agent_id, id);

INSERT INTO api_keys (id, account_id, export_id, hash, hint)
SELECT k.id, k.account_id, k.export_id, k.hash, 'agc_…'
FROM unnest(@owners::uuid[], @exports::uuid[], @keys::uuid[], @hashes::bytea[]) k(account_id, export_id, id, hash);

INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
SELECT gen_random_uuid(), a.id, a.agent_id, 'API', 's-' || n, @turns::bigint
FROM unnest(@accounts::uuid[], @agents::uuid[]) a(id, agent_id), generate_series(0, @conversations::bigint - 1) n;

INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, finish_reason, model, price,
                   credits_remaining, input_tokens, output_tokens, request_id, deadline, settled_at)
SELECT gen_random_uuid(), c.account_id, c.agent_id, c.id, 'API', n, 'ANSWERED', @message::text, @reply::text, 'stop', @model::text, 1,
       0, 10, 50, 'seed', now(), now()
FROM conversations c, generate_series(1, @turns::bigint) n WHERE c.account_id = ANY (@accounts::uuid[]);

INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after)
SELECT gen_random_uuid(), a.id, 1, 'GRANT', 1000000000, 1000000000 FROM unnest(@accounts::uuid[]) a(id);

INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, agent_id, agent_name, turn_id)
SELECT gen_random_uuid(), t.account_id, 1 + t.place, 'CHARGE', -1, 1000000000 - t.place, t.agent_id, 'Bench', t.id
FROM (SELECT *, row_number() OVER (PARTITION BY account_id ORDER BY conversation_id, number) AS place
      FROM turns WHERE account_id = ANY (@accounts::uuid[])) t;

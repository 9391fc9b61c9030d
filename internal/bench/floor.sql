-- The floor: the fewest row writes of a chat that keep its promises, as two transactions of simple statements. Nothing is looked up
-- first, and no earlier turns are read. The first five statements begin a turn, the others settle it; each half is sent in one round
-- trip. As in the service, only the second half waits for the disk.

SELECT set_config('synchronous_commit', 'off', true);

UPDATE api_exports SET rate_tat = greatest(rate_tat, statement_timestamp()) + interval '1 minute' / rate_per_minute
WHERE id = @export::uuid AND greatest(rate_tat, statement_timestamp()) + interval '1 minute' / rate_per_minute
    <= statement_timestamp() + interval '1 minute';

INSERT INTO conversations AS c (id, account_id, agent_id, source, session_id, turn_count)
VALUES (@conversation::uuid, @account::uuid, @agent::uuid, 'API', @session::text, 1)
ON CONFLICT (agent_id, source, session_id) WHERE deleted_at IS NULL
DO UPDATE SET turn_count = c.turn_count + 1, last_turn_at = clock_timestamp();

INSERT INTO turns (id, account_id, agent_id, conversation_id, export_id, source, number, state, message, model, price, request_id, deadline)
SELECT @turn::uuid, c.account_id, c.agent_id, c.id, @export::uuid, 'API', c.turn_count, 'PENDING', @message::text, 'sandbox/assistant', 1,
       'floor', clock_timestamp() + interval '2 minutes'
FROM conversations c WHERE c.agent_id = @agent::uuid AND c.source = 'API' AND c.session_id = @session::text AND c.deleted_at IS NULL;

UPDATE accounts SET credits_held = credits_held + 1 WHERE id = @account::uuid;

UPDATE turns SET state = 'ANSWERED', reply = @reply::text, finish_reason = 'stop', input_tokens = 10, output_tokens = 50,
       credits_remaining = 0, settled_at = clock_timestamp()
WHERE id = @turn::uuid AND state NOT IN ('ANSWERED', 'FAILED');

UPDATE accounts SET credits_held = credits_held - 1, credit_balance = credit_balance - 1, entry_count = entry_count + 1
WHERE id = @account::uuid;

INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, agent_id, agent_name, export_id, export_name, turn_id)
SELECT @entry::uuid, a.id, a.entry_count, 'CHARGE', -1, a.credit_balance, @agent::uuid, 'Bench', @export::uuid, 'Bench', @turn::uuid
FROM accounts a WHERE a.id = @account::uuid;

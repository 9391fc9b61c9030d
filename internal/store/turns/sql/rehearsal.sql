-- Makes an account with all that a message needs, in a transaction that is always rolled back: $1 is the id of each row, $2 the agent's
-- settings, and $3 the hash of the key. Each end user has a limit, so that their messages are counted.
WITH account AS (
    INSERT INTO accounts (id, name, credit_balance) VALUES ($1, 'readiness', 2)
), agent AS (
    INSERT INTO agents (id, account_id, name, settings, state, published_version) VALUES ($1, $1, 'readiness', $2::jsonb, 'LIVE', 1)
), version AS (
    INSERT INTO agent_versions (agent_id, number, id, account_id, note, settings, fingerprint)
        VALUES ($1, 1, $1, $1, '', $2::jsonb, sha256(''))
), export AS (
    INSERT INTO api_exports (id, account_id, agent_id, name, user_daily_message_limit) VALUES ($1, $1, $1, 'readiness', 2)
)
INSERT INTO api_keys (id, account_id, export_id, hash, hint) VALUES ($1, $1, $1, $3, '')

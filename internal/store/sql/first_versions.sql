-- first_versions: makes version 1 of agents that were completed before there were versions. What callers get stays the same, so
-- updated_at stays. $1 the only agent uuid|null  $2 most agents at once
WITH due AS MATERIALIZED (
    SELECT a.* FROM agents a
    WHERE a.state = 'COMPLETED' AND a.published_version IS NULL AND ($1::uuid IS NULL OR a.id = $1::uuid)
    ORDER BY a.id LIMIT $2::int FOR NO KEY UPDATE SKIP LOCKED
), made AS (
    INSERT INTO agent_versions (agent_id, number, account_id, created_at, instructions, model, temperature, max_output_tokens,
                                context_turns, variables)
    SELECT id, 1, account_id, updated_at, instructions, model, temperature, max_output_tokens, context_turns, variables FROM due
    RETURNING agent_id
)
UPDATE agents a SET published_version = 1 FROM made WHERE a.id = made.agent_id

-- Removes a deleted agent with its exports and keys, once its conversations, ratings, sources and tests are erased and none of its turns is
-- pending: the charge of a turn names the agent and the export. $1 agent id
WITH agent AS MATERIALIZED (
    SELECT a.id FROM agents a
    WHERE a.id = $1::uuid AND a.deleted_at <= clock_timestamp()
      AND NOT EXISTS (SELECT 1 FROM conversations c WHERE c.agent_id = a.id AND c.deleted_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.agent_id = a.id AND t.state = 'PENDING')
      AND NOT EXISTS (SELECT 1 FROM ratings r WHERE r.agent_id = a.id)
      AND NOT EXISTS (SELECT 1 FROM knowledge_sources s WHERE s.agent_id = a.id)
      AND NOT EXISTS (SELECT 1 FROM test_runs r WHERE r.agent_id = a.id)
      AND NOT EXISTS (SELECT 1 FROM test_cases c WHERE c.agent_id = a.id)
    FOR UPDATE SKIP LOCKED
), keys AS (
    DELETE FROM api_keys k USING agent, api_exports e WHERE e.agent_id = agent.id AND k.export_id = e.id
), exports AS (
    DELETE FROM api_exports e USING agent WHERE e.agent_id = agent.id
)
DELETE FROM agents a USING agent WHERE a.id = agent.id

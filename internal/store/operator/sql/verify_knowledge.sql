-- verify_knowledge: sources against their passages, postings and files, and has_knowledge of agents and versions.
WITH posted AS (
    SELECT source, passage, count(*) AS terms FROM knowledge_postings GROUP BY source, passage
), stored AS (
    SELECT coalesce(p.source, x.source) AS source, count(p.source) AS passages,
           count(*) FILTER (WHERE coalesce(p.terms, 0) <> coalesce(x.terms, 0)) AS off
    FROM knowledge_passages p FULL JOIN posted x ON x.source = p.source AND x.passage = p.passage
    GROUP BY 1
), has AS (
    SELECT a.account_id, a.id AS agent_id, NULL::int AS number, a.has_knowledge FROM agents a WHERE a.deleted_at IS NULL
    UNION ALL
    SELECT v.account_id, v.agent_id, v.number, v.has_knowledge FROM agent_versions v JOIN agents a ON a.id = v.agent_id AND a.deleted_at IS NULL
), had AS (
    SELECT h.*, EXISTS (SELECT 1 FROM knowledge_sources s WHERE s.agent_id = h.agent_id
        AND CASE WHEN h.number IS NULL THEN upper_inf(s.versions) ELSE s.versions @> h.number END) AS found FROM has h
)
SELECT 'knowledge_is_not_its_passages', coalesce(s.account_id, '00000000-0000-0000-0000-000000000000'),
       format('source %s: %s passages, counted %s, %s of them with other postings', coalesce(s.id::text, 'none'), coalesce(x.passages, 0),
              coalesce(s.passage_count::text, 'none'), coalesce(x.off, 0))
FROM knowledge_sources s FULL JOIN stored x ON x.source = s.number LEFT JOIN agents a ON a.id = s.agent_id
WHERE a.deleted_at IS NULL AND (s.number IS NULL OR x.off > 0 OR s.state = 'READY' AND (s.passage_count <> coalesce(x.passages, 0) OR isempty(s.versions)))
UNION ALL
SELECT 'knowledge_is_not_marked', h.account_id,
       format('agent %s, %s: marked %s, has some %s', h.agent_id, coalesce('version ' || h.number, 'draft'), h.has_knowledge, h.found)
FROM had h WHERE h.has_knowledge <> h.found
UNION ALL
SELECT 'knowledge_is_not_its_file', s.account_id,
       format('source %s: %s, has a file %s, to be read %s', s.id, s.state, f.source IS NOT NULL, f.due_at IS NOT NULL)
FROM knowledge_sources s JOIN agents a ON a.id = s.agent_id AND a.deleted_at IS NULL LEFT JOIN knowledge_files f ON f.source = s.number
WHERE CASE s.state WHEN 'READY' THEN f.source IS NOT NULL WHEN 'FAILED' THEN f.source IS NULL OR f.due_at IS NOT NULL ELSE f.due_at IS NULL END

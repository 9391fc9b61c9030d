-- find_knowledge: the passages of a version, or of the draft, that match a message; see FindKnowledge.
-- $1 account  $2 agent  $3 version (null: the draft)
-- $4 keys of the message's terms bigint[]
-- $5 keys of the message's and the previous message's terms bigint[] (empty: no second search)
-- $6 the most text, in bytes, that is returned without a search; each passage counts 100 more, for its heading
-- $7 the most passages that a search finds
--
-- The conditions on sources are subqueries that the planner cannot turn into a join (IS TRUE). It does not know how many
-- postings a term has, and one lookup in a small hash for each posting is good for few and for many. Scores are integers, so
-- their sum does not depend on the order, and equal passages have the same rank everywhere.
WITH known AS MATERIALIZED (
    SELECT s.number, s.id, s.name, s.bytes, s.passage_count, s.state = 'READY'
           AND CASE WHEN $3::int IS NULL THEN upper_inf(s.versions) ELSE $3::int <= a.published_version AND s.versions @> $3::int END AS allowed
    FROM agents a JOIN knowledge_sources s ON s.agent_id = a.id AND s.account_id = a.account_id
    WHERE a.id = $2::uuid AND a.account_id = $1::uuid AND a.deleted_at IS NULL
), allowed AS MATERIALIZED (
    SELECT * FROM known WHERE allowed
), total AS MATERIALIZED ( -- if every source is allowed, postings need no check
    SELECT sum(passage_count) FILTER (WHERE allowed)::int AS passages, sum(bytes + 100 * passage_count) FILTER (WHERE allowed) <= $6::bigint AS whole,
           bool_and(allowed) AS every FROM known
), asked AS MATERIALIZED ( -- the number of passages with each term, counted only until most have it
    SELECT t.term, t.first, t.second, d.df
    FROM (SELECT term, bool_or(first) AS first, bool_or(NOT first) AS second
          FROM (SELECT unnest($4::bigint[]) AS term, true AS first UNION ALL SELECT unnest($5::bigint[]), false) t GROUP BY term) t
    CROSS JOIN LATERAL (
        SELECT count(*)::int AS df FROM (
            SELECT 1 FROM knowledge_postings p
            WHERE p.term = t.term AND ((SELECT every FROM total) OR (p.source IN (SELECT number FROM allowed)) IS TRUE)
            LIMIT (SELECT CASE WHEN passages > 200 THEN passages / 2 + 1 ELSE passages END FROM total)
        ) p
    ) d
    WHERE (SELECT NOT whole FROM total) AND d.df > 0
), used AS MATERIALIZED ( -- terms of most passages are skipped, unless the question has no others
    SELECT a.term, (1000 * ln(1 + (t.passages - a.df + 0.5) / (a.df + 0.5::float8)))::int AS idf,
           a.first AND (NOT x.common OR bool_and(x.common) FILTER (WHERE a.first) OVER ()) AS first,
           a.second AND (NOT x.common OR bool_and(x.common) FILTER (WHERE a.second) OVER ()) AS second
    FROM asked a CROSS JOIN total t CROSS JOIN LATERAL (SELECT t.passages > 200 AND 2 * a.df > t.passages AS common) x
), scored AS MATERIALIZED (
    SELECT p.source, p.passage, sum(p.weight * u.idf) FILTER (WHERE u.first) AS first, sum(p.weight * u.idf) FILTER (WHERE u.second) AS second
    FROM used u CROSS JOIN LATERAL (
        SELECT p.source, p.passage, p.weight::int FROM knowledge_postings p
        WHERE p.term = u.term AND ((SELECT every FROM total) OR (p.source IN (SELECT number FROM allowed)) IS TRUE)
    ) p
    WHERE u.first OR u.second GROUP BY p.source, p.passage
), ranked AS (
    SELECT r.source, r.passage, row_number() OVER (PARTITION BY r.n ORDER BY r.score DESC, r.source, r.passage) AS rank, r.score
    FROM (
        (SELECT 1 AS n, source, passage, first AS score FROM scored WHERE first IS NOT NULL ORDER BY first DESC, source, passage LIMIT 60)
        UNION ALL
        (SELECT 2, source, passage, second FROM scored WHERE second IS NOT NULL ORDER BY second DESC, source, passage LIMIT 60)
    ) r
), best AS MATERIALIZED (
    SELECT source, passage, max(score) / 1e6::float8 AS score, sum(1 / (60 + rank::float8)) AS fused
    FROM ranked GROUP BY source, passage ORDER BY fused DESC, source, passage LIMIT $7::int
)
SELECT f.whole, s.id AS source_id, s.name, p.passage, p.heading, coalesce(p.page, 0) AS page, p.text, f.score
FROM (
    SELECT false AS whole, source, passage, score, fused FROM best
    UNION ALL
    SELECT true, p.source, p.passage, 0, 0
    FROM allowed s CROSS JOIN LATERAL (SELECT p.source, p.passage FROM knowledge_passages p WHERE p.source = s.number OFFSET 0) p
    WHERE (SELECT whole FROM total)
) f
CROSS JOIN LATERAL (SELECT * FROM knowledge_passages p WHERE p.source = f.source AND p.passage = f.passage LIMIT 1) p
JOIN allowed s ON s.number = f.source
ORDER BY f.fused DESC, f.source, f.passage

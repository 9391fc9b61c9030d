package versions

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/knowledge"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/sources"
)

// DuplicateAgent creates a draft with a checked name and everything else of an agent's draft, its
// READY sources included. It copies all of it or nothing. The sources do not leave the database.
// Chats do not wait. A source that is deleted meanwhile can be missing. Faults: NotFound;
// those of ImportAgent.
func (s Store) DuplicateAgent(
	ctx context.Context, accountID, id uuid.UUID, name string, by *uuid.UUID,
) (agent.Agent, error) {
	original, err := agents.On(s.db).Agent(ctx, accountID, id)
	if err != nil {
		return agent.Agent{}, err
	}
	original.Name = name
	return s.insertWhole(ctx, accountID, original, func(ctx context.Context, out agent.Agent) error {
		return s.copyKnowledge(ctx, id, out, by)
	})
}

// copyKnowledge copies the sources of a draft to a hidden agent.
func (s Store) copyKnowledge(
	ctx context.Context, from uuid.UUID, to agent.Agent, by *uuid.UUID,
) error {
	type source struct {
		Number   int32
		Bytes    int64
		Passages int
	}
	known, err := db.All[source](ctx, s.db, `SELECT s.number, s.bytes, s.passage_count AS passages
		FROM knowledge_sources s WHERE s.agent_id = $1 AND upper_inf(s.versions) ORDER BY s.id`, from)
	left := 0 // passages that are not copied yet
	for _, k := range known {
		left += k.Passages
	}
	for len(known) > 0 && err == nil {
		batch := beginning(known, StepBytes, func(k source) int64 { return k.Bytes })
		numbers := db.Mapped(batch, func(k source) int32 { return k.Number })
		err = s.step(ctx, to, left, func(tx *db.DB) error {
			_, err := db.Exec(ctx, tx, copySources, to.AccountID, sources.NextVersion(to), to.ID, by,
				numbers)
			if err == nil {
				err = On(tx).copyPassages(ctx, from, to.ID, numbers)
			}
			return err
		})
		for _, k := range batch {
			left -= k.Passages
		}
		known = known[len(batch):]
	}
	return err
}

// copySources copies sources. $1 account, $2 number of the next version, $3 agent, $4 who adds them,
// $5 their numbers.
var copySources = `
	INSERT INTO knowledge_sources (id, created_at, account_id, agent_id, kind, name, questions, state,
		size, characters, text, text_hash, passage_count, bytes, pages, encoding, notes, versions,
		created_by)
	SELECT ` + db.NewID + `, n.now, $1::uuid, $3::uuid, n.kind, n.name, n.questions, n.state,
		n.size, n.characters, n.text, n.text_hash, n.passage_count, n.bytes, n.pages, n.encoding, n.notes,
		` + sources.OpenRange + `, $4::uuid
	FROM (
		SELECT k.*, ` + db.OneAfterTheOther("row_number() OVER (ORDER BY k.id)") + ` AS now
		FROM` + db.DatabaseTime + `CROSS JOIN knowledge_sources k WHERE k.number = ANY($5::int[])
	) n ORDER BY n.id`

// copyParts copies passages with their postings. $1 numbers of their sources, $2 those of the
// copies, $3 their own numbers, $4 the difference of the agents' salts.
const copyParts = `
	WITH batch AS MATERIALIZED (
		SELECT * FROM unnest($1::int[], $2::int[], $3::smallint[]) b(source, copy, passage)
	), postings AS (
		INSERT INTO knowledge_postings (term, source, passage, weight)
		SELECT x.term # $4::bigint, b.copy, b.passage, x.weight FROM batch b CROSS JOIN LATERAL (
			SELECT term, weight FROM knowledge_postings x WHERE x.source = b.source
				AND x.passage = b.passage OFFSET 0) x
		ORDER BY 1, 2, 3
	)
	INSERT INTO knowledge_passages (source, passage, heading, page, text, terms)
	SELECT b.copy, b.passage, p.heading, p.page, p.text, p.terms FROM batch b CROSS JOIN LATERAL (
		SELECT * FROM knowledge_passages p WHERE p.source = b.source
			AND p.passage = b.passage OFFSET 0) p`

// copyPassages copies passages and their postings to the copies of sources with these numbers. A
// draft has no text twice, so a copy finds its original by the hash.
func (s Store) copyPassages(ctx context.Context, from, to uuid.UUID, numbers []int32) error {
	type passage struct {
		Source, Copy   int32
		Passage, Terms int16
	}
	known, err := db.All[passage](ctx, s.db, `SELECT s.number AS source, c.number AS copy, p.passage,
		p.terms
		FROM knowledge_sources s JOIN knowledge_sources c ON c.agent_id = $1 AND c.text_hash = s.text_hash
		JOIN knowledge_passages p ON p.source = s.number
		WHERE s.number = ANY($2::int[]) ORDER BY c.number, p.passage`, to, numbers)
	for len(known) > 0 && err == nil {
		batch := beginning(known, sources.AddPostings, func(p passage) int64 { return int64(p.Terms) })
		known = known[len(batch):]
		_, err = db.Exec(ctx, s.db, copyParts,
			db.Mapped(batch, func(p passage) int32 { return p.Source }),
			db.Mapped(batch, func(p passage) int32 { return p.Copy }),
			db.Mapped(batch, func(p passage) int16 { return p.Passage }),
			knowledge.Salt(from)^knowledge.Salt(to))
	}
	return err
}

// beginning returns as many of the first items as weigh at most limit together, and at least one.
func beginning[T any](items []T, limit int64, weight func(T) int64) []T {
	sum := int64(0)
	for i, item := range items {
		if sum += weight(item); sum > limit && i > 0 {
			return items[:i]
		}
	}
	return items
}

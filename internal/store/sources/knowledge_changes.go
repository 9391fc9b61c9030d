package sources

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/knowledge"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

// NewKnowledge describes a source that is READY at once.
type NewKnowledge struct {
	Kind knowledge.Kind
	Name string
	// Questions are the questions of an answer.
	Questions []string
	// Text is the extracted text. Size is the size of the original in bytes. Pages is the number of
	// its pages, or nil.
	Text  string
	Size  int64
	Pages *int
	// Passages are the passages of Text; an answer has one.
	Passages []knowledge.Passage
	// By is the user who adds it; nil for the service itself.
	By *uuid.UUID
}

// Cut returns the checked input with a tidy name and text, its size, and its passages.
func (in NewKnowledge) Cut() NewKnowledge {
	in.Size = int64(len(in.Text))
	if in.Kind == knowledge.Answer {
		in.Name, in.Passages = knowledge.AnswerName(in.Questions),
			[]knowledge.Passage{knowledge.AnswerPassage(in.Questions, in.Text)}
	} else {
		in.Name, in.Passages = strings.TrimSpace(in.Name), knowledge.Passages(in.Text, in.Pages != nil)
	}
	in.Text = knowledge.Clean(in.Text)
	return in
}

// OpenRange is the range of all versions from $2 on, the number of the next one.
const OpenRange = `int4multirange(int4range($2::int, NULL))`

// leaveDraft takes sources s out of the draft, enterDraft puts them in. The transaction has locked
// the agent, so the number of the next version cannot change.
const (
	leaveDraft = `s.versions - ` + OpenRange
	enterDraft = `s.versions + ` + OpenRange
)

// AddKnowledge adds a source to an agent's draft. Faults: NotFound; Conflict for a text that the
// draft already has, which names its source, and for an exceeded limit.
func (s Store) AddKnowledge(
	ctx context.Context, accountID, agentID uuid.UUID, in NewKnowledge,
) (out knowledge.Source, err error) {
	add := NewSource(accountID, agentID, in)
	_, err = s.changeKnowledge(ctx, accountID, agentID, func(tx *db.DB, next int) error {
		if out, err = On(tx).addSource(ctx, add, next); err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, out.ID.String())
	})
	return out, err
}

// ReplaceKnowledge replaces a source of an agent's draft with a new one of the same kind. Versions
// keep the old source; if no version has it, it is deleted. Faults: NotFound; Conflict for a source
// that the draft does not have; those of AddKnowledge.
func (s Store) ReplaceKnowledge(
	ctx context.Context, accountID, id uuid.UUID, in NewKnowledge,
) (out knowledge.Source, err error) {
	agentID, err := s.agentOfSource(ctx, accountID, id)
	if err != nil {
		return out, err
	}
	add := NewSource(accountID, agentID, in)
	_, err = s.changeKnowledge(ctx, accountID, agentID, func(tx *db.DB, next int) error {
		old, err := On(tx).source(ctx, accountID, id)
		if err != nil {
			return err
		}
		if !old.InDraft {
			return onlyEarlier()
		}
		if _, err := On(tx).removeSources(ctx, agentID, next, `s.id = $3`, id); err != nil {
			return err
		}
		if out, err = On(tx).addSource(ctx, add, next); err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, id.String())
	})
	return out, err
}

// RemoveKnowledge takes a source out of its agent's draft. Versions keep it. A source that no
// version has is deleted, which gone reports. Fault: NotFound.
func (s Store) RemoveKnowledge(
	ctx context.Context, accountID, id uuid.UUID,
) (a agent.Agent, gone bool, err error) {
	agentID, err := s.agentOfSource(ctx, accountID, id)
	if err != nil {
		return a, false, err
	}
	a, err = s.changeKnowledge(ctx, accountID, agentID, func(tx *db.DB, next int) error {
		old, err := On(tx).source(ctx, accountID, id)
		if err != nil || !old.InDraft {
			return err
		}
		n, err := On(tx).removeSources(ctx, agentID, next, `s.id = $3`, id)
		if gone = n > 0; err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, id.String())
	})
	return a, gone, err
}

// DeleteKnowledge deletes a source from the draft and from every version. No later message uses it.
// Fault: NotFound.
func (s Store) DeleteKnowledge(ctx context.Context, accountID, id uuid.UUID) (agent.Agent, error) {
	agentID, err := s.agentOfSource(ctx, accountID, id)
	if err != nil {
		return agent.Agent{}, err
	}
	return s.changeKnowledge(ctx, accountID, agentID, func(tx *db.DB, _ int) error {
		if err := db.MustChange(On(tx).DeleteSources(ctx, agentID, `s.id = $2`, id)); err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, id.String())
	})
}

// unusedSource selects the sources s that neither the draft nor the published version of agent a
// has, nor a version to which an export is pinned.
const unusedSource = `NOT ` + InDraft + ` AND NOT s.versions @> coalesce(a.published_version, 0)
	AND NOT EXISTS (
	SELECT 1 FROM api_exports e WHERE e.agent_id = a.id AND e.removed_at IS NULL
		AND s.versions @> e.version)`

// DeleteUnusedKnowledge deletes the sources that only old versions of an agent have, unless an
// export is pinned to one of them. It returns the number of deleted sources. Each deletion is a
// transaction of its own. Fault: NotFound.
func (s Store) DeleteUnusedKnowledge(
	ctx context.Context, accountID, agentID uuid.UUID,
) (deleted int, err error) {
	if _, err := agents.On(s.db).Agent(ctx, accountID, agentID); err != nil {
		return 0, err
	}
	ids, err := db.All[uuid.UUID](ctx, s.db, `SELECT s.id FROM`+SourceTable+`
		WHERE s.account_id = $1 AND s.agent_id = $2 AND `+unusedSource+` ORDER BY s.id`,
		accountID, agentID)
	entry := &audit.OneEntry{AccountID: accountID, Subject: agentID.String()}
	for _, id := range ids {
		if err != nil {
			break
		}
		var n int
		// The draft does not change.
		n, err = audit.On(s.db).InTxRecorded(ctx, entry, func(tx *db.DB) (int, error) {
			if _, err := agents.On(tx).LockAgent(ctx, accountID, agentID); err != nil {
				return 0, err
			}
			return On(tx).DeleteSources(ctx, agentID, `s.id = $2 AND EXISTS (
				SELECT 1 FROM agents a WHERE a.id = s.agent_id AND `+unusedSource+`)`, id)
		})
		deleted += n
	}
	return deleted, err
}

// changeKnowledge changes an agent's sources while the agent is locked. next is the number of its
// next version. The draft counts as changed.
func (s Store) changeKnowledge(
	ctx context.Context, accountID, agentID uuid.UUID, change func(tx *db.DB, next int) error,
) (out agent.Agent, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		out, err = agents.On(tx).LockAgent(ctx, accountID, agentID)
		if err == nil {
			err = change(tx, NextVersion(out))
		}
		if err == nil {
			out, err = On(tx).MarkKnowledgeChanged(ctx, agentID)
		}
		return err
	})
	return out, err
}

// NextVersion returns the number of an agent's next version. The published version is always the
// newest.
func NextVersion(a agent.Agent) int {
	if a.PublishedVersion == nil {
		return 1
	}
	return *a.PublishedVersion + 1
}

// MarkKnowledgeChanged updates an agent that the transaction has locked after its sources changed.
// The draft's revision increases, even if only versions have lost a source.
func (s Store) MarkKnowledgeChanged(ctx context.Context, agentID uuid.UUID) (agent.Agent, error) {
	row, err := db.One[agents.AgentRow](ctx, s.db,
		`UPDATE agents a SET `+agents.SetUpdatedAt+`, draft_revision = a.draft_revision + 1,
			has_knowledge = EXISTS (
			SELECT 1 FROM knowledge_sources s WHERE s.agent_id = a.id AND upper_inf(s.versions))
		WHERE a.id = $1 RETURNING`+agents.AgentColumns, agentID)
	return row.Decoded(), err
}

// agentOfSource returns the agent of a source. Fault: NotFound.
func (s Store) agentOfSource(ctx context.Context, accountID, id uuid.UUID) (uuid.UUID, error) {
	return db.One[uuid.UUID](ctx, s.db, `SELECT s.agent_id FROM`+
		SourceTable+`WHERE s.account_id = $1 AND s.id = $2`, accountID, id)
}

// source returns a source of an account. Fault: NotFound.
func (s Store) source(ctx context.Context, accountID, id uuid.UUID) (knowledge.Source, error) {
	return db.Single(s.sources(ctx, `SELECT`+sourceColumns+`FROM`+
		SourceTable+`WHERE s.account_id = $1 AND s.id = $2`, accountID, id))
}

// removeSources takes sources of an agent out of its draft. It deletes those that no version has,
// and returns how many it deleted.
func (s Store) removeSources(
	ctx context.Context, agentID uuid.UUID, next int, condition string, args ...any,
) (int, error) {
	_, err := db.Exec(ctx, s.db, `UPDATE knowledge_sources s SET versions = `+leaveDraft+`
		WHERE s.agent_id = $1 AND upper_inf(s.versions) AND (`+condition+`)`,
		append([]any{agentID, next}, args...)...)
	if err != nil {
		return 0, err
	}
	return s.DeleteSources(ctx, agentID, `isempty(s.versions) AND $2::int > 0 AND (`+condition+`)`,
		append([]any{next}, args...)...)
}

// RestoreKnowledge gives the draft the sources of a version again, except for deleted ones, and
// reports whether that changed the draft. Sources that only the draft had are deleted.
func (s Store) RestoreKnowledge(
	ctx context.Context, a agent.Agent, version int,
) (changed bool, err error) {
	next := NextVersion(a)
	entered, err := db.Exec(ctx, s.db, `UPDATE knowledge_sources s SET versions = `+enterDraft+`
		WHERE s.agent_id = $1 AND NOT upper_inf(s.versions) AND s.versions @> $3::int`,
		a.ID, next, version)
	if err != nil {
		return false, err
	}
	left, err := db.One[int](ctx, s.db, `SELECT count(*) FROM knowledge_sources s
		WHERE s.agent_id = $1 AND `+InDraft+` AND NOT s.versions @> $2::int`, a.ID, version)
	if err != nil || entered+left == 0 {
		return false, err
	}
	_, err = s.removeSources(ctx, a.ID, next, `NOT s.versions @> $3::int`, version)
	return true, err
}

// DeletePostings is the number of postings that one statement deletes, besides those of its last
// passage. Each is on another page: 40,000 of them took 2.6 s on a busy machine.
const DeletePostings = 10_000

// DeletePassagesOf returns a statement that deletes passages of the agent $1 with $2 postings, and
// at least one passage that no other transaction has locked. The condition selects their sources s.
func DeletePassagesOf(condition string) string {
	return `
		WITH batch AS MATERIALIZED (
			SELECT source, passage FROM (
				SELECT p.*, sum(terms) OVER (ROWS UNBOUNDED PRECEDING) - terms AS before FROM (
					SELECT p.source, p.passage, p.terms FROM knowledge_sources s
						JOIN knowledge_passages p ON p.source = s.number
					WHERE s.agent_id = $1 AND ` + condition + ` LIMIT 200 FOR UPDATE OF p SKIP LOCKED) p
				) p WHERE before < $2
		), postings AS (
			DELETE FROM knowledge_postings x USING batch b WHERE x.source = b.source
				AND x.passage = b.passage
		)
		DELETE FROM knowledge_passages p USING batch b WHERE p.source = b.source
			AND p.passage = b.passage`
}

// DeleteSources deletes the sources s of the agent $1 that a condition selects, with their passages
// and files. It returns how many it deleted. Versions that lost their last source are unmarked.
func (s Store) DeleteSources(
	ctx context.Context, agentID uuid.UUID, condition string, args ...any,
) (int, error) {
	numbers, err := db.All[int32](ctx, s.db, `SELECT s.number FROM knowledge_sources s
		WHERE s.agent_id = $1 AND `+condition,
		append([]any{agentID}, args...)...)
	if err != nil || len(numbers) == 0 {
		return 0, err
	}
	for n := 1; n > 0; {
		if n, err = db.Exec(ctx, s.db, DeletePassagesOf(`s.number = ANY($3::int[])`), agentID,
			DeletePostings, numbers); err != nil {
			return 0, err
		}
	}
	n, err := db.Exec(ctx, s.db, `DELETE FROM knowledge_sources WHERE number = ANY($1::int[])`,
		numbers)
	if err == nil {
		_, err = db.Exec(ctx, s.db, `UPDATE agent_versions v SET has_knowledge = false
			WHERE v.agent_id = $1 AND v.has_knowledge AND NOT EXISTS (
			SELECT 1 FROM knowledge_sources s WHERE s.agent_id = v.agent_id AND s.versions @> v.number)`,
			agentID)
	}
	return n, err
}

func (in NewKnowledge) questions() *string {
	if len(in.Questions) == 0 {
		return nil
	}
	text, err := json.Marshal(in.Questions)
	if err != nil {
		panic(err) // strings can always be encoded
	}
	whole := string(text)
	return &whole
}

// hash identifies a text, to find duplicates. The hash of an answer covers its questions too.
func (in NewKnowledge) hash() []byte {
	text := in.Text
	if in.Kind == knowledge.Answer && len(in.Passages) == 1 {
		text = in.Passages[0].Text
	}
	sum := knowledge.Digest(text)
	return sum[:]
}

// sameText returns the name of the draft's source with the same text, or "".
func (s Store) sameText(ctx context.Context, agentID uuid.UUID, hash []byte) (string, error) {
	names, err := db.All[string](ctx, s.db, `SELECT s.name FROM knowledge_sources s
		WHERE s.agent_id = $1 AND s.text_hash = $2 AND `+InDraft+`
		ORDER BY s.id LIMIT 1`, agentID, hash)
	if err != nil || len(names) == 0 {
		return "", err
	}
	return names[0], nil
}

package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
)

// defaultKnowledgePassages is how many passages the agents of an account may have together, unless the operator has another number for it.
const defaultKnowledgePassages = 100_000

// One statement adds this many passages, or postings, so that none takes long.
const (
	addPassages = 200
	addPostings = 20_000
)

// posting is a row of knowledge_postings.
type posting struct {
	term            int64
	passage, weight int16
}

// addedSource is a source with what is computed before the agent is locked.
type addedSource struct {
	NewKnowledge
	accountID, agentID uuid.UUID
	hash               []byte
	bytes              int64
	// terms is how many postings each passage has.
	terms    []int16
	postings []posting
}

func newSource(accountID, agentID uuid.UUID, in NewKnowledge) *addedSource {
	out := &addedSource{NewKnowledge: in, accountID: accountID, agentID: agentID, hash: in.hash(), terms: make([]int16, len(in.Passages))}
	for i, p := range in.Passages {
		terms := p.Terms()
		counts := map[int64]int{}
		for _, term := range terms {
			counts[knowledge.Key(agentID, term)]++
		}
		for key, count := range counts {
			out.postings = append(out.postings, posting{key, int16(i + 1), knowledge.Weight(count, len(terms))})
		}
		out.terms[i], out.bytes = int16(len(counts)), out.bytes+int64(len(p.Text))
	}
	// In the order of their index, whose pages are then written one after the other.
	slices.SortFunc(out.postings, func(a, b posting) int { return cmp.Or(cmp.Compare(a.term, b.term), cmp.Compare(a.passage, b.passage)) })
	return out
}

// addSource adds a source to the draft of an agent that the transaction has locked.
func (s *Store) addSource(ctx context.Context, in *addedSource, next int) (knowledge.Source, error) {
	var none knowledge.Source
	same, err := s.sameText(ctx, in.agentID, in.hash)
	if err == nil && same != "" {
		err = alreadyKnown(same)
	}
	if err != nil {
		return none, err
	}
	if err := s.room(ctx, in.accountID, in.agentID, in.use()); err != nil {
		return none, err
	}
	id, err := s.insertSource(ctx, in, next)
	if err == nil {
		err = s.checkAccountsPassages(ctx, in.accountID)
	}
	if err != nil {
		return none, err
	}
	return s.source(ctx, in.accountID, id)
}

// use is how much more an agent knows with the source.
func (in *addedSource) use() knowledge.Use {
	more := knowledge.Use{Passages: len(in.Passages), Bytes: in.bytes}
	if in.Kind != knowledge.Answer {
		more.Sources = 1
	}
	return more
}

// insertSource inserts a source of the draft with its passages and postings, and returns its id.
func (s *Store) insertSource(ctx context.Context, in *addedSource, next int) (uuid.UUID, error) {
	added, err := one[struct {
		ID     uuid.UUID
		Number int32
	}](ctx, s, `
		INSERT INTO knowledge_sources (id, created_at, account_id, agent_id, kind, name, questions, state, size, characters, text,
			text_hash, passage_count, bytes, pages, versions, created_by)
		SELECT `+newID+`, n.now, $1::uuid, $3::uuid, $4::text, $5::text, $6::jsonb, 'READY', $7::bigint, $8::int, $9::text, $10::bytea,
			$11::int, $12::bigint, $13::int, `+openRange+`, $14::uuid FROM`+databaseTime+`RETURNING id, number`,
		in.accountID, next, in.agentID, in.Kind, in.Name, in.questions(), in.Size, utf8.RuneCountInString(in.Text), in.Text, in.hash,
		len(in.Passages), in.bytes, in.Pages, in.By)
	if err == nil {
		err = s.addParts(ctx, in, added.Number)
	}
	return added.ID, err
}

// room reports whether an agent may know more. Fault: Conflict.
func (s *Store) room(ctx context.Context, accountID, agentID uuid.UUID, more knowledge.Use) error {
	used, err := s.KnowledgeUseByAgents(ctx, accountID, []uuid.UUID{agentID})
	if err == nil {
		err = used[agentID].Room(more)
	}
	return err
}

// addParts adds the passages and the postings of a source.
func (s *Store) addParts(ctx context.Context, in *addedSource, number int32) error {
	at := 0
	for batch := range slices.Chunk(in.Passages, addPassages) {
		_, err := s.exec(ctx, `INSERT INTO knowledge_passages (source, passage, heading, page, text, terms)
			SELECT $1::int, $2::int + p.n, p.heading, nullif(p.page, 0), p.text, p.terms
			FROM unnest($3::text[], $4::int[], $5::text[], $6::smallint[]) WITH ORDINALITY p(heading, page, text, terms, n)`, number, at,
			mapped(batch, func(p knowledge.Passage) string { return p.Heading }),
			mapped(batch, func(p knowledge.Passage) int { return p.Page }),
			mapped(batch, func(p knowledge.Passage) string { return p.Text }), in.terms[at:at+len(batch)])
		if err != nil {
			return err
		}
		at += len(batch)
	}
	for batch := range slices.Chunk(in.postings, addPostings) {
		_, err := s.exec(ctx, `INSERT INTO knowledge_postings (term, source, passage, weight)
			SELECT p.term, $1::int, p.passage, p.weight FROM unnest($2::bigint[], $3::smallint[], $4::smallint[]) p(term, passage, weight)`,
			number, mapped(batch, func(p posting) int64 { return p.term }), mapped(batch, func(p posting) int16 { return p.passage }),
			mapped(batch, func(p posting) int16 { return p.weight }))
		if err != nil {
			return err
		}
	}
	return nil
}

// sumOfAccount returns what a statement adds up over an account, for its limit. Call it last of all: every chat of the account needs its
// row, which this locks. Whoever adds at the same time waits here, and then sees what was added.
func (s *Store) sumOfAccount(ctx context.Context, text string, accountID uuid.UUID) (int, error) {
	if _, err := one[uuid.UUID](ctx, s, `SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE`, accountID); err != nil {
		return 0, err
	}
	return one[int](ctx, s, text, accountID)
}

// checkAccountsPassages checks the limit of an account. Fault: Conflict.
func (s *Store) checkAccountsPassages(ctx context.Context, accountID uuid.UUID) error {
	n, err := s.sumOfAccount(ctx, `SELECT coalesce(sum(passage_count), 0) FROM knowledge_sources WHERE account_id = $1`, accountID)
	most := cmp.Or(s.cfg.KnowledgePassages, defaultKnowledgePassages)
	if err == nil && n > most {
		err = fault.New(fault.Conflict, fmt.Sprintf("The agents of an account can have %d passages together, those of old versions "+
			"included. Delete sources first.", most))
	}
	return err
}

// alreadyKnown refuses a text that the draft has by a name.
func alreadyKnown(name string) error {
	return fault.New(fault.Conflict, fmt.Sprintf("The agent has this text already, as “%s”.", name))
}

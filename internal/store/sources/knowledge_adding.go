package sources

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/internal/db"
)

// defaultKnowledgePassages is the default of Config.KnowledgePassages: the most passages that the
// agents of an account can have together.
const defaultKnowledgePassages = 100_000

// Passages and postings that one statement adds, so that each statement is short.
const (
	addPassages = 200
	AddPostings = 20_000
)

// posting is a row of knowledge_postings, without its source.
type posting struct {
	term            int64
	passage, weight int16
}

// AddedSource is a new source, with everything that is computed before the agent is locked.
type AddedSource struct {
	NewKnowledge
	accountID, agentID uuid.UUID
	Hash               []byte
	bytes              int64
	// id and number are set when the row is inserted.
	id     uuid.UUID
	number int32
	// terms counts the postings of each passage.
	terms    []int16
	postings []posting
}

// NewSource computes the rows of a new source.
func NewSource(accountID, agentID uuid.UUID, in NewKnowledge) *AddedSource {
	out := &AddedSource{NewKnowledge: in, accountID: accountID, agentID: agentID, Hash: in.hash(),
		terms: make([]int16, len(in.Passages))}
	for i, p := range in.Passages {
		terms := p.Terms()
		counts := map[int64]int{}
		for _, term := range terms {
			counts[knowledge.Key(agentID, term)]++
		}
		for key, count := range counts {
			out.postings = append(out.postings, posting{key, int16(i + 1),
				knowledge.Weight(count, len(terms))})
		}
		out.terms[i], out.bytes = int16(len(counts)), out.bytes+int64(len(p.Text))
	}
	return out
}

// addSource adds a source to the draft of an agent that the transaction has locked.
func (s Store) addSource(ctx context.Context, in *AddedSource, next int) (knowledge.Source, error) {
	var none knowledge.Source
	same, err := s.sameText(ctx, in.agentID, in.Hash)
	if err == nil && same != "" {
		err = AlreadyKnown(same)
	}
	if err != nil {
		return none, err
	}
	if err := s.room(ctx, in.accountID, in.agentID, in.Use()); err != nil {
		return none, err
	}
	err = s.InsertSources(ctx, []*AddedSource{in}, next)
	if err == nil {
		err = s.CheckAccountsPassages(ctx, in.accountID)
	}
	if err != nil {
		return none, err
	}
	return s.source(ctx, in.accountID, in.id)
}

// Use returns what the source adds to its agent's use.
func (in *AddedSource) Use() knowledge.Use {
	more := knowledge.Use{Passages: len(in.Passages), Bytes: in.bytes}
	if in.Kind != knowledge.Answer {
		more.Sources = 1
	}
	return more
}

// InsertSources inserts sources into an agent's draft, with their passages and postings. One user
// adds them all. Lists show them in this order.
func (s Store) InsertSources(ctx context.Context, in []*AddedSource, next int) error {
	added, err := db.All[struct {
		ID     uuid.UUID
		Number int32
	}](ctx, s.db, `
		INSERT INTO knowledge_sources (id, created_at, account_id, agent_id, kind, name, questions, state,
			size, characters, text,
			text_hash, passage_count, bytes, pages, versions, created_by)
		SELECT `+db.NewID+`, n.now, $1::uuid, $3::uuid, n.kind, n.name, n.questions::jsonb, 'READY', n.size, length(n.text), n.text, n.hash,
			n.passages, n.bytes, n.pages, `+OpenRange+`, $4::uuid
		FROM (
			SELECT k.*, `+db.OneAfterTheOther("k.place")+` AS now
				FROM`+db.DatabaseTime+`CROSS JOIN unnest($5::text[], $6::text[], $7::text[],
				$8::bigint[], $9::text[], $10::bytea[], $11::int[], $12::bigint[], $13::int[])
			WITH ORDINALITY k(kind, name, questions, size, text, hash, passages, bytes, pages, place)
		) n ORDER BY n.place RETURNING id, number`,
		in[0].accountID, next, in[0].agentID, in[0].By,
		db.Mapped(in, func(a *AddedSource) string { return string(a.Kind) }),
		db.Mapped(in, func(a *AddedSource) string { return a.Name }),
		db.Mapped(in, func(a *AddedSource) *string { return a.questions() }),
		db.Mapped(in, func(a *AddedSource) int64 { return a.Size }),
		db.Mapped(in, func(a *AddedSource) string { return a.Text }),
		db.Mapped(in, func(a *AddedSource) []byte { return a.Hash }),
		db.Mapped(in, func(a *AddedSource) int { return len(a.Passages) }),
		db.Mapped(in, func(a *AddedSource) int64 { return a.bytes }),
		db.Mapped(in, func(a *AddedSource) *int { return a.Pages }))
	if err != nil {
		return err
	}
	for i, a := range in {
		a.id, a.number = added[i].ID, added[i].Number
	}
	return s.addParts(ctx, in)
}

// room checks that an agent can have more knowledge. Fault: Conflict.
func (s Store) room(ctx context.Context, accountID, agentID uuid.UUID, more knowledge.Use) error {
	used, err := s.KnowledgeUseByAgents(ctx, accountID, []uuid.UUID{agentID})
	if err == nil {
		err = used[agentID].Room(more)
	}
	return err
}

// addParts adds the passages and postings of sources that have their numbers.
func (s Store) addParts(ctx context.Context, in []*AddedSource) error {
	type passage struct {
		knowledge.Passage
		source        int32
		number, terms int16
	}
	type sourced struct {
		posting
		source int32
	}
	var passages []passage
	var postings []sourced
	for _, a := range in {
		for i, p := range a.Passages {
			passages = append(passages, passage{p, a.number, int16(i + 1), a.terms[i]})
		}
		for _, p := range a.postings {
			postings = append(postings, sourced{p, a.number})
		}
	}
	for batch := range slices.Chunk(passages, addPassages) {
		_, err := db.Exec(ctx, s.db, `INSERT INTO knowledge_passages (source, passage, heading, page,
			text, terms)
			SELECT source, passage, heading, nullif(page, 0), text, terms
				FROM unnest($1::int[], $2::smallint[], $3::text[], $4::int[],
				$5::text[], $6::smallint[]) p(source, passage, heading, page, text, terms)`,
			db.Mapped(batch, func(p passage) int32 { return p.source }),
			db.Mapped(batch, func(p passage) int16 { return p.number }),
			db.Mapped(batch, func(p passage) string { return p.Heading }),
			db.Mapped(batch, func(p passage) int { return p.Page }),
			db.Mapped(batch, func(p passage) string { return p.Text }),
			db.Mapped(batch, func(p passage) int16 { return p.terms }))
		if err != nil {
			return err
		}
	}
	// Sorting by the index writes its pages one after the other, in a third of the time.
	slices.SortFunc(postings, func(a, b sourced) int {
		return cmp.Or(cmp.Compare(a.term, b.term), cmp.Compare(a.source, b.source),
			cmp.Compare(a.passage, b.passage))
	})
	for batch := range slices.Chunk(postings, AddPostings) {
		_, err := db.Exec(ctx, s.db, `INSERT INTO knowledge_postings (term, source, passage, weight)
			SELECT * FROM unnest($1::bigint[], $2::int[], $3::smallint[], $4::smallint[])`,
			db.Mapped(batch, func(p sourced) int64 { return p.term }),
			db.Mapped(batch, func(p sourced) int32 { return p.source }),
			db.Mapped(batch, func(p sourced) int16 { return p.passage }),
			db.Mapped(batch, func(p sourced) int16 { return p.weight }))
		if err != nil {
			return err
		}
	}
	return nil
}

// SumOfAccount runs a statement that adds up something over an account, to check a limit. Call it
// last: it locks the account's row, which every chat of the account needs. Concurrent additions
// wait here, and then see each other.
func (s Store) SumOfAccount(ctx context.Context, text string, accountID uuid.UUID) (int, error) {
	if _, err := db.One[uuid.UUID](ctx, s.db, `SELECT id FROM accounts WHERE id = $1
		FOR NO KEY UPDATE`, accountID); err != nil {
		return 0, err
	}
	return db.One[int](ctx, s.db, text, accountID)
}

// sumOfAccount counts the passages of all agents of an account, hidden and deleted ones included.
const sumOfAccount = `SELECT coalesce(sum(passage_count), 0) FROM knowledge_sources
	WHERE account_id = $1`

// CheckAccountsPassages checks the passage limit of an account. Fault: Conflict.
func (s Store) CheckAccountsPassages(ctx context.Context, accountID uuid.UUID) error {
	n, err := s.SumOfAccount(ctx, sumOfAccount, accountID)
	return cmp.Or(err, s.accountsRoom(n))
}

// EstimateRoom locks a hidden agent against its removal, and checks the passage limit of its account
// for more passages. It does not lock the account, so that chats need not wait: concurrent additions
// can exceed the limit until CheckAccountsPassages. Faults: NotFound for an agent that is no longer
// hidden; Conflict.
func (s Store) EstimateRoom(ctx context.Context, a agent.Agent, more int) error {
	n, err := db.One[int](ctx, s.db, `
		WITH hidden AS MATERIALIZED (SELECT FROM agents WHERE id = $2 AND`+agents.Hidden+`FOR KEY SHARE)
		SELECT (`+sumOfAccount+`) FROM hidden`, a.AccountID, a.ID)
	return cmp.Or(err, s.accountsRoom(n+more))
}

// accountsRoom checks a number of passages of an account. Fault: Conflict.
func (s Store) accountsRoom(passages int) error {
	most := cmp.Or(db.ConfigOf(s.db).KnowledgePassages, defaultKnowledgePassages)
	if passages <= most {
		return nil
	}
	return fault.New(fault.Conflict,
		fmt.Sprintf("The agents of an account can have %d passages together, including "+
			"those of old versions. Delete sources first.", most))
}

// AlreadyKnown returns the Conflict for a text that the draft has under a name.
func AlreadyKnown(name string) error {
	return fault.New(fault.Conflict, fmt.Sprintf("The agent already has this text as “%s”.", name))
}

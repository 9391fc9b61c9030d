package sources

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

// answersPerCommit is the number of answers that a transaction of ImportAnswers adds.
const answersPerCommit = 100

// ImportAnswers adds answers to an agent's draft, 100 in a transaction. Answers that an interrupted
// call has added stay, and a repeated call skips them. For each answer it returns nil, or the
// Conflict that refused it: the draft already has it, or a limit of the agent or of the account is
// exceeded, which also refuses all later answers. Fault: NotFound.
func (s Store) ImportAnswers(
	ctx context.Context, accountID, agentID uuid.UUID, in []NewKnowledge,
) ([]error, error) {
	if _, err := agents.On(s.db).Agent(ctx, accountID, agentID); err != nil {
		return nil, err
	}
	var refused []error
	var full error
	entry := &audit.OneEntry{AccountID: accountID, Subject: agentID.String()}
	for batch := range slices.Chunk(in, answersPerCommit) {
		if full != nil {
			refused = append(refused, slices.Repeat([]error{full}, len(batch))...)
			continue
		}
		add := make([]*AddedSource, len(batch))
		for i := range batch {
			add[i] = NewSource(accountID, agentID, batch[i])
		}
		var faults []error
		_, err := audit.On(s.db).InTxRecorded(ctx, entry, func(tx *db.DB) (n int, err error) {
			faults, full, n, err = On(tx).addAnswers(ctx, add)
			return n, err
		})
		if fault.Is(err, fault.Conflict) { // another import has reached the account's limit first
			faults, full, err = slices.Repeat([]error{err}, len(batch)), err, nil
		}
		if err != nil {
			return nil, err
		}
		refused = append(refused, faults...)
	}
	return refused, nil
}

// addAnswers adds the answers of one transaction. full is the fault of an exceeded limit, which
// refuses the rest of them. Fault: Conflict if the account's limit was exceeded meanwhile.
func (s Store) addAnswers(
	ctx context.Context, in []*AddedSource,
) (refused []error, full error, added int, err error) {
	accountID, agentID := in[0].accountID, in[0].agentID
	a, err := agents.On(s.db).LockAgent(ctx, accountID, agentID)
	if err != nil {
		return nil, nil, 0, err
	}
	refused, err = s.known(ctx, agentID,
		db.Mapped(in, func(a *AddedSource) NewKnowledge { return a.NewKnowledge }))
	if err != nil {
		return nil, nil, 0, err
	}
	used, err := s.KnowledgeUseByAgents(ctx, accountID, []uuid.UUID{agentID})
	if err != nil {
		return nil, nil, 0, err
	}
	passages, err := db.One[int](ctx, s.db, sumOfAccount, accountID)
	if err != nil {
		return nil, nil, 0, err
	}
	use := used[agentID].Use
	var fit []*AddedSource
	for i, add := range in {
		if refused[i] != nil {
			continue
		}
		more := add.Use()
		if full == nil {
			full = cmp.Or(use.Room(more), s.accountsRoom(passages+more.Passages))
		}
		if refused[i] = full; full != nil {
			continue
		}
		use.Passages, use.Bytes = use.Passages+more.Passages, use.Bytes+more.Bytes
		passages += more.Passages
		fit = append(fit, add)
	}
	if len(fit) == 0 {
		return refused, full, 0, nil
	}
	err = s.InsertSources(ctx, fit, NextVersion(a))
	if err == nil {
		_, err = s.MarkKnowledgeChanged(ctx, agentID)
	}
	if err == nil {
		err = s.CheckAccountsPassages(ctx, accountID)
	}
	return refused, full, len(fit), err
}

// KnownAnswers returns, for each answer, the Conflict that ImportAnswers would return because the
// draft has it already, or nil. Fault: NotFound.
func (s Store) KnownAnswers(
	ctx context.Context, accountID, agentID uuid.UUID, in []NewKnowledge,
) ([]error, error) {
	if _, err := agents.On(s.db).Agent(ctx, accountID, agentID); err != nil {
		return nil, err
	}
	return s.known(ctx, agentID, in)
}

// known returns AlreadyKnown for each answer that the draft or an earlier one of the answers has,
// and nil for the others.
func (s Store) known(ctx context.Context, agentID uuid.UUID, in []NewKnowledge) ([]error, error) {
	type source struct {
		TextHash []byte
		Name     string
	}
	found, err := db.All[source](ctx, s.db, `SELECT s.text_hash, s.name FROM knowledge_sources s
		WHERE s.agent_id = $1 AND s.text_hash = ANY($2::bytea[]) AND `+InDraft+` ORDER BY s.id DESC`,
		agentID, db.Mapped(in, NewKnowledge.hash))
	if err != nil {
		return nil, err
	}
	names := make(map[string]string, len(in)) // by hash
	for _, f := range found {
		names[string(f.TextHash)] = f.Name
	}
	refused := make([]error, len(in))
	for i, answer := range in {
		hash := string(answer.hash())
		if name, had := names[hash]; had {
			refused[i] = AlreadyKnown(name)
		}
		names[hash] = answer.Name
	}
	return refused, nil
}

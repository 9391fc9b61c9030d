package tests

import (
	"bytes"
	"context"
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/evaluation"
	"agentchat/internal/fault"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

const (
	// maxAccountsDocuments is the largest total size of an account's documents, including those of
	// ended cases, in bytes.
	maxAccountsDocuments = 64 << 20
	// KeepField is the audit trail's field of a change that unlinks a case from its conversation.
	KeepField = "keep"
)

// document is the JSON text of a case, with the properties that have columns.
type document struct {
	text                string
	enabled, hasResults bool
	judgeChecks         int
}

func documentOf(c *evaluation.Case) document {
	return document{string(c.Document()), c.Enabled, len(c.ActionResults) > 0, len(c.JudgeChecks())}
}

// CreateCase adds a case to an agent. If made from a turn of the same agent, it is erased with the
// turn's conversation. Faults: NotFound, also for a turn of a test run; Conflict for an exceeded limit.
func (s Store) CreateCase(
	ctx context.Context, accountID, agentID uuid.UUID, in *evaluation.Case, turnID, by *uuid.UUID,
) (out Case, err error) {
	err = s.whileLocked(ctx, accountID, agentID, func(tx Store) error {
		var conversation *uuid.UUID
		if turnID != nil {
			found, err := db.One[uuid.UUID](ctx, tx.db, `SELECT c.id FROM turns t
				JOIN conversations c ON c.id = t.conversation_id
				WHERE t.id = $1 AND t.agent_id = $2 AND t.source <> 'TEST' AND c.deleted_at IS NULL
				FOR KEY SHARE OF c`, *turnID, agentID)
			if err != nil {
				return err
			}
			conversation = &found
		}
		added, err := tx.addCases(ctx, accountID, agentID, []document{documentOf(in)}, conversation, by)
		if err != nil {
			return err
		}
		out = added[0]
		return audit.On(tx.db).RecordIn(ctx, accountID, out.ID.String())
	})
	return out, err
}

// ImportCases adds cases to an agent, all or none. Faults: NotFound; Conflict for an exceeded limit.
func (s Store) ImportCases(
	ctx context.Context, accountID, agentID uuid.UUID, in []*evaluation.Case, by *uuid.UUID,
) error {
	return s.whileLocked(ctx, accountID, agentID, func(tx Store) error {
		if _, err := tx.addCases(ctx, accountID, agentID, db.Mapped(in, documentOf), nil, by); err != nil {
			return err
		}
		return audit.On(tx.db).RecordIn(ctx, accountID, agentID.String())
	})
}

// UpdateCase replaces a case with a new one; a nil document keeps the old one. With keep, the new case
// is not linked to a conversation. It writes nothing if nothing changes. Faults: NotFound;
// Conflict for a case that has ended, and for an exceeded limit.
func (s Store) UpdateCase(
	ctx context.Context, accountID, id uuid.UUID, in *evaluation.Case, keep bool, by *uuid.UUID,
) (out Case, err error) {
	agentID, err := s.agentOf(ctx, accountID, []uuid.UUID{id})
	if err != nil {
		return out, err
	}
	err = s.whileLocked(ctx, accountID, agentID, func(tx Store) error {
		found, err := tx.lockCases(ctx, agentID, []uuid.UUID{id})
		if err != nil {
			return err
		}
		old := found[0]
		out = old
		if in == nil {
			if in, err = evaluation.Parse([]byte(old.Document)); err != nil {
				return fault.Wrap(fault.Internal, err)
			}
		}
		next := documentOf(in)
		unlink := keep && old.ConversationID != nil
		if next.text == old.Document && !unlink {
			return nil
		}
		conversation, fields := old.ConversationID, []string{}
		if unlink {
			conversation, fields = nil, []string{KeepField}
		}
		if err := tx.endCases(ctx, []uuid.UUID{id}); err != nil {
			return err
		}
		added, err := tx.insertCases(ctx, accountID, agentID, []document{next}, old.Number, conversation, by)
		if err != nil {
			return err
		}
		out = added[0]
		return audit.On(tx.db).RecordIn(ctx, accountID, out.ID.String(), fields...)
	})
	return out, err
}

// DeleteCases ends cases of one agent, all or none. Faults: NotFound; Conflict for a case that has
// ended; InvalidInput on ids for cases of several agents.
func (s Store) DeleteCases(ctx context.Context, accountID uuid.UUID, ids []uuid.UUID) error {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	ids = slices.Compact(ids)
	agentID, err := s.agentOf(ctx, accountID, ids)
	if err != nil {
		return err
	}
	return s.whileLocked(ctx, accountID, agentID, func(tx Store) error {
		if _, err := tx.lockCases(ctx, agentID, ids); err != nil {
			return err
		}
		if err := tx.endCases(ctx, ids); err != nil {
			return err
		}
		return audit.On(tx.db).RecordIn(ctx, accountID, agentID.String())
	})
}

// whileLocked changes an agent's cases in a transaction that locks the agent, so that changes of cases,
// publishing and starts of runs see each other's results.
func (s Store) whileLocked(
	ctx context.Context, accountID, agentID uuid.UUID, change func(tx Store) error,
) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		if _, err := agents.On(tx).LockAgent(ctx, accountID, agentID); err != nil {
			return err
		}
		return change(On(tx))
	})
}

// agentOf returns the agent of cases. Faults: NotFound; InvalidInput on ids if they are of several
// agents.
func (s Store) agentOf(ctx context.Context, accountID uuid.UUID, ids []uuid.UUID) (uuid.UUID, error) {
	found, err := db.All[uuid.UUID](ctx, s.db, `SELECT DISTINCT agent_id FROM test_cases
		WHERE account_id = $1 AND id = ANY($2::uuid[])`, accountID, db.Texts(ids))
	if len(found) > 1 {
		return uuid.Nil, fault.Invalid(fault.Field{Path: "ids", Reason: fault.InvalidValue,
			Message: "These are cases of several agents. Delete the cases of one agent at a time."})
	}
	return db.Single(found, err)
}

// lockCases returns current cases, with distinct ids, of an agent that the transaction has locked. It
// also locks their conversations, so a deletion either waits or has already erased its cases. Faults:
// NotFound if a case is missing; Conflict if one has ended.
func (s Store) lockCases(
	ctx context.Context, agentID uuid.UUID, ids []uuid.UUID,
) ([]Case, error) {
	_, err := db.Exec(ctx, s.db, `SELECT FROM conversations WHERE id IN (SELECT conversation_id
		FROM test_cases WHERE id = ANY($1::uuid[]) AND agent_id = $2) ORDER BY id FOR KEY SHARE`,
		db.Texts(ids), agentID)
	if err != nil {
		return nil, err
	}
	found, err := db.All[Case](ctx, s.db, `SELECT`+caseColumns+`
		FROM test_cases c WHERE c.id = ANY($1::uuid[]) AND c.agent_id = $2 AND c.erased_at IS NULL`,
		db.Texts(ids), agentID)
	if err == nil && len(found) < len(ids) {
		err = fault.Wrap(fault.NotFound, nil)
	}
	if err == nil && slices.ContainsFunc(found, func(c Case) bool { return c.EndedAt != nil }) {
		err = fault.New(fault.Conflict,
			"The test case was changed or deleted elsewhere. Reload it and try again.")
	}
	return found, err
}

func (s Store) endCases(ctx context.Context, ids []uuid.UUID) error {
	_, err := db.Exec(ctx, s.db, `UPDATE test_cases SET ended_at = clock_timestamp()
		WHERE id = ANY($1::uuid[])`, db.Texts(ids))
	return err
}

// addCases adds cases with new numbers to an agent that the transaction has locked. Fault: Conflict
// for an exceeded limit.
func (s Store) addCases(
	ctx context.Context, accountID, agentID uuid.UUID, in []document, conversation, by *uuid.UUID,
) ([]Case, error) {
	had, err := db.One[int](ctx, s.db, `SELECT count(*) FROM test_cases c WHERE c.agent_id = $1 AND`+
		current, agentID)
	if err == nil && had+len(in) > evaluation.MaxCases {
		err = fault.New(fault.Conflict,
			"An agent can have 500 test cases. Delete some that you no longer need.")
	}
	if err != nil {
		return nil, err
	}
	last, err := db.One[int](ctx, s.db, `UPDATE agents SET last_test_case = last_test_case + $2
		WHERE id = $1 RETURNING last_test_case`, agentID, len(in))
	if err != nil {
		return nil, err
	}
	return s.insertCases(ctx, accountID, agentID, in, last-len(in)+1, conversation, by)
}

// insertCases inserts cases numbered from first. Fault: Conflict if the account's cases have too much
// text. Call it last: concurrent changes of an account's cases wait here.
func (s Store) insertCases(
	ctx context.Context, accountID, agentID uuid.UUID, in []document, first int,
	conversation, by *uuid.UUID,
) ([]Case, error) {
	added, err := db.All[Case](ctx, s.db, `
		INSERT INTO test_cases AS c (id, created_at, account_id, agent_id, number, document, enabled, has_results,
			judge_checks, conversation_id, created_by)
		SELECT `+db.NewID+`, n.now, $1::uuid, $2::uuid, $3::int + n.place - 1, n.document, n.enabled, n.has_results,
			n.judge_checks, $4::uuid, $5::uuid
		FROM (
			SELECT k.*, `+db.OneAfterTheOther("k.place")+` AS now FROM`+db.DatabaseTime+`
			CROSS JOIN unnest($6::text[], $7::boolean[], $8::boolean[], $9::int[])
				WITH ORDINALITY k(document, enabled, has_results, judge_checks, place)
		) n ORDER BY n.place RETURNING`+caseColumns, accountID, agentID, first, conversation, by,
		db.Mapped(in, func(d document) string { return d.text }),
		db.Mapped(in, func(d document) bool { return d.enabled }),
		db.Mapped(in, func(d document) bool { return d.hasResults }),
		db.Mapped(in, func(d document) int64 { return int64(d.judgeChecks) }))
	if err == nil {
		err = s.checkAccountsDocuments(ctx, accountID)
	}
	return added, err
}

// checkAccountsDocuments checks the limit on the size of an account's documents. Its lock
// makes concurrent changes see each other. Fault: Conflict.
func (s Store) checkAccountsDocuments(ctx context.Context, accountID uuid.UUID) error {
	_, err := db.Exec(ctx, s.db,
		`SELECT pg_advisory_xact_lock(hashtextextended('test cases ' || $1::text, 0))`, accountID)
	if err != nil {
		return err
	}
	size, err := db.One[int](ctx, s.db, `SELECT coalesce(sum(octet_length(c.document)), 0)
		FROM agents a JOIN test_cases c ON c.agent_id = a.id
		WHERE a.account_id = $1 AND a.deleted_at IS NULL`, accountID)
	if err == nil && size > maxAccountsDocuments {
		err = fault.New(fault.Conflict, "The test cases of an account may take 64 MiB together, with those that were "+
			"replaced or deleted while a run has them. Delete cases or runs that you no longer need.")
	}
	return err
}

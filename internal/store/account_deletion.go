package store

import (
	"context"
	_ "embed" // the statements are files of their own
	"errors"

	"github.com/google/uuid"
	"github.com/uptrace/bun"

	"agentchat/internal/fault"
)

//go:embed sql/delete_account.sql
var releaseAccountSQL string

// errAgentCameIn says that an agent was created after the deletion had looked for them all.
var errAgentCameIn = errors.New("store: an agent was created while its account was being deleted")

// deletedPassword is no PHC string: no password fits it.
const deletedPassword = "deleted"

// DeleteAccount deletes an account whose password was checked against verifiedHash. In one transaction its sign-ins end, its
// keys stop, its turns under way fail, their holds are released, and it is gone for every reader, its address free for a new
// one; the text of its agents and conversations is erased right after that, or by PurgeDeletedAgents when it takes long or the
// process ends. What stays is the operator's: the credit history, and the account's row without name, address and password.
// Faults: Conflict when the password was changed, or the account suspended or deleted, since.
func (s *Store) DeleteAccount(ctx context.Context, id uuid.UUID, verifiedHash string) error {
	var agents []uuid.UUID
	var err error
	for range deletionTries {
		agents, err = s.stopAccount(ctx, id, verifiedHash)
		if cameIn := errors.Is(err, errAgentCameIn); !cameIn && !isRace(err) {
			break
		} else if cameIn {
			err = fault.Wrap(fault.Unavailable, err)
		}
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), eraseWithin)
	defer cancel()
	for _, agent := range agents {
		// The account is deleted by now; what of its text is left after an error is the background's to erase.
		if _, err := s.eraseAgent(ctx, agent); err != nil {
			break
		}
	}
	return nil
}

// stopAccount marks the account and its agents deleted and stops all that is under way; it returns the agents. Locks in the
// order agent, export, turn, account; see DeleteAgent for why no turn can begin unseen.
func (s *Store) stopAccount(ctx context.Context, id uuid.UUID, verifiedHash string) ([]uuid.UUID, error) {
	var agents []uuid.UUID
	err := s.inTx(ctx, func(tx bun.Tx) error {
		var err error
		if agents, err = markAgents(ctx, tx, id); err != nil {
			return err
		}
		for _, step := range []string{
			`UPDATE api_exports SET removed_at = clock_timestamp() WHERE account_id = $1 AND removed_at IS NULL`, releaseAccountSQL,
		} {
			if _, err := tx.Tx.ExecContext(ctx, step, id); err != nil {
				return err
			}
		}
		result, err := tx.Tx.ExecContext(ctx, `
			UPDATE accounts SET state = 'DELETED', email = 'deleted ' || id, name = '', password_hash = $3
			WHERE id = $1 AND password_hash = $2 AND state = 'ACTIVE'`, id, verifiedHash, deletedPassword)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return &fault.Error{Kind: fault.Conflict, Message: "The account was changed in the meantime. Try again.", Err: err}
		}
		// Whoever creates an agent locks the account: one that came in after the first statement is seen now, and later ones
		// find the account deleted.
		var cameIn bool
		err = tx.Tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM agents WHERE account_id = $1 AND deleted_at IS NULL)`,
			id).Scan(&cameIn)
		if err == nil && cameIn {
			err = errAgentCameIn
		}
		if err != nil {
			return err
		}
		_, err = tx.Tx.ExecContext(ctx, `DELETE FROM sign_ins WHERE account_id = $1`, id)
		return err
	})
	return agents, err
}

// markAgents marks all agents of an account deleted.
func markAgents(ctx context.Context, tx bun.Tx, accountID uuid.UUID) (agents []uuid.UUID, err error) {
	rows, err := tx.Tx.QueryContext(ctx, `
		WITH due AS MATERIALIZED (
			SELECT id FROM agents WHERE account_id = $1 AND deleted_at IS NULL ORDER BY id FOR UPDATE
		)
		UPDATE agents a SET deleted_at = clock_timestamp(), state = 'DRAFT', description = '', instructions = ''
		FROM due WHERE a.id = due.id RETURNING a.id`, accountID)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id uuid.UUID
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		agents = append(agents, id)
	}
	return agents, rows.Err()
}

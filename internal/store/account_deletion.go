package store

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
)

// errNewAgent says that an agent was created after the deletion had looked for them all.
var errNewAgent = errors.New("store: an agent was created while its account was being deleted")

// deletedPassword is not a PHC string: no password matches it.
const deletedPassword = "deleted"

// DeleteAccount deletes an account whose password was checked against verifiedHash. In one transaction it ends the sign-ins,
// stops the keys, marks the turns under way (see markTurns), and hides the account from every reader; its address is free again.
// The text of agents and conversations is erased right after that, or by PurgeDeletedAgents when it takes long or the
// process ends. The credit history stays for the operator, and the account's row without name, address and password; of the address
// only a keyed hash stays, so that it gets no starting credits again.
// Faults: Conflict when the password was changed, or the account suspended or deleted, since.
func (s *Store) DeleteAccount(ctx context.Context, id uuid.UUID, verifiedHash string) error {
	return s.deleteAccount(ctx, id, &verifiedHash)
}

// DeleteAnyAccount is DeleteAccount for the operator, who needs no password. Fault: NotFound, also for a deleted account.
func (s *Store) DeleteAnyAccount(ctx context.Context, id uuid.UUID) error {
	found, err := s.Account(ctx, id)
	if err == nil && found.State == account.Deleted {
		err = fault.Wrap(fault.NotFound, nil)
	}
	if err != nil {
		return err
	}
	return s.deleteAccount(ctx, id, nil)
}

// deleteAccount deletes an account; without verifiedHash, whatever its password and also a suspended one.
func (s *Store) deleteAccount(ctx context.Context, id uuid.UUID, verifiedHash *string) error {
	var agents, turns []uuid.UUID
	var err error
	for range deletionTries {
		agents, turns, err = s.stopAccount(ctx, id, verifiedHash)
		if !errors.Is(err, errNewAgent) && !isRace(err) {
			break
		}
	}
	if errors.Is(err, errNewAgent) {
		return fault.Wrap(fault.Unavailable, err)
	}
	if err != nil {
		return err
	}
	s.turnsDeleted(turns)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), eraseWithin)
	defer cancel()
	for _, agent := range agents {
		// The account is deleted by now. After an error the background erases the rest of its text.
		if _, err := s.eraseAgent(ctx, agent); err != nil {
			break
		}
	}
	return nil
}

// stopAccount marks the account, its agents and the turns under way deleted; it returns the agents and the turns. Locks in the
// order agent, export, turn, account; see DeleteAgent for why no turn can begin unseen.
func (s *Store) stopAccount(ctx context.Context, id uuid.UUID, verifiedHash *string) (agents, turns []uuid.UUID, err error) {
	err = s.inTx(ctx, func(tx *Store) error {
		var err error
		agents, err = all[uuid.UUID](ctx, tx, `
			WITH due AS MATERIALIZED (
				SELECT id FROM agents WHERE account_id = $1 AND deleted_at IS NULL ORDER BY id FOR UPDATE
			)
			UPDATE agents a SET`+wipeAgent+`FROM due WHERE a.id = due.id RETURNING a.id`, id)
		if err != nil {
			return err
		}
		_, err = tx.exec(ctx, `UPDATE api_exports SET removed_at = clock_timestamp() WHERE account_id = $1 AND removed_at IS NULL`, id)
		if err != nil {
			return err
		}
		if turns, err = tx.markTurns(ctx, ofAccount, id); err != nil {
			return err
		}
		if err := tx.freeAddress(ctx, id, verifiedHash); err != nil {
			return err
		}
		// Creating an agent locks the account: one created since the first statement is seen now, and later ones find the
		// account deleted.
		created, err := one[bool](ctx, tx, `SELECT EXISTS (SELECT 1 FROM agents WHERE account_id = $1 AND deleted_at IS NULL)`, id)
		if err == nil && created {
			err = errNewAgent
		}
		if err != nil {
			return err
		}
		_, err = tx.exec(ctx, `DELETE FROM sign_ins WHERE account_id = $1`, id)
		return err
	})
	return agents, turns, err
}

// freeAddress marks an account deleted and gives its address free, which stays seen. Fault: Conflict when the account was changed
// in the meantime.
func (s *Store) freeAddress(ctx context.Context, id uuid.UUID, verifiedHash *string) error {
	email, err := one[string](ctx, s, `SELECT email FROM accounts WHERE id = $1`, id)
	if err != nil {
		return err
	}
	n, err := s.exec(ctx, `
		UPDATE accounts SET state = 'DELETED', email = 'deleted ' || id, name = '', password_hash = $3
		WHERE id = $1 AND ($2::text IS NULL AND state <> 'DELETED' OR password_hash = $2 AND state = 'ACTIVE')`,
		id, verifiedHash, deletedPassword)
	if err == nil && n == 0 {
		return fault.New(fault.Conflict, "The account was changed in the meantime. Try again.")
	}
	if err != nil {
		return err
	}
	_, err = s.markSeen(ctx, email) // the account may be older than this record
	return err
}

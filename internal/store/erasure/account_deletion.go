package erasure

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
)

// errNewAgent reports that an agent was created after the deletion had looked for agents.
var errNewAgent = errors.New("store: an agent was created while its account was being deleted")

// DeleteAccount deletes an account for a user whose password was checked against verifiedHash. In
// one transaction it stops the keys, marks the turns in flight (see markTurns), hides the account
// from every reader, and deletes its tokens, its webhooks and the end users that it blocked or
// limited. Users without another account are deleted with their sign-ins; their addresses are free
// again.
//
// The text of agents and conversations is erased right afterwards; if that takes long or the
// process ends, PurgeDeletedAgents continues. The credit history stays for the operator, and so
// does the account's row, without its name. Only a keyed hash of each address stays, so that the
// address gets no starting credits again. Fault: Conflict when the password, or the state of the
// account, has changed since the check.
func (s Store) DeleteAccount(
	ctx context.Context, id, userID uuid.UUID, verifiedHash string, by audit.Entry,
) error {
	by.ActorID = &userID
	return s.deleteAccount(ctx, id, &verifiedUser{userID, verifiedHash}, by)
}

// DeleteAnyAccount is DeleteAccount for the operator, without a password. Fault: NotFound, also for
// a deleted account.
func (s Store) DeleteAnyAccount(ctx context.Context, id uuid.UUID, by audit.Entry) error {
	found, err := accounts.On(s.db).Account(ctx, id)
	if err == nil && found.State == account.Deleted {
		err = fault.Wrap(fault.NotFound, nil)
	}
	if err != nil {
		return err
	}
	return s.deleteAccount(ctx, id, nil, by)
}

// verifiedUser is the user who deletes an account, with the password hash that was checked.
type verifiedUser struct {
	id   uuid.UUID
	hash string
}

// deleteAccount deletes an account. Without a user it also deletes a suspended one.
func (s Store) deleteAccount(
	ctx context.Context, id uuid.UUID, by *verifiedUser, entry audit.Entry,
) error {
	var agents, turns []uuid.UUID
	var err error
	for range deletionTries {
		agents, turns, err = s.stopAccount(ctx, id, by, entry)
		if !errors.Is(err, errNewAgent) && !db.IsRace(err) {
			break
		}
	}
	if errors.Is(err, errNewAgent) {
		return fault.Wrap(fault.Unavailable, err)
	}
	if err != nil {
		return err
	}
	db.TurnsDeleted(s.db, turns)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), eraseWithin)
	defer cancel()
	for _, agent := range agents {
		// The account is already deleted. After an error the background erases the rest of its text.
		if _, err := s.eraseAgent(ctx, agent); err != nil {
			break
		}
	}
	return nil
}

// stopAccount marks the account, its agents and its turns in flight deleted, and returns the agents
// and the turns. It locks in the order agent, export, turn, user, account. DeleteAgent explains why
// no turn can begin unseen.
func (s Store) stopAccount(
	ctx context.Context, id uuid.UUID, by *verifiedUser, entry audit.Entry,
) (agents, turns []uuid.UUID, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		var err error
		agents, err = db.All[uuid.UUID](ctx, tx, `
			WITH due AS MATERIALIZED (
				SELECT id FROM agents WHERE account_id = $1
					AND (deleted_at IS NULL OR deleted_at > statement_timestamp()) ORDER BY id FOR UPDATE
			)
			UPDATE agents a SET`+wipeAgent+`FROM due WHERE a.id = due.id RETURNING a.id`, id)
		if err != nil {
			return err
		}
		_, err = db.Exec(ctx, tx, `UPDATE api_exports SET removed_at = clock_timestamp()
			WHERE account_id = $1 AND removed_at IS NULL`, id)
		if err != nil {
			return err
		}
		if turns, err = On(tx).markTurns(ctx, ofAccount, id); err != nil {
			return err
		}
		if err := On(tx).markAccountDeleted(ctx, id, by); err != nil {
			return err
		}
		// Creating an agent, or ending a copy, locks the account. An agent that became visible since the
		// first statement is found here, and later ones find the account deleted.
		created, err := db.One[bool](ctx, tx, `SELECT EXISTS (SELECT 1 FROM agents WHERE account_id = $1
			AND deleted_at IS NULL)`, id)
		if err == nil && created {
			err = errNewAgent
		}
		if err != nil {
			return err
		}
		// Blocking or limiting an end user, and making a token or a webhook, need the lock on a live
		// account.
		for _, table := range []string{"end_users", "account_tokens", "webhooks"} {
			if _, err := db.Exec(ctx, tx, `DELETE FROM `+table+` WHERE account_id = $1`, id); err != nil {
				return err
			}
		}
		if err := On(tx).deleteMembers(ctx, id); err != nil {
			return err
		}
		err = notifications.On(tx).NotifyOperator(ctx, notifications.Deleted,
			notifications.EventData{AccountID: id})
		if err != nil {
			return err
		}
		return audit.On(tx).RecordIn(audit.Acting(ctx, entry), id, id.String(), entry.Fields...)
	})
	return agents, turns, err
}

// markAccountDeleted locks the users of an account, so they cannot sign in meanwhile, and marks
// the account deleted. Fault: Conflict when the account or the user's password has changed.
func (s Store) markAccountDeleted(ctx context.Context, id uuid.UUID, by *verifiedUser) error {
	type member struct {
		ID           uuid.UUID
		PasswordHash string
	}
	members, err := db.All[member](ctx, s.db, `SELECT u.id, u.password_hash FROM users u
		JOIN memberships m ON m.user_id = u.id
		WHERE m.account_id = $1 ORDER BY u.id FOR UPDATE OF u`, id)
	if err != nil {
		return err
	}
	changed := fault.New(fault.Conflict, "The account was changed elsewhere. Try again.")
	if by != nil && !slices.Contains(members, member{by.id, by.hash}) {
		return changed
	}
	n, err := db.Exec(ctx, s.db, `UPDATE accounts SET state = 'DELETED', name = '',
		low_credits_at = NULL, retention_days = NULL
		WHERE id = $1 AND CASE WHEN $2 THEN state <> 'DELETED' ELSE state = 'ACTIVE' END`, id, by == nil)
	if err == nil && n == 0 {
		err = changed
	}
	return err
}

// deleteMembers ends the memberships of an account and deletes users without another account. Their
// addresses stay in seen_addresses.
func (s Store) deleteMembers(ctx context.Context, id uuid.UUID) error {
	// Inviting locks the members, and accepting removes the invitation: both have either committed, or
	// find nothing.
	if _, err := accounts.On(s.db).LockMembers(ctx, id); err != nil {
		return err
	}
	if _, err := db.Exec(ctx, s.db, `DELETE FROM invitations WHERE account_id = $1`, id); err != nil {
		return err
	}
	if _, err := db.Exec(ctx, s.db, `DELETE FROM outbox WHERE account_id = $1`, id); err != nil {
		return err
	}
	members, err := db.All[uuid.UUID](ctx, s.db,
		`DELETE FROM memberships WHERE account_id = $1 RETURNING user_id`, id)
	if err != nil {
		return err
	}
	const left = ` = ANY($1::uuid[]) AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = `
	if _, err := db.Exec(ctx, s.db, `DELETE FROM sign_ins s WHERE s.user_id`+left+`s.user_id)`,
		db.Texts(members)); err != nil {
		return err
	}
	_, err = db.Exec(ctx, s.db, `
		WITH gone AS (DELETE FROM users u WHERE u.id`+left+`u.id) RETURNING u.id, u.email)
		DELETE FROM outbox WHERE id IN (SELECT o.id FROM outbox o JOIN gone ON o.address = gone.email
			UNION ALL SELECT l.outbox_id FROM links l JOIN gone ON l.user_id = gone.id)`, db.Texts(members))
	return err
}

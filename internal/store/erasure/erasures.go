package erasure

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

// keepErasures is how long an erasure is remembered: far longer than a request lasts and waits to
// be recorded.
const keepErasures = 24 * time.Hour

// What an erased id is: of an end user or of a session. Each is also the column of
// turnless_requests that has it.
const (
	erasedUser    = "user_id"
	erasedSession = "session_id"
)

// forgetBatch is how many turnless requests one statement takes an id from.
const forgetBatch = 5_000

// deletedConversation is a conversation that is being deleted, with the session ID that it had; nil
// for the playground, of which no turnless requests are recorded.
type deletedConversation struct {
	ID, AgentID uuid.UUID
	SessionID   *string
}

// deletedColumns are those of a conversation c, deleted because it is in due.
const deletedColumns = `c.id, c.agent_id, CASE WHEN c.source = 'API' THEN due.session_id END AS session_id`

// markErased remembers ids as erased now; the usage is locked. $1 account $2 what they are $3 the
// agents of which they are erased uuid[] (the null UUID: all) $4 ids text[]
const markErased = `
	INSERT INTO erasures AS r (account_id, kind, id_hash, agent_id, erased_at)
	SELECT $1::uuid, $2::text, end_user_hash_1(e.id), e.agent_id, clock_timestamp()
	FROM (SELECT DISTINCT * FROM unnest($3::uuid[], $4::text[]) e(agent_id, id)) e
	ON CONFLICT (account_id, kind, id_hash, agent_id) DO UPDATE SET erased_at = excluded.erased_at`

// forget takes the ids from the turnless requests with an id, of one agent or, for nil, of all,
// also from those that arrived before and are recorded later, by whichever replica.
func (s Store) forget(
	ctx context.Context, accountID uuid.UUID, agentID *uuid.UUID, kind, id string,
	entry *audit.OneEntry,
) error {
	var agent uuid.UUID
	if agentID != nil {
		agent = *agentID
	}
	for {
		n, err := audit.On(s.db).InTxRecorded(ctx, entry, func(tx *db.DB) (int, error) {
			if err := On(tx).lockUsage(ctx, accountID); err != nil {
				return 0, err
			}
			_, err := db.Exec(ctx, tx, markErased, accountID, kind, []string{agent.String()}, []string{id})
			if err != nil {
				return 0, err
			}
			return db.Exec(ctx, tx, `UPDATE turnless_requests SET session_id = NULL, user_id = NULL
				WHERE id IN (
				SELECT r.id FROM turnless_requests r
				WHERE r.account_id = $1 AND r.`+kind+` = $2 AND ($3::uuid IS NULL OR r.agent_id = $3::uuid)
					LIMIT $4)`,
				accountID, id, agentID, forgetBatch)
		})
		if err != nil || n < forgetBatch {
			return err
		}
	}
}

// whileForgetting runs a deletion between two calls of forget: the first one leaves little for the
// deletion's transactions to do, and the second one reaches requests that arrived meanwhile.
func (s Store) whileForgetting(
	ctx context.Context, accountID uuid.UUID, agentID *uuid.UUID, kind, id string,
	work func(entry *audit.OneEntry) (int, error),
) (int, error) {
	// an id of theirs would outlive their erasing
	entry := &audit.OneEntry{AccountID: accountID, Subject: accountID.String()}
	if err := s.forget(ctx, accountID, agentID, kind, id, entry); err != nil {
		return 0, err
	}
	n, err := work(entry)
	if err == nil {
		err = s.forget(ctx, accountID, agentID, kind, id, entry)
	}
	return n, err
}

// forgetSessions is forget for the sessions of conversations, in the transaction that deletes them.
func (s Store) forgetSessions(
	ctx context.Context, accountID uuid.UUID, deleted []deletedConversation,
) error {
	var agents []uuid.UUID
	var ids []string
	for _, c := range deleted {
		if c.SessionID != nil {
			agents, ids = append(agents, c.AgentID), append(ids, *c.SessionID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	if err := s.lockUsage(ctx, accountID); err != nil {
		return err
	}
	_, err := db.Exec(ctx, s.db, `WITH marked AS (`+markErased+`)
		UPDATE turnless_requests r SET session_id = NULL, user_id = NULL
			FROM unnest($3::uuid[], $4::text[]) e(agent_id, id)
		WHERE r.account_id = $1 AND r.session_id = e.id AND r.agent_id = e.agent_id`,
		accountID, erasedSession, db.Texts(agents), ids)
	return err
}

// lockUsage locks an account's usage. Who records turnless requests holds it: those that are being
// recorded are visible afterwards, and those that wait for it see what was marked meanwhile. What
// takes ids from turnless requests holds it too: they never wait for each other in a circle.
func (s Store) lockUsage(ctx context.Context, accountID uuid.UUID) error {
	_, err := db.Exec(ctx, s.db, `
		INSERT INTO usage_cursors AS u (account_id) VALUES ($1)
			ON CONFLICT (account_id) DO UPDATE SET number = u.number`, accountID)
	return err
}

// PurgeErasures removes at most limit erasures that no request can have been before any more; it
// returns how many.
func (s Store) PurgeErasures(ctx context.Context, limit int) (int, error) {
	return db.Exec(ctx, s.db, `DELETE FROM erasures WHERE ctid IN (
		SELECT r.ctid FROM erasures r WHERE r.erased_at < statement_timestamp() - $1::interval LIMIT $2
			FOR UPDATE SKIP LOCKED)`,
		keepErasures, limit)
}

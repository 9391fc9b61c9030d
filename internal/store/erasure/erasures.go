package erasure

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

// keepErasures is the time that an erasure is remembered. It is far longer than a request takes
// until it is recorded.
const keepErasures = 24 * time.Hour

// The kinds of erased ids. Each is also the name of its column in rejected_requests.
const (
	erasedUser    = "user_id"
	erasedSession = "session_id"
)

// forgetBatch is the number of rejected requests that lose an id in one statement.
const forgetBatch = 5_000

// deletedConversation is a conversation that is being deleted, with its former session ID. The ID
// is nil for the playground, whose rejected requests are not recorded.
type deletedConversation struct {
	ID, AgentID uuid.UUID
	SessionID   *string
}

// deletedColumns are the columns of a deletedConversation, of a conversation c that is also in due.
const deletedColumns = `c.id, c.agent_id, CASE WHEN c.source = 'API' THEN due.session_id END AS session_id`

// markErased records ids as erased now. The caller has locked the usage. $1 account, $2 kind, $3
// agents uuid[] (the null UUID means all), $4 ids text[].
const markErased = `
	INSERT INTO erasures AS r (account_id, kind, id_hash, agent_id, erased_at)
	SELECT $1::uuid, $2::text, end_user_hash_1(e.id), e.agent_id, clock_timestamp()
	FROM (SELECT DISTINCT * FROM unnest($3::uuid[], $4::text[]) e(agent_id, id)) e
	ON CONFLICT (account_id, kind, id_hash, agent_id) DO UPDATE SET erased_at = excluded.erased_at`

// forget removes both ids from the rejected requests with the given id, of one agent or, for nil,
// of all agents. It also covers requests that arrived earlier and are recorded later, by any
// replica.
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
			return db.Exec(ctx, tx, `UPDATE rejected_requests SET session_id = NULL, user_id = NULL
				WHERE id IN (
					SELECT r.id FROM rejected_requests r WHERE r.account_id = $1
						AND r.`+kind+` = $2 AND ($3::uuid IS NULL OR r.agent_id = $3::uuid) LIMIT $4)`,
				accountID, id, agentID, forgetBatch)
		})
		if err != nil || n < forgetBatch {
			return err
		}
	}
}

// whileForgetting runs a deletion between two calls of forget. The first call leaves little for the
// deletion's transactions to do, and the second covers requests that arrived meanwhile.
func (s Store) whileForgetting(
	ctx context.Context, accountID uuid.UUID, agentID *uuid.UUID, kind, id string,
	work func(entry *audit.OneEntry) (int, error),
) (int, error) {
	// The subject is the account, because an id of the end user or the session would outlive the
	// erasure.
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

// forgetDeleted erases the traces of conversations in other rows, in the transaction that deletes
// them: the documents of their test cases, and the ids of their sessions.
func (s Store) forgetDeleted(
	ctx context.Context, accountID uuid.UUID, deleted []deletedConversation,
) error {
	var conversations, agents []uuid.UUID
	var ids []string
	for _, c := range deleted {
		conversations = append(conversations, c.ID)
		if c.SessionID != nil {
			agents, ids = append(agents, c.AgentID), append(ids, *c.SessionID)
		}
	}
	if len(ids) == 0 {
		_, err := db.Exec(ctx, s.db, emptyCases+`ANY($1::uuid[])`, db.Texts(conversations))
		return err
	}
	if err := s.lockUsage(ctx, accountID); err != nil {
		return err
	}
	_, err := db.Exec(ctx, s.db, `WITH marked AS (`+markErased+`), emptied AS (`+emptyCases+`ANY($5::uuid[]))
		UPDATE rejected_requests r SET session_id = NULL, user_id = NULL
			FROM unnest($3::uuid[], $4::text[]) e(agent_id, id)
		WHERE r.account_id = $1 AND r.session_id = e.id AND r.agent_id = e.agent_id`,
		accountID, erasedSession, db.Texts(agents), ids, db.Texts(conversations))
	return err
}

// lockUsage locks an account's usage. Recording rejected requests takes the same lock: requests
// being recorded are visible afterwards, and later ones see what was marked. Every statement that
// removes ids takes it too, so they cannot deadlock.
func (s Store) lockUsage(ctx context.Context, accountID uuid.UUID) error {
	_, err := db.Exec(ctx, s.db, `
		INSERT INTO usage_cursors AS u (account_id) VALUES ($1)
			ON CONFLICT (account_id) DO UPDATE SET last_entry = u.last_entry`, accountID)
	return err
}

// PurgeErasures removes at most limit erasures that no unrecorded request can predate, and returns
// how many.
func (s Store) PurgeErasures(ctx context.Context, limit int) (int, error) {
	return db.Exec(ctx, s.db, `DELETE FROM erasures WHERE ctid IN (
		SELECT r.ctid FROM erasures r WHERE r.erased_at < statement_timestamp() - $1::interval LIMIT $2
			FOR UPDATE SKIP LOCKED)`,
		keepErasures, limit)
}

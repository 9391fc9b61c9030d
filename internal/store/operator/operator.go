package operator

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/find"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
)

// The operator's queries cross accounts: neither the panel nor the API reaches them.

// AccountQuery selects a page of accounts, oldest first.
type AccountQuery struct {
	// First is the size of the page, at least 1.
	First int
	// After is the account before the page; the null UUID starts with the first.
	After uuid.UUID
	// Search is a part of the address or the name. Case does not matter. Empty finds all.
	Search string
}

// AccountPage returns accounts that are not deleted.
func (s Store) AccountPage(ctx context.Context, q AccountQuery) ([]accounts.Owned, error) {
	read := func(after *accounts.Owned) ([]accounts.Owned, error) {
		var text db.Statement
		text.Add(accounts.SelectOwned)
		if q.Search != "" {
			email, pattern := db.MayHave("owner.email", find.New(q.Search))
			name, _ := db.MayHave("a.name", find.New(q.Search))
			text.Add(`AND (`+email+` OR `+name+`)`, pattern, pattern)
		}
		from := q.After
		if after != nil {
			from = after.ID
		}
		text.Add(` AND a.id > ? ORDER BY a.id LIMIT ?`, from, q.First)
		return db.All[accounts.Owned](ctx, s.db, text.String(), text.Args()...)
	}
	needle := find.New(q.Search)
	return db.Sift(q.First, read, func(o accounts.Owned) bool {
		return q.Search == "" || needle.In(o.Email) || needle.In(o.Name)
	})
}

// AccountByEmail returns the account of the user with an address, which is in the form of
// account.ParseEmail. Faults: NotFound; Conflict, with their ids, for several accounts.
func (s Store) AccountByEmail(ctx context.Context, email string) (accounts.Owned, error) {
	found, err := db.All[accounts.Owned](ctx, s.db, accounts.SelectOwned+`AND a.id IN (
		SELECT m.account_id FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.email = $1
			AND m.role = 'OWNER')
		ORDER BY a.id`, email)
	if len(found) > 1 {
		ids := strings.Join(db.Mapped(found, func(o accounts.Owned) string { return o.ID.String() }),
			", ")
		return accounts.Owned{},
			fault.New(fault.Conflict, "The user owns several accounts. Name one by its ID: "+ids+".")
	}
	return db.Single(found, err)
}

// AccountCounts holds the sizes of an account, without deleted data.
type AccountCounts struct {
	Agents, Exports, Conversations int64
}

// CountOfAccount counts an account's data; Exports are those in use.
func (s Store) CountOfAccount(ctx context.Context, id uuid.UUID) (AccountCounts, error) {
	return db.One[AccountCounts](ctx, s.db, `
		SELECT (SELECT count(*) FROM agents a WHERE a.account_id = $1 AND a.deleted_at IS NULL) AS agents,
			(SELECT count(*) FROM api_exports export
				WHERE export.account_id = $1 AND export.removed_at IS NULL
					AND`+exports.OfLiveAgent+`) AS exports,
			(SELECT count(*) FROM agents a JOIN conversations c ON c.agent_id = a.id AND c.deleted_at IS NULL
				WHERE a.account_id = $1 AND a.deleted_at IS NULL) AS conversations`, id)
}

// SuspendAccount suspends or resumes an account. From the next request on, no replica accepts the
// keys and sign-ins of a suspended account. Suspending twice is fine. Fault: NotFound, also for a
// deleted account.
func (s Store) SuspendAccount(
	ctx context.Context, id uuid.UUID, suspend bool,
) (accounts.Owned, error) {
	state, event := account.Active, notifications.Resumed
	if suspend {
		state, event = account.Suspended, notifications.Suspended
	}
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		n, err := db.Exec(ctx, tx, `UPDATE accounts SET state = $2 WHERE id = $1
			AND state NOT IN ('DELETED', $2)`, id, string(state))
		if err != nil || n == 0 {
			return err
		}
		if err := notifications.On(tx).NotifyOperator(ctx, event,
			notifications.EventData{AccountID: id}); err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, id, id.String())
	})
	if err != nil {
		return accounts.Owned{}, err
	}
	return accounts.On(s.db).OwnedAccount(ctx, id)
}

// OwnerOfExport returns the account of an export. Fault: NotFound.
func (s Store) OwnerOfExport(ctx context.Context, id uuid.UUID) (uuid.UUID, error) {
	return db.One[uuid.UUID](ctx, s.db, `SELECT account_id FROM api_exports export WHERE export.id = $1
		AND`+exports.OfLiveAgent, id)
}

// OwnerOfAgent returns the account of an agent. Fault: NotFound.
func (s Store) OwnerOfAgent(ctx context.Context, id uuid.UUID) (uuid.UUID, error) {
	return db.One[uuid.UUID](ctx, s.db, `SELECT account_id FROM agents WHERE id = $1
		AND deleted_at IS NULL`, id)
}

// FoundRequest is a request and its account.
type FoundRequest struct {
	AccountID uuid.UUID
	conversation.Request
}

// FindRequest returns the newest request of any account with a request id. Fault: NotFound.
func (s Store) FindRequest(ctx context.Context, requestID string) (FoundRequest, error) {
	owner, err := db.One[uuid.UUID](ctx, s.db, `
		SELECT account_id FROM (
			(SELECT account_id, id FROM turns
				WHERE hashtextextended(request_id, 0) = hashtextextended($1, 0) AND request_id = $1
				AND state <> 'PENDING' AND export_id IS NOT NULL ORDER BY id DESC LIMIT 1)
			UNION ALL (SELECT account_id, id FROM rejected_requests
				WHERE hashtextextended(request_id, 0) = hashtextextended($1, 0) AND request_id = $1
				ORDER BY id DESC LIMIT 1)
		) c ORDER BY id DESC LIMIT 1`, requestID)
	if err != nil {
		return FoundRequest{}, err
	}
	request, err := conversations.On(s.db).RequestByRequestID(ctx, owner, requestID)
	return FoundRequest{AccountID: owner, Request: request}, err
}

// Holds returns the number of messages that hold credits, and the age of the oldest, by index. The
// age ignores background messages before their deadline: a reply may take that long.
func (s Store) Holds(ctx context.Context) (pending int64, oldest time.Duration, err error) {
	found, err := db.One[struct {
		Pending int64
		Oldest  float64
	}](ctx, s.db, `SELECT count(*) AS pending,
			coalesce(extract(epoch FROM clock_timestamp() - min(created_at) FILTER (
				WHERE background IS NOT TRUE OR deadline < clock_timestamp())), 0)::float8 AS oldest
		FROM turns WHERE state = 'PENDING'`)
	return found.Pending, time.Duration(found.Oldest * float64(time.Second)), err
}

package audit

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/store/internal/db"
)

// RecordRead appends an entry to an account's trail: the actor of the context has read personal data.
func (s Store) RecordRead(ctx context.Context, accountID uuid.UUID, subject string) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error { return On(tx).RecordIn(ctx, accountID, subject) })
}

// OneEntry is the entry of a change that takes several transactions: the first that changes something has it. nil is none, of what nobody
// does but time.
type OneEntry struct {
	AccountID uuid.UUID
	Subject   string
	recorded  bool
}

// InTxRecorded is inTx for a transaction of a change that has one entry. work returns how many things it has changed.
func (s Store) InTxRecorded(ctx context.Context, entry *OneEntry, work func(tx *db.DB) (int, error)) (n int, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		var err error
		if n, err = work(tx); err != nil || n == 0 || entry == nil || entry.recorded {
			return err
		}
		return On(tx).RecordIn(ctx, entry.AccountID, entry.Subject)
	})
	if err != nil {
		return 0, err
	}
	if n > 0 && entry != nil {
		entry.recorded = true
	}
	return n, nil
}

// ChangedFields are the names of what differs in two states of an export.
func ChangedFields(before, after agent.Export) (names []string) {
	for _, f := range []struct {
		name string
		same bool
	}{
		{"name", before.Name == after.Name},
		{"rateLimitPerMinute", before.RatePerMinute == after.RatePerMinute},
		{"version", Equal(before.Version, after.Version)},
		{"expiresAt", before.ExpiresAt == after.ExpiresAt ||
			before.ExpiresAt != nil && after.ExpiresAt != nil && before.ExpiresAt.Equal(*after.ExpiresAt)},
		{"requireUserId", before.RequireUserID == after.RequireUserID},
		{"dailyCreditLimit", Equal(before.DailyCreditLimit, after.DailyCreditLimit)},
		{"monthlyCreditLimit", Equal(before.MonthlyCreditLimit, after.MonthlyCreditLimit)},
		{"userDailyMessageLimit", Equal(before.UserDailyMessageLimit, after.UserDailyMessageLimit)},
	} {
		if !f.same {
			names = append(names, f.name)
		}
	}
	return names
}

// Equal compares values that may be missing.
func Equal[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// Filter selects entries that match all of its fields.
type Filter struct {
	// Action is what was done; empty finds everything.
	Action string
	// ActorID is the user or the account token who did it; nil finds everybody.
	ActorID *uuid.UUID
	// From is inclusive, To exclusive.
	From, To *time.Time
}

// AuditPage returns a page of an account's trail, the newest first: its entries, and those of its members since they joined. It is one
// statement, which reads a range of an index for the account and one for each member. Fault: InvalidInput on first, before any statement.
func (s Store) AuditPage(ctx context.Context, accountID uuid.UUID, q Query) (db.Page[Entry], error) {
	if _, err := db.PageSize(&q.First); err != nil {
		return db.Page[Entry]{}, err
	}
	var text db.Statement
	text.Page(`id DESC`, q.First, func() {
		text.Add(`SELECT * FROM (`)
		text.Page(`id DESC`, q.First, func() {
			text.Add(`SELECT`+auditColumns+`FROM audit_entries e WHERE e.account_id = ?::uuid`, accountID)
			if q.Filter.ActorID != nil {
				text.Add(` AND e.actor_id = ?::uuid`, *q.Filter.ActorID)
			}
			auditConditions(&text, q)
		})
		text.Add(`) own UNION ALL SELECT theirs.* FROM memberships m CROSS JOIN LATERAL (`)
		text.Page(`id DESC`, q.First, func() {
			text.Add(`SELECT` + auditColumns + `FROM audit_entries e WHERE e.user_id = m.user_id AND` + sinceJoined)
			auditConditions(&text, q)
			if q.Filter.ActorID != nil { // of a user's trail it is the user
				text.Add(` AND e.actor = 'USER'`)
			}
		})
		text.Add(`) theirs WHERE m.account_id = ?::uuid`, accountID)
		if q.Filter.ActorID != nil {
			text.Add(` AND m.user_id = ?::uuid`, *q.Filter.ActorID)
		}
	})
	items, err := db.All[Entry](ctx, s.db, text.String(), text.Args()...)
	return db.Cut(items, q.First), err
}

// sinceJoined selects the entries e of a user that are since the membership m. They are found by their ids, which begin with their times.
var sinceJoined = ` e.id >= ` + db.FirstID(`m.created_at`) + ` AND e.at >= m.created_at `

// auditConditions adds the conditions of a query on audit_entries AS e, except the actor.
func auditConditions(s *db.Statement, q Query) {
	f := q.Filter
	if q.After != nil {
		s.Add(` AND e.id < ?::uuid`, q.After.ID)
	}
	if f.Action != "" {
		s.Add(` AND e.action = ?::text`, f.Action)
	}
	if f.From != nil {
		s.Add(` AND e.id >= ?::uuid AND e.at >= ?::timestamptz`, conversation.FirstID(f.From.Truncate(time.Millisecond)), *f.From)
	}
	if f.To != nil {
		s.Add(` AND e.id < ?::uuid AND e.at < ?::timestamptz`, conversation.FirstID(*f.To), *f.To)
	}
}

// AuditEntry returns an entry of the trail of an account, as AuditPage shows it. Fault: NotFound.
func (s Store) AuditEntry(ctx context.Context, accountID, id uuid.UUID) (Entry, error) {
	return db.One[Entry](ctx, s.db, `SELECT`+auditColumns+`FROM audit_entries e WHERE e.id = $2 AND (e.account_id = $1 OR EXISTS (
		SELECT 1 FROM memberships m WHERE m.account_id = $1 AND m.user_id = e.user_id AND`+sinceJoined+`))`, accountID, id)
}

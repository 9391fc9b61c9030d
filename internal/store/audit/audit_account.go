package audit

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/store/internal/db"
)

// RecordRead appends an entry to an account's trail: the actor of the context has read personal
// data.
func (s Store) RecordRead(ctx context.Context, accountID uuid.UUID, subject string) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error { return On(tx).RecordIn(ctx, accountID, subject) })
}

// OneEntry is the entry of a change that takes several transactions; the first transaction that
// changes something records it. nil records nothing, for changes that only the passage of time
// causes.
type OneEntry struct {
	AccountID uuid.UUID
	Subject   string
	recorded  bool
}

// InTxRecorded runs work in a transaction, as InTx does, and records the entry if work has changed
// something. work returns the number of its changes.
func (s Store) InTxRecorded(ctx context.Context, entry *OneEntry, work func(tx *db.DB) (int, error),
) (n int, err error) {
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

// ChangedFields returns the names of the fields that differ between two states of an export.
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

// Equal compares two optional values.
func Equal[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// Filter selects entries that match all of its fields.
type Filter struct {
	// Action is the action; empty matches every action.
	Action string
	// ActorID is the user or account token that acted; nil matches every actor.
	ActorID *uuid.UUID
	// From is inclusive, To exclusive.
	From, To *time.Time
}

// Page returns a page of an account's trail, the newest first: the account's entries, and those of
// its members since they joined. It is one statement, which reads one range of an index for the
// account and one for each member. Fault: InvalidInput on first, before any statement.
func (s Store) Page(ctx context.Context, accountID uuid.UUID, q Query) (db.Page[Entry], error) {
	if _, err := db.PageSize(&q.First); err != nil {
		return db.Page[Entry]{}, err
	}
	var text db.Statement
	text.Page(`id DESC`, q.First, func() {
		text.Add(`SELECT * FROM (`)
		text.Page(`id DESC`, q.First, func() {
			text.Add(`SELECT`+entryColumns+`FROM audit_entries e WHERE e.account_id = ?::uuid`, accountID)
			if q.Filter.ActorID != nil {
				text.Add(` AND e.actor_id = ?::uuid`, *q.Filter.ActorID)
			}
			conditions(&text, q)
		})
		text.Add(`) own UNION ALL SELECT theirs.* FROM memberships m CROSS JOIN LATERAL (`)
		text.Page(`id DESC`, q.First, func() {
			text.Add(`SELECT` + entryColumns + `FROM audit_entries e WHERE e.user_id = m.user_id AND` + sinceJoined)
			conditions(&text, q)
			if q.Filter.ActorID != nil { // in a user's trail the actor is the user
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

// sinceJoined selects the entries e of a user that are not older than the membership m. It finds
// them by their ids, which begin with the time.
var sinceJoined = ` e.id >= ` + db.FirstID(`m.created_at`) + ` AND e.at >= m.created_at `

// conditions adds the conditions of a query on audit_entries AS e, except the actor's.
func conditions(s *db.Statement, q Query) {
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

// Entry returns an entry of the trail of an account, as Page shows it. Fault: NotFound.
func (s Store) Entry(ctx context.Context, accountID, id uuid.UUID) (Entry, error) {
	return db.One[Entry](ctx, s.db,
		`SELECT`+entryColumns+`FROM audit_entries e WHERE e.id = $2 AND (e.account_id = $1 OR EXISTS (
		SELECT 1 FROM memberships m WHERE m.account_id = $1 AND m.user_id = e.user_id AND`+sinceJoined+`))`, accountID, id)
}

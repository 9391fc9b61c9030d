package audit

import (
	"context"
	"log/slog"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
)

// Retention is the age at which an entry of the audit trail is purged. The database refuses to
// delete a younger one.
const Retention = 400 * 24 * time.Hour

// MaxChanges is the largest number of entries that members and tokens of an account can add to its
// trail within ChangesWindow. Each entry stays for Retention.
const (
	MaxChanges    = 10_000
	ChangesWindow = 24 * time.Hour
)

// urgent matches the actions that MaxChanges does not refuse: they stop or remove something, or use
// up what an earlier change prepared. Deletions do not count either, because what they delete was
// counted.
var urgent = regexp.MustCompile(`^(delete|remove|revoke|stop|pause|block|unpublish|discard|leave|replaceApiKey|acceptInvitation)`)

// ActorKind is the kind of an actor.
type ActorKind string

// The kinds of actors.
const (
	ByUser     ActorKind = "USER"
	ByToken    ActorKind = "TOKEN"
	ByOperator ActorKind = "OPERATOR"
	BySystem   ActorKind = "SYSTEM"
)

// Actions and fields that are not named after a mutation or a command.
const (
	signInFailed = "signInFailed"
	// NewBrowser is the field of a sign-in from a browser that has not signed in to the account
	// before.
	NewBrowser = "newBrowser"
	// RecoveryCode is the field of an action that was authorized with a recovery code.
	RecoveryCode = "recoveryCode"
	// UsedTwice is the field of a renewal with a refresh token that was already used.
	UsedTwice = "usedTwice"
)

// Entry is an entry of an audit trail. A user's trail records sign-ins and changes of password,
// address and second factor; an account's trail records everything else. The caller sets Actor,
// Operator, Action, Fields, Address and Browser. The store fills in the rest.
type Entry struct {
	ID uuid.UUID
	// UserID is the user who owns the trail; the zero UUID in an account's trail.
	UserID uuid.UUID
	// AccountID is the account that owns the trail; the zero UUID in a user's trail.
	AccountID uuid.UUID
	Actor     ActorKind
	// ActorID is the user or account token that acted, in an account's trail; nil for other actors. In
	// a user's trail it is the user.
	ActorID *uuid.UUID
	// Operator is the operator's name; empty if none was given.
	Operator string
	// Action is the name of a mutation, signInFailed, or an operator's command without "agentchat".
	Action string
	// Subject is the id of the sign-in, user or account that was changed.
	Subject string
	// Fields are the names of the changed fields, never their values.
	Fields []string `bun:",array"`
	// Address and Browser are those of the client, as a sign-in stores them; empty if unknown.
	Address, Browser string
	At               time.Time
}

const entryColumns = ` e.id, e.user_id, e.account_id, e.actor, e.actor_id, e.operator, e.action,
	e.subject, e.fields, e.address, e.browser, e.at `

// insertEntries runs an INSERT into audit_entries AS e in the caller's transaction and returns the
// number of entries. They are logged after the commit.
func (s Store) insertEntries(ctx context.Context, insert string, args ...any) (int, error) {
	recorded, err := db.All[Entry](ctx, s.db, insert+` RETURNING`+entryColumns, args...)
	if err == nil && len(recorded) > 0 {
		db.OnCommit(s.db, func() { logEntries(ctx, db.ConfigOf(s.db).Logger, recorded) })
	}
	return len(recorded), err
}

// Record appends an entry for each of the users, in the caller's transaction. An empty subject
// means the user.
func (s Store) Record(ctx context.Context, e Entry, users ...uuid.UUID) error {
	_, err := s.insertEntries(ctx, `
		INSERT INTO audit_entries AS e (id, user_id, actor, operator, action, subject, fields, address, browser, at)
		SELECT `+db.NewID+`, u.id, $2, $3, $4, coalesce(nullif($5::text, ''), u.id::text), coalesce($6::text[], '{}'), $7, $8, n.now
		FROM`+db.DatabaseTime+`CROSS JOIN unnest($1::uuid[]) u(id)`,
		db.Texts(users), string(e.Actor), e.Operator, e.Action, e.Subject, e.Fields, e.Address, e.Browser)
	return err
}

type actingKey struct{}

// Acting returns a context in which changes of an account are recorded as made by by: its Actor,
// ActorID, Operator, Action, Address and Browser.
func Acting(ctx context.Context, by Entry) context.Context {
	return context.WithValue(ctx, actingKey{}, by)
}

// RecordIn appends an entry to an account's trail, in the caller's transaction: the actor of Acting
// has changed fields of the subject. Without an actor, as in background work, it appends nothing.
// Fault: RateLimited over MaxChanges.
func (s Store) RecordIn(ctx context.Context, accountID uuid.UUID, subject string, fields ...string,
) error {
	return s.recordUnless(ctx, "", accountID, subject, fields)
}

// RecordHourly is RecordIn without fields, at most once for each actor, action, subject and hour
// (UTC). The caller has locked the subject, so that no other transaction records the same hour.
func (s Store) RecordHourly(ctx context.Context, accountID uuid.UUID, subject string, _ ...string,
) error {
	// Entries are found by their ids, which begin with their times.
	return s.recordUnless(ctx, `WHERE NOT EXISTS (
		SELECT 1 FROM audit_entries x
		WHERE x.account_id = $1 AND x.action = $5 AND x.id >= `+db.FirstID(`date_trunc('hour', n.now, 'UTC')`)+`
			AND x.subject = $6 AND x.actor = $2 AND x.actor_id IS NOT DISTINCT FROM $3 AND x.operator = $4)`,
		accountID, subject, nil)
}

func (s Store) recordUnless(
	ctx context.Context, condition string, accountID uuid.UUID, subject string, fields []string,
) error {
	by, ok := ctx.Value(actingKey{}).(Entry)
	if !ok {
		return nil
	}
	n, err := s.insertEntries(ctx, `
		INSERT INTO audit_entries AS e (id, account_id, actor, actor_id, operator, action, subject, fields, address, browser, at)
		SELECT `+db.NewID+`, $1::uuid, $2::text, $3::uuid, $4::text, $5::text, $6::text, coalesce($7::text[], '{}'), $8, $9, n.now
		FROM`+db.DatabaseTime+condition,
		accountID, string(by.Actor), by.ActorID, by.Operator, by.Action, subject, fields, by.Address, by.Browser)
	if err != nil || n == 0 || by.Actor != ByUser && by.Actor != ByToken || urgent.MatchString(by.Action) {
		return err
	}
	return s.checkChanges(ctx, accountID)
}

// checkChanges checks the limit of an account's changes, including the caller's. Uncommitted
// changes of other transactions are not counted and can exceed it. Fault: RateLimited.
func (s Store) checkChanges(ctx context.Context, accountID uuid.UUID) error {
	wait, err := db.All[int64](ctx, s.db,
		`SELECT ceil(extract(epoch FROM e.at + $2::interval - clock_timestamp()) * 1000000)::bigint
		FROM audit_entries e WHERE e.account_id = $1 AND e.id >= `+db.FirstID(`clock_timestamp() - $2::interval`)+`
			AND e.actor IN ('USER', 'TOKEN') AND e.action !~ '^(delete|remove)'
		ORDER BY e.id DESC OFFSET $3 LIMIT 1`, accountID, ChangesWindow, MaxChanges)
	if err != nil || len(wait) == 0 {
		return err
	}
	return &fault.Error{Kind: fault.RateLimited, RetryAfter: max(time.Duration(wait[0])*time.Microsecond, time.Second),
		Message: "This account has reached 10,000 changes in a day. Try again later. " +
			"Deleting, removing and pausing still work."}
}

// logEntries logs entries of the audit trail; a nil logger discards them.
func logEntries(ctx context.Context, logger *slog.Logger, entries []Entry) {
	if logger == nil {
		return
	}
	for _, e := range entries {
		logger.LogAttrs(ctx, slog.LevelInfo, "audit", slog.String("action", e.Action), slog.String("actor", string(e.Actor)),
			slog.String("operator", e.Operator), slog.String("user", e.UserID.String()), slog.String("account", e.AccountID.String()),
			slog.String("subject", e.Subject), slog.String("fields", strings.Join(e.Fields, " ")), slog.String("address", e.Address),
			slog.String("browser", e.Browser))
	}
}

// Query selects a page of entries.
type Query struct {
	// First is the size of the page, 1 to MaxPage.
	First int
	// After is the last entry before the page; nil starts with the newest.
	After *db.Cursor
	// Filter applies to Page only.
	Filter Filter
}

// EventPage returns a page of a user's entries, the newest first. It is one statement that reads
// one range of one index. Fault: InvalidInput on first, before any statement.
func (s Store) EventPage(ctx context.Context, userID uuid.UUID, q Query) (db.Page[Entry], error) {
	if _, err := db.PageSize(&q.First); err != nil {
		return db.Page[Entry]{}, err
	}
	var text db.Statement
	text.Page(`id DESC`, q.First, func() {
		text.Add(`SELECT`+entryColumns+`FROM audit_entries e WHERE e.user_id = ?::uuid`, userID)
		if q.After != nil {
			text.Add(` AND e.id < ?::uuid`, q.After.ID)
		}
	})
	items, err := db.All[Entry](ctx, s.db, text.String(), text.Args()...)
	return db.Cut(items, q.First), err
}

// Event returns an entry of a user. Fault: NotFound.
func (s Store) Event(ctx context.Context, userID, id uuid.UUID) (Entry, error) {
	return db.One[Entry](ctx, s.db,
		`SELECT`+entryColumns+`FROM audit_entries e WHERE e.id = $1 AND e.user_id = $2`, id, userID)
}

// RecordFailedSignIns appends an entry for each user and hour (UTC) with failed sign-ins. An
// attempt has failed if it was counted at least settled ago and was not given back. Several
// replicas may do so at once: each hour has one entry.
func (s Store) RecordFailedSignIns(ctx context.Context, settled time.Duration) error {
	type attempt struct {
		UserID uuid.UUID
		At     time.Time
	}
	attempts, err := db.All[attempt](ctx, s.db, `
		SELECT t.user_id, min(h) AS at FROM throttles t JOIN users u ON u.id = t.user_id CROSS JOIN unnest(t.hits) h
		WHERE t.expires_at > statement_timestamp() AND h <= clock_timestamp() - $1::interval
		GROUP BY t.user_id, date_trunc('hour', h, 'UTC')`, settled)
	if err != nil || len(attempts) == 0 {
		return err
	}
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		// Without the lock, two replicas could both find no entry and add one each.
		if _, err := db.Exec(ctx, tx,
			`SELECT pg_advisory_xact_lock(hashtext('audit_entries'))`); err != nil {
			return err
		}
		// Entries are found by their ids, which begin with their times.
		_, err := On(tx).insertEntries(ctx, `
			INSERT INTO audit_entries AS e (id, user_id, actor, action, subject, fields, at)
			SELECT `+db.NewID+`, n.user_id, $3, $4, n.user_id::text, '{}', n.now
			FROM unnest($1::uuid[], $2::timestamptz[]) n(user_id, now)
			WHERE NOT EXISTS (SELECT 1 FROM audit_entries x WHERE x.user_id = n.user_id AND x.action = $4
				AND x.id >= `+db.FirstID(`date_trunc('hour', n.now, 'UTC')`)+`
				AND x.id < `+db.FirstID(`date_trunc('hour', n.now, 'UTC') + interval '1 hour'`)+`)`,
			db.Mapped(attempts, func(a attempt) string { return a.UserID.String() }),
			db.Mapped(attempts, func(a attempt) time.Time { return a.At }), string(BySystem), signInFailed)
		return err
	})
}

// Purge removes at most limit entries that are older than Retention and returns the number removed.
func (s Store) Purge(ctx context.Context, limit int) (int, error) {
	return db.Exec(ctx, s.db, `DELETE FROM audit_entries WHERE id = ANY (ARRAY(
		SELECT e.id FROM audit_entries e WHERE e.id < $1 AND e.at < clock_timestamp() - $2::interval
		ORDER BY e.id LIMIT $3 FOR UPDATE SKIP LOCKED))`,
		conversation.FirstID(time.Now().Add(-Retention)), Retention, limit)
}

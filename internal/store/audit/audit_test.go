package audit_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/throttles"
	"agentchat/internal/store/users"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// actions returns the actions of a user's entries, the newest first.
func actions(t *testing.T, s *store.DB, userID uuid.UUID) (out []string) {
	t.Helper()
	page, err := audit.On(s).EventPage(t.Context(), userID, audit.Query{First: store.MaxPage})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range page.Items {
		out = append(out, e.Action)
	}
	return out
}

// does returns the entry of an action.
func does(actor audit.ActorKind, action string, fields ...string) audit.Entry {
	return audit.Entry{Actor: actor, Action: action, Fields: fields, Address: "192.0.2.7", Browser: "Browser/2.0"}
}

// TestEachChangeLeavesAnEntry: a change leaves one entry for each user it affects, and none when
// nothing changes.
func TestEachChangeLeavesAnEntry(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, other := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	me, foreign := f.Account.OwnerID, storetest.SignIn(t, s, other.Account.OwnerID)
	own := storetest.SignIn(t, s, me)
	operator := does(audit.ByOperator, "user sign-out")
	operator.Operator = "Ops"
	wrong := users.PasswordChange{VerifiedHash: "wrong", NewHash: "new"}
	for _, c := range []struct {
		what    string
		do      func() error
		want    fault.Kind
		entry   audit.Entry
		subject uuid.UUID
	}{
		{"a sign-in after another change of the password", func() error {
			_, err := users.On(s).CreateSignIn(t.Context(),
				users.Credentials{UserID: me, PasswordHash: "wrong"}, users.NewSignIn{ID: uuid.New()})
			return err
		}, fault.InvalidCredentials, audit.Entry{}, me},
		{"a password that was changed meanwhile", func() error {
			return users.On(s).SetPasswordAndEndOthers(t.Context(), me, own, wrong, storetest.ByUser)
		}, fault.Conflict, audit.Entry{}, me},
		{"a password, by another user's sign-in", func() error {
			return users.On(s).SetPasswordAndEndOthers(t.Context(), me, foreign,
				users.PasswordChange{VerifiedHash: "none", NewHash: "new"}, storetest.ByUser)
		}, fault.Unauthorized, audit.Entry{}, me},
		{"the end of another user's sign-in", func() error { return users.On(s).EndSignIn(t.Context(), me, foreign, storetest.ByUser) },
			fault.NotFound, audit.Entry{}, me},
		{"a change of the password", func() error {
			return users.On(s).SetPasswordAndEndOthers(t.Context(), me, own, users.PasswordChange{VerifiedHash: "none", NewHash: "new"},
				does(audit.ByUser, "changePassword", "password"))
		}, "", does(audit.ByUser, "changePassword", "password"), me},
		{"the end of a sign-in", func() error { return users.On(s).EndSignIn(t.Context(), me, own, does(audit.ByUser, "endSignIn")) },
			"", does(audit.ByUser, "endSignIn"), own},
		{"the end of an ended one", func() error { return users.On(s).EndSignIn(t.Context(), me, own, storetest.ByUser) },
			fault.NotFound, audit.Entry{}, me},
		{"the end of an ended one, by its token", func() error { return users.On(s).EndSignInOfToken(t.Context(), own, storetest.ByUser) },
			"", audit.Entry{}, me},
		{"the end of none", func() error { return errOf(users.On(s).EndAllSignIns(t.Context(), me, storetest.ByUser)) }, "", audit.Entry{}, me},
		{"a password by the operator", func() error {
			return users.On(s).SetPasswordHash(t.Context(), me, "none",
				does(audit.ByOperator, "account password", "password"))
		}, "", does(audit.ByOperator, "account password", "password"), me},
		{"the end of all, with two", func() error {
			storetest.SignIn(t, s, me)
			storetest.SignIn(t, s, me)
			return errOf(users.On(s).EndEverySignIn(t.Context(), operator))
		}, "", operator, me},
	} {
		before := actions(t, s, me)
		if err := c.do(); c.want == "" && err != nil || c.want != "" && !fault.Is(err, c.want) {
			t.Errorf("%s: %v", c.what, err)
		}
		page, err := audit.On(s).EventPage(t.Context(), me, audit.Query{First: 1})
		if err != nil {
			t.Fatal(err)
		}
		after := slices.DeleteFunc(actions(t, s, me), func(a string) bool { return a == "signIn" })
		before = slices.DeleteFunc(before, func(a string) bool { return a == "signIn" })
		if c.entry.Action == "" {
			if !slices.Equal(after, before) {
				t.Errorf("%s: %q", c.what, after)
			}
			continue
		}
		got := page.Items[0]
		if len(after) != len(before)+1 || got.Action != c.entry.Action || got.Actor != c.entry.Actor || got.Operator != c.entry.Operator ||
			got.Address != c.entry.Address || got.Browser != c.entry.Browser || got.UserID != me || got.Subject != c.subject.String() ||
			!slices.Equal(got.Fields, c.entry.Fields) || time.Since(got.At).Abs() > time.Minute {
			t.Errorf("%s: %+v of %q", c.what, got, after)
		}
	}
	if got := actions(t, s, other.Account.OwnerID); !slices.Equal(got, []string{"user sign-out", "signIn"}) {
		t.Errorf("the other user has %q", got)
	}
}

func errOf(_ int, err error) error { return err }

// TestNoEntryWithoutItsChange: when the entry cannot be written nothing changes, and a change that
// fails late leaves no entry and no line in the log.
func TestNoEntryWithoutItsChange(t *testing.T) {
	t.Parallel()
	var lines bytes.Buffer
	s, err := store.Open(t.Context(),
		store.Config{URL: storetest.URL(t), Logger: slog.New(slog.NewTextHandler(&lines, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	f := storetest.Seed(t, s, storetest.Options{})
	id := storetest.SignIn(t, s, f.Account.OwnerID)
	logged := lines.String()
	for _, part := range []string{"msg=audit", "action=signIn", "user=" + f.Account.OwnerID.String(), "subject=" + id.String(),
		"address=127.0.0.1"} {
		if strings.Count(logged, "\n") != 1 || !strings.Contains(logged, part) {
			t.Errorf("the log does not say %s once: %s", part, logged)
		}
	}
	// A deferred trigger fails only when the transaction is committed.
	storetest.Exec(t, s,
		`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`)
	storetest.Exec(t, s,
		`CREATE CONSTRAINT TRIGGER late AFTER UPDATE ON sign_ins DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW EXECUTE FUNCTION refuse()`)
	if err := users.On(s).EndSignIn(t.Context(), f.Account.OwnerID, id, does(audit.ByUser, "endSignIn")); err == nil {
		t.Error("the change did not fail")
	}
	storetest.Exec(t, s, `DROP TRIGGER late ON sign_ins`)
	storetest.Exec(t, s,
		`CREATE TRIGGER refuse BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse()`)
	if err := users.On(s).EndSignIn(t.Context(), f.Account.OwnerID, id, does(audit.ByUser, "endSignIn")); err == nil {
		t.Error("ended without an entry")
	}
	if !storetest.SignInWorks(t, s, f.Account.OwnerID, id) || len(actions(t, s, f.Account.OwnerID)) != 1 || lines.String() != logged {
		t.Errorf("something was done, or an entry is left, or logged: %s", lines.String())
	}
}

// TestEntriesStay tests that an entry cannot be changed, or deleted before it is 400 days old.
// Purge deletes it then.
func TestEntriesStay(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	me := f.Account.OwnerID
	storetest.SignIn(t, s, me)
	trail, id := "user_id", me
	aged := func(days string) {
		t.Helper()
		storetest.Exec(t, s,
			`INSERT INTO audit_entries (id, `+trail+`, actor, action, subject, fields, at)
			SELECT encode(int8send((extract(epoch FROM at) * 1000)::bigint << 16) || substring(uuid_send(gen_random_uuid()) FROM 9), 'hex')::uuid,
				$1, 'USER', 'signIn', 'x', '{}', at
			FROM (SELECT clock_timestamp() - $2::interval AS at) n`, id, days)
	}
	aged("399 days 23 hours")
	for _, statement := range []string{`UPDATE audit_entries SET action = ''`,
		`DELETE FROM audit_entries`, `TRUNCATE audit_entries`} {
		if _, err := s.SQL().ExecContext(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if err := erasure.On(s).DeleteAnyAccount(t.Context(), f.Account.ID, storetest.ByUser); err != nil {
		t.Fatal(err)
	}
	kept := func() int { return storetest.CountRows(t, s, `SELECT count(*) FROM audit_entries`) }
	if n, err := audit.On(s).Purge(t.Context(), 10); n != 0 || err != nil || kept() != 3 { // the deletion's, too
		t.Errorf("purged %d: %v", n, err)
	}
	aged("400 days 1 second")
	aged("400 days 1 second")
	trail, id = "account_id", f.Account.ID
	aged("400 days 1 second")
	const old = `UPDATE audit_entries SET action = '' WHERE at < now() - interval '400 days'`
	if _, err := s.SQL().ExecContext(t.Context(), old); err == nil {
		t.Error("an old entry was changed")
	}
	for _, want := range []int{2, 1, 0} {
		if n, err := audit.On(s).Purge(t.Context(), 2); n != want || err != nil {
			t.Errorf("purged %d, want %d: %v", n, want, err)
		}
	}
	if n := kept(); n != 3 {
		t.Errorf("%d are left", n)
	}
	page, err := audit.On(s).Page(t.Context(), f.Account.ID, audit.Query{First: 1})
	if err != nil || len(page.Items) != 1 || page.Items[0].Subject != f.Account.ID.String() {
		t.Errorf("of the deleted account: %+v, %v", page.Items, err)
	}
}

// TestFailedSignInsAreRecordedOnce tests one entry for each user and hour, over two replicas at
// once. Attempts that were given back, are in flight or were at unknown addresses leave none.
func TestFailedSignInsAreRecordedOnce(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	replicas := []*store.DB{storetest.Open(t, url), storetest.Open(t, url)}
	s := replicas[0]
	me, other := storetest.Seed(t, s, storetest.Options{}).Account.OwnerID, storetest.Seed(t, s, storetest.Options{}).Account.OwnerID
	attempt := func(key byte, userID uuid.UUID) throttles.Attempt {
		t.Helper()
		a, err := throttles.On(s).Throttle(t.Context(), [32]byte{key}, userID, 10, 15*time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	record := func() {
		t.Helper()
		var work sync.WaitGroup
		errs := make([]error, 6)
		for i := range errs {
			work.Go(func() {
				errs[i] = audit.On(replicas[i%2]).RecordFailedSignIns(context.WithoutCancel(t.Context()), 30*time.Second)
			})
		}
		work.Wait()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		attempt(1, me)
	}
	attempt(2, me)
	attempt(3, uuid.Nil)
	attempt(4, uuid.New()) // of a user who was deleted meanwhile
	storetest.Exec(t, s, `UPDATE throttles SET hits = ARRAY(
		SELECT date_trunc('hour', clock_timestamp()) - interval '31 seconds' - n * interval '1 microsecond'
		FROM generate_series(1, cardinality(hits)) n)`)
	right := attempt(5, other)
	attempt(6, other)
	if err := throttles.On(s).GiveBack(t.Context(), [32]byte{5}, right.At); err != nil {
		t.Fatal(err)
	}
	record()
	record()
	if got := actions(t, s, me); !slices.Equal(got, []string{"signInFailed"}) || len(actions(t, s, other)) != 0 {
		t.Fatalf("%q, and of the other user %q", got, actions(t, s, other))
	}
	// Another hour has an entry of its own, whatever the order in which they are found.
	first := [32]byte{1}
	storetest.Exec(t, s,
		`UPDATE throttles SET hits = ARRAY[date_trunc('hour', clock_timestamp()) - interval '61 minutes'] || hits
		WHERE key = $1`, first[:])
	record()
	if got := actions(t, s, me); len(got) != 2 || storetest.CountRows(t, s,
		`SELECT count(*) FROM audit_entries`) != 2 {
		t.Errorf("two hours have %q", got)
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM audit_entries
		WHERE action <> 'signInFailed' OR actor <> 'SYSTEM' OR subject <> user_id::text`); n != 0 {
		t.Errorf("%d entries say something else", n)
	}
}

// TestEventOfAnotherUser tests that a user cannot read an entry of another user by its id.
func TestEventOfAnotherUser(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	me := storetest.Seed(t, s, storetest.Options{}).Account.OwnerID
	other := storetest.Seed(t, s, storetest.Options{}).Account.OwnerID
	storetest.SignIn(t, s, other)
	page, err := audit.On(s).EventPage(t.Context(), other, audit.Query{First: 1})
	if err != nil || len(page.Items) != 1 {
		t.Fatal(page, err)
	}
	id := page.Items[0].ID
	if _, err := audit.On(s).Event(t.Context(), other, id); err != nil {
		t.Errorf("the user's own entry: %v", err)
	}
	if _, err := audit.On(s).Event(t.Context(), me, id); !fault.Is(err, fault.NotFound) {
		t.Errorf("the other user's entry: %v", err)
	}
}

package store_test

import (
	"cmp"
	"errors"
	"fmt"
	neturl "net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/users"
)

func TestMain(m *testing.M) { storetest.Main(m) }

func TestAccounts(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	in := accounts.NewAccount{Email: "a@example.com", Name: "Ada", PasswordHash: "phc", StartingCredits: 100}
	created, err := accounts.On(s).CreateAccount(t.Context(), in)
	if err != nil || created.CreditBalance != 100 || created.Email != in.Email || created.Name != in.Name {
		t.Fatalf("create: %+v %v", created, err)
	}
	_, err = accounts.On(s).CreateAccount(t.Context(), in)
	if !fault.Is(err, fault.Conflict) || strings.Contains(fault.ClientMessage(err), "accounts_email") {
		t.Errorf("a known address: %v", err)
	}
	if got, err := operator.On(s).AccountByEmail(t.Context(), in.Email); err != nil || got.ID != created.ID {
		t.Errorf("by address: %+v %v", got, err)
	}
	if _, err := operator.On(s).AccountByEmail(t.Context(), "other@example.com"); !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown address: %v", err)
	}
	if _, err := accounts.On(s).Account(t.Context(), uuid.New()); !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown account: %v", err)
	}
	if err := users.On(s).SetPasswordHash(t.Context(), created.OwnerID, "other", storetest.ByUser); err != nil {
		t.Error(err)
	}
	if err := users.On(s).SetPasswordHash(t.Context(), uuid.New(), "other", storetest.ByUser); !fault.Is(err, fault.NotFound) {
		t.Errorf("a password for an unknown user: %v", err)
	}
	storetest.Audit(t, s)
}

func TestGrantIsOncePerReference(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 10})
	in := credits.Grant{AccountID: f.Account.ID, Amount: 50, Note: "Invoice 7", Reference: "invoice-7"}
	var work sync.WaitGroup
	var mu sync.Mutex
	fresh := 0
	for range 8 {
		work.Go(func() {
			got, err := credits.On(s).GrantCredits(t.Context(), in)
			if err != nil || got.Balance != 60 {
				t.Errorf("%+v %v", got, err)
			}
			mu.Lock()
			defer mu.Unlock()
			if !got.Repeated {
				fresh++
			}
		})
	}
	work.Wait()
	if balance, _ := storetest.Credits(t, s, f.Account.ID); balance != 60 || fresh != 1 {
		t.Errorf("balance %d after %d grants, want 60 after one", balance, fresh)
	}
	other := in
	other.Amount = 51
	if _, err := credits.On(s).GrantCredits(t.Context(), other); !fault.Is(err, fault.Conflict) {
		t.Errorf("the reference with another amount: %v", err)
	}
	for name, c := range map[string]struct {
		in   credits.Grant
		want fault.Kind
	}{
		"unknown account": {credits.Grant{AccountID: uuid.Max, Amount: 1, Reference: "x"}, fault.NotFound},
		"nothing":         {credits.Grant{AccountID: f.Account.ID, Amount: 0, Reference: "x"}, fault.InvalidInput},
		"less than that":  {credits.Grant{AccountID: f.Account.ID, Amount: -1, Reference: "x"}, fault.InvalidInput},
		"too much":        {credits.Grant{AccountID: f.Account.ID, Amount: 1 << 53, Reference: "x"}, fault.InvalidInput},
		"too much in all": {credits.Grant{AccountID: f.Account.ID, Amount: 1<<53 - 10, Reference: "x"}, fault.InvalidInput},
	} {
		if _, err := credits.On(s).GrantCredits(t.Context(), c.in); fault.KindOf(err) != c.want || err == nil {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	storetest.Audit(t, s)
}

func TestHistoryIsAppendOnly(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	storetest.Seed(t, s, storetest.Options{})
	for _, query := range []string{`UPDATE credit_entries SET amount = 1`,
		`DELETE FROM credit_entries`, `TRUNCATE credit_entries`} {
		if _, err := s.SQL().ExecContext(t.Context(), query); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// TestNoCreditIsSpentTwiceWhateverAStatementTries goes past the statements, to the table's own
// constraint.
func TestNoCreditIsSpentTwiceWhateverAStatementTries(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	storetest.Seed(t, s, storetest.Options{Credits: 5})
	for _, query := range []string{`UPDATE accounts SET credits_held = 6`,
		`UPDATE accounts SET credits_held = -1`,
		`UPDATE accounts SET credit_balance = -1`} {
		if _, err := s.SQL().ExecContext(t.Context(), query); err == nil {
			t.Errorf("%s: was let through", query)
		}
	}
}

// TestTextsThatPostgreSQLRefuses: a text that PostgreSQL cannot hold is the client's mistake,
// wherever it comes in.
func TestTextsThatPostgreSQLRefuses(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	ctx, me := t.Context(), f.Account
	search := operator.AccountQuery{First: 1, Search: "\x00"}
	begin := func(text string, variables map[string]string) error {
		b := storetest.NewBegin(f.Key)
		b.Message, b.Variables = text, variables
		return storetest.ErrOnly(turns.On(s).BeginTurn(ctx, b))
	}
	for _, text := range []string{"\x00", "a\x00b", "\xff", "a\xc3", "\xed\xa0\x80"} {
		for what, err := range map[string]error{
			"any account's request": storetest.ErrOnly(operator.On(s).FindRequest(ctx, text)),
			"an address":            storetest.ErrOnly(operator.On(s).AccountByEmail(ctx, text)),
			"a search":              storetest.ErrOnly(operator.On(s).AccountPage(ctx, search)),
			"a message":             begin(text, nil),
			"a text in JSON":        begin("hello", map[string]string{"a": "\x00"}), // another SQLSTATE
			"a request": storetest.ErrOnly(
				conversations.On(s).RequestByRequestID(ctx, me.ID, text)),
			"a text to store": users.On(s).SetPasswordHash(ctx, me.OwnerID, text, storetest.ByUser),
		} {
			if !fault.Is(err, fault.InvalidInput) || !strings.Contains(fault.ClientMessage(err), "U+0000") {
				t.Errorf("%s, %q: %v", what, text, err)
			}
		}
	}
	storetest.Audit(t, s)
}

func TestKeysAreStoredAsHashesOnly(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	var row string
	err := s.SQL().QueryRowContext(t.Context(), `SELECT to_jsonb(k)::text FROM api_keys k`).Scan(&row)
	if err != nil || strings.Contains(row, f.Key.Reveal()[8:30]) {
		t.Errorf("the row shows the key, %v", err)
	}
	if in, err := exports.On(s).KeyInUse(t.Context(), apikey.Mint().Hash()); err != nil || in {
		t.Errorf("an unknown key in use: %v %v", in, err)
	}
}

func TestPurgeKeepsIdempotencyKeysForADay(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	withKey := func(b *turns.Begin) { b.IdempotencyKey = "k" }
	begun, _ := storetest.AnswerTurn(t, s, f.Key, withKey)
	if err := erasure.On(s).DeleteConversation(t.Context(), f.Account.ID, begun.ConversationID); err != nil {
		t.Fatal(err)
	}
	age := func(interval string) {
		storetest.ExecLater(`UPDATE conversations SET deleted_at = now() - interval '`+interval+`'`)(t, s, f)
	}
	age("23 h 59 min")
	if n, err := erasure.On(s).PurgeDeleted(t.Context(), 10); n != 0 || err != nil {
		t.Errorf("within a day: purged %d, %v", n, err)
	}
	if got := storetest.BeginTurn(t, s, f.Key, withKey); got.Outcome != turns.ConversationDeleted {
		t.Errorf("a replay within a day: %s", got.Outcome)
	}
	age("24 h 1 min")
	if n, err := erasure.On(s).PurgeDeleted(t.Context(), 10); n != 1 || err != nil {
		t.Errorf("after a day: purged %d, %v", n, err)
	}
	if got := storetest.BeginTurn(t, s, f.Key, withKey); got.Outcome != turns.Begun {
		t.Errorf("the key after that: %s", got.Outcome)
	}
	storetest.Audit(t, s)
}

func TestMigrateTogether(t *testing.T) {
	t.Parallel()
	url := storetest.EmptyURL(t)
	replicas := make([]*store.DB, 4)
	for i := range replicas {
		replicas[i] = storetest.Open(t, url)
		if err := replicas[i].SchemaCurrent(t.Context()); err == nil {
			t.Error("an empty database counts as current")
		}
	}
	var work sync.WaitGroup
	for _, s := range replicas {
		work.Go(func() {
			if err := s.Migrate(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	s := storetest.Open(t, url)
	if err := s.SchemaCurrent(t.Context()); err != nil {
		t.Error(err)
	}
	var doubles int
	err := s.SQL().QueryRowContext(t.Context(),
		`SELECT count(*) - count(DISTINCT version_id) FROM goose_db_version`).Scan(&doubles)
	if err != nil || doubles != 0 {
		t.Errorf("%d migrations ran twice, %v", doubles, err)
	}
	storetest.ExecLater(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)`)(t, s, storetest.Fixture{})
	if err := cmp.Or(s.Migrate(t.Context()), s.SchemaCurrent(t.Context())); err != nil {
		t.Errorf("a newer schema: %v", err)
	}
}

// TestTablesOfAnotherVersion: the error says where the database is and what to do, without a
// secret.
func TestTablesOfAnotherVersion(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	storetest.ExecLater(`DELETE FROM goose_db_version WHERE version_id > 0`)(t, storetest.Open(t, url), storetest.Fixture{})
	parsed, err := neturl.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	for dir, says := range map[string][2]string{
		"":          {"at " + parsed.Host + parsed.Path, "DATABASE_URL"},
		"/srv/data": {"in /srv/data", "AGENTCHAT_DATA_DIR"},
	} {
		s, err := store.Open(t.Context(), store.Config{URL: url, DataDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		text := fmt.Sprint(s.Migrate(t.Context()))
		if !strings.HasPrefix(text, "cannot migrate the database "+says[0]+": ") || !strings.HasSuffix(text, "with "+says[1]) ||
			strings.Contains(text, "\n") || strings.Contains(text, parsed.User.String()) {
			t.Errorf("%q", text)
		}
	}
}

func TestAwayIsUnavailable(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	settlement := turns.Settlement{TurnID: uuid.New()}
	for name, err := range map[string]error{
		"begin":  storetest.ErrOnly(turns.On(s).BeginTurn(t.Context(), storetest.NewBegin(f.Key))),
		"finish": storetest.ErrOnly(turns.On(s).SettleTurn(t.Context(), settlement)),
		"reap":   storetest.ErrOnly(turns.On(s).ReapTurns(t.Context(), 1)),
		"agents": storetest.ErrOnly(agents.On(s).Agents(t.Context(), f.Account.ID)),
	} {
		if !fault.Is(err, fault.Unavailable) || !errors.Is(err, fault.ErrDatabase) {
			t.Errorf("%s with the database away: %v", name, err)
		}
	}
}

package accounts_test

import (
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/apikey"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/dataexport"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
)

// newToken makes a token of an account.
func newToken(t *testing.T, s *store.DB, f storetest.Fixture) (account.Token, apikey.Key) {
	t.Helper()
	secret := apikey.MintToken()
	token, err := accounts.On(s).CreateToken(t.Context(), f.Account.ID,
		account.NewToken{Name: "Night job", Role: account.Editor, CreatedBy: f.Account.OwnerID}, secret)
	if err != nil {
		t.Fatal(err)
	}
	return token, secret
}

// TestAtMostTwentyTokens, however many are made at once. Those that have run out do not count.
func TestAtMostTwentyTokens(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	newToken(t, s, f)
	storetest.Exec(t, s, `UPDATE account_tokens SET expires_at = now()`)
	var refused atomic.Int64
	var work sync.WaitGroup
	for range account.MaxTokens + 5 {
		work.Go(func() {
			_, err := accounts.On(s).CreateToken(t.Context(), f.Account.ID,
				account.NewToken{Name: "A", Role: account.Viewer}, apikey.MintToken())
			if fault.Is(err, fault.Conflict) {
				refused.Add(1)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	list, err := accounts.On(s).Tokens(t.Context(), f.Account.ID)
	if err != nil || len(list) != account.MaxTokens || refused.Load() != 5 {
		t.Errorf("%d tokens, %d refused, %v", len(list), refused.Load(), err)
	}
	if err := accounts.On(s).RemoveToken(t.Context(), f.Account.ID, list[0].ID); err != nil {
		t.Fatal(err)
	}
	newToken(t, s, f)
}

// TestTokensOfOtherAccounts are neither listed nor removed.
func TestTokensOfOtherAccounts(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, other := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	token, secret := newToken(t, s, f)
	if list, err := accounts.On(s).Tokens(t.Context(), other.Account.ID); len(list) > 0 || err != nil {
		t.Errorf("listed: %+v, %v", list, err)
	}
	if err := accounts.On(s).RemoveToken(t.Context(), other.Account.ID, token.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("removed: %v", err)
	}
	if found, err := accounts.On(s).ActorsByIDs(t.Context(), other.Account.ID, []uuid.UUID{token.ID}); len(found) > 0 || err != nil {
		t.Errorf("named: %+v, %v", found, err)
	}
	if found, err := accounts.On(s).TokenActive(t.Context(), secret.Hash()); err != nil || found.Account.ID != f.Account.ID {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestTokensOfADeletedAccount are gone with it, and of an exported one they are listed without what
// they are checked by.
func TestTokensOfADeletedAccount(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	token, secret := newToken(t, s, f)
	var lines strings.Builder
	if err := dataexport.On(s).ExportAccount(t.Context(), f.Account.ID, nil, func(line json.RawMessage) error {
		lines.Write(line)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	text := lines.String()
	if !strings.Contains(text,
		`{"type":"account_token","id":"`+token.ID.String()+`","name":"Night job","hint":"agt_`) ||
		strings.Contains(text, `"hash"`) || strings.Contains(text, secret.Reveal()) {
		t.Errorf("exported: %s", text)
	}
	if err := erasure.On(s).DeleteAnyAccount(t.Context(), f.Account.ID, storetest.ByUser); err != nil {
		t.Fatal(err)
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM account_tokens`); n != 0 {
		t.Errorf("%d tokens are left", n)
	}
	if _, err := accounts.On(s).TokenActive(t.Context(), secret.Hash()); !fault.Is(err, fault.Unauthorized) {
		t.Errorf("it works: %v", err)
	}
	_, err := accounts.On(s).CreateToken(t.Context(), f.Account.ID,
		account.NewToken{Name: "A", Role: account.Viewer}, apikey.MintToken())
	if !fault.Is(err, fault.NotFound) {
		t.Errorf("a new one: %v", err)
	}
}

// TestRecordTokenUse checks that the last use of a token is stored at most once a minute.
func TestRecordTokenUse(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	token, secret := newToken(t, s, f)
	use := func() (used bool, last time.Time) {
		t.Helper()
		before, err := accounts.On(s).TokenActive(t.Context(), secret.Hash())
		if err == nil {
			err = accounts.On(s).RecordTokenUse(t.Context(), []uuid.UUID{token.ID})
		}
		list, listErr := accounts.On(s).Tokens(t.Context(), f.Account.ID)
		if err != nil || listErr != nil || list[0].LastUsedAt == nil {
			t.Fatalf("%+v %v %v", list, err, listErr)
		}
		return before.Used, *list[0].LastUsedAt
	}
	used, first := use()
	usedAgain, again := use()
	if used || !usedAgain || !again.Equal(first) {
		t.Errorf("used %v at %v, then %v at %v", used, first, usedAgain, again)
	}
	storetest.Exec(t, s,
		`UPDATE account_tokens SET last_used_at = last_used_at - interval '61 seconds'`)
	if used, last := use(); used || !last.After(first) {
		t.Errorf("a minute later: used %v at %v", used, last)
	}
}

// TestPurgeTokens: expired ones stay as long as the audit trail may name them.
func TestPurgeTokens(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	for _, age := range []string{"401 days", "399 days", "-1 day"} {
		token, _ := newToken(t, s, f)
		storetest.Exec(t, s,
			`UPDATE account_tokens SET expires_at = now() - $2::interval WHERE id = $1`, token.ID, age)
	}
	if n, err := accounts.On(s).PurgeTokens(t.Context(), 10); n != 1 || err != nil {
		t.Errorf("%d purged, %v", n, err)
	}
	if list, err := accounts.On(s).Tokens(t.Context(), f.Account.ID); len(list) != 1 || err != nil {
		t.Errorf("%d tokens work, %v", len(list), err)
	}
}

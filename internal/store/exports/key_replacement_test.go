package exports_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// keyring is an export whose keys are replaced.
type keyring struct {
	*testing.T
	s *store.DB
	storetest.Fixture
}

func newKeyring(t *testing.T) keyring {
	t.Helper()
	s := storetest.New(t)
	return keyring{t, s, storetest.Seed(t, s, storetest.Options{})}
}

// replace gives the export another key.
func (k keyring) replace(oldStopsAt *time.Time) apikey.Key {
	k.Helper()
	key := apikey.Mint()
	if _, err := exports.On(k.s).ReplaceKey(k.Context(), k.Account.ID, k.Export.ID, nil, key, oldStopsAt); err != nil {
		k.Fatal(err)
	}
	return key
}

// keys returns the keys of the export that have not stopped.
func (k keyring) keys() []apikey.APIKey {
	k.Helper()
	byExport, err := exports.On(k.s).KeysByExports(k.Context(), k.Account.ID, []uuid.UUID{k.Export.ID})
	if err != nil {
		k.Fatal(err)
	}
	return byExport[k.Export.ID]
}

// accepted checks whether keys begin a message, and that KeyInUse agrees.
func (k keyring) accepted(want bool, keys ...apikey.Key) {
	k.Helper()
	for i, key := range keys {
		got := storetest.BeginTurn(k.T, k.s, key, func(b *turns.Begin) { b.Session = uuid.NewString() }).Outcome
		used, err := exports.On(k.s).KeyInUse(k.Context(), key.Hash())
		if (got == turns.Begun) != want || !want && got != turns.Unauthorized || used != want || err != nil {
			k.Errorf("key %d: %s, in use %v, %v", i, got, used, err)
		}
	}
}

func in(d time.Duration) *time.Time { return new(time.Now().Add(d)) }

func TestReplaceKey(t *testing.T) {
	t.Parallel()
	k := newKeyring(t)
	at := in(time.Hour)
	second := k.replace(at)
	k.accepted(true, k.Key, second)
	listed := k.keys()
	if len(listed) != 2 || listed[0].Hint != second.Hint() || listed[0].StopsAt != nil || listed[1].Hint != k.Key.Hint() ||
		listed[1].StopsAt == nil || listed[1].StopsAt.Sub(*at).Abs() > time.Microsecond {
		t.Fatalf("the newest first, the older one with its end: %+v", listed)
	}
	if _, err := exports.On(k.s).ReplaceKey(t.Context(), k.Account.ID, k.Export.ID, nil, apikey.Mint(), nil); !fault.Is(err, fault.Conflict) {
		t.Errorf("a third key: %v", err)
	}
	storetest.Exec(t, k.s, `UPDATE api_keys SET stops_at = statement_timestamp() WHERE id = $1`, listed[1].ID)
	k.accepted(false, k.Key)
	third := k.replace(nil)
	k.accepted(false, k.Key, second)
	k.accepted(true, third)
	if listed := k.keys(); len(listed) != 1 || listed[0].Hint != third.Hint() {
		t.Errorf("stopped keys are listed: %+v", listed)
	}
}

// TestReplaceKeyRules tests that only the owner can replace a key, in every state except removed,
// and within the bounds of time.
func TestReplaceKeyRules(t *testing.T) {
	t.Parallel()
	k := newKeyring(t)
	other := storetest.Seed(t, k.s, storetest.Options{})
	for what, c := range map[string]struct {
		account, export uuid.UUID
		stopsAt         *time.Time
		want            fault.Kind
	}{
		"another account's": {other.Account.ID, k.Export.ID, nil, fault.NotFound},
		"none":              {k.Account.ID, uuid.New(), nil, fault.NotFound},
		"the past":          {k.Account.ID, k.Export.ID, in(-time.Second), fault.InvalidInput},
		"31 days":           {k.Account.ID, k.Export.ID, in(31 * 24 * time.Hour), fault.InvalidInput},
	} {
		if _, err := exports.On(k.s).ReplaceKey(t.Context(), c.account, c.export, nil, apikey.Mint(), c.stopsAt); !fault.Is(err, c.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if listed := k.keys(); len(listed) != 1 || listed[0].StopsAt != nil {
		t.Errorf("a refused replacement changed something: %+v", listed)
	}
	for _, state := range []string{`UPDATE api_exports SET paused_at = now()`, `UPDATE api_exports SET expires_at = now()`,
		`UPDATE agents SET state = 'OFFLINE'`} {
		storetest.Exec(t, k.s, state)
		k.replace(nil)
	}
	storetest.Exec(t, k.s, `UPDATE api_exports SET paused_at = NULL, expires_at = NULL`)
	kept := []string{k.replace(in(apikey.MaxOverlap)).Hint(), k.keys()[0].Hint}
	must(t, storetest.ErrOnly(exports.On(k.s).RemoveExport(t.Context(), k.Account.ID, k.Export.ID)))
	for _, key := range k.keys() {
		if key.State != apikey.Removed || !slices.Contains(kept, key.Hint) && key.StopsAt == nil {
			t.Errorf("a removed export lists the keys that it had: %+v", key)
		}
	}
	if n := len(k.keys()); n != 2 {
		t.Errorf("%d keys of the removed export", n)
	}
	if _, err := exports.On(k.s).ReplaceKey(t.Context(), k.Account.ID, k.Export.ID, nil, apikey.Mint(), nil); !fault.Is(err, fault.Conflict) {
		t.Errorf("of a removed export: %v", err)
	}
}

func TestStopKey(t *testing.T) {
	t.Parallel()
	k := newKeyring(t)
	second := k.replace(in(time.Hour))
	newer, older := k.keys()[0].ID, k.keys()[1].ID
	stop := func(id uuid.UUID) error {
		_, err := exports.On(k.s).StopKey(t.Context(), k.Account.ID, id)
		return err
	}
	for range 2 { // stopping it twice is fine
		must(t, stop(newer))
	}
	k.accepted(false, second)
	k.accepted(true, k.Key)
	if left := k.keys(); len(left) != 1 || left[0].ID != older || left[0].StopsAt != nil {
		t.Errorf("the older key would still stop by itself: %+v", left)
	}
	if err := stop(older); !fault.Is(err, fault.Conflict) {
		t.Errorf("the only key: %v", err)
	}
	third := k.replace(in(time.Hour))
	must(t, stop(older))
	k.accepted(false, k.Key, second)
	k.accepted(true, third)
	stranger := storetest.Seed(t, k.s, storetest.Options{})
	if _, err := exports.On(k.s).StopKey(t.Context(), stranger.Account.ID, k.keys()[0].ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("another account's: %v", err)
	}
}

func TestSetKeyStop(t *testing.T) {
	t.Parallel()
	k := newKeyring(t)
	set := func(id uuid.UUID, at *time.Time) error {
		_, err := exports.On(k.s).SetKeyStop(t.Context(), k.Account.ID, id, *at)
		return err
	}
	if err := set(k.KeyID, in(time.Hour)); !fault.Is(err, fault.Conflict) {
		t.Errorf("the only key: %v", err)
	}
	k.replace(in(time.Hour))
	newer, older := k.keys()[0].ID, k.keys()[1].ID
	for at, want := range map[*time.Time]fault.Kind{in(-time.Second): fault.InvalidInput, in(31 * 24 * time.Hour): fault.InvalidInput} {
		if err := set(older, at); !fault.Is(err, want) {
			t.Errorf("%v: %v", at, err)
		}
	}
	if err := set(newer, in(time.Hour)); !fault.Is(err, fault.Conflict) {
		t.Errorf("the newer key: %v", err)
	}
	later := in(apikey.MaxOverlap) // exactly the most
	must(t, set(older, later))
	if at := k.keys()[1].StopsAt; at == nil || at.Sub(*later).Abs() > time.Microsecond {
		t.Errorf("it stops %v", at)
	}
	must(t, storetest.ErrOnly(exports.On(k.s).StopKey(t.Context(), k.Account.ID, older)))
	if err := set(older, in(time.Hour)); !fault.Is(err, fault.Conflict) {
		t.Errorf("a key that has stopped: %v", err)
	}
}

// TestKeyStopsForWhatWaits tests that a message that waited while its key stopped is rejected.
func TestKeyStopsForWhatWaits(t *testing.T) {
	t.Parallel()
	for how, stop := range map[string]func(k keyring) error{
		"replaced": func(k keyring) error {
			_, err := exports.On(k.s).ReplaceKey(k.Context(), k.Account.ID, k.Export.ID, nil, apikey.Mint(), nil)
			return err
		},
		"ended": func(k keyring) error {
			_, err := exports.On(k.s).StopKey(k.Context(), k.Account.ID, k.KeyID)
			return err
		},
	} {
		k := newKeyring(t)
		if how == "ended" {
			k.replace(in(time.Hour))
		}
		release := storetest.WhileLocked(t, k.s, `SELECT 1 FROM api_keys`, func() error { return stop(k) })
		outcome := make(chan turns.Outcome, 1)
		go func() {
			got, err := turns.On(k.s).BeginTurn(t.Context(), storetest.NewBegin(k.Key))
			if err != nil {
				t.Error(err)
			}
			outcome <- got.Outcome
		}()
		storetest.WaitForLocks(t, k.s, 2)
		release()
		if got := <-outcome; got != turns.Unauthorized {
			t.Errorf("a message that waited while its key was %s: %s", how, got)
		}
	}
}

// TestReplacedKeysShareLimits tests that a new key does not reset any counter of its export.
func TestReplacedKeysShareLimits(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for period, change := range storetest.LimitKinds(2) {
		k := keyring{t, s, storetest.Seed(t, s, storetest.Options{})}
		storetest.SetLimits(t, s, k.Fixture, change)
		second := k.Key
		for i := range 2 {
			if got := storetest.BeginTurn(t, s, second, storetest.InOwnSession("u")).Outcome; got != turns.Begun {
				t.Fatalf("%s: message %d: %s", period, i, got)
			}
			second = k.replace(nil)
		}
		second, third := k.replace(in(time.Hour)), second
		for _, key := range []apikey.Key{second, third} {
			if got := storetest.BeginTurn(t, s, key, storetest.InOwnSession("u")); got.Outcome != turns.LimitReached || got.Limit.Period != period || got.Limit.Used != 2 {
				t.Errorf("%s: a new key has a limit of its own: %s, %+v", period, got.Outcome, got.Limit)
			}
		}
	}
	k := keyring{t, s, storetest.Seed(t, s, storetest.Options{RatePerMinute: 2})}
	k.accepted(true, k.Key)
	second := k.replace(in(time.Hour))
	k.accepted(true, second)
	if got := storetest.BeginTurn(t, s, second, nil).Outcome; got != turns.RateLimited {
		t.Errorf("a new key has a rate of its own: %s", got)
	}
}

func TestReplacedKeysShareThePin(t *testing.T) {
	t.Parallel()
	k := newKeyring(t)
	storetest.SetLimits(t, k.s, k.Fixture, agent.ExportChanges{Version: storetest.SetTo(1)})
	storetest.PublishNoted(t, k.s, k.Agent, "")
	for _, key := range []apikey.Key{k.Key, k.replace(in(time.Hour))} {
		if got := storetest.BeginTurn(t, k.s, key, storetest.InOwnSession("u")); got.Outcome != turns.Begun || got.Version != 1 {
			t.Errorf("%s by version %d", got.Outcome, got.Version)
		}
	}
}

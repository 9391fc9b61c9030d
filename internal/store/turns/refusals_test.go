package turns_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// refusal is a message, what is arranged before it, and its outcome.
type refusal struct {
	options storetest.Options
	arrange func(*testing.T, *store.DB, storetest.Fixture)
	change  func(*turns.Begin)
	want    turns.Outcome
}

// TestRefusals: each message has the same outcome alone and in a call with another account's
// message, which begins. A refusal moves no credits.
func TestRefusals(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	quiet := storetest.Seed(t, s, storetest.Options{Credits: 1_000})
	later := ofAccount(`UPDATE api_keys SET stops_at = now() + interval '1 h' WHERE account_id = $1`)
	removed := ofAccount(`UPDATE api_keys SET removed_at = now() WHERE account_id = $1`)
	stopped := ofAccount(`UPDATE api_keys SET stops_at = now() WHERE account_id = $1`)
	paused := ofAccount(`UPDATE api_exports SET paused_at = now() WHERE account_id = $1`)
	offline := ofAccount(`UPDATE agents SET state = 'OFFLINE' WHERE account_id = $1`)
	requiresX := storetest.Options{
		Variables:    []agent.Variable{{Name: "x", Required: true}},
		Instructions: "{{x}}",
	}
	broke, draft := storetest.Options{Credits: -1}, storetest.Options{Draft: true}
	for name, c := range map[string]refusal{
		"new session":          {want: turns.Begun},
		"unknown key":          {change: otherKey, want: turns.Unauthorized},
		"removed export":       {arrange: storetest.RemoveExport, want: turns.Unauthorized},
		"removed key":          {arrange: removed, want: turns.Unauthorized},
		"stopped key":          {arrange: stopped, want: turns.Unauthorized},
		"key that stops later": {arrange: later, want: turns.Begun},
		"expired export": {
			arrange: ofAccount(`UPDATE api_exports SET expires_at = now() WHERE account_id = $1`),
			want:    turns.Unauthorized,
		},
		"deleted agent": {
			arrange: ofAccount(`UPDATE agents SET deleted_at = now() WHERE account_id = $1`),
			want:    turns.Unauthorized,
		},
		"deleted account": {
			arrange: ofAccount(`UPDATE accounts SET state = 'DELETED' WHERE id = $1`),
			want:    turns.Unauthorized,
		},
		"suspended account": {arrange: storetest.Suspend, want: turns.AccountSuspended},
		"suspended account, paused export": {
			arrange: all(storetest.Suspend, paused),
			want:    turns.AccountSuspended,
		},
		"suspended account, draft": {
			options: draft,
			arrange: storetest.Suspend,
			want:    turns.AccountSuspended,
		},
		"suspended account, stopped key": {
			arrange: all(storetest.Suspend, stopped),
			want:    turns.Unauthorized,
		},
		"suspended account, removed key": {
			arrange: all(storetest.Suspend, removed),
			want:    turns.Unauthorized,
		},
		"suspended account, unknown key": {
			arrange: storetest.Suspend,
			change:  otherKey,
			want:    turns.Unauthorized,
		},
		"paused export": {arrange: paused, want: turns.ExportPaused},
		"over its rate": {
			options: storetest.Options{RatePerMinute: 1},
			arrange: pendingTurn,
			want:    turns.RateLimited,
		},
		"idempotency key": {change: withKey, want: turns.Begun},
		"replay":          {arrange: answered(withKey), change: withKey, want: turns.Replay},
		"replay of offline": {
			arrange: all(answered(withKey), offline),
			change:  withKey,
			want:    turns.Replay,
		},
		"failed in the background": {
			arrange: failedInBackground("model_error"),
			change:  withKey,
			want:    turns.KeptFailure,
		},
		"unavailable in the background": {
			arrange: failedInBackground("unavailable"),
			change:  withKey,
			want:    turns.Begun,
		},
		"end user":         {change: ofUser, want: turns.Begun},
		"blocked end user": {arrange: blockUser, change: ofUser, want: turns.UserBlocked},
		"other end user":   {arrange: answered(nil), change: ofUser, want: turns.OtherUser},
		"end user required": {
			arrange: limited(agent.ExportChanges{RequireUserID: storetest.SetTo(true)}),
			want:    turns.UserMissing,
		},
		"offline":          {arrange: offline, want: turns.Offline},
		"draft":            {options: draft, want: turns.Draft},
		"variable missing": {options: requiresX, want: turns.VariableMissing},
		"model withdrawn": {
			options: storetest.Options{Model: "sandbox/other"},
			want:    turns.ModelWithdrawn,
		},
		"results for an unknown turn, variable missing": {
			options: requiresX,
			change:  func(b *turns.Begin) { brings(uuid.New(), `1`)(b) },
			want:    turns.ActionMismatch,
		},
		"session in flight": {arrange: pendingTurn, want: turns.Busy},
		"no credits":        {options: broke, want: turns.InsufficientCredits},
		"the last credit":   {options: storetest.Options{Credits: 1}, want: turns.Begun},
		"price minus one": {
			options: storetest.Options{Credits: 6},
			change:  atPrice(7),
			want:    turns.InsufficientCredits,
		},
		"exactly the price": {
			options: storetest.Options{Credits: 7},
			change:  atPrice(7),
			want:    turns.Begun,
		},
		"free at no credits": {options: broke, change: atPrice(0), want: turns.Begun},
		"within a limit": {
			arrange: limited(storetest.LimitKinds(5)[store.Day]),
			want:    turns.Begun,
		},
		"model unavailable": {change: unavailable, want: turns.ModelUnavailable},
		"another model unavailable": {
			change: func(b *turns.Begin) { b.Unavailable = []string{"other/model"} },
			want:   turns.Begun,
		},
		"draft before model unavailable": {options: draft, change: unavailable, want: turns.Draft},
		"session in flight before model unavailable": {
			arrange: pendingTurn,
			change:  unavailable,
			want:    turns.Busy,
		},
		"no credits before model unavailable": {
			options: broke,
			change:  unavailable,
			want:    turns.InsufficientCredits,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			beginRefused(t, s, c)
			known := storetest.NewBegin(quiet.Key)
			known.Session = name
			beginRefused(t, s, c, known)
			storetest.Audit(t, s)
		})
	}
}

// beginRefused sends the message in one call with other messages, which begin.
func beginRefused(t *testing.T, s *store.DB, c refusal, others ...turns.Begin) {
	t.Helper()
	f := storetest.Seed(t, s, c.options)
	if c.arrange != nil {
		c.arrange(t, s, f)
	}
	message := storetest.NewBegin(f.Key)
	if c.change != nil {
		c.change(&message)
	}
	if message.Prices[0] != 1 { // a call has one price list
		for i := range others {
			others[i].Prices = message.Prices
		}
	}
	before, heldBefore := storetest.Credits(t, s, f.Account.ID)
	outcomes, err := turns.On(s).BeginTurns(t.Context(), append(others, message)...)
	if err != nil {
		t.Fatal(err)
	}
	got := outcomes[len(others)]
	if got.Outcome != c.want || len(others) > 0 && outcomes[0].Outcome != turns.Begun {
		t.Fatalf("with %d others: %+v, want %s", len(others), outcomes, c.want)
	}
	known := got.Sender.AccountID == f.Account.ID && got.Sender.ExportID == f.Export.ID
	if known == (c.want == turns.Unauthorized) || !known && got.Sender != (turns.Sender{}) {
		t.Errorf("the sender is %+v", got.Sender)
	}
	after, heldAfter := storetest.Credits(t, s, f.Account.ID)
	if c.want != turns.Begun && (before != after || heldBefore != heldAfter) {
		t.Errorf("credits: %d held %d, then %d held %d", before, heldBefore, after, heldAfter)
	}
}

func otherKey(b *turns.Begin)    { b.Key = apikey.Mint().Hash() }
func withKey(b *turns.Begin)     { b.IdempotencyKey = "k" }
func ofUser(b *turns.Begin)      { b.UserID = new("ada") }
func unavailable(b *turns.Begin) { b.Unavailable = []string{"other/model", storetest.SandboxModel} }

func atPrice(price int64) func(*turns.Begin) {
	return func(b *turns.Begin) { b.Prices = []int64{price} }
}

// ofAccount runs a statement with the account's ID.
func ofAccount(query string) func(*testing.T, *store.DB, storetest.Fixture) {
	return func(t *testing.T, s *store.DB, f storetest.Fixture) {
		t.Helper()
		storetest.Exec(t, s, query, f.Account.ID)
	}
}

// all arranges several things.
func all(
	arrange ...func(*testing.T, *store.DB, storetest.Fixture),
) func(*testing.T, *store.DB, storetest.Fixture) {
	return func(t *testing.T, s *store.DB, f storetest.Fixture) {
		t.Helper()
		for _, one := range arrange {
			one(t, s, f)
		}
	}
}

func pendingTurn(t *testing.T, s *store.DB, f storetest.Fixture) {
	t.Helper()
	storetest.BeginTurn(t, s, f.Key, nil)
}

func answered(change func(*turns.Begin)) func(*testing.T, *store.DB, storetest.Fixture) {
	return func(t *testing.T, s *store.DB, f storetest.Fixture) {
		t.Helper()
		storetest.AnswerTurn(t, s, f.Key, change)
	}
}

// failedInBackground makes a background message with an idempotency key fail.
func failedInBackground(code string) func(*testing.T, *store.DB, storetest.Fixture) {
	return func(t *testing.T, s *store.DB, f storetest.Fixture) {
		t.Helper()
		b := storetest.NewBegin(f.Key)
		b.IdempotencyKey, b.Background = "k", true
		_, err := turns.On(s).BeginTurn(t.Context(), b)
		if err == nil {
			_, err = turns.On(s).SettleTurn(t.Context(),
				turns.Settlement{TurnID: b.TurnID, State: conversation.Failed, ErrorCode: code})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func blockUser(t *testing.T, s *store.DB, f storetest.Fixture) {
	t.Helper()
	storetest.Block(t, s, f, "ada", true)
}

func limited(change agent.ExportChanges) func(*testing.T, *store.DB, storetest.Fixture) {
	return func(t *testing.T, s *store.DB, f storetest.Fixture) {
		t.Helper()
		storetest.SetLimits(t, s, f, change)
	}
}

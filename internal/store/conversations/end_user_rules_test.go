package conversations_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestBlockedEndUser tests that once one replica has confirmed a block, every other replica refuses
// the end user's messages, whatever else is wrong with them. Stored replies are still sent, turns
// in flight end, and no other end user is refused.
func TestBlockedEndUser(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s, other := storetest.Open(t, url), storetest.Open(t, url)
	f, stranger := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	withKey := func(key string) func(*turns.Begin) {
		return func(b *turns.Begin) { storetest.InOwnSession("u")(b); b.Session, b.IdempotencyKey = "answered", key }
	}
	storetest.AnswerTurn(t, s, f.Key, withKey("k"))
	var underWay uuid.UUID
	storetest.BeginTurn(t, s, f.Key,
		func(b *turns.Begin) { storetest.InOwnSession("u")(b); underWay = b.TurnID })
	for range 2 { // doing it twice is fine
		storetest.Block(t, s, f, "u", true)
	}
	for what, c := range map[string]struct {
		change func(*turns.Begin)
		want   turns.Outcome
	}{
		"a new message":     {storetest.InOwnSession("u"), turns.UserBlocked},
		"a new idempotency": {withKey("other"), turns.UserBlocked},
		"the admission":     {func(b *turns.Begin) { storetest.InOwnSession("u")(b); b.AdmitOnly = true }, turns.UserBlocked},
		"a stored answer":   {withKey("k"), turns.Replay},
		"another body":      {func(b *turns.Begin) { withKey("k")(b); b.Fingerprint[0] ^= 1 }, turns.KeyReused},
		"somebody else":     {storetest.InOwnSession("U"), turns.Begun},
		"nobody":            {func(b *turns.Begin) { b.Session = b.TurnID.String() }, turns.Begun},
	} {
		if got := storetest.BeginTurn(t, other, f.Key, c.change); got.Outcome != c.want {
			t.Errorf("%s: %s, want %s", what, got.Outcome, c.want)
		}
	}
	if got := storetest.BeginTurn(t, other, stranger.Key, storetest.InOwnSession("u")); got.Outcome != turns.Begun {
		t.Errorf("the same id in another account: %s", got.Outcome)
	}
	if got := storetest.FinishTurn(t, other, underWay, conversation.Answered); got.Outcome != turns.Settled {
		t.Errorf("what was under way: %+v", got)
	}
	storetest.ExecLater(`UPDATE agents SET state = 'OFFLINE'`)(t, s, f)
	if got := storetest.BeginTurn(t, other, f.Key, storetest.InOwnSession("u")); got.Outcome != turns.UserBlocked {
		t.Errorf("blocked and offline: %s", got.Outcome)
	}
	storetest.ExecLater(`UPDATE agents SET state = 'LIVE'`)(t, s, f)
	storetest.Block(t, other, f, "u", false)
	if got := storetest.BeginTurn(t, s, f.Key, storetest.InOwnSession("u")); got.Outcome != turns.Begun {
		t.Errorf("unblocked: %s", got.Outcome)
	}
	storetest.Audit(t, s)
}

// TestUnknownEndUsers tests that end users can be blocked and limited before their first message,
// and are listed from then on.
func TestUnknownEndUsers(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, stranger := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	ctx, me := t.Context(), f.Account.ID
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("b"))
	storetest.Block(t, s, f, "c", true)
	storetest.SetOwnLimit(t, s, f, "a", storetest.SetTo(3).Value)
	for want, filter := range map[string]conversations.EndUserFilter{
		"[a b c]": {}, "[c]": {Blocked: new(true)}, "[a b]": {Blocked: new(false)},
		"[b]": {AgentID: &f.Agent.ID},
	} {
		if got := fmt.Sprint(userIDs(endUsers(t, s, me, 10, filter))); got != want {
			t.Errorf("%+v: %s, want %s", filter, got, want)
		}
	}
	for what, err := range map[string]error{
		"unblock":    storetest.ErrOnly(conversations.On(s).BlockEndUser(ctx, me, "nobody", false)),
		"no limit":   storetest.ErrOnly(conversations.On(s).SetEndUserLimit(ctx, me, "nobody", nil)),
		"look":       storetest.ErrOnly(conversations.On(s).EndUser(ctx, me, "nobody")),
		"a stranger": storetest.ErrOnly(conversations.On(s).EndUser(ctx, stranger.Account.ID, "b")),
		"unblock as": storetest.ErrOnly(conversations.On(s).BlockEndUser(ctx, stranger.Account.ID, "c", false)),
		"no account": storetest.ErrOnly(conversations.On(s).BlockEndUser(ctx, uuid.New(), "c", true)),
	} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got, err := conversations.On(s).BlockEndUser(ctx, me, "b", false); err != nil || got.Messages != 1 || got.Blocked {
		t.Errorf("unblock one who was never blocked: %+v %v", got, err)
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM end_users`); n != 2 {
		t.Errorf("%d rows, want those of a and c", n)
	}
}

// TestOwnLimit tests that an end user's own limit counts over all agents and exports of the account
// and replaces an export's limit, whichever is higher, until it is removed. It does not affect
// other accounts and end users.
func TestOwnLimit(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, stranger := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	second := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	_, _, secondKey := storetest.SeedExport(t, s, f.Account.ID, second.ID, agent.MaxRatePerMinute)
	storetest.SetLimits(t, s, f, storetest.LimitKinds(2)[store.UserDay])
	reached := func(what string, allowed int64) {
		t.Helper()
		got := storetest.BeginTurn(t, s, f.Key, storetest.InOwnSession("u"))
		if got.Outcome != turns.LimitReached || got.Limit.Period != store.UserDay || got.Limit.Allowed != allowed || got.Limit.Used < allowed {
			t.Errorf("%s: %s %+v", what, got.Outcome, got.Limit)
		}
	}
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
	u := storetest.SetOwnLimit(t, s, f, "u", storetest.SetTo(4).Value)
	if u.MessagesToday != 1 || u.NearestExport != nil {
		t.Errorf("with a limit of their own: %+v", u)
	}
	storetest.AnswerTurn(t, s, secondKey, storetest.InOwnSession("u"))
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u")) // the export's limit is 2
	reached("higher than the export's", 4)
	if got := storetest.BeginTurn(t, s, secondKey, storetest.InOwnSession("u")); got.Outcome != turns.LimitReached {
		t.Errorf("through the other agent: %s", got.Outcome)
	}
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("v"))
	storetest.AnswerTurn(t, s, stranger.Key, storetest.InOwnSession("u"))
	storetest.SetOwnLimit(t, s, f, "u", storetest.SetTo(1).Value)
	reached("lowered", 1)
	storetest.SetOwnLimit(t, s, f, "u", storetest.SetTo(5).Value)
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
	reached("raised", 5)
	storetest.Audit(t, s)
	// Without it the export's limit holds again, with what it had counted.
	u = storetest.SetOwnLimit(t, s, f, "u", nil)
	if u.MessagesToday != 5 || u.NearestExport == nil || *u.NearestExport != f.Export.ID || *u.NearestLimit != 2 || *u.NearestUse != 1 {
		t.Errorf("without: %+v", u)
	}
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
	reached("the export's", 2)
	storetest.AnswerTurn(t, s, secondKey, storetest.InOwnSession("u")) // which has none
	if u = storetest.SetOwnLimit(t, s, f, "u", storetest.SetTo(8).Value); u.MessagesToday != 7 {
		t.Errorf("set again: %+v", u)
	}
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
	reached("set again", 8)
	storetest.SetOwnLimit(t, s, f, "v", storetest.SetTo(1).Value)
	if got := storetest.BeginTurn(t, s, f.Key, storetest.InOwnSession("v")); got.Outcome != turns.LimitReached {
		t.Errorf("lower than the export's: %s", got.Outcome)
	}
	storetest.Audit(t, s)
}

// TestOwnLimitTakesOverWhatIsUnderWay tests that a new limit counts the turns in flight, no longer
// for the export, and gives them back if they fail. The export's limit then leaves it alone.
func TestOwnLimitTakesOverWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	free, _, freeKey := storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID, agent.MaxRatePerMinute)
	storetest.SetLimits(t, s, f, storetest.LimitKinds(2)[store.UserDay])
	var counted, uncounted uuid.UUID
	storetest.BeginTurn(t, s, f.Key,
		func(b *turns.Begin) { storetest.InOwnSession("u")(b); counted = b.TurnID })
	storetest.BeginTurn(t, s, freeKey,
		func(b *turns.Begin) { storetest.InOwnSession("u")(b); uncounted = b.TurnID })
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
	if u := storetest.SetOwnLimit(t, s, f, "u", storetest.SetTo(4).Value); u.MessagesToday != 3 {
		t.Errorf("%d messages today", u.MessagesToday)
	}
	storetest.Audit(t, s)
	withLimits := f
	withLimits.Export = free
	storetest.SetLimits(t, s, withLimits, storetest.LimitKinds(9)[store.UserDay])
	storetest.SetLimits(t, s, f, agent.ExportChanges{UserDailyMessageLimit: agent.Change[int]{Set: true}})
	storetest.SetLimits(t, s, f, storetest.LimitKinds(9)[store.UserDay])
	storetest.Audit(t, s)
	storetest.FinishTurn(t, s, counted, conversation.Failed)
	storetest.FinishTurn(t, s, uncounted, conversation.Failed)
	storetest.Audit(t, s)
	for range 3 {
		storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
	}
	if got := storetest.BeginTurn(t, s, f.Key, storetest.InOwnSession("u")); got.Outcome != turns.LimitReached || got.Limit.Used != 4 {
		t.Errorf("%s %+v", got.Outcome, got.Limit)
	}
	storetest.Audit(t, s)
}

// TestOwnLimitIsSetAgain: what began under an own limit counts in the one that is set after it,
// also if its conversation was deleted meanwhile.
func TestOwnLimitIsSetAgain(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.SetOwnLimit(t, s, f, "u", storetest.SetTo(9).Value)
	var kept, deleted uuid.UUID
	storetest.BeginTurn(t, s, f.Key,
		func(b *turns.Begin) { storetest.InOwnSession("u")(b); kept = b.TurnID })
	storetest.BeginTurn(t, s, f.Key,
		func(b *turns.Begin) { storetest.InOwnSession("u")(b); b.Session, deleted = "gone", b.TurnID })
	if n, err := erasure.On(s).DeleteConversationsBySessionID(t.Context(), f.Account.ID, "gone", nil); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	storetest.SetOwnLimit(t, s, f, "u", nil)
	if u := storetest.SetOwnLimit(t, s, f, "u", storetest.SetTo(9).Value); u.MessagesToday != 2 {
		t.Errorf("%d messages today", u.MessagesToday)
	}
	storetest.Audit(t, s)
	storetest.FinishTurn(t, s, kept, conversation.Failed)
	storetest.FinishTurn(t, s, deleted, conversation.Failed)
	storetest.Audit(t, s)
}

// TestOwnLimitIsOfADayInUTC, whatever zone the database's sessions have.
func TestOwnLimitIsOfADayInUTC(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"Pacific/Kiritimati", "Pacific/Pago_Pago"} { // in one of them it is another day
		url := storetest.URL(t)
		s := storetest.Open(t, url)
		storetest.ExecLater(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = ''`+zone+`''', current_database()); END $$`)(t, s, storetest.Fixture{})
		s = storetest.Open(t, url)
		f := storetest.Seed(t, s, storetest.Options{})
		storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
		storetest.SetOwnLimit(t, s, f, "u", storetest.SetTo(2).Value)
		storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
		if u, err := conversations.On(s).EndUser(t.Context(), f.Account.ID, "u"); err != nil || u.MessagesToday != 2 {
			t.Errorf("%s, the same day: %+v %v", zone, u, err)
		}
		day := time.Now().UTC().Truncate(24 * time.Hour)
		got := storetest.BeginTurn(t, s, f.Key, storetest.InOwnSession("u"))
		if got.Outcome != turns.LimitReached || !got.Limit.Ends.Equal(day.AddDate(0, 0, 1)) && !got.Limit.Ends.Equal(day.AddDate(0, 0, 2)) {
			t.Errorf("%s: %s %+v", zone, got.Outcome, got.Limit)
		}
		storetest.ExecLater(`WITH t AS (UPDATE turns SET user_day_counted = user_day_counted - 1) UPDATE limit_counters SET starts = starts - 1`)(t, s, f)
		if u, err := conversations.On(s).EndUser(t.Context(), f.Account.ID, "u"); err != nil || u.MessagesToday != 0 {
			t.Errorf("%s, the next day: %+v %v", zone, u, err)
		}
		storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
		storetest.Audit(t, s)
	}
}

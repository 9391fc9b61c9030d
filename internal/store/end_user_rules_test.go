package store_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// TestBlockedEndUser: once one replica has answered the block, every other refuses the end user's messages, whatever else is wrong with
// them. What was answered before is still sent again, what is under way ends, and nobody else is refused.
func TestBlockedEndUser(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s, other := storetest.Open(t, url), storetest.Open(t, url)
	f, stranger := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	withKey := func(key string) func(*store.Begin) {
		return func(b *store.Begin) { inItsOwn("u")(b); b.Session, b.IdempotencyKey = "answered", key }
	}
	answered(t, s, f.Key, withKey("k"))
	var underWay uuid.UUID
	begin(t, s, f.Key, func(b *store.Begin) { inItsOwn("u")(b); underWay = b.TurnID })
	for range 2 { // doing it twice is fine
		block(t, s, f, "u", true)
	}
	for what, c := range map[string]struct {
		change func(*store.Begin)
		want   store.Outcome
	}{
		"a new message":     {inItsOwn("u"), store.UserBlocked},
		"a new idempotency": {withKey("other"), store.UserBlocked},
		"the admission":     {func(b *store.Begin) { inItsOwn("u")(b); b.AdmitOnly = true }, store.UserBlocked},
		"a stored answer":   {withKey("k"), store.Replay},
		"another body":      {func(b *store.Begin) { withKey("k")(b); b.Fingerprint[0] ^= 1 }, store.KeyReused},
		"somebody else":     {inItsOwn("U"), store.Begun},
		"nobody":            {func(b *store.Begin) { b.Session = b.TurnID.String() }, store.Begun},
	} {
		if got := begin(t, other, f.Key, c.change); got.Outcome != c.want {
			t.Errorf("%s: %s, want %s", what, got.Outcome, c.want)
		}
	}
	if got := begin(t, other, stranger.Key, inItsOwn("u")); got.Outcome != store.Begun {
		t.Errorf("the same id in another account: %s", got.Outcome)
	}
	if got := finish(t, other, underWay, conversation.Answered); got.Outcome != store.Settled {
		t.Errorf("what was under way: %+v", got)
	}
	run(`UPDATE agents SET state = 'OFFLINE'`)(t, s, f)
	if got := begin(t, other, f.Key, inItsOwn("u")); got.Outcome != store.UserBlocked {
		t.Errorf("blocked and offline: %s", got.Outcome)
	}
	run(`UPDATE agents SET state = 'LIVE'`)(t, s, f)
	block(t, other, f, "u", false)
	if got := begin(t, s, f.Key, inItsOwn("u")); got.Outcome != store.Begun {
		t.Errorf("unblocked: %s", got.Outcome)
	}
	storetest.Audit(t, s)
}

// TestUnknownEndUsers can be blocked and limited before their first message, and are listed from then on.
func TestUnknownEndUsers(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, stranger := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	ctx, me := t.Context(), f.Account.ID
	answered(t, s, f.Key, inItsOwn("b"))
	block(t, s, f, "c", true)
	ownLimit(t, s, f, "a", setTo(3).Value)
	listed := func(filter store.EndUserFilter) string {
		t.Helper()
		page, err := s.EndUserPage(ctx, me, store.EndUserQuery{First: 10, Filter: filter})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, u := range page.Items {
			out = append(out, u.UserID)
		}
		return strings.Join(out, " ")
	}
	if got := listed(store.EndUserFilter{}); got != "a b c" {
		t.Errorf("all: %s", got)
	}
	if got := listed(store.EndUserFilter{Blocked: setTo(true).Value}); got != "c" {
		t.Errorf("blocked: %s", got)
	}
	if got := listed(store.EndUserFilter{Blocked: setTo(false).Value}); got != "a b" {
		t.Errorf("not blocked: %s", got)
	}
	if got := listed(store.EndUserFilter{AgentID: &f.Agent.ID}); got != "b" {
		t.Errorf("with messages: %s", got)
	}
	for what, err := range map[string]error{
		"unblock":    third(s.BlockEndUser(ctx, me, "nobody", false)),
		"no limit":   third(s.SetEndUserLimit(ctx, me, "nobody", nil)),
		"look":       third(s.EndUser(ctx, me, "nobody")),
		"a stranger": third(s.EndUser(ctx, stranger.Account.ID, "b")),
		"unblock as": third(s.BlockEndUser(ctx, stranger.Account.ID, "c", false)),
		"no account": third(s.BlockEndUser(ctx, uuid.New(), "c", true)),
	} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got, err := s.BlockEndUser(ctx, me, "b", false); err != nil || got.Messages != 1 || got.Blocked {
		t.Errorf("unblock one who was never blocked: %+v %v", got, err)
	}
	if n := countRows(t, s, `SELECT count(*) FROM end_users`); n != 2 {
		t.Errorf("%d rows, want those of a and c", n)
	}
	var exported []string
	err := s.ExportAccount(ctx, me, func(line json.RawMessage) error {
		if strings.Contains(string(line), `"type":"end_user"`) {
			exported = append(exported, string(line))
		}
		return nil
	})
	if err != nil || len(exported) != 2 || !strings.Contains(exported[0], `"user_id":"a","daily_message_limit":3`) ||
		!strings.Contains(exported[1], `"user_id":"c","blocked_at":`) {
		t.Errorf("the account's export: %v %v", exported, err)
	}
}

// TestOwnLimit: it counts over all agents and exports of the account, in place of an export's limit, whichever is higher, until it is taken
// away. Other accounts and other end users have nothing to do with it.
func TestOwnLimit(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, stranger := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	second := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	_, _, secondKey := storetest.SeedExport(t, s, f.Account.ID, second.ID, agent.MaxRatePerMinute)
	limit(t, s, f, kinds(2)[store.UserDay])
	reached := func(what string, allowed int64) {
		t.Helper()
		got := begin(t, s, f.Key, inItsOwn("u"))
		if got.Outcome != store.LimitReached || got.Limit.Period != store.UserDay || got.Limit.Allowed != allowed || got.Limit.Used < allowed {
			t.Errorf("%s: %s %+v", what, got.Outcome, got.Limit)
		}
	}
	answered(t, s, f.Key, inItsOwn("u"))
	u := ownLimit(t, s, f, "u", setTo(4).Value)
	if u.MessagesToday != 1 || u.NearestExport != nil {
		t.Errorf("with a limit of their own: %+v", u)
	}
	answered(t, s, secondKey, inItsOwn("u"))
	answered(t, s, f.Key, inItsOwn("u"))
	answered(t, s, f.Key, inItsOwn("u")) // the export's limit is 2
	reached("higher than the export's", 4)
	if got := begin(t, s, secondKey, inItsOwn("u")); got.Outcome != store.LimitReached {
		t.Errorf("through the other agent: %s", got.Outcome)
	}
	answered(t, s, f.Key, inItsOwn("v"))
	answered(t, s, stranger.Key, inItsOwn("u"))
	ownLimit(t, s, f, "u", setTo(1).Value)
	reached("lowered", 1)
	ownLimit(t, s, f, "u", setTo(5).Value)
	answered(t, s, f.Key, inItsOwn("u"))
	reached("raised", 5)
	storetest.Audit(t, s)
	// Without it the export's limit holds again, with what it had counted.
	u = ownLimit(t, s, f, "u", nil)
	if u.MessagesToday != 5 || u.NearestExport == nil || *u.NearestExport != f.Export.ID || *u.NearestLimit != 2 || *u.NearestUse != 1 {
		t.Errorf("without: %+v", u)
	}
	answered(t, s, f.Key, inItsOwn("u"))
	reached("the export's", 2)
	answered(t, s, secondKey, inItsOwn("u")) // which has none
	if u = ownLimit(t, s, f, "u", setTo(8).Value); u.MessagesToday != 7 {
		t.Errorf("set again: %+v", u)
	}
	answered(t, s, f.Key, inItsOwn("u"))
	reached("set again", 8)
	ownLimit(t, s, f, "v", setTo(1).Value)
	if got := begin(t, s, f.Key, inItsOwn("v")); got.Outcome != store.LimitReached {
		t.Errorf("lower than the export's: %s", got.Outcome)
	}
	storetest.Audit(t, s)
}

// TestOwnLimitTakesOverWhatIsUnderWay: a new limit counts what is under way, no longer for the export, and gives it back if it fails. What
// the export's limit does then leaves it alone.
func TestOwnLimitTakesOverWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	free, _, freeKey := storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID, agent.MaxRatePerMinute)
	limit(t, s, f, kinds(2)[store.UserDay])
	var counted, uncounted uuid.UUID
	begin(t, s, f.Key, func(b *store.Begin) { inItsOwn("u")(b); counted = b.TurnID })
	begin(t, s, freeKey, func(b *store.Begin) { inItsOwn("u")(b); uncounted = b.TurnID })
	answered(t, s, f.Key, inItsOwn("u"))
	if u := ownLimit(t, s, f, "u", setTo(4).Value); u.MessagesToday != 3 {
		t.Errorf("%d messages today", u.MessagesToday)
	}
	storetest.Audit(t, s)
	withLimits := f
	withLimits.Export = free
	limit(t, s, withLimits, kinds(9)[store.UserDay])
	limit(t, s, f, agent.ExportChanges{UserDailyMessageLimit: agent.Change[int]{Set: true}})
	limit(t, s, f, kinds(9)[store.UserDay])
	storetest.Audit(t, s)
	finish(t, s, counted, conversation.Failed)
	finish(t, s, uncounted, conversation.Failed)
	storetest.Audit(t, s)
	for range 3 {
		answered(t, s, f.Key, inItsOwn("u"))
	}
	if got := begin(t, s, f.Key, inItsOwn("u")); got.Outcome != store.LimitReached || got.Limit.Used != 4 {
		t.Errorf("%s %+v", got.Outcome, got.Limit)
	}
	storetest.Audit(t, s)
}

// TestOwnLimitIsSetAgain: what began under an own limit counts in the one that is set after it, also if its conversation was deleted
// meanwhile.
func TestOwnLimitIsSetAgain(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	ownLimit(t, s, f, "u", setTo(9).Value)
	var kept, deleted uuid.UUID
	begin(t, s, f.Key, func(b *store.Begin) { inItsOwn("u")(b); kept = b.TurnID })
	begin(t, s, f.Key, func(b *store.Begin) { inItsOwn("u")(b); b.Session, deleted = "gone", b.TurnID })
	if n, err := s.DeleteConversationsBySessionID(t.Context(), f.Account.ID, "gone", nil); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	ownLimit(t, s, f, "u", nil)
	if u := ownLimit(t, s, f, "u", setTo(9).Value); u.MessagesToday != 2 {
		t.Errorf("%d messages today", u.MessagesToday)
	}
	storetest.Audit(t, s)
	finish(t, s, kept, conversation.Failed)
	finish(t, s, deleted, conversation.Failed)
	storetest.Audit(t, s)
}

// TestOwnLimitIsOfADayInUTC, whatever zone the database's sessions have.
func TestOwnLimitIsOfADayInUTC(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"Pacific/Kiritimati", "Pacific/Pago_Pago"} { // in one of them it is another day
		url := storetest.URL(t)
		s := storetest.Open(t, url)
		run(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = ''`+zone+`''', current_database()); END $$`)(t, s, storetest.Fixture{})
		s = storetest.Open(t, url)
		f := storetest.Seed(t, s, storetest.Options{})
		answered(t, s, f.Key, inItsOwn("u"))
		ownLimit(t, s, f, "u", setTo(2).Value)
		answered(t, s, f.Key, inItsOwn("u"))
		if u, err := s.EndUser(t.Context(), f.Account.ID, "u"); err != nil || u.MessagesToday != 2 {
			t.Errorf("%s, the same day: %+v %v", zone, u, err)
		}
		day := time.Now().UTC().Truncate(24 * time.Hour)
		got := begin(t, s, f.Key, inItsOwn("u"))
		if got.Outcome != store.LimitReached || !got.Limit.Ends.Equal(day.AddDate(0, 0, 1)) && !got.Limit.Ends.Equal(day.AddDate(0, 0, 2)) {
			t.Errorf("%s: %s %+v", zone, got.Outcome, got.Limit)
		}
		run(`WITH t AS (UPDATE turns SET user_day_counted = user_day_counted - 1) UPDATE limit_counters SET starts = starts - 1`)(t, s, f)
		if u, err := s.EndUser(t.Context(), f.Account.ID, "u"); err != nil || u.MessagesToday != 0 {
			t.Errorf("%s, the next day: %+v %v", zone, u, err)
		}
		answered(t, s, f.Key, inItsOwn("u"))
		storetest.Audit(t, s)
	}
}

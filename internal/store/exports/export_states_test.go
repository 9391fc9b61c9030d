package exports_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

func TestPauseAndResume(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{RatePerMinute: 2})
	ctx, me := t.Context(), f.Account.ID
	var inFlight uuid.UUID
	withKey := func(b *turns.Begin) { b.IdempotencyKey, b.Session = "k", "answered" }
	storetest.AnswerTurn(t, s, f.Key, withKey)
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session, inFlight = "in flight", b.TurnID })
	for range 2 { // doing it twice is fine
		paused, err := exports.On(s).PauseExport(ctx, me, f.Export.ID, true)
		if err != nil || paused.State() != agent.ExportPaused {
			t.Fatalf("pause: %+v %v", paused, err)
		}
	}
	for range 3 { // refusals spend none of the rate, which is used up
		if got := storetest.BeginTurn(t, s, f.Key, nil); got.Outcome != turns.ExportPaused || got.Sender.ExportID != f.Export.ID {
			t.Errorf("while paused: %+v", got)
		}
	}
	if got := storetest.BeginTurn(t, s, f.Key, withKey); got.Outcome != turns.ExportPaused {
		t.Errorf("a replay while paused: %s", got.Outcome)
	}
	if got, err := turns.On(s).BeginTurn(ctx, storetest.KeyCheck(storetest.NewBegin(f.Key))); err != nil || got.Outcome != turns.ExportPaused {
		t.Errorf("the key check: %+v %v", got, err)
	}
	if got := storetest.FinishTurn(t, s, inFlight, conversation.Answered); got.Outcome != turns.Settled {
		t.Errorf("a turn in flight: %+v", got)
	}
	for range 2 {
		resumed, err := exports.On(s).PauseExport(ctx, me, f.Export.ID, false)
		if err != nil || resumed.State() != agent.ExportActive {
			t.Fatalf("resume: %+v %v", resumed, err)
		}
	}
	if got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.SpendRate = false }); got.Outcome != turns.Begun {
		t.Errorf("resumed: %s", got.Outcome)
	}
	must(t, storetest.ErrOnly(exports.On(s).RemoveExport(ctx, me, f.Export.ID)))
	if _, err := exports.On(s).PauseExport(ctx, me, f.Export.ID, true); !fault.Is(err, fault.Conflict) {
		t.Errorf("pause what was removed: %v", err)
	}
	if _, err := exports.On(s).PauseExport(ctx, uuid.New(), f.Export.ID, true); !fault.Is(err, fault.NotFound) {
		t.Errorf("pause for another account: %v", err)
	}
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	ctx, me := t.Context(), f.Account.ID
	expire := func(c agent.Change[time.Time]) (agent.Export, error) {
		return exports.On(s).UpdateExport(ctx, me, f.Export.ID, agent.ExportChanges{ExpiresAt: c})
	}
	hour := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	if got, err := expire(storetest.SetTo(hour)); err != nil || !got.ExpiresAt.Equal(hour) || got.State() != agent.ExportActive {
		t.Fatalf("expires in an hour: %+v %v", got, err)
	}
	if got := storetest.BeginTurn(t, s, f.Key, nil); got.Outcome != turns.Begun {
		t.Errorf("an hour before: %s", got.Outcome)
	}
	past := storetest.SetTo(hour.Add(-2 * time.Hour))
	if _, err := expire(past); !slices.Equal(storetest.FieldsOf(err), []string{"expiresAt"}) {
		t.Errorf("expire in the past: %v", err)
	}
	draft, err := agent.NewExport(f.Agent.ID, agent.ExportChanges{ExpiresAt: past})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exports.On(s).CreateExport(ctx, me, draft, apikey.Mint()); !slices.Equal(storetest.FieldsOf(err), []string{"expiresAt"}) {
		t.Errorf("create one that has expired: %v", err)
	}
	storetest.Exec(t, s, `UPDATE api_exports SET expires_at = now() - interval '1 s', paused_at = now()`)
	if got := storetest.BeginTurn(t, s, f.Key, nil); got.Outcome != turns.Unauthorized {
		t.Errorf("expired: %s", got.Outcome)
	}
	if got, err := exports.On(s).PauseExport(ctx, me, f.Export.ID, false); err != nil || got.State() != agent.ExportExpired {
		t.Errorf("resumed after it expired: %+v %v", got, err)
	}
	if got, err := expire(storetest.SetNull[time.Time]()); err != nil || got.ExpiresAt != nil || got.State() != agent.ExportActive {
		t.Errorf("never expires: %+v %v", got, err)
	}
	if got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session = "again" }); got.Outcome != turns.Begun {
		t.Errorf("again: %s", got.Outcome)
	}
}

// TestExportFilters lists exports, the newest first, by state, agent, name and key, with their
// number.
func TestExportFilters(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, stranger := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	second := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	gone := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	hints := map[string]string{}
	ids := []uuid.UUID{f.Export.ID}
	for _, e := range []struct {
		agent      uuid.UUID
		name, sets string
	}{
		{f.Agent.ID, "paused", `paused_at = now()`},
		{f.Agent.ID, "expired", `paused_at = now(), expires_at = now()`},
		{f.Agent.ID, "removed", `paused_at = now(), expires_at = now(), removed_at = now()`},
		{second.ID, "100% the_Shop", `version = NULL`},
		{second.ID, "old", `removed_at = now()`},
		{gone.ID, "of a deleted agent", `version = NULL`},
	} {
		made, _, key := storetest.SeedExport(t, s, f.Account.ID, e.agent, 600)
		storetest.Exec(t, s,
			`UPDATE api_exports SET name = $2, `+e.sets+` WHERE id = $1`, made.ID, e.name)
		ids, hints[e.name] = append(ids, made.ID), key.Hint()
	}
	must(t, erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, gone.ID))
	hint, yes, no := hints["paused"], true, false
	for what, c := range map[string]struct {
		q    exports.ExportQuery
		want string
	}{
		"all":               {exports.ExportQuery{}, "old,100% the_Shop,removed,expired,paused,Export"},
		"active":            {exports.ExportQuery{State: agent.ExportActive}, "100% the_Shop,Export"},
		"paused":            {exports.ExportQuery{State: agent.ExportPaused}, "paused"},
		"expired":           {exports.ExportQuery{State: agent.ExportExpired}, "expired"},
		"removed":           {exports.ExportQuery{State: agent.ExportRemoved}, "old,removed"},
		"not removed":       {exports.ExportQuery{InUse: &yes}, "100% the_Shop,expired,paused,Export"},
		"not in use":        {exports.ExportQuery{InUse: &no}, "old,removed"},
		"by name":           {exports.ExportQuery{Search: " 0% THE_s "}, "100% the_Shop"},
		"by a pattern":      {exports.ExportQuery{Search: "100_ the"}, ""},
		"by parts of it":    {exports.ExportQuery{Search: "0% shop"}, ""},
		"by the key's end":  {exports.ExportQuery{Search: strings.ToUpper(hint[len(hint)-4:])}, "paused"},
		"by the key's hint": {exports.ExportQuery{Search: hint}, "paused"},
		"agent":             {exports.ExportQuery{AgentID: &second.ID}, "old,100% the_Shop"},
		"both":              {exports.ExportQuery{AgentID: &second.ID, State: "REMOVED"}, "old"},
		"a stranger's":      {exports.ExportQuery{AgentID: &stranger.Agent.ID}, ""},
		"a deleted agent's": {exports.ExportQuery{AgentID: &gone.ID}, ""},
	} {
		var got []string
		c.q.First, c.q.Count = 2, true
		for more := true; more; {
			page, err := exports.On(s).ExportPage(t.Context(), f.Account.ID, c.q)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range page.Items {
				got, c.q.After = append(got, e.Name), &store.Cursor{ID: e.ID}
				if c.q.State != "" && e.State() != c.q.State {
					t.Errorf("%s: %s is %s", what, e.Name, e.State())
				}
			}
			if more = page.HasNext; !more && page.Total != len(got) {
				t.Errorf("%s: %d in all, want %d", what, page.Total, len(got))
			}
		}
		if strings.Join(got, ",") != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
	found, err := exports.On(s).ExportsByIDs(t.Context(), f.Account.ID,
		append(ids, stranger.Export.ID))
	if err != nil || len(found) != len(ids)-1 {
		t.Errorf("by id: %d, %v", len(found), err)
	}
}

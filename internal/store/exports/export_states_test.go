package exports_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

func TestPauseAndResume(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{RatePerMinute: 2})
	ctx, me := t.Context(), f.Account.ID
	var answered, inFlight uuid.UUID
	withKey := func(b *turns.Begin) { b.IdempotencyKey, b.Session, answered = "k", "answered", b.TurnID }
	storetest.BeginTurn(t, s, f.Key, withKey)
	storetest.FinishTurn(t, s, answered, conversation.Answered)
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
	if _, err := exports.On(s).RemoveExport(ctx, me, f.Export.ID); err != nil {
		t.Fatal(err)
	}
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
	if used, err := exports.On(s).KeyInUse(ctx, f.Key.Hash()); used || err != nil {
		t.Errorf("an expired key is in use: %v %v", used, err)
	}
	keys, err := exports.On(s).KeysByExports(ctx, me, []uuid.UUID{f.Export.ID})
	if err != nil || keys[f.Export.ID][0].State != apikey.Expired {
		t.Errorf("its key: %+v %v", keys, err)
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

func TestExportsByState(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	want := map[agent.ExportState]uuid.UUID{agent.ExportActive: f.Export.ID}
	for state, change := range map[agent.ExportState]string{
		agent.ExportPaused:  `UPDATE api_exports SET paused_at = now() WHERE id = $1`,
		agent.ExportExpired: `UPDATE api_exports SET paused_at = now(), expires_at = now() WHERE id = $1`,
		agent.ExportRemoved: `UPDATE api_exports SET paused_at = now(), expires_at = now(), removed_at = now() WHERE id = $1`,
	} {
		e, _, _ := storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID, 600)
		storetest.Bulk(t, s, change, e.ID)
		want[state] = e.ID
	}
	for state, id := range want {
		page, err := exports.On(s).ExportPage(t.Context(), f.Account.ID, exports.ExportQuery{First: 10, State: state})
		if err != nil || len(page.Items) != 1 || page.Items[0].ID != id || page.Items[0].State() != state {
			t.Errorf("%s: %+v %v", state, page.Items, err)
		}
	}
}

package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

func TestPauseAndResume(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{RatePerMinute: 2})
	ctx, me := t.Context(), f.Account.ID
	var answered, underWay uuid.UUID
	withKey := func(b *store.Begin) { b.IdempotencyKey, b.Session, answered = "k", "answered", b.TurnID }
	begin(t, s, f.Key, withKey)
	finish(t, s, answered, conversation.Answered)
	begin(t, s, f.Key, func(b *store.Begin) { b.Session, underWay = "under way", b.TurnID })
	for range 2 { // doing it twice is fine
		paused, err := s.PauseExport(ctx, me, f.Export.ID, true)
		if err != nil || paused.State() != agent.ExportPaused {
			t.Fatalf("pause: %+v %v", paused, err)
		}
	}
	for range 3 { // refusals spend none of the rate, which is used up
		if got := begin(t, s, f.Key, nil); got.Outcome != store.ExportPaused || got.Sender.ExportID != f.Export.ID {
			t.Errorf("while paused: %+v", got)
		}
	}
	if got := begin(t, s, f.Key, withKey); got.Outcome != store.ExportPaused {
		t.Errorf("a replay while paused: %s", got.Outcome)
	}
	if got, err := s.BeginTurn(ctx, admit(newBegin(f.Key))); err != nil || got.Outcome != store.ExportPaused {
		t.Errorf("the admission alone: %+v %v", got, err)
	}
	if got := finish(t, s, underWay, conversation.Answered); got.Outcome != store.Settled {
		t.Errorf("a turn that was under way: %+v", got)
	}
	for range 2 {
		resumed, err := s.PauseExport(ctx, me, f.Export.ID, false)
		if err != nil || resumed.State() != agent.ExportActive {
			t.Fatalf("resume: %+v %v", resumed, err)
		}
	}
	if got := begin(t, s, f.Key, func(b *store.Begin) { b.SpendRate = false }); got.Outcome != store.Begun {
		t.Errorf("resumed: %s", got.Outcome)
	}
	if _, err := s.RemoveExport(ctx, me, f.Export.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.PauseExport(ctx, me, f.Export.ID, true); !fault.Is(err, fault.Conflict) {
		t.Errorf("pause what was removed: %v", err)
	}
	if _, err := s.PauseExport(ctx, uuid.New(), f.Export.ID, true); !fault.Is(err, fault.NotFound) {
		t.Errorf("pause for another account: %v", err)
	}
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	ctx, me := t.Context(), f.Account.ID
	expire := func(c agent.Change[time.Time]) (agent.Export, error) {
		return s.UpdateExport(ctx, me, f.Export.ID, agent.ExportChanges{ExpiresAt: c})
	}
	hour := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	if got, err := expire(setTo(hour)); err != nil || !got.ExpiresAt.Equal(hour) || got.State() != agent.ExportActive {
		t.Fatalf("expires in an hour: %+v %v", got, err)
	}
	if got := begin(t, s, f.Key, nil); got.Outcome != store.Begun {
		t.Errorf("an hour before: %s", got.Outcome)
	}
	past := setTo(hour.Add(-2 * time.Hour))
	if _, err := expire(past); !slices.Equal(fieldsOf(err), []string{"expiresAt"}) {
		t.Errorf("expire in the past: %v", err)
	}
	draft, err := agent.NewExport(f.Agent.ID, agent.ExportChanges{ExpiresAt: past})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateExport(ctx, me, draft, apikey.Mint()); !slices.Equal(fieldsOf(err), []string{"expiresAt"}) {
		t.Errorf("create one that has expired: %v", err)
	}
	exec(t, s, `UPDATE api_exports SET expires_at = now() - interval '1 s', paused_at = now()`)
	if got := begin(t, s, f.Key, nil); got.Outcome != store.Unauthorized {
		t.Errorf("expired: %s", got.Outcome)
	}
	if used, err := s.KeyInUse(ctx, f.Key.Hash()); used || err != nil {
		t.Errorf("an expired key is in use: %v %v", used, err)
	}
	keys, err := s.KeysByExports(ctx, me, []uuid.UUID{f.Export.ID})
	if err != nil || keys[f.Export.ID][0].State != apikey.Expired {
		t.Errorf("its key: %+v %v", keys, err)
	}
	if got, err := s.PauseExport(ctx, me, f.Export.ID, false); err != nil || got.State() != agent.ExportExpired {
		t.Errorf("resumed after it expired: %+v %v", got, err)
	}
	if got, err := expire(setNull[time.Time]()); err != nil || got.ExpiresAt != nil || got.State() != agent.ExportActive {
		t.Errorf("never expires: %+v %v", got, err)
	}
	if got := begin(t, s, f.Key, func(b *store.Begin) { b.Session = "again" }); got.Outcome != store.Begun {
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
		bulk(t, s, change, e.ID)
		want[state] = e.ID
	}
	for state, id := range want {
		page, err := s.ExportPage(t.Context(), f.Account.ID, store.ExportQuery{First: 10, State: state})
		if err != nil || len(page.Items) != 1 || page.Items[0].ID != id || page.Items[0].State() != state {
			t.Errorf("%s: %+v %v", state, page.Items, err)
		}
	}
}

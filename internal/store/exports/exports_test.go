package exports_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestCreateExport(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	key := apikey.Mint()
	e, err := exports.On(s).CreateExport(t.Context(), f.Account.ID, storetest.NewExport(f.Agent.ID), key)
	if err != nil || e.Name != "Export" || e.RatePerMinute != 600 || e.AgentID != f.Agent.ID || e.AccountID != f.Account.ID ||
		e.State() != agent.ExportActive {
		t.Fatalf("%+v %v", e, err)
	}
	if read, err := storetest.ExportByID(t.Context(), s, f.Account.ID, e.ID); err != nil || !reflect.DeepEqual(read, e) {
		t.Errorf("read again: %+v %v", read, err)
	}
	keys, err := exports.On(s).KeysByExports(t.Context(), f.Account.ID, []uuid.UUID{e.ID})
	if k := keys[e.ID]; err != nil || len(k) != 1 || k[0].AccountID != f.Account.ID || k[0].ExportID != e.ID ||
		k[0].Hint != key.Hint() || k[0].State != apikey.Active {
		t.Errorf("its key: %+v %v", keys, err)
	}
	if got := storetest.BeginTurn(t, s, key, nil); got.Outcome != turns.Begun || got.Sender.RatePerMinute != 600 {
		t.Errorf("a chat: %+v", got)
	}
	draft := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{Draft: true, Model: storetest.SandboxModel})
	key = apikey.Mint()
	if _, err := exports.On(s).CreateExport(t.Context(), f.Account.ID, storetest.NewExport(draft.ID), key); !fault.Is(err, fault.Conflict) {
		t.Errorf("of a draft: %v", err)
	}
	if used, err := exports.On(s).KeyInUse(t.Context(), key.Hash()); used || err != nil {
		t.Errorf("the refused key is in use: %v %v", used, err)
	}
}

// TestExportWaits holds the agent's lock as an uncommitted change does.
func TestExportWaits(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string]fault.Kind{
		`UPDATE agents SET state = 'OFFLINE'`:                           fault.Conflict,
		`UPDATE agents SET deleted_at = now()`:                          fault.NotFound,
		`UPDATE agents SET name = 'still complete', updated_at = now()`: "",
	} {
		s := storetest.New(t)
		f := storetest.Seed(t, s, storetest.Options{})
		tx, err := s.SQL().BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		must(t, storetest.ErrOnly(tx.ExecContext(t.Context(), statement)))
		done := make(chan error, 1)
		go func() {
			_, err := exports.On(s).CreateExport(t.Context(), f.Account.ID, storetest.NewExport(f.Agent.ID), apikey.Mint())
			done <- err
		}()
		storetest.WaitForLocks(t, s, 1)
		must(t, tx.Commit())
		if err := <-done; (err != nil || want != "") && !fault.Is(err, want) {
			t.Errorf("after %s: %v, want %q", statement, err, want)
		}
	}
}

func TestUpdateExport(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{RatePerMinute: 7})
	for _, c := range []struct {
		in   agent.ExportChanges
		name string
		rate int
	}{
		{agent.ExportChanges{}, "Export", 7},
		{agent.ExportChanges{Name: storetest.SetTo(" Till ? $1 ' ")}, "Till ? $1 '", 7},
		{agent.ExportChanges{RatePerMinute: storetest.SetTo(1)}, "Till ? $1 '", 1},
		{agent.ExportChanges{RatePerMinute: storetest.SetNull[int]()}, "Till ? $1 '", 600},
		{agent.ExportChanges{Name: storetest.SetTo("Both"), RatePerMinute: storetest.SetTo(1_000_000)}, "Both", 1_000_000},
	} {
		got, err := exports.On(s).UpdateExport(t.Context(), f.Account.ID, f.Export.ID, c.in)
		if err != nil || got.Name != c.name || got.RatePerMinute != c.rate {
			t.Errorf("%+v: %+v %v", c.in, got, err)
		}
		if read, err := storetest.ExportByID(t.Context(), s, f.Account.ID, f.Export.ID); err != nil || !reflect.DeepEqual(read, got) {
			t.Errorf("%+v: read again %+v %v", c.in, read, err)
		}
	}
	if _, err := exports.On(s).UpdateExport(t.Context(), f.Account.ID, f.Export.ID, agent.ExportChanges{RatePerMinute: storetest.SetTo(1)}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []turns.Outcome{turns.Begun, turns.RateLimited} {
		if got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session = fmt.Sprint(i) }); got.Outcome != want {
			t.Errorf("chat %d at one a minute: %s, want %s", i, got.Outcome, want)
		}
	}
	storetest.RemoveExport(t, s, f)
	_, err := exports.On(s).UpdateExport(t.Context(), f.Account.ID, f.Export.ID, agent.ExportChanges{Name: storetest.SetTo("x")})
	if !fault.Is(err, fault.Conflict) {
		t.Errorf("a removed export: %v", err)
	}
}

// TestBatches loads the children of many parents in reverse order. Every result belongs to its key,
// and unknown ids have none.
func TestBatches(t *testing.T) {
	t.Parallel()
	s, count := storetest.Counted(t)
	f, other := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	me, ctx := f.Account.ID, t.Context()
	agentList, exportList := []uuid.UUID{f.Agent.ID}, []uuid.UUID{f.Export.ID}
	for range 30 {
		a := storetest.SeedAgent(t, s, me, storetest.Options{Model: storetest.SandboxModel, Instructions: "i"})
		e, _, _ := storetest.SeedExport(t, s, me, a.ID, 600)
		gone, _, _ := storetest.SeedExport(t, s, me, a.ID, 600)
		must(t, storetest.ErrOnly(exports.On(s).RemoveExport(ctx, me, gone.ID)))
		agentList, exportList = append(agentList, a.ID), append(exportList, e.ID, gone.ID)
	}
	empty := storetest.SeedAgent(t, s, me, storetest.Options{Draft: true, Model: storetest.SandboxModel})
	for _, ago := range []time.Duration{90 * time.Second, time.Hour} { // the later use counts
		err := exports.On(s).RecordKeyUse(ctx, []uuid.UUID{f.KeyID}, []time.Duration{ago})
		if err != nil {
			t.Fatal(err)
		}
		n := storetest.CountRows(t, s, `SELECT extract(epoch FROM clock_timestamp() - last_used_at)::int
			FROM api_keys WHERE id = $1`, f.KeyID)
		if n < 90 || n > 120 {
			t.Errorf("a key that was used 90 s ago was used %d s ago", n)
		}
	}
	agentList = append(agentList, empty.ID)
	slices.Reverse(agentList)
	slices.Reverse(exportList)
	askAgents := slices.Concat(agentList, []uuid.UUID{uuid.New(), other.Agent.ID})
	askExports := slices.Concat(exportList, []uuid.UUID{uuid.New(), other.Export.ID})

	before := count.Load()
	byID, err1 := agents.On(s).AgentsByIDs(ctx, me, askAgents)
	inUse, err2 := exports.On(s).ExportsByAgents(ctx, me, askAgents, false)
	all, err3 := exports.On(s).ExportsByAgents(ctx, me, askAgents, true)
	keys, err4 := exports.On(s).KeysByExports(ctx, me, askExports)
	agentUse, err5 := exports.On(s).LastUsedByAgents(ctx, me, askAgents)
	exportUse, err6 := exports.On(s).LastUsedByExports(ctx, me, askExports)
	err := errors.Join(err1, err2, err3, err4, err5, err6)
	if n := count.Load() - before; err != nil || n != 6 {
		t.Fatalf("%d statements for six loads, %v", n, err)
	}
	used := keys[f.Export.ID][0].LastUsedAt
	if keys[f.Export.ID][0].ID != f.KeyID || used == nil {
		t.Fatalf("the used key: %+v", keys[f.Export.ID])
	}
	got := []int{len(byID), len(inUse), len(all), len(agentUse), len(keys), len(exportUse)}
	n, m := len(agentList), len(exportList)
	if want := []int{n, n, n, n, m, m}; !slices.Equal(got, want) {
		t.Errorf("%v entries, want %v", got, want)
	}
	for _, id := range agentList {
		page, err := exports.On(s).ExportPage(ctx, me, exports.ExportQuery{First: store.MaxPage, AgentID: &id})
		single := page.Items
		if err != nil || byID[id].ID != id || len(single) != len(all[id]) || len(single) > 0 && !reflect.DeepEqual(all[id], single) {
			t.Errorf("agent %s: %+v, want %+v, %v", id, all[id], single, err)
		}
		single = slices.DeleteFunc(single, func(e agent.Export) bool { return e.State() == agent.ExportRemoved })
		if len(single) != len(inUse[id]) || len(single) > 0 && !reflect.DeepEqual(inUse[id], single) {
			t.Errorf("agent %s: in use %+v, want %+v", id, inUse[id], single)
		}
		if at := agentUse[id]; (at != nil) != (id == f.Agent.ID) || at != nil && !at.Equal(*used) {
			t.Errorf("agent %s was last used %v", id, at)
		}
	}
	for _, id := range exportList {
		e, err := storetest.ExportByID(ctx, s, me, id)
		want := map[agent.ExportState]apikey.State{agent.ExportActive: apikey.Active, agent.ExportRemoved: apikey.Removed}[e.State()]
		if err != nil || len(keys[id]) != 1 || keys[id][0].ExportID != id || keys[id][0].State != want {
			t.Errorf("export %s: %+v, state should be %s, %v", id, keys[id], want, err)
		}
		if at := exportUse[id]; (at != nil) != (id == f.Export.ID) || at != nil && !at.Equal(*used) {
			t.Errorf("export %s was last used %v", id, at)
		}
	}
}

// TestKeyStates tests that states follow the database's clock.
func TestKeyStates(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	state := func() apikey.State {
		keys, err := exports.On(s).KeysByExports(t.Context(), f.Account.ID, []uuid.UUID{f.Export.ID})
		if err != nil || len(keys[f.Export.ID]) != 1 {
			t.Fatalf("%+v %v", keys, err)
		}
		return keys[f.Export.ID][0].State
	}
	for _, c := range []struct {
		arrange string
		want    apikey.State
	}{
		{`UPDATE api_exports SET expires_at = now() + interval '1 h'`, apikey.Active},
		{`UPDATE api_exports SET expires_at = now()`, apikey.Expired},
		{`UPDATE api_exports SET expires_at = NULL`, apikey.Active},
		{`WITH e AS (UPDATE api_exports SET removed_at = now()) UPDATE api_keys SET removed_at = now()`, apikey.Removed},
	} {
		storetest.ExecLater(c.arrange)(t, s, f)
		if got := state(); got != c.want {
			t.Errorf("%s: %s, want %s", c.arrange, got, c.want)
		}
		used, err := exports.On(s).KeyInUse(t.Context(), f.Key.Hash())
		if err != nil || used != (c.want == apikey.Active) {
			t.Errorf("%s: in use %v, %v", c.arrange, used, err)
		}
	}
}

// TestRemovedExportsListedAreTheNewest tests the bound on listed removed exports.
func TestRemovedExportsListedAreTheNewest(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.Exec(t, s, `INSERT INTO api_exports (id, account_id, agent_id, name, removed_at)
		SELECT lpad(to_hex(n), 32, '0')::uuid, $1, $2, n::text, now() FROM generate_series(1, $3) n`,
		f.Account.ID, f.Agent.ID, agent.MaxListedRemoved+5)
	got, err := exports.On(s).ExportsByAgents(t.Context(), f.Account.ID, []uuid.UUID{f.Agent.ID}, true)
	list := got[f.Agent.ID]
	if err != nil || len(list) != agent.MaxListedRemoved+1 || list[0].ID != f.Export.ID {
		t.Fatalf("%d listed, %v", len(list), err)
	}
	if list[1].Name != fmt.Sprint(agent.MaxListedRemoved+5) || list[len(list)-1].Name != "6" {
		t.Errorf("from %s to %s", list[1].Name, list[len(list)-1].Name)
	}
}

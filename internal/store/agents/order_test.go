package agents_test

import (
	"encoding/binary"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
)

// momentOf returns the microsecond in an id: the milliseconds of its first 48 bits, and the
// fraction in the 12 bits after the version (RFC 9562, 6.2, method 3).
func momentOf(t *testing.T, id uuid.UUID) time.Time {
	t.Helper()
	if id.Version() != 7 || id.Variant() != uuid.RFC4122 {
		t.Fatalf("%v is no UUIDv7", id)
	}
	high := binary.BigEndian.Uint64(id[:8])
	fraction := int64(high & 0xFFF)
	return time.UnixMicro(int64(high>>16)*1000 + (fraction*1000+4095)/4096).UTC()
}

// TestListedIDsAreTheDatabasesTime tests that ids have the database's time of creation, to the
// microsecond, not the replica's.
func TestListedIDsAreTheDatabasesTime(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	seen := map[uuid.UUID]bool{}
	check := func(what string, id uuid.UUID, made time.Time) {
		t.Helper()
		if at := momentOf(t, id); !at.Equal(made) {
			t.Errorf("%s %v is of %v, made at %v", what, id, at, made)
		}
		if seen[id] {
			t.Errorf("%s %v has the id of another", what, id)
		}
		seen[id] = true
	}
	for range 50 {
		a := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{Draft: true})
		check("agent", a.ID, a.CreatedAt)
		if !a.UpdatedAt.Equal(a.CreatedAt) {
			t.Errorf("made at %v and changed at %v", a.CreatedAt, a.UpdatedAt)
		}
		storetest.Publish(t, s, a)
		e, _, _ := storetest.SeedExport(t, s, f.Account.ID, a.ID, 600)
		check("export", e.ID, e.CreatedAt)
		keys, err := exports.On(s).KeysByExports(t.Context(), f.Account.ID, []uuid.UUID{e.ID})
		if err != nil {
			t.Fatal(err)
		}
		check("key", keys[e.ID][0].ID, keys[e.ID][0].CreatedAt)
	}
}

// TestListsAreInTheOrderOfMaking creates agents and exports through two stores concurrently. Each
// one is listed above all that existed when its creation began, and the times have the same order.
func TestListsAreInTheOrderOfMaking(t *testing.T) {
	t.Parallel()
	const makers, each = 8, 12
	one, two := storetest.Replicas(t)
	stores := []*store.DB{one, two}
	f := storetest.Seed(t, stores[0], storetest.Options{})
	var clock sync.Mutex
	ticks := 0
	began, made := map[uuid.UUID]int{}, map[uuid.UUID]int{}
	tick := func() int {
		clock.Lock()
		defer clock.Unlock()
		ticks++
		return ticks
	}
	create := func(s *store.DB, export bool) (uuid.UUID, error) {
		if export {
			e, err := exports.On(s).CreateExport(t.Context(), f.Account.ID, storetest.NewExport(f.Agent.ID), apikey.Mint())
			return e.ID, err
		}
		a, err := agents.On(s).CreateAgent(t.Context(), f.Account.ID, agent.Agent{Name: "Agent"})
		return a.ID, err
	}
	var work sync.WaitGroup
	for i := range makers {
		work.Go(func() {
			for n := range 2 * each {
				start := tick()
				id, err := create(stores[i%2], n%2 == 1)
				if err != nil {
					t.Error(err)
					return
				}
				end := tick()
				clock.Lock()
				began[id], made[id] = start, end
				clock.Unlock()
			}
		})
	}
	work.Wait()
	for what, list := range oldestFirst(t, stores[0], f) {
		if want := makers*each + 1; len(list) != want {
			t.Errorf("%d %s, want %d", len(list), what, want)
		}
		lastBegun := 0
		for _, item := range list {
			if made[item.id] > 0 && made[item.id] < lastBegun {
				t.Errorf("%s: %v stands above one that was there when it was begun", what, item.id)
			}
			lastBegun = max(lastBegun, began[item.id])
		}
		if !slices.IsSortedFunc(list, func(a, b listedItem) int { return a.at.Compare(b.at) }) {
			t.Errorf("%s: the times do not go the way of the list", what)
		}
	}
}

type listedItem struct {
	id uuid.UUID
	at time.Time
}

func oldestFirst(t *testing.T, s *store.DB, f storetest.Fixture) map[string][]listedItem {
	t.Helper()
	agents, err := agents.On(s).Agents(t.Context(), f.Account.ID)
	if err != nil {
		t.Fatal(err)
	}
	byAgent, err := exports.On(s).ExportsByAgents(t.Context(), f.Account.ID, []uuid.UUID{f.Agent.ID}, true)
	exports := byAgent[f.Agent.ID]
	slices.Reverse(exports)
	if err != nil {
		t.Fatal(err)
	}
	lists := map[string][]listedItem{}
	for _, a := range agents {
		lists["agents"] = append(lists["agents"], listedItem{a.ID, a.CreatedAt})
	}
	for _, e := range exports {
		lists["exports"] = append(lists["exports"], listedItem{e.ID, e.CreatedAt})
	}
	return lists
}

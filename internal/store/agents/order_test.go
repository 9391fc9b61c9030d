package agents_test

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/google/uuid"

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

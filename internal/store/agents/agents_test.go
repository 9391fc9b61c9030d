package agents_test

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/versions"
)

func TestMain(m *testing.M) { storetest.Main(m) }

func TestCreateAgent(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	text := "  line\n\u00e9 \U0001f600 '' $1 ? \\u0000 \x01"
	got, err := agents.On(s).CreateAgent(t.Context(), f.Account.ID, agent.New(agent.Changes{Name: storetest.SetTo(" Shop "), Description: storetest.SetTo(text),
		Instructions: storetest.SetTo(text), Model: storetest.SetTo("gemini/away"), Temperature: storetest.SetTo(0.7), MaxOutputTokens: storetest.SetTo(5), ContextTurns: storetest.SetTo(0)}))
	if err != nil || got.Name != "Shop" || got.Description != text || got.Instructions != text || *got.Model != "gemini/away" ||
		*got.Temperature != 0.7 || *got.MaxOutputTokens != 5 || got.State != agent.Draft || got.ContextTurns != 0 {
		t.Fatalf("%+v %v", got, err)
	}
	if got.AccountID != f.Account.ID || got.ID.Version() != 7 || got.UpdatedAt != got.CreatedAt || got.CreatedAt.Location() != time.UTC {
		t.Errorf("%+v", got)
	}
	if read, err := agents.On(s).Agent(t.Context(), f.Account.ID, got.ID); err != nil || !reflect.DeepEqual(read, got) {
		t.Errorf("read again: %+v %v, want %+v", read, err, got)
	}
	bare, err := agents.On(s).CreateAgent(t.Context(), f.Account.ID, agent.New(agent.Changes{Name: storetest.SetTo("x")}))
	if err != nil || bare.Model != nil || bare.Temperature != nil || bare.MaxOutputTokens != nil || bare.Instructions != "" ||
		bare.ContextTurns != 40 {
		t.Errorf("a name alone: %+v %v", bare, err)
	}
	if _, err := agents.On(s).CreateAgent(t.Context(), uuid.New(), agent.Agent{Name: "x"}); !fault.Is(err, fault.NotFound) {
		t.Errorf("for nobody: %v", err)
	}
}

func TestUpdateAgent(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	describe := agent.Changes{Description: storetest.SetTo("d")}
	described := func(a agent.Agent) bool { return a.Description == "d" }
	for name, c := range map[string]struct {
		in agent.Changes
		// expected is the time of the state that the change expects, relative to the agent's.
		expected *time.Duration
		kind     fault.Kind
		fields   []string
		want     func(agent.Agent) bool
	}{
		"another name": {in: agent.Changes{Name: storetest.SetTo(" New ")}, want: func(a agent.Agent) bool {
			return a.Name == "New" && a.Instructions != "" && a.Model != nil && a.State == agent.Live
		}},
		"turns": {in: agent.Changes{ContextTurns: storetest.SetTo(3)}, want: func(a agent.Agent) bool { return a.ContextTurns == 3 }},
		"numbers": {in: agent.Changes{Temperature: storetest.SetTo(2.0), MaxOutputTokens: storetest.SetTo(9)}, want: func(a agent.Agent) bool {
			return *a.Temperature == 2 && *a.MaxOutputTokens == 9
		}},
		"as expected":       {in: describe, expected: new(time.Duration), want: described},
		"to a microsecond":  {in: describe, expected: new(999 * time.Nanosecond), want: described},
		"not as expected":   {in: describe, expected: new(-time.Microsecond), kind: fault.Conflict},
		"nothing, expected": {expected: new(-time.Microsecond), kind: fault.Conflict},
		"more schemas than fit": {in: agent.Changes{ReplySchema: storetest.SetTo(`{"type":"object"` + strings.Repeat(" ", 64<<10) + `}`)},
			kind: fault.InvalidInput, fields: []string{"replySchema"}},
		"incomplete": {in: agent.Changes{Instructions: storetest.SetNull[string](), Model: storetest.SetNull[string]()}, want: func(a agent.Agent) bool {
			return a.Instructions == "" && a.Model == nil && a.State == agent.Live
		}},
		"a model that is away": {in: agent.Changes{Model: storetest.SetTo("gemini/away")}, want: func(a agent.Agent) bool {
			return *a.Model == "gemini/away" && a.State == agent.Live
		}},
	} {
		f := storetest.Seed(t, s, storetest.Options{})
		var expected *time.Time
		if c.expected != nil {
			expected = new(f.Agent.UpdatedAt.Add(*c.expected))
		}
		got, err := agents.On(s).UpdateAgent(t.Context(), f.Account.ID, f.Agent.ID, c.in, expected)
		now, readErr := agents.On(s).Agent(t.Context(), f.Account.ID, f.Agent.ID)
		if readErr != nil {
			t.Fatal(readErr)
		}
		if c.want == nil {
			fields := storetest.FieldsOf(err)
			if !fault.Is(err, c.kind) || !slices.Equal(fields, c.fields) ||
				!reflect.DeepEqual(now, f.Agent) {
				t.Errorf("%s: %v on %v, want %s on %v; now %+v", name, err, fields, c.kind, c.fields, now)
			}
			continue
		}
		later := got.UpdatedAt.After(f.Agent.UpdatedAt)
		if err != nil || !c.want(got) || !later || !reflect.DeepEqual(now, got) {
			t.Errorf("%s: got %+v %v, read %+v", name, got, err, now)
		}
	}
	f := storetest.Seed(t, s, storetest.Options{})
	same, err := agents.On(s).UpdateAgent(t.Context(), f.Account.ID, f.Agent.ID,
		agent.Changes{Name: storetest.SetTo(f.Agent.Name), Model: storetest.SetTo(*f.Agent.Model), Temperature: storetest.SetNull[float64]()}, nil)
	if err != nil || !reflect.DeepEqual(same, f.Agent) {
		t.Errorf("what changes nothing: %+v %v, want %+v", same, err, f.Agent)
	}
}

// TestUpdatedAtMovesForward tests a clock that stands still or has gone back.
func TestUpdatedAtMovesForward(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.ExecLater(`UPDATE agents SET updated_at = now() + interval '1 h'`)(t, s, f)
	before, err := agents.On(s).Agent(t.Context(), f.Account.ID, f.Agent.ID)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		in := agent.Changes{Name: storetest.SetTo(fmt.Sprint(i))}
		after, err := agents.On(s).UpdateAgent(t.Context(), f.Account.ID, f.Agent.ID, in, &before.UpdatedAt)
		if err != nil || !after.UpdatedAt.After(before.UpdatedAt) {
			t.Fatalf("%v after %v, %v", after.UpdatedAt, before.UpdatedAt, err)
		}
		before = after
	}
}

// TestOneOfTwoEditorsIsTold tests that of concurrent changes to the same state one succeeds, and
// the others get Conflict.
func TestOneOfTwoEditorsIsTold(t *testing.T) {
	t.Parallel()
	one, two := storetest.Replicas(t)
	replicas := []*store.DB{one, two}
	f := storetest.Seed(t, replicas[0], storetest.Options{})
	expected := f.Agent.UpdatedAt
	for round := range 10 {
		var mu sync.Mutex
		n := 0
		changed := storetest.AtOnce(t, 2, fault.Conflict, func() error {
			mu.Lock()
			n++
			editor := n
			mu.Unlock()
			_, err := agents.On(replicas[editor-1]).UpdateAgent(t.Context(), f.Account.ID, f.Agent.ID,
				agent.Changes{Description: storetest.SetTo(fmt.Sprint(round, editor))}, &expected)
			return err
		})
		now, err := agents.On(replicas[0]).Agent(t.Context(), f.Account.ID, f.Agent.ID)
		if changed != 1 || err != nil || !now.UpdatedAt.After(expected) {
			t.Fatalf("round %d: %d changed it, %v", round, changed, err)
		}
		expected = now.UpdatedAt
	}
}

// TestAnotherAccountsAgents tests that another account's ids get the same fault as random ids, and
// change nothing.
func TestAnotherAccountsAgents(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	mine, theirs := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	ctx, me, name, at := t.Context(), mine.Account.ID, storetest.SetTo("x"), theirs.Agent.UpdatedAt
	rows := func() (out string) {
		err := s.SQL().QueryRowContext(ctx, `SELECT (SELECT string_agg(a::text, ';' ORDER BY id) FROM agents a)
			|| (SELECT string_agg(e::text, ';' ORDER BY id) FROM api_exports e)
			|| (SELECT string_agg(k::text, ';' ORDER BY id) FROM api_keys k)`).Scan(&out)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	before := rows()
	for name, call := range map[string]func(agentID, exportID uuid.UUID) error{
		"agent": func(a, _ uuid.UUID) error { _, err := agents.On(s).Agent(ctx, me, a); return err },
		"update": func(a, _ uuid.UUID) error {
			_, err := agents.On(s).UpdateAgent(ctx, me, a, agent.Changes{Name: name}, &at)
			return err
		},
		"publish": func(a, _ uuid.UUID) error {
			_, _, err := versions.On(s).PublishAgent(ctx, me, a, versions.Publication{}, storetest.OnlySandbox)
			return err
		},
		"restore": func(a, _ uuid.UUID) error {
			return storetest.ErrOnly(versions.On(s).RestoreVersion(ctx, me, a, 1, false))
		},
		"discard": func(a, _ uuid.UUID) error {
			return storetest.ErrOnly(versions.On(s).DiscardChanges(ctx, me, a, false))
		},
		"unpublish": func(a, _ uuid.UUID) error {
			return storetest.ErrOnly(agents.On(s).UnpublishAgent(ctx, me, a))
		},
		"delete": func(a, _ uuid.UUID) error { return erasure.On(s).DeleteAgent(ctx, me, a) },
		"export": func(_, e uuid.UUID) error {
			return storetest.ErrOnly(storetest.ExportByID(ctx, s, me, e))
		},
		"remove export": func(_, e uuid.UUID) error {
			return storetest.ErrOnly(exports.On(s).RemoveExport(ctx, me, e))
		},
		"create export": func(a, _ uuid.UUID) error {
			_, err := exports.On(s).CreateExport(ctx, me, storetest.NewExport(a), apikey.Mint())
			return err
		},
		"update export": func(_, e uuid.UUID) error {
			return storetest.ErrOnly(exports.On(s).UpdateExport(ctx, me, e, agent.ExportChanges{Name: name}))
		},
		"delete a session": func(a, _ uuid.UUID) error {
			return storetest.ErrOnly(erasure.On(s).DeleteConversationsBySessionID(ctx, me, "s", &a))
		},
		"delete an end user": func(a, _ uuid.UUID) error {
			return storetest.ErrOnly(erasure.On(s).DeleteEndUser(ctx, me, "u", &a))
		},
	} {
		known, random := call(theirs.Agent.ID, theirs.Export.ID), call(uuid.New(), uuid.New())
		if !fault.Is(known, fault.NotFound) || fault.ClientMessage(known) != fault.ClientMessage(random) ||
			known.Error() != random.Error() {
			t.Errorf("%s: %v, for a random id %v", name, known, random)
		}
	}
	list, err := agents.On(s).Agents(ctx, me)
	if err != nil || len(list) != 1 || list[0].ID != mine.Agent.ID {
		t.Errorf("agents: %+v %v", list, err)
	}
	if after := rows(); after != before || strings.Count(after, theirs.Agent.ID.String()) < 2 {
		t.Errorf("something changed:\n%s\n%s", before, after)
	}
}

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

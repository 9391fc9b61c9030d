package versions_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/versions"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// shapeNoReply are the fields of an agent that no version has. A new field of agent.Agent belongs
// here or in agent.Settings.
var shapeNoReply = []string{"ID", "AccountID", "Name", "Description", "State", "PublishedVersion", "CreatedAt", "UpdatedAt", "SettingsAt"}

// otherSettings returns settings that differ from the given ones in one field, for each field of
// agent.Settings.
func otherSettings(t *testing.T, from agent.Settings) map[string]agent.Settings {
	t.Helper()
	out := map[string]agent.Settings{}
	for i := range reflect.TypeFor[agent.Settings]().NumField() {
		changed := from
		name := reflect.TypeFor[agent.Settings]().Field(i).Name
		switch field := reflect.ValueOf(&changed).Elem().Field(i).Addr().Interface().(type) {
		case *string:
			*field += " and more"
		case *int:
			*field = 7
		case **string:
			other := map[string]string{"Model": "sandbox/other", "FallbackModel": "sandbox/second",
				"ReplySchema": `{"type":"object","title":"\u0000"}`}[name]
			*field = &other
		case **float64:
			other := 1.25
			*field = &other
		case **int:
			other := 77
			*field = &other
		case *[]agent.Variable:
			*field = []agent.Variable{{Name: "plan", Description: "What they pay for", Default: new("standard")}}
		case *[]agent.Action:
			*field = []agent.Action{{Name: "order_status", Description: "Looks up an order", Parameters: `{"type":"object"}`}}
		default:
			t.Fatalf("no other value for %s", name)
		}
		out[name] = changed
	}
	return out
}

func changesTo(s agent.Settings) agent.Changes {
	return agent.Changes{Instructions: storetest.SetTo(s.Instructions), Model: agent.Change[string]{Set: true, Value: s.Model},
		Temperature:     agent.Change[float64]{Set: true, Value: s.Temperature},
		MaxOutputTokens: agent.Change[int]{Set: true, Value: s.MaxOutputTokens}, ContextTurns: storetest.SetTo(s.ContextTurns), Variables: storetest.SetTo(s.Variables),
		FallbackModel: agent.Change[string]{Set: true, Value: s.FallbackModel},
		ReplySchema:   agent.Change[string]{Set: true, Value: s.ReplySchema}, Actions: storetest.SetTo(s.Actions)}
}

func hasChanges(t *testing.T, s *store.DB, a agent.Agent) bool {
	t.Helper()
	draft, err := agents.On(s).Agent(t.Context(), a.AccountID, a.ID)
	if err != nil {
		t.Fatal(err)
	}
	versions, err := versions.On(s).PublishedVersions(t.Context(), a.AccountID, []uuid.UUID{a.ID})
	if err != nil {
		t.Fatal(err)
	}
	published, ok := versions[a.ID]
	return !ok || !published.Equal(draft.Settings)
}

// TestVersionsHaveEverySetting changes each field of agent.Settings. Callers get the change when it
// is published and not before, it counts as a change, and restoring undoes it.
func TestVersionsHaveEverySetting(t *testing.T) {
	t.Parallel()
	for i := range reflect.TypeFor[agent.Agent]().NumField() {
		name := reflect.TypeFor[agent.Agent]().Field(i).Name
		if name != "Settings" && !slices.Contains(shapeNoReply, name) {
			t.Errorf("agent.Agent.%s: does it shape a reply? Then it belongs into agent.Settings, otherwise into shapeNoReply", name)
		}
	}
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 1_000})
	first := f.Agent.Settings
	// settings returns the version and settings that callers get.
	settings := func(session string) (int, agent.Settings) {
		var got turns.BeginResult
		for range 9 {
			var id uuid.UUID
			got = storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) {
				b.Session, id = session, b.TurnID
				b.Models, b.Prices = []string{storetest.SandboxModel, "sandbox/other"}, []int64{1, 1}
			})
			if got.Outcome != turns.Begun {
				t.Fatalf("begin: %s", got.Outcome)
			}
			storetest.FinishTurn(t, s, id, conversation.Answered)
		}
		if want := min(got.Settings.ContextTurns, 8); len(got.History) != want {
			t.Errorf("%d earlier turns, want %d", len(got.History), want)
		}
		return got.Version, got.Settings
	}
	expect := func(what string, number int, want agent.Settings) {
		t.Helper()
		gotNumber, got := settings(what)
		if gotNumber != number || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: callers get version %d, %+v; want %d, %+v", what, gotNumber, got, number, want)
		}
	}
	number := 1
	for name, changed := range otherSettings(t, first) {
		if hasChanges(t, s, f.Agent) {
			t.Fatalf("%s: changes before there are any", name)
		}
		drafted := storetest.Edit(t, s, f.Agent, changesTo(changed))
		if !reflect.DeepEqual(drafted.Settings, changed) || !hasChanges(t, s, f.Agent) {
			t.Errorf("%s: the draft is %+v", name, drafted.Settings)
		}
		expect(name+" before", number, first)
		live, version := storetest.PublishNoted(t, s, f.Agent, "with another "+name)
		if number++; version.Number != number || *live.PublishedVersion != number || !reflect.DeepEqual(version.Settings, changed) ||
			version.Note != "with another "+name || hasChanges(t, s, f.Agent) {
			t.Errorf("%s: published as %+v", name, version)
		}
		expect(name+" after", number, changed)
		restored, err := versions.On(s).RestoreVersion(t.Context(), f.Account.ID, f.Agent.ID, 1, false)
		if err != nil || !reflect.DeepEqual(restored.Settings, first) || !hasChanges(t, s, f.Agent) {
			t.Errorf("%s: restored %+v %v", name, restored.Settings, err)
		}
		expect(name+" restored", number, changed)
		storetest.PublishNoted(t, s, f.Agent, "")
		number++
		expect(name+" back", number, first)
	}
	page, err := versions.On(s).VersionsByAgents(t.Context(), f.Account.ID, []uuid.UUID{f.Agent.ID}, versions.VersionQuery{First: 100})
	if list := page[f.Agent.ID].Items; err != nil || len(list) != number || !reflect.DeepEqual(list[number-1].Settings, first) {
		t.Errorf("%d versions %v, want %d", len(list), err, number)
	}
}

func TestPublishAndUnpublish(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	made, err := agents.On(s).CreateAgent(t.Context(), f.Account.ID, agent.New(agent.Changes{Name: storetest.SetTo("n"), Instructions: storetest.SetTo(" ")}))
	if err != nil {
		t.Fatal(err)
	}
	try := func(available func(string) bool) (agent.Agent, agent.Version, error) {
		return versions.On(s).PublishAgent(t.Context(), f.Account.ID, made.ID, versions.Publication{}, available)
	}
	if _, _, err := try(storetest.OnlySandbox); !slices.Equal(storetest.FieldsOf(err), []string{"instructions", "model"}) {
		t.Errorf("with a name alone: %v", err)
	}
	if _, err := versions.On(s).DiscardChanges(t.Context(), f.Account.ID, made.ID, false); !fault.Is(err, fault.Conflict) {
		t.Errorf("discard what was never published: %v", err)
	}
	storetest.Edit(t, s, made, agent.Changes{Instructions: storetest.SetTo("i"), Model: storetest.SetTo("gemini/away")})
	if _, _, err := try(storetest.OnlySandbox); !slices.Equal(storetest.FieldsOf(err), []string{"model"}) {
		t.Errorf("with a model that is away: %v", err)
	}
	if !hasChanges(t, s, made) {
		t.Error("an agent that was never published has nothing to publish")
	}
	before := storetest.Edit(t, s, made, agent.Changes{Model: storetest.SetTo(storetest.SandboxModel)})
	first, version, err := try(storetest.OnlySandbox)
	if err != nil || first.State != agent.Live || *first.PublishedVersion != 1 || version.Number != 1 ||
		!first.UpdatedAt.After(before.UpdatedAt) {
		t.Fatalf("publish: %+v %+v %v", first, version, err)
	}
	// A live agent stays live even if its model is unavailable.
	again, sameVersion, err := try(func(string) bool { return false })
	if err != nil || !reflect.DeepEqual(again, first) || !reflect.DeepEqual(sameVersion, version) {
		t.Errorf("publish twice: %+v %+v %v", again, sameVersion, err)
	}
	export, _, key := storetest.SeedExport(t, s, f.Account.ID, made.ID, 600)
	if _, err := exports.On(s).UpdateExport(t.Context(), f.Account.ID, export.ID, agent.ExportChanges{Version: storetest.SetTo(1)}); err != nil {
		t.Fatal(err)
	}
	answers := func(want turns.Outcome) {
		t.Helper()
		if got := storetest.BeginTurn(t, s, key, func(b *turns.Begin) { b.Session = uuid.NewString() }); got.Outcome != want {
			t.Errorf("its chats: %s, want %s", got.Outcome, want)
		}
	}
	answers(turns.Begun)
	storetest.Edit(t, s, made, agent.Changes{Instructions: storetest.SetNull[string]()})
	if _, _, err := try(storetest.OnlySandbox); !slices.Equal(storetest.FieldsOf(err), []string{"instructions"}) {
		t.Errorf("publish an incomplete draft: %v", err)
	}
	answers(turns.Begun)
	offline, err := agents.On(s).UnpublishAgent(t.Context(), f.Account.ID, made.ID)
	if err != nil || offline.State != agent.Offline || *offline.PublishedVersion != 1 {
		t.Errorf("unpublish: %+v %v", offline, err)
	}
	answers(turns.Offline)
	if twice, err := agents.On(s).UnpublishAgent(t.Context(), f.Account.ID, made.ID); err != nil || !reflect.DeepEqual(twice, offline) {
		t.Errorf("unpublish twice: %+v %v", twice, err)
	}
	discarded, err := versions.On(s).DiscardChanges(t.Context(), f.Account.ID, made.ID, false)
	if err != nil || discarded.Instructions != "i" || hasChanges(t, s, made) {
		t.Errorf("discard: %+v %v", discarded, err)
	}
	if _, _, err := try(func(string) bool { return false }); !slices.Equal(storetest.FieldsOf(err), []string{"model"}) {
		t.Errorf("back with a model that is away: %v", err)
	}
	back, version, err := try(storetest.OnlySandbox)
	if err != nil || back.State != agent.Live || version.Number != 1 {
		t.Errorf("back without changes: %+v %+v %v", back, version, err)
	}
	answers(turns.Begun)
}

// TestPublishAtOnce publishes the same draft through two replicas concurrently. One request of each
// round succeeds, and the numbers have no gaps.
func TestPublishAtOnce(t *testing.T) {
	t.Parallel()
	one, two := storetest.Replicas(t)
	replicas := []*store.DB{one, two}
	f := storetest.Seed(t, replicas[0], storetest.Options{})
	const rounds = 10
	for round := range rounds {
		read := storetest.Edit(t, replicas[0], f.Agent, agent.Changes{Instructions: storetest.SetTo(fmt.Sprint("round ", round))})
		var mu sync.Mutex
		turn := 0
		published := storetest.AtOnce(t, 4, fault.Conflict, func() error {
			mu.Lock()
			turn++
			s := replicas[turn%2]
			mu.Unlock()
			_, _, err := versions.On(s).PublishAgent(t.Context(), f.Account.ID, f.Agent.ID, versions.Publication{Expected: &read.UpdatedAt}, storetest.OnlySandbox)
			return err
		})
		if published != 1 {
			t.Errorf("round %d: %d published", round, published)
		}
	}
	// Without expectedUpdatedAt, the first one publishes, and the others find nothing to publish.
	storetest.Edit(t, replicas[0], f.Agent, agent.Changes{Instructions: storetest.SetTo("the last")})
	if n := storetest.AtOnce(t, 4, fault.Internal, func() error {
		_, version, err := versions.On(replicas[1]).PublishAgent(t.Context(), f.Account.ID, f.Agent.ID, versions.Publication{}, storetest.OnlySandbox)
		if err == nil && version.Number != rounds+2 {
			err = fmt.Errorf("version %d", version.Number)
		}
		return err
	}); n != 4 {
		t.Errorf("%d of 4 published", n)
	}
	page, err := versions.On(replicas[1]).VersionsByAgents(t.Context(), f.Account.ID, []uuid.UUID{f.Agent.ID}, versions.VersionQuery{First: 100})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range page[f.Agent.ID].Items {
		if v.Number != rounds+2-i {
			t.Errorf("version %d is at index %d of %d", v.Number, i, rounds+2)
		}
	}
}

func TestPins(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.Edit(t, s, f.Agent, agent.Changes{Instructions: storetest.SetTo("second")})
	storetest.PublishNoted(t, s, f.Agent, "")
	storetest.Edit(t, s, f.Agent, agent.Changes{Instructions: storetest.SetTo("a draft that callers never get")})
	ctx, me := t.Context(), f.Account.ID
	pin := func(version agent.Change[int]) error {
		_, err := exports.On(s).UpdateExport(ctx, me, f.Export.ID, agent.ExportChanges{Version: version})
		return err
	}
	expect := func(number int, instructions string) {
		t.Helper()
		got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session = uuid.NewString() })
		if got.Version != number || got.Settings.Instructions != instructions {
			t.Errorf("callers get version %d, %q; want %d", got.Version, got.Settings.Instructions, number)
		}
	}
	expect(2, "second")
	if err := pin(storetest.SetTo(1)); err != nil {
		t.Fatal(err)
	}
	expect(1, f.Agent.Instructions)
	for _, number := range []int{3, 1 << 40} {
		if err := pin(storetest.SetTo(number)); !slices.Equal(storetest.FieldsOf(err), []string{"version"}) {
			t.Errorf("pin to version %d: %v", number, err)
		}
	}
	if _, err := versions.On(s).RestoreVersion(ctx, me, f.Agent.ID, 1<<40, false); !slices.Equal(storetest.FieldsOf(err), []string{"number"}) {
		t.Errorf("restore a version that is not there: %v", err)
	}
	expect(1, f.Agent.Instructions)
	pinned, err := exports.On(s).PinnedExports(ctx, me, []uuid.UUID{f.Agent.ID})
	if list := pinned[f.Agent.ID]; err != nil || len(list) != 1 || list[0].ID != f.Export.ID || *list[0].Version != 1 {
		t.Errorf("pinned: %+v %v", pinned, err)
	}
	if err := pin(storetest.SetNull[int]()); err != nil {
		t.Fatal(err)
	}
	expect(2, "second")
}

// TestVersionsOfTwoAgents tests a page of each of two agents in one call.
func TestVersionsOfTwoAgents(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	one := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	for i := range 6 {
		storetest.Edit(t, s, f.Agent, agent.Changes{Instructions: storetest.SetTo(strings.Repeat("x", i+1))})
		storetest.PublishNoted(t, s, f.Agent, fmt.Sprint(i))
	}
	both, err := versions.On(s).VersionsByAgents(t.Context(), f.Account.ID,
		[]uuid.UUID{f.Agent.ID, one.ID}, versions.VersionQuery{First: 4})
	if err != nil || len(both[f.Agent.ID].Items) != 4 || !both[f.Agent.ID].HasNext || len(both[one.ID].Items) != 1 || both[one.ID].HasNext {
		t.Errorf("%+v %v", both, err)
	}
	q := versions.VersionQuery{First: 4}
	place := versions.VersionPlace(both[f.Agent.ID].Items[3])
	q.After = &place
	if _, err := versions.On(s).VersionsByAgents(t.Context(), f.Account.ID, []uuid.UUID{one.ID}, q); !slices.Equal(storetest.FieldsOf(err), []string{"after"}) {
		t.Errorf("another agent's cursor: %v", err)
	}
	if got, err := versions.On(s).VersionsByAgents(t.Context(), uuid.New(), []uuid.UUID{one.ID}, versions.VersionQuery{First: 1}); err != nil || len(got) != 0 {
		t.Errorf("for another account: %+v %v", got, err)
	}
}

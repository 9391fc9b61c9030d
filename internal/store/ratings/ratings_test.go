package ratings_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/ratings"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

func TestMain(m *testing.M) { storetest.Main(m) }

const (
	caller = conversation.ByCaller
	team   = conversation.ByTeam
)

// answer answers a message of the fixture's caller, and returns the turn.
func answer(t *testing.T, s *store.DB, f storetest.Fixture, change func(*turns.Begin)) (id uuid.UUID) {
	t.Helper()
	storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) {
		id = b.TurnID
		if change != nil {
			change(b)
		}
	})
	return id
}

// counts returns the counts of the fixture's first version, and of its only conversation.
func counts(t *testing.T, s *store.DB, f storetest.Fixture) (version, conv conversation.RatingCounts) {
	t.Helper()
	const sum = `SELECT coalesce(sum(up), 0)::bigint, coalesce(sum(down), 0)::bigint FROM `
	for from, into := range map[string]*conversation.RatingCounts{
		`rating_counts WHERE version = 1 AND agent_id = $1`:                                    &version,
		`(SELECT rated_up AS up, rated_down AS down FROM conversations WHERE agent_id = $1) c`: &conv,
	} {
		if err := s.SQL().QueryRowContext(t.Context(), sum+from, f.Agent.ID).Scan(&into.Up, &into.Down); err != nil {
			t.Fatal(err)
		}
	}
	return version, conv
}

// TestRate rates a reply repeatedly. The last rating of a kind wins, only callers' ratings count for
// the version, and an identical rating changes nothing. Each change by the team has an audit entry.
func TestRate(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	turn := answer(t, s, f, nil)
	acting := audit.Acting(t.Context(), audit.Entry{Actor: audit.ByUser, ActorID: &f.Account.OwnerID, Action: "rateTurn"})
	type c = conversation.RatingCounts
	for i, step := range []struct {
		kind          conversation.RatingKind
		value         conversation.RatingValue
		note          string
		unchanged     bool
		version, conv c
		stored        string // kind, value and note of each
	}{
		{caller, 0, "", true, c{}, c{}, ""},
		{caller, 1, "", false, c{Up: 1}, c{Up: 1}, "CALLER 1 "},
		{caller, 1, "", true, c{Up: 1}, c{Up: 1}, "CALLER 1 "},
		{caller, 1, "why", false, c{Up: 1}, c{Up: 1}, "CALLER 1 why"},
		{team, -1, "'; DROP", false, c{Up: 1}, c{Up: 1, Down: 1}, "CALLER 1 why, TEAM -1 '; DROP"},
		{caller, -1, "", false, c{Down: 1}, c{Down: 2}, "CALLER -1 , TEAM -1 '; DROP"},
		{team, 1, "", false, c{Down: 1}, c{Up: 1, Down: 1}, "CALLER -1 , TEAM 1 "},
		{caller, 0, "", false, c{}, c{Up: 1}, "TEAM 1 "},
		{caller, 0, "", true, c{}, c{Up: 1}, "TEAM 1 "},
		{team, 0, "", false, c{}, c{}, ""},
	} {
		got, err := ratings.On(s).Rate(acting, f.Account.ID, storetest.NewRating(f, turn, step.kind, step.value, step.note))
		version, conv := counts(t, s, f)
		var stored []string
		for _, r := range read(t, s, f, turn) {
			stored = append(stored, strings.Join([]string{string(r.Kind), map[bool]string{true: "1", false: "-1"}[r.Value == 1], r.Note}, " "))
			if (r.RatedBy != nil) != (r.Kind == team) || r.RatedAt.IsZero() {
				t.Errorf("step %d: %+v", i, r)
			}
		}
		if err != nil || got.Changed == step.unchanged || got.SessionID != "s" || (got.RatedAt == nil) != (step.value == 0) ||
			version != step.version || conv != step.conv || strings.Join(stored, ", ") != step.stored {
			t.Errorf("step %d: %+v %v, version %v, conversation %v, stored %q", i, got, err, version, conv, stored)
		}
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM audit_entries WHERE action = 'rateTurn' AND subject = $1`, turn.String()); n != 3 {
		t.Errorf("%d audit entries, want 3", n)
	}
}

// read returns the ratings of a turn.
func read(t *testing.T, s *store.DB, f storetest.Fixture, turn uuid.UUID) []conversation.Rating {
	t.Helper()
	found, err := ratings.On(s).ByTurns(t.Context(), f.Account.ID, []uuid.UUID{turn})
	if err != nil {
		t.Fatal(err)
	}
	return found[turn]
}

// TestRatingsAtOnce rates one reply 20 times concurrently: one rating is counted. The counts of a
// version stay when the conversation is deleted.
func TestRatingsAtOnce(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	begun, _ := storetest.AnswerTurn(t, s, f.Key, nil)
	turn := answer(t, s, f, nil)
	var work sync.WaitGroup
	for n := range 20 {
		work.Go(func() {
			storetest.GiveRating(t, s, f, turn, caller, conversation.RatingValue(n%2*2-1), strings.Repeat("a", n))
		})
	}
	work.Wait()
	version, conv := counts(t, s, f)
	if version.Up+version.Down != 1 || conv != version {
		t.Errorf("version %v, conversation %v", version, conv)
	}
	if err := erasure.On(s).DeleteConversation(t.Context(), f.Account.ID, begun.ConversationID); err != nil {
		t.Fatal(err)
	}
	if after, _ := counts(t, s, f); after != version || read(t, s, f, turn) != nil {
		t.Errorf("after the deletion: %v, want %v", after, version)
	}
}

// TestABurstOfRatings rates a version's replies in two conversations. While the second rating waits for the
// first one, its conversation is not locked, so that chats continue.
func TestABurstOfRatings(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	in := func(session string) func(*turns.Begin) { return func(b *turns.Begin) { b.Session = session } }
	first, second := answer(t, s, f, in("first")), answer(t, s, f, in("second"))
	tx, err := s.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), `SELECT rate_turn_1($1, $2, NULL, $3, 'CALLER', 1, '', NULL)`,
		f.Account.ID, f.Agent.ID, first); err != nil {
		t.Fatal(err)
	}
	rated := make(chan error, 1)
	go func() {
		_, err := ratings.On(s).Rate(t.Context(), f.Account.ID, storetest.NewRating(f, second, caller, conversation.Up, ""))
		rated <- err
	}()
	storetest.WaitForLocks(t, s, 1)
	storetest.Exec(t, s, `SELECT FROM conversations WHERE session_id = 'second' FOR UPDATE NOWAIT`)
	if err := tx.Commit(); err != nil {
		t.Error(err)
	}
	if err := <-rated; err != nil {
		t.Error(err)
	}
	if version, _ := counts(t, s, f); version.Up != 2 {
		t.Errorf("the version has %v", version)
	}
}

// TestRatingNothing tests which turns cannot be rated. A refused rating leaves no trace.
func TestRatingNothing(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, stranger := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	second := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	_, _, secondKey := storetest.SeedExport(t, s, f.Account.ID, second.ID, 600)
	good := answer(t, s, f, storetest.InOwnSession("ada"))
	foreign := answer(t, s, stranger, nil)
	var pending, failed, deleted, ofSecond uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { pending = b.TurnID })
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { failed, b.Session = b.TurnID, "failed" })
	storetest.FinishTurn(t, s, failed, conversation.Failed)
	gone, _ := storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { deleted, b.Session, b.IdempotencyKey = b.TurnID, "gone", "key" })
	if err := erasure.On(s).DeleteConversation(t.Context(), f.Account.ID, gone.ConversationID); err != nil {
		t.Fatal(err)
	}
	storetest.AnswerTurn(t, s, secondKey, func(b *turns.Begin) { ofSecond = b.TurnID })
	tried := storetest.AnswerInPlayground(t, s, f, "tried")
	if _, err := agents.On(s).UnpublishAgent(t.Context(), f.Account.ID, f.Agent.ID); err != nil { // an offline agent can be rated
		t.Fatal(err)
	}
	of := func(kind conversation.RatingKind, turn uuid.UUID, change func(*ratings.Given)) ratings.Given {
		in := storetest.NewRating(f, turn, kind, conversation.Up, "")
		if in.AgentID = nil; kind == caller {
			in.AgentID = &f.Agent.ID
		}
		if change != nil {
			change(&in)
		}
		return in
	}
	user := func(id string) func(*ratings.Given) { return func(in *ratings.Given) { in.UserID = &id } }
	for name, c := range map[string]struct {
		in   ratings.Given
		good bool
	}{
		"unknown":                   {of(caller, uuid.New(), nil), false},
		"another account's":         {of(team, foreign, nil), false},
		"pending":                   {of(team, pending, nil), false},
		"failed":                    {of(team, failed, nil), false},
		"deleted":                   {of(team, deleted, nil), false},
		"another agent's":           {of(caller, ofSecond, nil), false},
		"another agent's, the team": {of(team, ofSecond, nil), true},
		"from the panel":            {of(caller, tried, nil), false},
		"from the panel, the team":  {of(team, tried, nil), true},
		"another user_id":           {of(caller, good, user("bob")), false},
		"its user_id":               {of(caller, good, user("ada")), true},
		"without user_id":           {of(caller, good, nil), true},
	} {
		_, err := ratings.On(s).Rate(t.Context(), f.Account.ID, c.in)
		if c.good != (err == nil) || err != nil && !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM ratings`); n != 3 {
		t.Errorf("%d ratings, want 3", n)
	}
}

// TestListsOfRatings tests the filters by rating of an agent's ratings and of conversations.
func TestListsOfRatings(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	other := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	for n, session := range []string{"good", "bad", "both", "neither"} {
		turn := answer(t, s, f, func(b *turns.Begin) { b.Session = session })
		if n%2 == 0 {
			storetest.GiveRating(t, s, f, turn, caller, conversation.Up, session)
		}
		if n == 1 || n == 2 {
			storetest.GiveRating(t, s, f, turn, team, conversation.Down, session)
		}
	}
	for want, q := range map[string]ratings.Query{
		"TEAM both, CALLER both, TEAM bad, CALLER good": {},
		"TEAM both, TEAM bad":                           {Kind: new(team)},
		"CALLER both, CALLER good":                      {Value: new(conversation.Up)},
		"":                                              {Value: new(conversation.Up), Kind: new(team)},
	} {
		q.First = 10
		pages, err := ratings.On(s).ByAgents(t.Context(), f.Account.ID, []uuid.UUID{f.Agent.ID, other.ID}, q)
		var got []string
		for _, r := range pages[f.Agent.ID].Items {
			got = append(got, string(r.Kind)+" "+r.Note)
		}
		if strings.Join(got, ", ") != want || len(pages[other.ID].Items) != 0 || err != nil {
			t.Errorf("%q, want %q, %v", got, want, err)
		}
	}
	for value, want := range map[conversation.RatingValue]string{0: "neither both bad good", 1: "both good", -1: "both bad"} {
		got := storetest.SessionsOf(t, s, f.Account.ID,
			conversations.ConversationQuery{First: 1, Filter: conversations.ConversationFilter{Rating: value}}, nil)
		if strings.Join(got, " ") != want {
			t.Errorf("rated %d: %v, want %s", value, got, want)
		}
	}
}

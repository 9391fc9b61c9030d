package conversations_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// TestMovedConversations tests conversations that move or disappear while pages are read.
func TestMovedConversations(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 1000})
	second := storetest.SeedAgent(t, s, f.Account.ID,
		storetest.Options{Model: storetest.SandboxModel, Instructions: "i"})
	_, _, secondKey := storetest.SeedExport(t, s, f.Account.ID, second.ID, 600)
	for i, key := range slices.Repeat([]apikey.Key{f.Key, secondKey}, 12) {
		storetest.AnswerTurn(t, s, key,
			func(b *turns.Begin) { b.Session = fmt.Sprint("customer ", i) })
	}
	// While pages are read, the oldest conversation continues and a new one begins. Both move to the
	// top, and no conversation is shown twice.
	n := 0
	got := storetest.SessionsOf(t, s, f.Account.ID, conversations.ConversationQuery{First: 5}, func() {
		storetest.AnswerTurn(t, s, f.Key,
			func(b *turns.Begin) { b.Session = fmt.Sprint("customer ", 2*n) })
		storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { b.Session = fmt.Sprint("new ", n) })
		n++
	})
	slices.Sort(got)
	if len(slices.Compact(slices.Clone(got))) != len(got) || len(got) < 19 || slices.Contains(got, "new 0") {
		t.Errorf("while others come: %q", got)
	}
	// Conversations of the same time are in the order of their ids.
	storetest.Exec(t, s, `UPDATE conversations SET last_turn_at = '2026-01-01'`)
	all := storetest.SessionsOf(t, s, f.Account.ID, conversations.ConversationQuery{First: 100}, nil)
	tied := storetest.SessionsOf(t, s, f.Account.ID, conversations.ConversationQuery{First: 4}, nil)
	if !slices.Equal(tied, all) || len(tied) != 24+n {
		t.Errorf("of one moment: %q, want %q", tied, all)
	}
	if err := erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, second.ID); err != nil {
		t.Fatal(err)
	}
	if got := storetest.SessionsOf(t, s, f.Account.ID, conversations.ConversationQuery{First: 100}, nil); len(got) != 12+n {
		t.Errorf("without the deleted agent's: %q", got)
	}
	// The agent is only marked deleted; its text is erased later.
	storetest.Exec(t, s, `UPDATE agents SET deleted_at = now() WHERE id = $1`, f.Agent.ID)
	if got := storetest.SessionsOf(t, s, f.Account.ID, conversations.ConversationQuery{First: 100}, nil); got != nil {
		t.Errorf("of an agent that is being deleted: %q", got)
	}
}

func TestConversationFilters(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	stranger := storetest.Seed(t, s, storetest.Options{})
	second := storetest.SeedAgent(t, s, f.Account.ID,
		storetest.Options{Model: storetest.SandboxModel, Instructions: "i"})
	_, _, secondKey := storetest.SeedExport(t, s, f.Account.ID, second.ID, 600)
	names := []string{"Ada", "ada_2", "iii", "iv", "v", " padded "}
	for _, name := range names {
		storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { b.Session = name })
		storetest.AnswerTurn(t, s, stranger.Key, func(b *turns.Begin) { b.Session = name })
	}
	storetest.AnswerTurn(t, s, secondKey, func(b *turns.Begin) { b.Session = "ada_2" })
	storetest.AnswerInPlayground(t, s, f, "ada_2")
	storetest.Exec(t, s,
		`UPDATE conversations SET last_turn_at = '2026-01-01T00:00:00Z'::timestamptz + interval '1 day' * (n - 1)
		FROM (SELECT id, row_number() OVER (ORDER BY id) n FROM conversations WHERE account_id = $1) x WHERE x.id = conversations.id`, f.Account.ID)
	session := func(text string) *string { return &text }
	third, fourth := storetest.Time("2026-01-03T00:00:00Z"), storetest.Time("2026-01-04T00:00:00Z")
	for what, c := range map[string]struct {
		filter conversations.ConversationFilter
		want   string
	}{
		"all":                 {conversations.ConversationFilter{}, "ada_2,ada_2, padded ,v,iv,iii,ada_2,Ada"},
		"agent":               {conversations.ConversationFilter{AgentID: &second.ID}, "ada_2"},
		"a stranger's":        {conversations.ConversationFilter{AgentID: &stranger.Agent.ID}, ""},
		"nobody's":            {conversations.ConversationFilter{AgentID: new(uuid.UUID)}, ""},
		"session":             {conversations.ConversationFilter{SessionID: session("ada_2")}, "ada_2,ada_2,ada_2"},
		"session of an agent": {conversations.ConversationFilter{SessionID: session("ada_2"), AgentID: &second.ID}, "ada_2"},
		"another case":        {conversations.ConversationFilter{SessionID: session("Ada_2")}, ""},
		"spaces count":        {conversations.ConversationFilter{SessionID: session("padded")}, ""},
		"padded":              {conversations.ConversationFilter{SessionID: session(" padded ")}, " padded "},
		"playground":          {conversations.ConversationFilter{Source: conversation.Playground}, "ada_2"},
		"API":                 {conversations.ConversationFilter{Source: conversation.API, SessionID: session("ada_2")}, "ada_2,ada_2"},
		"from":                {conversations.ConversationFilter{From: &fourth, Search: "IV"}, "iv"},
		"to":                  {conversations.ConversationFilter{To: &third}, "ada_2,Ada"},
		"from, to":            {conversations.ConversationFilter{From: &third, To: &fourth}, "iii"},
		"nothing between":     {conversations.ConversationFilter{From: &fourth, To: &third}, ""},
	} {
		got := storetest.SessionsOf(t, s, f.Account.ID,
			conversations.ConversationQuery{First: 2, Filter: c.filter}, nil)
		if strings.Join(got, ",") != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
	_, err := conversations.On(s).ConversationsByAgents(t.Context(), f.Account.ID,
		[]uuid.UUID{f.Agent.ID, second.ID},
		conversations.ConversationQuery{First: 5, Filter: conversations.ConversationFilter{Text: "x"}})
	if !slices.Equal(storetest.FieldsOf(err), []string{"filter.text"}) {
		t.Errorf("a search in texts of two agents: %v", err)
	}
	for path, f := range map[string]conversations.ConversationFilter{"filter.search": {Search: "a\x00"}, "filter.sessionId": {SessionID: session("")}} {
		_, err := conversations.On(s).ConversationPage(t.Context(), uuid.Nil,
			conversations.ConversationQuery{First: 1, Filter: f})
		_, second := conversations.On(s).ConversationsByAgents(t.Context(), uuid.Nil, nil,
			conversations.ConversationQuery{First: 1, Filter: f})
		if !slices.Equal(storetest.FieldsOf(err), []string{path}) || !slices.Equal(storetest.FieldsOf(second), []string{path}) {
			t.Errorf("%s: %v, %v", path, err, second)
		}
	}
}

func TestConversationsByAgents(t *testing.T) {
	t.Parallel()
	s, count := storetest.Counted(t)
	f := storetest.Seed(t, s, storetest.Options{})
	stranger := storetest.Seed(t, s, storetest.Options{})
	second := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{Draft: true})
	for i := range 4 {
		storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { b.Session = fmt.Sprint(i) })
		storetest.AnswerInPlayground(t, s, f, fmt.Sprint("test ", i))
	}
	storetest.AnswerTurn(t, s, stranger.Key, nil)
	before := count.Load()
	pages, err := conversations.On(s).ConversationsByAgents(t.Context(), f.Account.ID, []uuid.UUID{f.Agent.ID, second.ID, stranger.Agent.ID, uuid.Max},
		conversations.ConversationQuery{First: 3})
	if err != nil || count.Load()-before != 1 {
		t.Fatalf("%v, %d statements", err, count.Load()-before)
	}
	page := pages[f.Agent.ID]
	if len(pages) != 1 || len(page.Items) != 3 || !page.HasNext || page.Items[0].SessionID != "test 3" || page.Items[1].SessionID != "3" {
		t.Errorf("%+v", pages)
	}
	c := page.Items[0]
	got, err := conversations.On(s).Conversation(t.Context(), f.Account.ID, c.ID)
	if err != nil || got != c || got.Source != conversation.Playground || got.TurnCount != 1 || got.LastTurnAt.Location() != time.UTC {
		t.Errorf("%+v %v, want %+v", got, err, c)
	}
	if err := erasure.On(s).DeleteConversation(t.Context(), f.Account.ID, c.ID); err != nil {
		t.Fatal(err)
	}
	them, kept := stranger.Account.ID, page.Items[1].ID
	read := func(account, id uuid.UUID) error {
		return storetest.ErrOnly(conversations.On(s).Conversation(t.Context(), account, id))
	}
	for what, err := range map[string]error{
		"read a random one":   read(f.Account.ID, uuid.Max),
		"read a deleted one":  read(f.Account.ID, c.ID),
		"read a stranger's":   read(them, kept),
		"delete a stranger's": erasure.On(s).DeleteConversation(t.Context(), them, kept),
	} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestDeleteMany deletes more conversations than one transaction takes.
func TestDeleteMany(t *testing.T) {
	t.Parallel()
	s, count := storetest.Counted(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.Exec(t, s,
		`INSERT INTO agents (id, account_id, name) SELECT gen_random_uuid(), $1, 'Agent' FROM generate_series(1, 119)`,
		f.Account.ID)
	storetest.Exec(t, s,
		`INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
		SELECT gen_random_uuid(), account_id, id, 'API', 'customer', 0 FROM agents`)
	before := count.Load()
	n, err := erasure.On(s).DeleteConversationsBySessionID(t.Context(), f.Account.ID, "customer", nil)
	if err != nil || n != 120 || storetest.CountRows(t, s,
		`SELECT count(*) FROM conversations WHERE deleted_at IS NULL`) != 0 {
		t.Errorf("%d %v", n, err)
	}
	if n := count.Load() - before; n > 40 {
		t.Errorf("%d statements", n)
	}
	n, err = erasure.On(s).DeleteConversationsBySessionID(t.Context(), f.Account.ID, "customer", nil)
	if n != 0 || err != nil {
		t.Errorf("again: %d %v", n, err)
	}
}

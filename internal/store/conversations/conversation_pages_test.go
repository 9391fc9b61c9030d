package conversations_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestMovedConversations tests conversations that move or disappear while pages are read.
func TestMovedConversations(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 1000})
	second := storetest.SeedAgent(t, s, f.Account.ID,
		storetest.Options{Model: storetest.SandboxModel, Instructions: "i"})
	_, _, secondKey := storetest.SeedExport(t, s, f.Account.ID, second.ID, 600)
	for i := range 23 {
		session := fmt.Sprint("customer ", i)
		storetest.AnswerTurn(t, s, []storetest.Fixture{{Key: f.Key}, {Key: secondKey}}[i%2].Key,
			func(b *turns.Begin) { b.Session = session })
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
	if tied := storetest.SessionsOf(t, s, f.Account.ID, conversations.ConversationQuery{First: 4}, nil); !slices.Equal(tied, all) || len(tied) != 23+n {
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
	names := []string{"Ada 100%", "ada_2", `back\slash`, "Gr\u00fc\u00dfe", "o'clock", " padded "}
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
		"all":                 {conversations.ConversationFilter{}, `ada_2,ada_2, padded ,o'clock,Grüße,back\slash,ada_2,Ada 100%`},
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
		"search":              {conversations.ConversationFilter{Search: " ADA "}, "ada_2,ada_2,ada_2,Ada 100%"},
		"percent":             {conversations.ConversationFilter{Search: "%"}, "Ada 100%"},
		"underscore":          {conversations.ConversationFilter{Search: "_", Source: conversation.API}, "ada_2,ada_2"},
		"backslash":           {conversations.ConversationFilter{Search: `\`}, `back\slash`},
		"quote":               {conversations.ConversationFilter{Search: "'"}, "o'clock"},
		"SQL":                 {conversations.ConversationFilter{Search: "' OR true --"}, ""},
		"beyond ASCII":        {conversations.ConversationFilter{Search: "R\u00dc"}, "Gr\u00fc\u00dfe"},
		"from":                {conversations.ConversationFilter{From: &fourth, Search: "r"}, "Gr\u00fc\u00dfe"},
		"to":                  {conversations.ConversationFilter{To: &third}, "ada_2,Ada 100%"},
		"from, to":            {conversations.ConversationFilter{From: &third, To: &fourth}, `back\slash`},
		"nothing between":     {conversations.ConversationFilter{From: &fourth, To: &third}, ""},
	} {
		got := storetest.SessionsOf(t, s, f.Account.ID,
			conversations.ConversationQuery{First: 2, Filter: c.filter}, nil)
		if strings.Join(got, ",") != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
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
	for what, id := range map[string]uuid.UUID{"random": uuid.Max, "deleted": c.ID} {
		if what == "deleted" {
			if err := erasure.On(s).DeleteConversation(t.Context(), f.Account.ID, id); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := conversations.On(s).Conversation(t.Context(), f.Account.ID, id); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := conversations.On(s).Conversation(t.Context(), stranger.Account.ID, page.Items[1].ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("a stranger's: %v", err)
	}
}

// TestDeleteBySessionID deletes all conversations of a session ID, over both sources, of one agent
// or of all, including one with a turn in flight. Other session IDs and accounts and the credit
// history stay.
func TestDeleteBySessionID(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	stranger := storetest.Seed(t, s, storetest.Options{})
	ctx, me := t.Context(), f.Account.ID
	var keys []storetest.Fixture
	for range 3 {
		a := storetest.SeedAgent(t, s, me,
			storetest.Options{Model: storetest.SandboxModel, Instructions: "i"})
		_, _, key := storetest.SeedExport(t, s, me, a.ID, 600)
		keys = append(keys, storetest.Fixture{Account: f.Account, Agent: a, Key: key})
		storetest.AnswerTurn(t, s, key,
			func(b *turns.Begin) { b.Session, b.Message = "customer", storetest.SecretText })
		storetest.AnswerTurn(t, s, key,
			func(b *turns.Begin) {
				b.Session, b.Message, b.IdempotencyKey = "customer",
					storetest.SecretText, "k"
			})
		storetest.AnswerTurn(t, s, key, func(b *turns.Begin) { b.Session = "Customer" })
		storetest.AnswerInPlayground(t, s, keys[len(keys)-1], "customer")
	}
	storetest.AnswerTurn(t, s, stranger.Key, func(b *turns.Begin) { b.Session = "customer" })
	var pending uuid.UUID
	under := storetest.BeginTurn(t, s, keys[1].Key,
		func(b *turns.Begin) {
			b.Session, b.Message, pending = "customer", storetest.SecretText,
				b.TurnID
		})
	if under.Outcome != turns.Begun {
		t.Fatal(under.Outcome)
	}
	for _, id := range []uuid.UUID{stranger.Agent.ID, uuid.Max} {
		if n, err := erasure.On(s).DeleteConversationsBySessionID(ctx, me, "customer", &id); n != 0 || !fault.Is(err, fault.NotFound) {
			t.Errorf("of nobody: %d %v", n, err)
		}
	}
	for _, c := range []struct {
		session string
		agent   *uuid.UUID
		want    int
	}{{"nobody", nil, 0}, {"customer", &keys[0].Agent.ID, 2}, {"customer", &keys[0].Agent.ID, 0}, {"customer", nil, 4}, {"customer", nil, 0}} {
		if n, err := erasure.On(s).DeleteConversationsBySessionID(ctx, me, c.session, c.agent); err != nil || n != c.want {
			t.Errorf("%+v: %d %v", c, n, err)
		}
	}
	if got := storetest.FinishTurn(t, s, pending, conversation.Answered); got.ErrorCode != "conversation_deleted" {
		t.Errorf("the turn under way: %+v", got)
	}
	if n := storetest.CountRows(t, s,
		`SELECT count(*) FROM turns WHERE account_id = $1 AND (message = $2 OR state = 'PENDING')`,
		me, storetest.SecretText); n != 0 {
		t.Errorf("%d turns are left", n)
	}
	if got := storetest.SessionsOf(t, s, me, conversations.ConversationQuery{First: 100}, nil); !slices.Equal(got, []string{"Customer", "Customer", "Customer"}) {
		t.Errorf("left: %q", got)
	}
	if got := storetest.SessionsOf(t, s, stranger.Account.ID, conversations.ConversationQuery{First: 100}, nil); len(got) != 1 {
		t.Errorf("the stranger's: %q", got)
	}
	if balance, held := storetest.Credits(t, s, me); balance != 88 || held != 0 {
		t.Errorf("balance %d, held %d", balance, held)
	}
	if got := storetest.BeginTurn(t, s, keys[0].Key, func(b *turns.Begin) { b.IdempotencyKey = "k" }); got.Outcome != turns.ConversationDeleted {
		t.Errorf("a replay: %s", got.Outcome)
	}
	storetest.Audit(t, s)
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
}

package conversations_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/storetest"
)

// longTurns makes a conversation of turns whose messages and replies have half that many bytes
// each.
func longTurns(t *testing.T, s *store.DB, f storetest.Fixture, session string, turns, bytes int,
) (id uuid.UUID) {
	t.Helper()
	id = uuid.New()
	storetest.Exec(t, s,
		`INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count) VALUES ($1, $2, $3, 'API', $4, $5::int)`,
		id, f.Account.ID, f.Agent.ID, session, turns)
	storetest.Exec(t, s,
		`INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price, request_id,
			deadline)
		SELECT gen_random_uuid(), $1, $2, $3, 'API', n, 'ANSWERED', repeat('m', $5::int / 2), repeat('r', $5::int / 2), 'm', 0, 'r', now()
		FROM generate_series(1, $4::int) n`, f.Account.ID, f.Agent.ID, id, turns, bytes)
	return id
}

func numbersOf(turns []conversation.Turn) (out []int64) {
	for _, turn := range turns {
		out = append(out, turn.Number)
	}
	return out
}

// TestPagesEndAtTheirText tests that a page of long texts ends once it has 4 MiB, and that the next
// page continues from there.
func TestPagesEndAtTheirText(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	const half = 2 << 20
	exact, over := longTurns(t, s, f, "exact", 3, half), longTurns(t, s, f, "over", 3, half-2)
	second := &store.Cursor{Key: 2, ID: exact}
	for name, c := range map[string]struct {
		talk        uuid.UUID
		q           conversations.TurnQuery
		want        []int64
		next, prior bool
	}{
		"at the limit":              {exact, conversations.TurnQuery{Texts: true, Size: 100}, []int64{1, 2}, true, false},
		"one below it":              {over, conversations.TurnQuery{Texts: true, Size: 100}, []int64{1, 2, 3}, false, false},
		"the next page":             {exact, conversations.TurnQuery{Texts: true, Size: 100, After: second}, []int64{3}, false, true},
		"from the end":              {exact, conversations.TurnQuery{Texts: true, Size: 100, FromEnd: true}, []int64{2, 3}, false, true},
		"the page before it":        {exact, conversations.TurnQuery{Texts: true, Size: 9, FromEnd: true, Before: second}, []int64{1}, true, false},
		"without texts":             {exact, conversations.TurnQuery{Size: 100}, []int64{1, 2, 3}, false, false},
		"smaller than the limit is": {exact, conversations.TurnQuery{Texts: true, Size: 1}, []int64{1}, true, false},
	} {
		pages, err := conversations.On(s).TurnsByConversations(t.Context(), f.Account.ID,
			[]uuid.UUID{c.talk}, c.q)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		page := pages[c.talk]
		if got := numbersOf(page.Items); !slices.Equal(got, c.want) || page.HasNext != c.next || page.HasPrevious != c.prior {
			t.Errorf("%s: %v, next %v, previous %v, want %v %v %v", name, got, page.HasNext,
				page.HasPrevious, c.want, c.next, c.prior)
		}
		for _, turn := range page.Items {
			if read := len(turn.Message) > 0 && turn.Reply != nil; read != c.q.Texts {
				t.Errorf("%s: texts were read: %v", name, read)
			}
		}
	}
}

// TestListsWithLongTexts: several lists have up to 16 MiB of texts, and no more.
func TestListsWithLongTexts(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	const quarter = 4 << 20
	var talks []uuid.UUID
	for _, session := range []string{"a", "b", "c", "d", "e"} {
		talks = append(talks, longTurns(t, s, f, session, 1, quarter))
	}
	q := conversations.TurnQuery{Texts: true, Size: 100}
	if pages, err := conversations.On(s).TurnsByConversations(t.Context(), f.Account.ID, talks[:4], q); err != nil || len(pages[talks[3]].Items) != 1 {
		t.Errorf("at the limit: %v", err)
	}
	if _, err := conversations.On(s).TurnsByConversations(t.Context(), f.Account.ID, talks, q); !fault.Is(err, store.TextTooLong) {
		t.Errorf("over the limit: %v", err)
	}
	q.Texts = false
	if pages, err := conversations.On(s).TurnsByConversations(t.Context(), f.Account.ID, talks, q); err != nil || len(pages[talks[4]].Items) != 1 {
		t.Errorf("without texts: %v", err)
	}
}

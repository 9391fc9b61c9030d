package conversations_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

func TestTurnPages(t *testing.T) {
	t.Parallel()
	s, count := storetest.Counted(t)
	f := storetest.Seed(t, s, storetest.Options{})
	stranger := storetest.Seed(t, s, storetest.Options{})
	var talk uuid.UUID
	for i := range 9 {
		begun, _ := storetest.AnswerTurn(t, s, f.Key,
			func(b *turns.Begin) { b.Message = fmt.Sprint("message ", i) })
		talk = begun.ConversationID
	}
	var pending uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { pending = b.TurnID })
	place := func(n int64) *store.Cursor { return &store.Cursor{Key: n, ID: talk} }
	for what, c := range map[string]turnPage{
		"first":                   {conversations.TurnQuery{Texts: true, Size: 3}, []int64{1, 2, 3}, true, false},
		"first, after":            {conversations.TurnQuery{Texts: true, Size: 3, After: place(3)}, []int64{4, 5, 6}, true, true},
		"the end from before":     {conversations.TurnQuery{Texts: true, Size: 3, After: place(7)}, []int64{8, 9, 10}, false, true},
		"after the end":           {conversations.TurnQuery{Texts: true, Size: 3, After: place(10)}, nil, false, true},
		"last":                    {conversations.TurnQuery{Texts: true, Size: 3, FromEnd: true}, []int64{8, 9, 10}, false, true},
		"last, before":            {conversations.TurnQuery{Texts: true, Size: 3, FromEnd: true, Before: place(8)}, []int64{5, 6, 7}, true, true},
		"the beginning from past": {conversations.TurnQuery{Texts: true, Size: 3, FromEnd: true, Before: place(4)}, []int64{1, 2, 3}, true, false},
		"before the beginning":    {conversations.TurnQuery{Texts: true, Size: 3, FromEnd: true, Before: place(1)}, nil, true, false},
		"all":                     {conversations.TurnQuery{Texts: true, Size: 100}, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, false, false},
		"all from the end":        {conversations.TurnQuery{Texts: true, Size: 10, FromEnd: true}, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, false, false},
		"between":                 {conversations.TurnQuery{Texts: true, Size: 10, After: place(2), Before: place(5)}, []int64{3, 4}, true, true},
		"the last between":        {conversations.TurnQuery{Texts: true, Size: 1, FromEnd: true, After: place(2), Before: place(5)}, []int64{4}, true, true},
	} {
		c.check(t, s, f, what, talk)
	}
	before := count.Load()
	for what, q := range map[string]conversations.TurnQuery{"size": {}, "after": {Size: 1, After: &store.Cursor{Key: 1, ID: uuid.Max}},
		"before": {Size: 1, Before: &store.Cursor{Key: 1}}} {
		if _, err := conversations.On(s).TurnsByConversations(t.Context(), f.Account.ID, []uuid.UUID{talk}, q); !slices.Equal(storetest.FieldsOf(err), []string{what}) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if n := count.Load() - before; n != 0 {
		t.Errorf("%d statements for invalid queries", n)
	}
	theirs, err := conversations.On(s).TurnsByConversations(t.Context(), stranger.Account.ID,
		[]uuid.UUID{talk}, conversations.TurnQuery{Texts: true, Size: 1})
	if err != nil || len(theirs[talk].Items) != 0 {
		t.Errorf("as a stranger: %+v %v", theirs, err)
	}
	found, err := conversations.On(s).TurnsByIDs(t.Context(), f.Account.ID,
		[]uuid.UUID{pending, uuid.Max}, true)
	if turn := found[pending]; err != nil || len(found) != 1 || turn.State != conversation.Pending || turn.Reply != nil || turn.Credits() != 0 ||
		turn.DurationMs() != nil || *turn.ExportID != f.Export.ID {
		t.Errorf("by id: %+v %v", found, err)
	}
	if found, err := conversations.On(s).TurnsByIDs(t.Context(), stranger.Account.ID, []uuid.UUID{pending}, true); err != nil || len(found) != 0 {
		t.Errorf("a stranger's: %v %v", found, err)
	}
}

// TestTurnDuration checks that a turn's duration is counted from the arrival of its request, as its
// first text is, and from the turn's begin if the arrival is unknown.
func TestTurnDuration(t *testing.T) {
	t.Parallel()
	s, _ := storetest.Counted(t)
	f := storetest.Seed(t, s, storetest.Options{})
	settled := func(timing turns.Timing) conversation.Turn {
		var id uuid.UUID
		storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { id = b.TurnID })
		_, err := turns.On(s).SettleTurn(t.Context(), turns.Settlement{TurnID: id, State: conversation.Answered,
			Reply: "hi", FinishReason: "stop", Timing: timing})
		if err != nil {
			t.Fatal(err)
		}
		found, err := conversations.On(s).TurnsByIDs(t.Context(), f.Account.ID, []uuid.UUID{id}, false)
		if err != nil {
			t.Fatal(err)
		}
		return found[id]
	}
	waited := settled(turns.Timing{Waited: time.Hour, FirstText: 2 * time.Hour, Total: 3 * time.Hour})
	if first, all := waited.FirstTextMs, waited.DurationMs(); first == nil || all == nil ||
		*first != (2*time.Hour).Milliseconds() || *all != (3*time.Hour).Milliseconds() {
		t.Errorf("got first text %v and duration %v, want 2 and 3 hours", first, all)
	}
	unknown := settled(turns.Timing{})
	if ms := unknown.DurationMs(); ms == nil || *ms < 0 || *ms > time.Hour.Milliseconds() {
		t.Errorf("without an arrival: got %v", ms)
	}
}

// TestTurnsOfManyConversations: one statement reads the turns of many conversations. It skips
// deleted ones, whose rows are kept for replays.
func TestTurnsOfManyConversations(t *testing.T) {
	t.Parallel()
	s, count := storetest.Counted(t)
	f := storetest.Seed(t, s, storetest.Options{})
	var talks, turnList []uuid.UUID
	for i := range 30 {
		begun, _ := storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) {
			b.Session, b.IdempotencyKey = fmt.Sprint(i/3), fmt.Sprint("k", i)
			turnList = append(turnList, b.TurnID)
		})
		if i%3 == 0 {
			talks = append(talks, begun.ConversationID)
		}
	}
	before := count.Load()
	pages, err := conversations.On(s).TurnsByConversations(t.Context(), f.Account.ID, talks,
		conversations.TurnQuery{Texts: true, Size: 2, FromEnd: true})
	if err != nil || count.Load()-before != 1 {
		t.Fatalf("%v, %d statements", err, count.Load()-before)
	}
	for i, id := range talks {
		page := pages[id]
		if len(page.Items) != 2 || page.Items[0].ID != turnList[3*i+1] || page.Items[1].ID != turnList[3*i+2] || !page.HasPrevious || page.HasNext {
			t.Errorf("conversation %d: %+v", i, page)
		}
		if turn := page.Items[1]; turn.Credits() != 1 || *turn.Reply != "hi" || *turn.FinishReason != "stop" || *turn.DurationMs() < 0 ||
			turn.RequestID != "r" || turn.Source != conversation.API || turn.CreatedAt.Location() != time.UTC {
			t.Errorf("conversation %d: %+v", i, turn)
		}
	}
	if err := erasure.On(s).DeleteConversation(t.Context(), f.Account.ID, talks[0]); err != nil {
		t.Fatal(err)
	}
	found, err := conversations.On(s).TurnsByIDs(t.Context(), f.Account.ID, turnList, true)
	if err != nil || len(found) != 27 {
		t.Errorf("%d turns by id, %v, want 27", len(found), err)
	}
	pages, err = conversations.On(s).TurnsByConversations(t.Context(), f.Account.ID, talks,
		conversations.TurnQuery{Texts: true, Size: 2})
	if err != nil || len(pages[talks[0]].Items) != 0 || len(pages[talks[1]].Items) != 2 {
		t.Errorf("after a deletion: %v", err)
	}
	storetest.Exec(t, s, `UPDATE agents SET deleted_at = now()`)
	found, err = conversations.On(s).TurnsByIDs(t.Context(), f.Account.ID, turnList, true)
	if err != nil || len(found) != 0 {
		t.Errorf("of an agent that is being deleted: %d turns, %v", len(found), err)
	}
}

// TestPreviewsOfResults: results have an empty preview. Another account gets no previews.
func TestPreviewsOfResults(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	stranger := storetest.Seed(t, s, storetest.Options{})
	var asked, results uuid.UUID
	storetest.AskForActions(t, s, f, 1, func(b *turns.Begin) { asked = b.TurnID })
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) {
		results, b.Message = b.TurnID, ""
		b.Results = conversation.NewActionResults([]conversation.ActionResult{
			{ID: conversation.ActionCallID(asked, 1), Result: []byte(`1`)},
		})
	})
	ids := []uuid.UUID{asked, results}
	got, err := conversations.On(s).PreviewsByTurns(t.Context(), f.Account.ID, ids)
	want := map[uuid.UUID]string{asked: "hello", results: ""}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("previews: %q %v", got, err)
	}
	theirs, err := conversations.On(s).PreviewsByTurns(t.Context(), stranger.Account.ID, ids)
	if err != nil || len(theirs) != 0 {
		t.Errorf("a stranger's: %q %v", theirs, err)
	}
}

// longTurns makes a conversation whose turns have half of the bytes in the message and half in the
// reply.
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

// turnPage is an expected page of a conversation's turns, by their numbers.
type turnPage struct {
	q              conversations.TurnQuery
	want           []int64
	next, previous bool
}

// check reads the page of a conversation, and checks whether its turns have texts.
func (p turnPage) check(
	t *testing.T, s *store.DB, f storetest.Fixture, what string, talk uuid.UUID,
) {
	t.Helper()
	pages, err := conversations.On(s).TurnsByConversations(t.Context(), f.Account.ID,
		[]uuid.UUID{talk}, p.q)
	var got []int64
	for _, turn := range pages[talk].Items {
		got = append(got, turn.Number)
		if read := turn.Message != ""; read != p.q.Texts {
			t.Errorf("%s: texts were read: %v", what, read)
		}
	}
	if page := pages[talk]; err != nil || !slices.Equal(got, p.want) || page.HasNext != p.next ||
		page.HasPrevious != p.previous {
		t.Errorf("%s: %v, next %v, previous %v, %v, want %+v", what, got, page.HasNext,
			page.HasPrevious, err, p)
	}
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
	all := conversations.TurnQuery{Texts: true, Size: 100}
	next, last, before := all, all, all
	next.After, last.FromEnd = second, true
	before.FromEnd, before.Before = true, second
	for name, c := range map[string]turnPage{
		"at the limit":       {all, []int64{1, 2}, true, false},
		"the next page":      {next, []int64{3}, false, true},
		"from the end":       {last, []int64{2, 3}, false, true},
		"the page before it": {before, []int64{1}, true, false},
		"without texts":      {conversations.TurnQuery{Size: 100}, []int64{1, 2, 3}, false, false},
		"a smaller page":     {conversations.TurnQuery{Texts: true, Size: 1}, []int64{1}, true, false},
	} {
		c.check(t, s, f, name, exact)
	}
	turnPage{q: all, want: []int64{1, 2, 3}}.check(t, s, f, "one below it", over)
}

// TestListsWithLongTexts: several lists together have at most 16 MiB of texts.
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

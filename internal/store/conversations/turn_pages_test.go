package conversations_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
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
	for what, c := range map[string]struct {
		q              conversations.TurnQuery
		want           []int64
		next, previous bool
	}{
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
		pages, err := conversations.On(s).TurnsByConversations(t.Context(), f.Account.ID,
			[]uuid.UUID{talk}, c.q)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		page := pages[talk]
		var got []int64
		for _, turn := range page.Items {
			got = append(got, turn.Number)
		}
		if !slices.Equal(got, c.want) || page.HasNext != c.next || page.HasPrevious != c.previous {
			t.Errorf("%s: %v, next %v, previous %v, want %+v", what, got, page.HasNext, page.HasPrevious, c)
		}
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

// TestTurnsOfManyConversations: one statement reads them, without those of deleted conversations,
// whose rows are kept for replays.
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

func TestExportPages(t *testing.T) {
	t.Parallel()
	s, count := storetest.Counted(t)
	f := storetest.Seed(t, s, storetest.Options{})
	stranger := storetest.Seed(t, s, storetest.Options{})
	second := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	gone := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	storetest.SeedExport(t, s, f.Account.ID, gone.ID, 600)
	want := []uuid.UUID{f.Export.ID}
	removed, yes, no := map[uuid.UUID]bool{}, true, false
	var hint string // of the latest
	for i := range 24 {
		e, _, key := storetest.SeedExport(t, s, f.Account.ID, []uuid.UUID{f.Agent.ID, second.ID}[i%2],
			600)
		want, hint = append(want, e.ID), key.Hint()
		if i == 7 {
			name := "100% of_The shop"
			renamed := agent.ExportChanges{Name: agent.Change[string]{Set: true, Value: &name}}
			if _, err := exports.On(s).UpdateExport(t.Context(), f.Account.ID, e.ID, renamed); err != nil {
				t.Fatal(err)
			}
		}
		if i%3 == 0 {
			if _, err := exports.On(s).RemoveExport(t.Context(), f.Account.ID, e.ID); err != nil {
				t.Fatal(err)
			}
			removed[e.ID] = true
		}
	}
	if err := erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, gone.ID); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(want)
	for what, c := range map[string]struct {
		q    exports.ExportQuery
		keep func(i int, id uuid.UUID) bool
	}{
		"all":               {exports.ExportQuery{}, func(int, uuid.UUID) bool { return true }},
		"in use":            {exports.ExportQuery{State: "ACTIVE"}, func(_ int, id uuid.UUID) bool { return !removed[id] }},
		"removed":           {exports.ExportQuery{State: "REMOVED"}, func(_ int, id uuid.UUID) bool { return removed[id] }},
		"not removed":       {exports.ExportQuery{InUse: &yes}, func(_ int, id uuid.UUID) bool { return !removed[id] }},
		"not in use":        {exports.ExportQuery{InUse: &no}, func(_ int, id uuid.UUID) bool { return removed[id] }},
		"by name":           {exports.ExportQuery{Search: " 0% OF_the "}, func(i int, _ uuid.UUID) bool { return i == 24-8 }},
		"by a pattern":      {exports.ExportQuery{Search: "100_ of"}, func(int, uuid.UUID) bool { return false }},
		"by parts of it":    {exports.ExportQuery{Search: "0% the"}, func(int, uuid.UUID) bool { return false }},
		"by the key's end":  {exports.ExportQuery{Search: hint[len(hint)-4:]}, func(i int, _ uuid.UUID) bool { return i == 0 }},
		"agent":             {exports.ExportQuery{AgentID: &second.ID}, func(i int, _ uuid.UUID) bool { return i%2 == 0 && i < 24 }},
		"both":              {exports.ExportQuery{AgentID: &second.ID, State: "REMOVED"}, func(i int, id uuid.UUID) bool { return i%2 == 0 && i < 24 && removed[id] }},
		"a stranger's":      {exports.ExportQuery{AgentID: &stranger.Agent.ID}, func(int, uuid.UUID) bool { return false }},
		"a deleted agent's": {exports.ExportQuery{AgentID: &gone.ID}, func(int, uuid.UUID) bool { return false }},
	} {
		var expected, got []uuid.UUID
		for i, id := range want {
			if c.keep(i, id) {
				expected = append(expected, id)
			}
		}
		c.q.First, c.q.Count = 4, true
		before, pages := count.Load(), int64(0)
		for more := true; more; pages++ {
			page, err := exports.On(s).ExportPage(t.Context(), f.Account.ID, c.q)
			if err != nil {
				t.Fatal(err)
			}
			if page.Total != len(expected) {
				t.Errorf("%s: %d in all, want %d", what, page.Total, len(expected))
			}
			for _, e := range page.Items {
				got = append(got, e.ID)
				c.q.After = &store.Cursor{ID: e.ID}
				if removed[e.ID] != (e.RemovedAt != nil) {
					t.Errorf("%s: %+v", what, e)
				}
			}
			more = page.HasNext
		}
		if !slices.Equal(got, expected) || count.Load()-before != 2*pages {
			t.Errorf("%s: %v, want %v; %d statements for %d pages", what, got, expected,
				count.Load()-before, pages)
		}
	}
	if _, err := exports.On(s).ExportPage(t.Context(), f.Account.ID, exports.ExportQuery{}); !slices.Equal(storetest.FieldsOf(err), []string{"first"}) {
		t.Errorf("a page of 0: %v", err)
	}
	found, err := exports.On(s).ExportsByIDs(t.Context(), f.Account.ID,
		append(slices.Clone(want), stranger.Export.ID, uuid.Max))
	if err != nil || len(found) != len(want) {
		t.Errorf("by id: %d, %v", len(found), err)
	}
}

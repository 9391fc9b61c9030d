package store_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/credit"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/ratings"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/versions"
)

// listed is an item of a list, by its id and its cursor.
type listed struct {
	id string
	at store.Cursor
}

// pagedList adapts one list to TestPages.
type pagedList struct {
	// add adds the nth item to the list of a fixture.
	add func(f storetest.Fixture, n int)
	// read reads a page.
	read func(f storetest.Fixture, first int, after *store.Cursor) (listPage, error)
	// order is the place of a new item: first by default.
	order order
	// size is the name of the argument with the page's size: first by default.
	size string
	// counts reports whether pages have a total, which takes a second statement.
	counts bool
}

type listPage = store.Page[listed]

type order int

const (
	newestFirst order = iota
	oldestFirst
	byID
)

// listedPage returns the page of a query with its items as listed.
func listedPage[T any](page store.Page[T], err error, item func(T) listed) (listPage, error) {
	out := listPage{HasNext: page.HasNext, Total: page.Total}
	for _, i := range page.Items {
		out.Items = append(out.Items, item(i))
	}
	return out, err
}

func withID(id uuid.UUID) listed { return listed{id.String(), store.Cursor{ID: id}} }

// pagedLists returns the lists of a store by name.
func pagedLists(t *testing.T, s *store.DB) map[string]pagedList {
	t.Helper()
	ctx := t.Context()
	answer := func(f storetest.Fixture, n int) {
		storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { b.Session = fmt.Sprint("session ", n) })
	}
	return map[string]pagedList{
		"agents": {
			counts: true,
			add: func(f storetest.Fixture, _ int) {
				storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{Draft: true})
			},
			read: func(f storetest.Fixture, first int, after *store.Cursor) (listPage, error) {
				page, err := agents.On(s).AgentPage(ctx, f.Account.ID,
					agents.AgentQuery{First: first, After: after, Count: true})
				return listedPage(page, err, func(a agent.Agent) listed { return withID(a.ID) })
			},
		},
		"exports": {
			counts: true,
			add: func(f storetest.Fixture, _ int) {
				storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID, 600)
			},
			read: func(f storetest.Fixture, first int, after *store.Cursor) (listPage, error) {
				page, err := exports.On(s).ExportPage(ctx, f.Account.ID,
					exports.ExportQuery{First: first, After: after, Count: true})
				return listedPage(page, err, func(e agent.Export) listed { return withID(e.ID) })
			},
		},
		"versions": {
			add: func(f storetest.Fixture, n int) {
				text := storetest.SetTo(fmt.Sprint("instructions ", n))
				storetest.Edit(t, s, f.Agent, agent.Changes{Instructions: text})
				storetest.PublishNoted(t, s, f.Agent, "")
			},
			read: func(f storetest.Fixture, first int, after *store.Cursor) (listPage, error) {
				pages, err := versions.On(s).VersionsByAgents(ctx, f.Account.ID,
					[]uuid.UUID{f.Agent.ID}, versions.VersionQuery{First: first, After: after})
				return listedPage(pages[f.Agent.ID], err, func(v agent.Version) listed {
					return listed{fmt.Sprint(v.AgentID, v.Number), versions.VersionPlace(v)}
				})
			},
		},
		"knowledge": {
			add: func(f storetest.Fixture, n int) {
				storetest.Learn(t, s, f.Agent, storetest.KnowledgeText("source", fmt.Sprint("text ", n)))
			},
			read: func(f storetest.Fixture, first int, after *store.Cursor) (listPage, error) {
				pages, err := sources.On(s).KnowledgeByAgents(ctx, f.Account.ID,
					[]uuid.UUID{f.Agent.ID}, first, after)
				return listedPage(pages[f.Agent.ID], err, func(k knowledge.Source) listed {
					return listed{k.ID.String(), sources.KnowledgePlace(k)}
				})
			},
		},
		"credits": {
			add: answer,
			read: func(f storetest.Fixture, first int, after *store.Cursor) (listPage, error) {
				page, err := credits.On(s).CreditPage(ctx, f.Account.ID,
					credits.CreditQuery{First: first, After: after})
				return listedPage(page, err, func(e credit.Entry) listed {
					return listed{e.ID.String(), store.Cursor{Key: e.Number}}
				})
			},
		},
		"conversations": {
			add: answer,
			read: func(f storetest.Fixture, first int, after *store.Cursor) (listPage, error) {
				page, err := conversations.On(s).ConversationPage(ctx, f.Account.ID,
					conversations.ConversationQuery{First: first, After: after})
				return listedPage(page.Page, err, func(c conversation.Conversation) listed {
					return listed{c.ID.String(), conversations.ConversationPlace(c)}
				})
			},
		},
		"turns": {
			order: oldestFirst,
			size:  "size",
			add: func(f storetest.Fixture, _ int) {
				storetest.AnswerTurn(t, s, f.Key, nil)
			},
			read: func(f storetest.Fixture, first int, after *store.Cursor) (listPage, error) {
				ids := []uuid.UUID{conversationOf(t, s, f)}
				pages, err := conversations.On(s).TurnsByConversations(ctx, f.Account.ID, ids,
					conversations.TurnQuery{Size: first, After: after})
				return listedPage(pages[ids[0]], err, func(turn conversation.Turn) listed {
					return listed{turn.ID.String(), conversations.TurnPlace(turn)}
				})
			},
		},
		"end users": {
			order: byID,
			add: func(f storetest.Fixture, n int) {
				user := fmt.Sprint(f.Account.ID, " ", n*7%10, n)
				if n%3 != 1 {
					storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession(user))
				}
				if n%3 != 0 { // also an end user without messages
					storetest.SetOwnLimit(t, s, f, user, new(3))
				}
			},
			read: func(f storetest.Fixture, first int, after *store.Cursor) (listPage, error) {
				page, err := conversations.On(s).EndUserPage(ctx, f.Account.ID,
					conversations.EndUserQuery{First: first, After: after})
				return listedPage(page, err, func(u conversation.EndUser) listed {
					return listed{u.UserID, store.Cursor{Text: u.UserID}}
				})
			},
		},
		"ratings": {
			add: func(f storetest.Fixture, n int) {
				kind := conversation.ByTeam // of the newest reply, which its caller has rated
				if n%2 == 0 {
					answer(f, n)
					kind = conversation.ByCaller
				}
				var turn uuid.UUID
				if err := s.SQL().QueryRowContext(ctx, `SELECT id FROM turns WHERE account_id = $1
					ORDER BY id DESC LIMIT 1`, f.Account.ID).Scan(&turn); err != nil {
					t.Fatal(err)
				}
				storetest.GiveRating(t, s, f, turn, kind, conversation.RatingValue(1-n%3/2*2), "")
			},
			read: func(f storetest.Fixture, first int, after *store.Cursor) (listPage, error) {
				pages, err := ratings.On(s).ByAgents(ctx, f.Account.ID, []uuid.UUID{f.Agent.ID},
					ratings.Query{First: first, After: after})
				return listedPage(pages[f.Agent.ID], err, func(r conversation.Rating) listed {
					return listed{fmt.Sprint(r.TurnID, r.Kind), ratings.Place(r)}
				})
			},
		},
		"requests": {
			add: answer,
			read: func(f storetest.Fixture, first int, after *store.Cursor) (listPage, error) {
				page, err := conversations.On(s).RequestPage(ctx, f.Account.ID,
					conversations.RequestQuery{First: first, After: after})
				return listedPage(page, err, func(r conversation.Request) listed { return withID(r.ID) })
			},
		},
		"events of a user": {
			add: func(f storetest.Fixture, _ int) {
				storetest.SignIn(t, s, f.Account.OwnerID)
			},
			read: func(f storetest.Fixture, first int, after *store.Cursor) (listPage, error) {
				page, err := audit.On(s).EventPage(ctx, f.Account.OwnerID,
					audit.Query{First: first, After: after})
				return listedPage(page, err, func(e audit.Entry) listed { return withID(e.ID) })
			},
		},
		"audit trail of an account": {
			add: func(f storetest.Fixture, n int) {
				if n%2 == 0 {
					storetest.SignIn(t, s, f.Account.OwnerID)
				} else if err := audit.On(s).RecordRead(
					audit.Acting(ctx, storetest.ByUser), f.Account.ID, "subject"); err != nil {
					t.Fatal(err)
				}
			},
			read: func(f storetest.Fixture, first int, after *store.Cursor) (listPage, error) {
				page, err := audit.On(s).Page(ctx, f.Account.ID, audit.Query{First: first, After: after})
				return listedPage(page, err, func(e audit.Entry) listed { return withID(e.ID) })
			},
		},
	}
}

// conversationOf returns the only conversation of a fixture; the zero UUID without one.
func conversationOf(t *testing.T, s *store.DB, f storetest.Fixture) (id uuid.UUID) {
	t.Helper()
	err := s.SQL().QueryRowContext(t.Context(),
		`SELECT coalesce(min(id::text)::uuid, $2) FROM conversations
		WHERE account_id = $1`, f.Account.ID, uuid.Nil).Scan(&id)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestPages tests what every list promises: pages of any size have each item of the account once,
// in order, and are full except the last. Items that are added meanwhile move no other item. A page
// costs a fixed number of statements, and an invalid size none.
func TestPages(t *testing.T) {
	t.Parallel()
	for name := range pagedLists(t, nil) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, count := storetest.Counted(t)
			list := pagedLists(t, s)[name]
			mine := storetest.Seed(t, s, storetest.Options{Credits: 1000})
			other := storetest.Seed(t, s, storetest.Options{Credits: 1000})
			all := list.fill(t, mine, 11)
			list.add(other, 0)
			if theirs := list.readAll(t, other, store.MaxPage, nil); slices.ContainsFunc(all,
				func(id string) bool { return slices.Contains(theirs, id) }) || len(theirs) == 0 {
				t.Errorf("another account has %v, and this one %v", theirs, all)
			}
			for _, first := range []int{1, 3, len(all) - 1, len(all), len(all) + 1} {
				if got := list.readAll(t, mine, first, nil); !slices.Equal(got, all) {
					t.Errorf("pages of %d: %v, want %v", first, got, all)
				}
			}
			list.costs(t, count, mine)
			n := 20
			grown := list.readAll(t, mine, 4, func() {
				list.add(mine, n)
				list.add(other, n)
				n++
			})
			known := slices.DeleteFunc(slices.Clone(grown),
				func(id string) bool { return !slices.Contains(all, id) })
			if !slices.Equal(known, all) || list.order == newestFirst && len(grown) != len(all) {
				t.Errorf("while the list grows: %v, want %v", grown, all)
			}
		})
	}
}

// fill adds n items and checks the place of each. It returns the ids of the list.
func (l pagedList) fill(t *testing.T, f storetest.Fixture, n int) (all []string) {
	t.Helper()
	all = l.readAll(t, f, store.MaxPage, nil)
	for i := range n {
		l.add(f, i)
		now := l.readAll(t, f, store.MaxPage, nil)
		inOrder := len(now) == len(all)+1
		switch l.order {
		case newestFirst:
			inOrder = inOrder && slices.Equal(now[1:], all)
		case oldestFirst:
			inOrder = inOrder && slices.Equal(now[:len(all)], all)
		case byID:
			inOrder = inOrder && slices.IsSorted(now)
		}
		if !inOrder {
			t.Fatalf("after %v comes %v", all, now)
		}
		all = now
	}
	return all
}

// readAll reads a list in pages and returns the ids of its items. It calls between after each page
// but the last.
func (l pagedList) readAll(
	t *testing.T, f storetest.Fixture, first int, between func(),
) (ids []string) {
	t.Helper()
	var after *store.Cursor
	page := listPage{HasNext: true}
	for page.HasNext {
		if after != nil && between != nil {
			between()
		}
		var err error
		if page, err = l.read(f, first, after); err != nil {
			t.Fatal(err)
		}
		if len(page.Items) > first || page.HasNext && len(page.Items) < first || len(ids) > 200 {
			t.Fatalf("a page of %d has %d items, next %v", first, len(page.Items), page.HasNext)
		}
		for _, i := range page.Items {
			ids, after = append(ids, i.id), &i.at
		}
	}
	if l.counts && between == nil && page.Total != len(ids) || !l.counts && page.Total != 0 {
		t.Errorf("a total of %d for %d items", page.Total, len(ids))
	}
	return ids
}

// costs checks the number of statements of a page, and that an invalid size is refused before any.
func (l pagedList) costs(t *testing.T, count *storetest.Statements, f storetest.Fixture) {
	t.Helper()
	own, want := int64(0), int64(1)
	if l.order == oldestFirst { // read looks its conversation up
		own, want = 1, 2
	}
	if l.counts {
		want = 2
	}
	before := count.Load()
	if _, err := l.read(f, 3, nil); err != nil || count.Load()-before != want {
		t.Errorf("%d statements for a page, want %d: %v", count.Load()-before, want, err)
	}
	field := cmp.Or(l.size, "first")
	for _, size := range []int{0, -1, store.MaxPage + 1, -1 << 31, 1<<31 - 1} {
		before := count.Load()
		_, err := l.read(f, size, nil)
		if !slices.Equal(storetest.FieldsOf(err), []string{field}) || count.Load()-before != own {
			t.Errorf("size %d: %v, %d statements", size, err, count.Load()-before)
		}
	}
}

func TestPageSize(t *testing.T) {
	t.Parallel()
	if n, err := store.PageSize(nil); n != store.DefaultPage || err != nil {
		t.Errorf("the default: %d %v", n, err)
	}
	for _, first := range []int{1, store.MaxPage} {
		if n, err := store.PageSize(&first); n != first || err != nil {
			t.Errorf("%d: %d %v", first, n, err)
		}
	}
}

package store_test

import (
	"fmt"
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

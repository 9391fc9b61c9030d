package conversations_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/find"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/storetest"
)

// TestSearches: every search of a list finds exactly the names and texts that find.Needle matches,
// for all characters and in databases with different locales.
func TestSearches(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB) *store.DB{"C": storetest.New, "Turkish": storetest.Turkish} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seed := rand.Uint64()
			t.Log("seed", seed)
			testSearches(t, open(t), rand.New(rand.NewPCG(seed, 5)))
		})
	}
}

func testSearches(t *testing.T, s *store.DB, random *rand.Rand) {
	t.Helper()
	pieces := []string{
		"a", "A", "i", "I", "ss", "S", "K", "k", "7", "%", "_", `\`, "'", " ", "  ", "\n", "\t", "\v",
		"\x01", "\x1f", "\x7f", "\u00a0", "\u0085", "\u0307", "\u0301", "\u00e1", "\u0130", "\u0131",
		"\u00df", "\u212a", "\u017f", "\u03c3", "\u03c2", "\u200b", "\u00ad", "\ufb01", "\U0001F1E9",
	}
	text := func(most, of int) (out string) {
		for range 1 + random.IntN(most) {
			out += pieces[random.IntN(of)]
		}
		return out
	}
	const ascii = 21
	names := map[string]bool{}
	for len(names) < store.MaxPage {
		names[text(8, []int{ascii, len(pieces)}[random.IntN(2)])] = true
	}
	all := slices.Sorted(maps.Keys(names))
	f := storetest.Seed(t, s, storetest.Options{})
	for _, query := range []string{
		`DELETE FROM api_keys`,
		`DELETE FROM api_exports`,
		`UPDATE agents SET name = '', settings = '{}'`,
	} {
		storetest.Exec(t, s, query)
	}
	for _, query := range []string{
		`INSERT INTO api_exports (id, account_id, agent_id, name)
			SELECT gen_random_uuid(), account_id, id, n FROM agents, unnest($1::text[]) n`,
		`WITH c AS (
			INSERT INTO conversations (id, account_id, agent_id, source, session_id, user_id, turn_count)
			SELECT gen_random_uuid(), account_id, id, 'API', n, n, 1 FROM agents, unnest($1::text[]) n
			RETURNING *
		) INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message,
			model, price, request_id, deadline)
		SELECT gen_random_uuid(), account_id, agent_id, id, 'API', 1, 'FAILED', session_id,
			'm', 0, 'r', now() FROM c`,
		`INSERT INTO agents (id, account_id, name)
			SELECT gen_random_uuid(), account_id, n FROM agents, unnest($1::text[]) n`,
	} {
		storetest.Bulk(t, s, query, all)
	}
	found := 0
	for range 100 {
		search := text(3, len(pieces))
		needle, want := find.New(search), []string(nil)
		if needle.Key() == "" {
			continue
		}
		for _, name := range all {
			if needle.In(name) {
				want = append(want, name)
			}
		}
		found += len(want)
		for what, got := range everySearch(t, s, f, search) {
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%s: %+q finds %+q, want %+q", what, search, got, want)
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d were found", found)
	}
	storetest.Exec(t, s, `UPDATE accounts SET name = 'TITLE Caf' || chr(233)`)
	for search, want := range map[string]int{"title": 1, "cafe\u0301": 1, "cafe": 0, "@EXAMPLE": 1} {
		if found, err := operator.On(s).AccountPage(t.Context(), operator.AccountQuery{First: 10, Search: search}); err != nil || len(found) != want {
			t.Errorf("%q finds %d accounts, %v", search, len(found), err)
		}
	}
}

// everySearch returns the names that each search of an account's lists finds.
func everySearch(
	t *testing.T, s *store.DB, f storetest.Fixture, search string,
) map[string][]string {
	t.Helper()
	account, ctx := f.Account.ID, t.Context()
	inTexts := conversations.ConversationQuery{First: 7}
	inTexts.Filter.Text = search
	bySession := conversations.ConversationQuery{First: 7}
	bySession.Filter.Search = search
	users := conversations.EndUserFilter{Search: search}
	out := map[string][]string{
		"session IDs": searched(t, s, account, bySession),
		"texts":       searched(t, s, account, inTexts),
		"end users":   userIDs(endUsers(t, s, account, 7, users)),
		"agents":      nil, "exports": nil, "session IDs of an agent": nil,
	}
	bySession.First = store.MaxPage
	of := []uuid.UUID{f.Agent.ID}
	pages, err1 := conversations.On(s).ConversationsByAgents(ctx, account, of, bySession)
	for _, c := range pages[f.Agent.ID].Items {
		out["session IDs of an agent"] = append(out["session IDs of an agent"], c.SessionID)
	}
	agents, err2 := agents.On(s).AgentPage(ctx, account,
		agents.AgentQuery{First: store.MaxPage, Search: search})
	for _, a := range agents.Items {
		out["agents"] = append(out["agents"], a.Name)
	}
	exports, err3 := exports.On(s).ExportPage(ctx, account,
		exports.ExportQuery{First: store.MaxPage, Search: search})
	for _, e := range exports.Items {
		out["exports"] = append(out["exports"], e.Name)
	}
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	return out
}

// searched returns the session IDs of all pages of a search. Pages of a text search may be short.
func searched(t *testing.T, s *store.DB, account uuid.UUID, q conversations.ConversationQuery,
) (out []string) {
	t.Helper()
	for more := true; more; {
		page, err := conversations.On(s).ConversationPage(t.Context(), account, q)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range page.Items {
			out = append(out, c.SessionID)
			place := conversations.ConversationPlace(c)
			q.After = &place
		}
		if page.Looked != nil {
			q.After = page.Looked
		}
		more = page.HasNext
	}
	return out
}

// TestSearchSkipsMany: names that the database selects but the matcher rejects do not end a page
// early, and only the last page may be empty.
func TestSearchSkipsMany(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.Bulk(t, s,
		`INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count, last_turn_at)
		SELECT gen_random_uuid(), $1, $2, 'API', CASE n % 60 WHEN 0 THEN 'cafe' || chr(769) ELSE 'nu' || chr(223) END || n, 0,
			timestamptz '2026-01-01' + n * interval '1 minute' FROM generate_series(1, 300) n`,
		f.Account.ID, f.Agent.ID)
	q := conversations.ConversationQuery{First: 2, Filter: conversations.ConversationFilter{Search: "CAF\u00c9"}}
	if got := storetest.SessionsOf(t, s, f.Account.ID, q, nil); len(got) != 5 {
		t.Errorf("found %q", got)
	}
	page, err := conversations.On(s).ConversationPage(t.Context(), f.Account.ID,
		conversations.ConversationQuery{First: 5, Filter: q.Filter})
	if err != nil || page.HasNext || len(page.Items) != 5 {
		t.Errorf("%d, next %v, %v", len(page.Items), page.HasNext, err)
	}
}

// TestHits: a search returns the first three matching texts of each conversation, in order, with
// the positions of the matches.
func TestHits(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 4))
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	type said struct{ message, reply string }
	some := []string{"nothing", "free of\nGLUTEN?", strings.Repeat("\U0001F600 long ", 8_000) + "gluten", "caf\u00e9 gluten gluten", ""}
	want := map[uuid.UUID][]string{}
	number := func(n int, inReply bool) string { return fmt.Sprint(n, " in reply ", inReply) }
	for range 15 {
		id, turns := uuid.New(), 1+random.IntN(60)
		storetest.Exec(t, s,
			`INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count) VALUES ($1, $2, $3, 'API', $4, $5)`,
			id, f.Account.ID, f.Agent.ID, id.String(), turns)
		var all []said
		for n := range turns {
			turn := said{some[0], some[4]}
			if random.IntN(6) == 0 {
				turn = said{some[random.IntN(4)], some[random.IntN(5)]}
			}
			all = append(all, turn)
			for i, text := range []string{turn.message, turn.reply} {
				if find.New("gluten").In(text) && len(want[id]) < 3 {
					want[id] = append(want[id], number(n+1, i == 1))
				}
			}
		}
		for n, turn := range all {
			storetest.Exec(t, s,
				`INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price, request_id, deadline)
				VALUES (gen_random_uuid(), $1, $2, $3, 'API', $4, 'ANSWERED', $5, nullif($6, ''), 'm', 0, 'r', now())`,
				f.Account.ID, f.Agent.ID, id, n+1, turn.message, turn.reply)
		}
	}
	got := map[uuid.UUID][]string{}
	q := conversations.ConversationQuery{First: 1 + random.IntN(20), Filter: conversations.ConversationFilter{Text: "Gluten"}}
	for more := true; more; {
		page, err := conversations.On(s).ConversationPage(t.Context(), f.Account.ID, q)
		if err != nil || len(page.Hits) != len(page.Items) || len(page.Items) > q.First {
			t.Fatalf("%d items, hits of %d: %v", len(page.Items), len(page.Hits), err)
		}
		if q.After != nil && page.Looked.Key > q.After.Key {
			t.Errorf("the search looked at %v after %v", page.Looked, q.After)
		}
		for _, c := range page.Items {
			for _, hit := range page.Hits[c.ID] {
				got[c.ID] = append(got[c.ID], number(int(hit.Number), hit.InReply))
				units := utf16.Encode([]rune(hit.Text))
				for _, r := range hit.Ranges {
					if marked := string(utf16.Decode(units[r.Start : r.Start+r.Length])); !strings.EqualFold(marked, "gluten") {
						t.Errorf("%q is marked in %q", marked, hit.Text)
					}
				}
				turn, err := conversations.On(s).TurnsByIDs(t.Context(), f.Account.ID, []uuid.UUID{hit.TurnID},
					false)
				if err != nil || turn[hit.TurnID].Number != hit.Number || turn[hit.TurnID].ConversationID != c.ID {
					t.Errorf("%+v is not a turn of %s: %v", hit, c.ID, err)
				}
			}
		}
		q.After, more = page.Looked, page.HasNext
	}
	if len(got) != len(want) {
		t.Errorf("%d conversations are found, want %d", len(got), len(want))
	}
	for id, hits := range want {
		if !slices.Equal(got[id], hits) {
			t.Errorf("%s: %q, want %q", id, got[id], hits)
		}
	}
}

// TestHitsOfALongConversation: each statement of a search begins where the previous one ended,
// whether the number of turns or their text limited it.
func TestHitsOfALongConversation(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	for _, text := range []string{"x", strings.Repeat("long text ", 600)} { // more than 1,000 turns, and more than 1 MiB in some
		storetest.Exec(t, s, `DELETE FROM conversations`)
		id := uuid.New()
		storetest.Exec(t, s,
			`INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count) VALUES ($1, $2, $3, 'API', 's', 2100)`,
			id, f.Account.ID, f.Agent.ID)
		storetest.Bulk(t, s,
			`INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, model, price, request_id, deadline)
			SELECT gen_random_uuid(), $1, $2, $3, 'API', n, 'FAILED', $4 || ' turn' || n, 'm', 0, 'r', now() FROM generate_series(1, 2100) n`,
			f.Account.ID, f.Agent.ID, id, text)
		for _, n := range []int{1, 174, 175, 176, 1000, 1001, 2000, 2001, 2100} {
			page, err := conversations.On(s).ConversationPage(t.Context(), f.Account.ID,
				conversations.ConversationQuery{First: 1, Filter: conversations.ConversationFilter{Text: fmt.Sprint("TURN", n)}})
			if err != nil || len(page.Items) != 1 || page.Hits[id][0].Number != int64(n) {
				t.Errorf("turn %d: %+v, %v", n, page, err)
			}
		}
	}
}

// TestSlowSearch: a search that exceeds the timeout of the panel's statements is a fault of
// filter.search, which says what to do. A page without a search is Unavailable.
func TestSlowSearch(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	tx, err := s.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(),
		`LOCK TABLE conversations IN ACCESS EXCLUSIVE MODE`); err != nil { // every reader waits
		t.Fatal(err)
	}
	search, plain := conversations.ConversationQuery{First: 1, Filter: conversations.ConversationFilter{Search: "a"}}, conversations.ConversationQuery{First: 1}
	panel, slow := s.Panel(), make(chan error, 3)
	go func() {
		_, err := conversations.On(panel).ConversationPage(t.Context(), f.Account.ID, plain)
		slow <- err
	}()
	if _, err := conversations.On(panel).ConversationPage(t.Context(), f.Account.ID, search); !slices.Equal(storetest.FieldsOf(err), []string{"filter.search"}) {
		t.Errorf("a search of conversations: %v", err)
	}
	users := conversations.EndUserQuery{First: 1, Filter: conversations.EndUserFilter{Search: "a"}}
	if _, err := conversations.On(panel).EndUserPage(t.Context(), f.Account.ID, users); !slices.Equal(storetest.FieldsOf(err), []string{"filter.search"}) {
		t.Errorf("a search of end users: %v", err)
	}
	if err := <-slow; !fault.Is(err, fault.Unavailable) {
		t.Errorf("a page: %v", err)
	}
}

package conversations_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/find"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/storetest"
)

// requestLab is an account with requests of every kind, which are kept a second time in Go.
type requestLab struct {
	*testing.T
	s        *store.DB
	random   *rand.Rand
	account  uuid.UUID
	exports  []agent.Export
	hashes   [][]byte
	requests []conversation.Request
	// texts are the messages of turns.
	texts map[uuid.UUID]string
	now   time.Time
}

var (
	failures = []string{"model_error", "model_timeout", "unavailable"}
	refusals = []string{"rate_limited", "unavailable", "invalid_request"}
)

func newRequestLab(t *testing.T) *requestLab {
	t.Helper()
	seed := rand.Uint64()
	t.Log("seed", seed)
	l := &requestLab{T: t, s: storetest.New(t), random: rand.New(rand.NewPCG(seed, 8)), now: storetest.Time("2026-03-20T10:00:00Z"),
		texts: map[uuid.UUID]string{}}
	f := storetest.Seed(t, l.s, storetest.Options{})
	l.account = f.Account.ID
	other := storetest.SeedAgent(t, l.s, l.account, storetest.Options{})
	for _, id := range []uuid.UUID{f.Agent.ID, f.Agent.ID, other.ID} {
		e, _, key := storetest.SeedExport(t, l.s, l.account, id, agent.MaxRatePerMinute)
		hash := key.Hash()
		l.exports, l.hashes = append(l.exports, e), append(l.hashes, hash[:])
	}
	return l
}

func oneOf[T any](l *requestLab, of []T) T { return of[l.random.IntN(len(of))] }

// add adds a request of some kind, a few milliseconds after the one before.
func (l *requestLab) add() {
	l.now = l.now.Add(time.Duration(l.random.IntN(3)) * time.Millisecond)
	n := l.random.IntN(len(l.exports))
	e := l.exports[n]
	session := fmt.Sprint("session ", l.random.IntN(5))
	c := conversation.Request{AgentID: e.AgentID, ExportID: e.ID, RequestID: fmt.Sprint("r", l.random.IntN(200)), SessionID: &session}
	if l.random.IntN(2) == 0 {
		c.UserID = new(oneOf(l, []string{"ada", "bob"}))
		*c.SessionID += " of " + *c.UserID
	}
	kind := l.random.IntN(4)
	if kind < 2 {
		l.turn(&c, kind == 0)
	} else {
		l.recorded(&c, l.hashes[n], kind == 2)
	}
	l.requests = append(l.requests, c)
}

// id is a new UUIDv7 of the lab's time.
func (l *requestLab) id() uuid.UUID {
	id, first := uuid.Must(uuid.NewV7()), conversation.FirstID(l.now)
	copy(id[:6], first[:6])
	return id
}

func (l *requestLab) turn(c *conversation.Request, failed bool) {
	c.ID, c.Outcome, c.Credits = l.id(), conversation.RequestAnswered, 2
	c.Background = l.random.IntN(2) == 0
	l.texts[c.ID] = oneOf(l, []string{"hello", "Say\nHELLO!", "bye"})
	state := conversation.Answered
	if failed {
		c.Outcome, c.Code, c.Credits, state = conversation.RequestFailed, new(oneOf(l, failures)), 0, conversation.Failed
	}
	storetest.Exec(l.T, l.s, `
		WITH known AS (SELECT id FROM conversations WHERE agent_id = $2 AND source = 'API' AND session_id = $3),
		made AS (INSERT INTO conversations (id, account_id, agent_id, source, session_id, user_id, turn_count)
			SELECT gen_random_uuid(), $1, $2, 'API', $3, $4, 0 WHERE NOT EXISTS (SELECT 1 FROM known) RETURNING id)
		INSERT INTO turns (id, account_id, agent_id, conversation_id, export_id, source, number, state, message, error_code, model, price,
			request_id, background, deadline, settled_at)
		SELECT $5, $1, $2, c.id, $6, 'API', $7, $8, $12, $9, 'm', 2, $10, nullif($11, false), now(), now() FROM (TABLE known UNION ALL TABLE made) c`,
		l.account, c.AgentID, *c.SessionID, c.UserID, c.ID, c.ExportID, len(l.requests), string(state), c.Code, c.RequestID,
		c.Background, l.texts[c.ID])
}

func (l *requestLab) recorded(c *conversation.Request, hash []byte, refused bool) {
	request := conversations.RejectedRequest{Key: [32]byte(hash), At: l.now, RequestID: c.RequestID, Status: 200, SessionID: c.SessionID, UserID: c.UserID,
		ClientAddress: "192.0.2.1"}
	c.Outcome, c.Replayed = conversation.RequestAnswered, true
	if refused {
		c.Outcome, c.Replayed, c.Code, c.Detail = conversation.RequestRefused, false, new(oneOf(l,
			refusals)), new("No.")
		request.Status, request.Code, request.Detail = 400, *c.Code, *c.Detail
	}
	if err := conversations.On(l.s).RecordRejected(l.Context(), []conversations.RejectedRequest{request}); err != nil {
		l.Fatal(err)
	}
	if err := l.s.SQL().QueryRowContext(l.Context(),
		`SELECT id FROM rejected_requests r WHERE NOT r.id = ANY($1::uuid[])`,
		l.ids()).Scan(&c.ID); err != nil {
		l.Fatal(err)
	}
}

func (l *requestLab) ids() []string {
	out := []string{}
	for _, c := range l.requests {
		out = append(out, c.ID.String())
	}
	return out
}

// filter is a random filter.
func (l *requestLab) filter() (f conversations.RequestFilter) {
	like := oneOf(l, l.requests)
	half := func() bool { return l.random.IntN(3) == 0 }
	if half() {
		f.Outcome = oneOf(l, []conversation.Outcome{conversation.RequestAnswered, conversation.RequestFailed, conversation.RequestRefused})
	}
	if half() {
		f.Codes = [][]string{{}, {"unavailable"}, {"rate_limited", "model_error"}, {"nothing"}}[l.random.IntN(4)]
	}
	if half() {
		f.AgentID = &like.AgentID
	}
	if half() {
		f.ExportID = &like.ExportID
	}
	if half() {
		f.UserID = like.UserID
	}
	if half() {
		f.From = new(like.At())
	}
	if half() {
		f.To = new(oneOf(l, l.requests).At().Add(time.Duration(l.random.IntN(2)) * time.Microsecond))
	}
	if half() {
		f.Text = oneOf(l, []string{"Hello", "say hello", "nothing"})
	}
	switch l.random.IntN(6) {
	case 0:
		f.Search = like.RequestID
	case 1:
		f.Search = *like.SessionID
	}
	return f
}

func (l *requestLab) matches(c conversation.Request, f conversations.RequestFilter) bool {
	return (f.Outcome == "" || f.Outcome == c.Outcome) && (f.Codes == nil || c.Code != nil && slices.Contains(f.Codes, *c.Code)) &&
		(f.AgentID == nil || *f.AgentID == c.AgentID) && (f.ExportID == nil || *f.ExportID == c.ExportID) &&
		(f.UserID == nil || c.UserID != nil && *c.UserID == *f.UserID) && (f.From == nil || !c.At().Before(*f.From)) &&
		(f.To == nil || c.At().Before(*f.To)) &&
		(f.Text == "" || find.New(f.Text).In(l.texts[c.ID])) && (f.Search == "" || f.Search == c.RequestID || f.Search == *c.SessionID)
}

// TestRequestPages: for random filters, the pages of whatever size have each matching request once,
// the newest first.
func TestRequestPages(t *testing.T) {
	t.Parallel()
	l := newRequestLab(t)
	for range 300 {
		l.add()
	}
	byID := map[uuid.UUID]conversation.Request{}
	for _, c := range l.requests {
		byID[c.ID] = c
	}
	newest := func(a, b conversation.Request) int { return slices.Compare(b.ID[:], a.ID[:]) }
	for range 200 {
		f := l.filter()
		var want []conversation.Request
		for _, c := range l.requests {
			if l.matches(c, f) {
				want = append(want, c)
			}
		}
		slices.SortFunc(want, newest)
		q := conversations.RequestQuery{First: 1 + l.random.IntN(60), Filter: f}
		got := l.all(q)
		if !slices.EqualFunc(got, want, sameRequest) {
			t.Fatalf("%+v in pages of %d: %d requests, want %d", f, q.First, len(got), len(want))
		}
	}
}

// all reads all pages of a query.
func (l *requestLab) all(q conversations.RequestQuery) (got []conversation.Request) {
	l.Helper()
	for {
		page, err := conversations.On(l.s).RequestPage(l.Context(), l.account, q)
		if err != nil {
			l.Fatalf("%+v: %v", q.Filter, err)
		}
		if got = append(got, page.Items...); !page.HasNext {
			return got
		}
		if q.After = page.Looked; q.After == nil {
			q.After = &store.Cursor{ID: got[len(got)-1].ID}
		}
	}
}

// TestLongRequestTexts: each statement of a text search begins where the text of the one before
// ended.
func TestLongRequestTexts(t *testing.T) {
	t.Parallel()
	l := newRequestLab(t)
	for len(l.texts) < 8 {
		l.add()
	}
	storetest.Exec(t, l.s, `UPDATE turns SET message = repeat('long ', 50000) || id`) // 2 MB in all
	for id := range l.texts {
		found := l.all(conversations.RequestQuery{First: 1,
			Filter: conversations.RequestFilter{Text: id.String()}})
		if len(found) != 1 || found[0].ID != id {
			t.Errorf("found %+v, want %s", found, id)
		}
	}
}

func sameRequest(a, b conversation.Request) bool {
	text := func(p *string) string {
		if p == nil {
			return "(none)"
		}
		return *p
	}
	return a.ID == b.ID && a.RequestID == b.RequestID && a.Outcome == b.Outcome && text(a.Code) == text(b.Code) && text(a.Detail) == text(b.Detail) &&
		a.AgentID == b.AgentID && a.ExportID == b.ExportID && text(a.SessionID) == text(b.SessionID) && text(a.UserID) == text(b.UserID) &&
		a.Replayed == b.Replayed && a.Background == b.Background && a.Credits == b.Credits
}

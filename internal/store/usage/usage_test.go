package usage_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/credit"
	"agentchat/internal/store"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/usage"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// charge is the expected record of one charge.
type charge struct {
	at                         time.Time
	agent, export              uuid.UUID
	model, source, user        string
	price, inTokens, outTokens int64
	// cached and cost are nil if they are unknown.
	cached, cost *int64
	// version is 0 for the draft.
	version      int
	conversation uuid.UUID
	erased       bool
	// code is the error code of a failure, which costs nothing.
	code string
}

// usageLab is an account whose ledger the test also keeps in Go.
type usageLab struct {
	*testing.T
	s       *store.DB
	random  *rand.Rand
	account uuid.UUID
	agents  []agent.Agent
	exports []labExport
	charges []charge
	now     time.Time
}

type labExport struct {
	agent.Export
	begin func(*turns.Begin)
}

func newUsageLab(t *testing.T) *usageLab {
	t.Helper()
	seed := rand.Uint64()
	t.Log("seed", seed)
	l := &usageLab{T: t, s: storetest.New(t), random: rand.New(rand.NewPCG(seed, 17)), now: storetest.Time("2026-03-20T10:00:00Z")}
	storetest.Exec(t, l.s, `ALTER TABLE credit_entries DISABLE TRIGGER credit_entries_append_only`) // the test sets the times
	f := storetest.Seed(t, l.s, storetest.Options{Credits: 1_000_000})
	l.account = f.Account.ID
	for i := range 3 {
		a := f.Agent
		if i > 0 {
			a = storetest.SeedAgent(t, l.s, l.account, storetest.Options{Model: fmt.Sprint("sandbox/", i)})
		}
		l.agents = append(l.agents, a)
		for range 2 {
			e, _, key := storetest.SeedExport(t, l.s, l.account, a.ID, agent.MaxRatePerMinute)
			l.exports = append(l.exports, labExport{e, func(b *turns.Begin) { b.Key = key.Hash() }})
		}
		for _, source := range []conversation.Source{conversation.Playground, conversation.Test} {
			l.exports = append(l.exports, labExport{agent.Export{AgentID: a.ID}, func(b *turns.Begin) {
				b.Source, b.AccountID, b.AgentID = source, l.account, a.ID
			}})
		}
	}
	return l
}

// chat answers and charges a message, or fails it, some time after the previous one.
func (l *usageLab) chat() {
	e := l.exports[l.random.IntN(len(l.exports))]
	price := 1 + l.random.Int64N(5)
	c := charge{agent: e.AgentID, export: e.ID, source: "API", price: price, inTokens: l.random.Int64N(100), outTokens: l.random.Int64N(100)}
	b := storetest.NewBegin(apikey.Key{})
	b.Models, b.Prices = []string{"sandbox/assistant", "sandbox/1", "sandbox/2"}, []int64{price, price, price}
	e.begin(&b)
	if b.Source != "" {
		c.source = string(b.Source)
	}
	c.user = []string{"", "ada", "bob"}[l.random.IntN(3)]
	if c.user != "" {
		b.UserID = &c.user
	}
	b.Session = fmt.Sprint("s", l.random.IntN(4), c.user)
	begun, err := turns.On(l.s).BeginTurn(l.Context(), b)
	if err != nil || begun.Outcome != turns.Begun {
		l.Fatal(begun.Outcome, err)
	}
	c.conversation, c.model, c.version = begun.ConversationID, begun.Model, begun.Version
	l.now = l.now.Add(time.Duration(l.random.Int64N(3*3600e6)) * time.Microsecond)
	if l.random.IntN(5) == 0 {
		l.now = l.now.Truncate(15 * time.Minute).Add(15 * time.Minute)
	}
	c.at = l.now
	if l.random.IntN(4) > 0 {
		c.cached, c.cost = new(l.random.Int64N(1+c.inTokens)), new(l.random.Int64N(1e12))
	}
	if l.random.IntN(6) == 0 {
		c.code, c.price, c.inTokens, c.outTokens = []string{"model_error", "unavailable"}[l.random.IntN(2)], 0, 0, 0
		if _, err := turns.On(l.s).SettleTurn(l.Context(), turns.Settlement{TurnID: b.TurnID, State: conversation.Failed, ErrorCode: c.code, CachedTokens: c.cached,
			ProviderCost: c.cost}); err != nil {
			l.Fatal(err)
		}
		c.cached = nil
		storetest.Exec(l.T, l.s, `UPDATE turns SET created_at = $2 WHERE id = $1`, b.TurnID, l.now)
		l.charges = append(l.charges, c)
		return
	}
	timing := turns.Timing{Total: time.Duration(1 + l.random.IntN(3_000_000_000)), FirstText: time.Duration(l.random.IntN(2) * 50e6)}
	f, err := turns.On(l.s).SettleTurn(l.Context(), turns.Settlement{TurnID: b.TurnID, State: conversation.Answered, Reply: "hi", FinishReason: "stop",
		InputTokens: &c.inTokens, CachedTokens: c.cached, OutputTokens: &c.outTokens, ProviderCost: c.cost, Timing: timing})
	if err != nil || f.Outcome != turns.Settled {
		l.Fatal(f.Outcome, err)
	}
	storetest.Exec(l.T, l.s, `UPDATE credit_entries SET created_at = $2 WHERE turn_id = $1`, b.TurnID, l.now)
	l.charges = append(l.charges, c)
}

// erase deletes a conversation, or an end user.
func (l *usageLab) erase() {
	gone := l.charges[l.random.IntN(len(l.charges))]
	if gone.erased {
		return
	}
	of := func(c *charge) bool { return c.conversation == gone.conversation }
	var err error
	if gone.user != "" && l.random.IntN(2) == 0 {
		of = func(c *charge) bool { return c.user == gone.user && c.agent == gone.agent }
		if _, err = erasure.On(l.s).DeleteEndUser(l.Context(), l.account, gone.user, &gone.agent); err == nil {
			_, err = erasure.On(l.s).EraseEndUsers(l.Context(), 1_000)
		}
	} else {
		err = erasure.On(l.s).DeleteConversation(l.Context(), l.account, gone.conversation)
	}
	if err != nil {
		l.Fatal(err)
	}
	for i := range l.charges {
		l.charges[i].erased = l.charges[i].erased || of(&l.charges[i])
	}
}

// query returns a random query.
func (l *usageLab) query() usage.Query {
	moment := func() time.Time {
		switch at := l.charges[l.random.IntN(len(l.charges))].at; l.random.IntN(4) {
		case 0:
			return at
		case 1:
			return at.Truncate(15 * time.Minute)
		case 2:
			return at.Add(time.Microsecond)
		default:
			return at.Add(time.Duration(l.random.Int64N(40*60e6)) * time.Microsecond)
		}
	}
	q := usage.Query{Filter: usage.Filter{From: moment(), To: moment()}, Zone: time.UTC, Latencies: true}
	if q.Filter.To.Before(q.Filter.From) {
		q.Filter.From, q.Filter.To = q.Filter.To, q.Filter.From
	}
	if q.Filter.To.Equal(q.Filter.From) {
		q.Filter.To = q.Filter.To.Add(time.Duration(1+l.random.IntN(1800e9)).Round(time.Microsecond) + time.Microsecond)
	}
	q.Interval = []credit.Interval{"", credit.Day, credit.Month, credit.Hour}[l.random.IntN(4)]
	if q.Interval == credit.Hour && q.Filter.To.Sub(q.Filter.From) > 900*time.Hour {
		q.Interval = credit.Day
	}
	zone, err := time.LoadLocation([]string{"UTC", "Europe/Berlin", "Asia/Kolkata"}[l.random.IntN(3)])
	if err != nil {
		l.Fatal(err)
	}
	q.Zone = zone
	for _, by := range []credit.Dimension{credit.ByAgent, credit.ByExport, credit.ByModel, credit.BySource, credit.ByUser, credit.ByVersion, credit.ByStatus} {
		if l.random.IntN(4) == 0 {
			q.SplitBy = append(q.SplitBy, by)
		}
	}
	like := l.charges[l.random.IntN(len(l.charges))]
	some := l.random.IntN(8)
	if slices.Contains(q.SplitBy, credit.ByVersion) {
		some = 0
	}
	switch some {
	case 0:
		q.Filter.AgentID = &like.agent
	case 1:
		if like.export != uuid.Nil {
			q.Filter.ExportID = &like.export
		}
	case 2:
		q.Filter.Model = like.model
	case 3:
		q.Filter.Source = conversation.Source(like.source)
	case 4:
		if like.user != "" {
			q.Filter.UserID = &like.user
		}
	}
	return q
}

// check compares random usages with the expected ones.
func (l *usageLab) check(times int) {
	l.Helper()
	for range times {
		q := l.query()
		rows, err := usage.On(l.s).UsageRows(l.Context(), l.account, q)
		if err != nil {
			l.Fatalf("%+v: %v", q, err)
		}
		got := map[string]total{}
		for _, r := range rows {
			l.add(got, r.Start, r.ID(), total{r.Messages, r.Failed, r.Credits, r.InputTokens, r.CachedTokens, r.OutputTokens, r.ProviderCost, r.Uncosted})
			timed := int64(0)
			for _, n := range r.Durations {
				timed += n
			}
			if timed > r.Messages || q.Filter.Model != "" && timed < r.Messages {
				l.Errorf("%+v: %d times of %d messages", q, timed, r.Messages)
			}
		}
		if want := l.want(q); !maps.Equal(got, want) {
			l.Fatalf("%+v:\n got %v\nwant %v", q, got, want)
		}
	}
}

// add adds the sum of a key and an interval, which must be new.
func (l *usageLab) add(to map[string]total, start *time.Time, id credit.UsageID, sum total) {
	l.Helper()
	key := fmt.Sprint(nil, id)
	if start != nil {
		key = fmt.Sprint(*start, id)
	}
	if _, twice := to[key]; twice {
		l.Errorf("%s twice", key)
	}
	to[key] = sum
}

// TestUsageAgreesWithTheLedger compares usages with the ledger for random ranges, filters, splits
// and zones, with charges, erasures and roll-ups in between.
func TestUsageAgreesWithTheLedger(t *testing.T) {
	t.Parallel()
	l := newUsageLab(t)
	for n := range 2 {
		draft := agent.Changes{Instructions: storetest.SetTo(fmt.Sprint("round ", n))}
		storetest.PublishNoted(t, l.s, storetest.Edit(t, l.s, l.agents[0], draft), "")
		for range 40 {
			l.chat()
		}
		for range l.random.IntN(3) {
			l.erase()
		}
		if l.random.IntN(2) == 0 {
			if _, err := usage.On(l.s).RollUpCharges(t.Context(), 1, 10); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := usage.On(l.s).CountFailedTurns(t.Context(), 1_000); err != nil {
			t.Fatal(err)
		}
		l.check(100)
		l.checkAccounts(20)
	}
	gone := l.agents[1].ID
	if err := erasure.On(l.s).DeleteAgent(t.Context(), l.account, gone); err != nil {
		t.Fatal(err)
	}
	for i := range l.charges {
		l.charges[i].erased = l.charges[i].erased || l.charges[i].agent == gone
	}
	l.check(100)
}

// TestUsageByVersionIsLimited tests that a usage by version needs an agent and a range of at most
// 31 days.
func TestUsageByVersionIsLimited(t *testing.T) {
	t.Parallel()
	s, id, from := storetest.New(t), uuid.New(), storetest.Time("2026-03-01T00:00:00Z")
	for _, c := range []struct {
		filter usage.Filter
		want   []string
	}{
		{usage.Filter{From: from, To: from.Add(time.Hour)}, []string{"filter.agentId"}},
		{usage.Filter{From: from, To: from.Add(usage.MaxVersionRange + 1), AgentID: &id}, []string{"to"}},
		{usage.Filter{From: from, To: from.Add(usage.MaxVersionRange), AgentID: &id}, nil},
	} {
		f := storetest.Seed(t, s, storetest.Options{})
		_, err := usage.On(s).UsageRows(t.Context(), f.Account.ID, usage.Query{Filter: c.filter,
			SplitBy: []credit.Dimension{credit.ByVersion}})
		if !slices.Equal(storetest.FieldsOf(err), c.want) {
			t.Errorf("%+v: %v, want %v", c.filter, err, c.want)
		}
	}
}

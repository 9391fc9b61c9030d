package store_test

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
	"agentchat/internal/faults"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// charge is what a usage must know of one charge.
type charge struct {
	at                         time.Time
	agent, export              uuid.UUID
	model, source, user        string
	price, inTokens, outTokens int64
	conversation               uuid.UUID
	erased                     bool
	// code is that of a failure, which costs nothing.
	code string
}

// usageLab is an account whose ledger is kept a second time in Go.
type usageLab struct {
	*testing.T
	s       *store.Store
	random  *rand.Rand
	account uuid.UUID
	agents  []agent.Agent
	exports []labExport
	charges []charge
	now     time.Time
}

type labExport struct {
	agent.Export
	begin func(*store.Begin)
}

func newUsageLab(t *testing.T) *usageLab {
	t.Helper()
	seed := rand.Uint64()
	t.Log("seed", seed)
	l := &usageLab{T: t, s: storetest.New(t), random: rand.New(rand.NewPCG(seed, 17)), now: at("2026-03-20T10:00:00Z")}
	exec(t, l.s, `ALTER TABLE credit_entries DISABLE TRIGGER credit_entries_append_only`) // the test sets the times
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
			l.exports = append(l.exports, labExport{e, func(b *store.Begin) { b.Key = key.Hash() }})
		}
		l.exports = append(l.exports, labExport{agent.Export{AgentID: a.ID}, func(b *store.Begin) {
			b.Source, b.AccountID, b.AgentID = conversation.Playground, l.account, a.ID
		}})
	}
	return l
}

func at(text string) time.Time {
	out, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return out
}

// chat has a message answered and charged, or failed, some time after the one before.
func (l *usageLab) chat() {
	e := l.exports[l.random.IntN(len(l.exports))]
	price := 1 + l.random.Int64N(5)
	c := charge{agent: e.AgentID, export: e.ID, source: "API", price: price, inTokens: l.random.Int64N(100), outTokens: l.random.Int64N(100)}
	b := newBegin(apikey.Key{})
	b.Models, b.Prices = []string{"sandbox/assistant", "sandbox/1", "sandbox/2"}, []int64{price, price, price}
	e.begin(&b)
	if b.Source == conversation.Playground {
		c.source = "PLAYGROUND"
	}
	c.user = []string{"", "ada", "bob"}[l.random.IntN(3)]
	if c.user != "" {
		b.UserID = &c.user
	}
	b.Session = fmt.Sprint("s", l.random.IntN(4), c.user)
	begun, err := l.s.BeginTurn(l.Context(), b)
	if err != nil || begun.Outcome != store.Begun {
		l.Fatal(begun.Outcome, err)
	}
	c.conversation, c.model = begun.ConversationID, begun.Model
	l.now = l.now.Add(time.Duration(l.random.Int64N(3*3600e6)) * time.Microsecond)
	if l.random.IntN(5) == 0 {
		l.now = l.now.Truncate(15 * time.Minute).Add(15 * time.Minute)
	}
	c.at = l.now
	if l.random.IntN(6) == 0 {
		c.code, c.price, c.inTokens, c.outTokens = []string{"model_error", "unavailable"}[l.random.IntN(2)], 0, 0, 0
		if _, err := l.s.FinishTurn(l.Context(), store.Settlement{TurnID: b.TurnID, State: conversation.Failed, ErrorCode: c.code}); err != nil {
			l.Fatal(err)
		}
		exec(l.T, l.s, `UPDATE turns SET created_at = $2 WHERE id = $1`, b.TurnID, l.now)
		l.charges = append(l.charges, c)
		return
	}
	timing := store.Timing{Total: time.Duration(1 + l.random.IntN(3_000_000_000)), FirstText: time.Duration(l.random.IntN(2) * 50e6)}
	f, err := l.s.FinishTurn(l.Context(), store.Settlement{TurnID: b.TurnID, State: conversation.Answered, Reply: "hi", FinishReason: "stop",
		InputTokens: &c.inTokens, OutputTokens: &c.outTokens, Timing: timing})
	if err != nil || f.Outcome != store.Settled {
		l.Fatal(f.Outcome, err)
	}
	exec(l.T, l.s, `UPDATE credit_entries SET created_at = $2 WHERE turn_id = $1`, b.TurnID, l.now)
	l.charges = append(l.charges, c)
}

// erase deletes a conversation, or all of an end user.
func (l *usageLab) erase() {
	gone := l.charges[l.random.IntN(len(l.charges))]
	if gone.erased {
		return
	}
	of := func(c *charge) bool { return c.conversation == gone.conversation }
	var err error
	if gone.user != "" && l.random.IntN(2) == 0 {
		of = func(c *charge) bool { return c.user == gone.user && c.agent == gone.agent }
		if _, err = l.s.DeleteEndUser(l.Context(), l.account, gone.user, &gone.agent); err == nil {
			_, err = l.s.EraseEndUsers(l.Context(), 1_000)
		}
	} else {
		err = l.s.DeleteConversation(l.Context(), l.account, gone.conversation)
	}
	if err != nil {
		l.Fatal(err)
	}
	for i := range l.charges {
		l.charges[i].erased = l.charges[i].erased || of(&l.charges[i])
	}
}

// query is a random usage.
func (l *usageLab) query() store.Usage {
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
	q := store.Usage{Filter: store.UsageFilter{From: moment(), To: moment()}, Zone: time.UTC, Latencies: true}
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
	for _, by := range []credit.Dimension{credit.ByAgent, credit.ByExport, credit.ByModel, credit.BySource, credit.ByUser, credit.ByStatus} {
		if l.random.IntN(4) == 0 {
			q.SplitBy = append(q.SplitBy, by)
		}
	}
	like := l.charges[l.random.IntN(len(l.charges))]
	switch l.random.IntN(8) {
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

// total is what a key of an interval adds up to.
type total struct{ messages, failed, credits, inTokens, outTokens int64 }

// want adds the charges up as a usage must. What was erased is known by the quarters of an hour, but not by the ledger, from which the
// ends of the range come, and never by end user.
func (l *usageLab) want(q store.Usage) map[string]total {
	out := map[string]total{}
	byUser := q.Filter.UserID != nil || slices.Contains(q.SplitBy, credit.ByUser)
	first := q.Filter.From.Add(15*time.Minute - 1).Truncate(15 * time.Minute)
	last := q.Filter.To.Truncate(15 * time.Minute)
	var starts []time.Time
	if q.Interval != "" {
		var err error
		if starts, err = credit.UsageStarts(q.Filter.From, q.Filter.To, q.Interval, q.Zone); err != nil {
			l.Fatal(err)
		}
		if len(q.SplitBy) == 0 {
			for _, start := range starts {
				out[fmt.Sprint(start, credit.UsageID{})] = total{}
			}
		}
	} else if len(q.SplitBy) == 0 {
		out[fmt.Sprint(nil, credit.UsageID{})] = total{}
	}
	for _, c := range l.charges {
		known, answered := credit.UsageID{Agent: c.agent, Export: c.export, Model: c.model, Source: c.source, User: c.user, Status: "answered"}, int64(1)
		if c.code != "" { // which counts by its quarter, and with its end user only as long as it is there
			known.Status, answered, c.at = c.code, 0, c.at.Truncate(15*time.Minute)
		}
		if c.at.Before(q.Filter.From) || !c.at.Before(q.Filter.To) || c.code != "" && byUser && c.erased {
			continue
		}
		if c.erased && c.code != "" {
			known.User = ""
		} else if c.erased {
			known.User = ""
			if byUser || c.at.Before(first) || !c.at.Before(last) {
				known.Model, known.Source, c.inTokens, c.outTokens = "", "", 0, 0
			}
		}
		f := q.Filter
		if f.AgentID != nil && *f.AgentID != known.Agent || f.ExportID != nil && *f.ExportID != known.Export || f.Model != "" && f.Model != known.Model ||
			f.Source != "" && string(f.Source) != known.Source || f.UserID != nil && *f.UserID != known.User {
			continue
		}
		key := fmt.Sprint(nil, split(known, q.SplitBy))
		if q.Interval != "" {
			n, found := slices.BinarySearchFunc(starts, c.at, time.Time.Compare)
			if !found {
				n--
			}
			key = fmt.Sprint(starts[n], split(known, q.SplitBy))
		}
		sum := out[key]
		out[key] = total{sum.messages + answered, sum.failed + 1 - answered, sum.credits + c.price, sum.inTokens + c.inTokens, sum.outTokens + c.outTokens}
	}
	return out
}

// split keeps the dimensions of a key that a usage is split by.
func split(id credit.UsageID, by []credit.Dimension) (out credit.UsageID) {
	for _, d := range by {
		switch d {
		case credit.ByAgent:
			out.Agent = id.Agent
		case credit.ByExport:
			out.Export = id.Export
		case credit.ByModel:
			out.Model = id.Model
		case credit.BySource:
			out.Source = id.Source
		case credit.ByUser:
			out.User = id.User
		case credit.ByStatus:
			out.Status = id.Status
		}
	}
	return out
}

// check compares random usages with what they must be.
func (l *usageLab) check(times int) {
	l.Helper()
	for range times {
		q := l.query()
		rows, err := l.s.UsageRows(l.Context(), l.account, q)
		if err != nil {
			l.Fatalf("%+v: %v", q, err)
		}
		got := map[string]total{}
		for _, r := range rows {
			key := fmt.Sprint(nil, r.ID())
			if r.Start != nil {
				key = fmt.Sprint(*r.Start, r.ID())
			}
			if _, twice := got[key]; twice {
				l.Errorf("%+v: %s twice", q, key)
			}
			got[key] = total{r.Messages, r.Failed, r.Credits, r.InputTokens, r.OutputTokens}
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

// TestUsageAgreesWithTheLedger: for random ranges, filters, splits and zones, with charges, erasures and roll-ups in between, a usage is
// what the ledger adds up to.
func TestUsageAgreesWithTheLedger(t *testing.T) {
	t.Parallel()
	l := newUsageLab(t)
	for range faults.Times(10, 40) {
		for range 40 {
			l.chat()
		}
		for range l.random.IntN(3) {
			l.erase()
		}
		if l.random.IntN(2) == 0 {
			if _, err := l.s.RollUpCharges(t.Context(), 1, 10); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := l.s.CountFailedTurns(t.Context(), 1_000); err != nil {
			t.Fatal(err)
		}
		l.check(100)
	}
	gone := l.agents[1].ID
	if err := l.s.DeleteAgent(t.Context(), l.account, gone); err != nil {
		t.Fatal(err)
	}
	for i := range l.charges {
		l.charges[i].erased = l.charges[i].erased || l.charges[i].agent == gone
	}
	l.check(100)
}

package store_test

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/faults"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// TestLedgerStateMachine performs random actions of owners, customers and the operator. It compares each result with the model's
// prediction and, after each step, every balance and turn with the model, and runs the auditor. A failure prints its seed.
func TestLedgerStateMachine(t *testing.T) {
	t.Parallel()
	chosen := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { chosen[f.Name] = true })
	// The number of random histories, each in its own database, and their average length.
	for name, value := range map[string]string{"rapid.checks": strconv.Itoa(faults.Times(6, 60)), "rapid.steps": "80"} {
		if !chosen[name] {
			if err := flag.Set(name, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	seen := map[store.Outcome]int{}
	defer func() { t.Logf("outcomes: %v", seen) }()
	rapid.Check(t, func(rt *rapid.T) {
		c := check{t, rt}
		m := &machine{check: c, s: storetest.New(c), seen: seen}
		for range 2 {
			m.openAccount()
		}
		rt.Repeat(m.actions())
	})
}

// actions are the possible steps; chats are more frequent than what ends them.
func (m *machine) actions() map[string]func(*rapid.T) {
	actions := map[string]func(*rapid.T){
		"": m.compare, "grant": m.grant, "remove export": m.removeExport, "delete agent": m.deleteAgent,
		"delete account": m.deleteAccount, "purge": m.purge,
	}
	for name, action := range map[string]func(*rapid.T){
		"begin": m.beginTurn, "settle": m.settleTurn, "finish again": m.finishAgain, "repeat": m.repeatTurn,
		"delete conversation": m.deleteConversation, "reap": m.reap,
	} {
		actions[name] = action
		for again := range often[name] {
			actions[fmt.Sprint(name, " ", again)] = action
		}
	}
	return actions
}

// often is how many times more often an action is drawn than the others.
var often = map[string]int{"begin": 7, "settle": 7, "repeat": 3, "finish again": 1}

// check is a testing.TB for one of rapid's checks: its cleanups run when the check ends, and its failures are reported to rapid.
type check struct {
	testing.TB
	rt *rapid.T
}

func (c check) Cleanup(f func())               { c.rt.Cleanup(f) }
func (c check) Context() context.Context       { return c.rt.Context() }
func (c check) Errorf(format string, a ...any) { c.rt.Errorf(format, a...) }
func (c check) Fatalf(format string, a ...any) { c.rt.Fatalf(format, a...) }
func (c check) Fatal(a ...any)                 { c.rt.Fatal(a...) }
func (c check) Helper()                        {}

// machine is the store and the model of its contents.
type machine struct {
	check
	model
	s *store.Store
	// seen counts the outcomes of all checks, to show which ones the histories reach.
	seen map[store.Outcome]int
}

func (m *machine) must(err error, what string) {
	if err != nil {
		m.Fatalf("%s: %v", what, err)
	}
}

func (m *machine) openAccount() {
	f := storetest.Seed(m, m.s, storetest.Options{Credits: 6})
	account := &modelAccount{id: f.Account.ID, email: f.Account.Email, balance: 6, entries: 1, references: map[string]int64{}}
	m.accounts = append(m.accounts, account)
	m.addAgent(account, f.Agent.ID)
	m.keys = append(m.keys, &modelKey{key: f.Key, export: f.Export.ID, agent: m.agents[len(m.agents)-1]})
}

func (m *machine) addAgent(account *modelAccount, id uuid.UUID) {
	m.agents = append(m.agents, &modelAgent{id: id, account: account})
}

func (m *machine) addKey(a *modelAgent) {
	export, _, key := storetest.SeedExport(m, m.s, a.account.id, a.id, agent.MaxRatePerMinute)
	m.keys = append(m.keys, &modelKey{key: key, export: export.ID, agent: a})
}

// pick draws an item of a list; if the list is empty, rapid draws another action.
func pick[T any](rt *rapid.T, what string, list []*T) *T {
	if len(list) == 0 {
		rt.Skip("no ", what, " yet")
	}
	return list[rapid.IntRange(0, len(list)-1).Draw(rt, what)]
}

// filter returns the items of a list for which keep returns true.
func filter[T any](list []*T, keep func(*T) bool) (found []*T) {
	for _, item := range list {
		if keep(item) {
			found = append(found, item)
		}
	}
	return found
}

func (k *modelKey) usable() bool { return !k.removed && !k.agent.deleted }

// beginTurn sends a message, one time in ten with any key, also an unusable one.
func (m *machine) beginTurn(rt *rapid.T) {
	keys := filter(m.keys, (*modelKey).usable)
	if rapid.IntRange(0, 9).Draw(rt, "any key") == 0 {
		keys = m.keys
	}
	k := pick(rt, "key", keys)
	m.send(rt, k, rapid.SampledFrom([]string{"s1", "s2", "s3"}).Draw(rt, "session"),
		rapid.SampledFrom([]string{"hello", "a longer question"}).Draw(rt, "message"),
		rapid.SampledFrom([]string{"", "", "k1", "k2", "k3"}).Draw(rt, "idempotency key"))
}

// repeatTurn sends an earlier message again, with any usable key of its agent.
func (m *machine) repeatTurn(rt *rapid.T) {
	t := pick(rt, "keyed turn", filter(m.turns, func(t *modelTurn) bool { return t.idempotency != "" }))
	k := pick(rt, "key", filter(m.keys, func(k *modelKey) bool { return k.usable() && k.agent == t.conversation.agent }))
	m.send(rt, k, t.conversation.session, t.message, t.idempotency)
}

func (m *machine) send(rt *rapid.T, k *modelKey, session, message, idempotency string) {
	b := newBegin(k.key)
	b.Session, b.Message, b.IdempotencyKey = session, message, idempotency
	b.Fingerprint = conversation.Body{Message: b.Message, Session: &b.Session}.Fingerprint()
	b.Prices = []int64{rapid.Int64Range(0, 3).Draw(rt, "price")}
	if rapid.IntRange(0, 3).Draw(rt, "overdue at once") == 0 {
		b.HoldFor = -time.Second
	}
	want, prior := m.outcome(k, b)
	got, err := m.s.BeginTurn(m.Context(), b)
	m.must(err, "begin")
	if got.Outcome == store.RetryUnspent || got.Outcome == store.Retry || got.Outcome != want {
		rt.Fatalf("begin: %s, want %s", got.Outcome, want)
	}
	m.seen[want]++
	switch want {
	case store.Replay:
		p := got.Prior
		if p.TurnID != prior.id || p.Reply != prior.reply || p.Price != prior.price || p.CreditsRemaining != prior.remaining {
			rt.Fatalf("replay: %+v, want %+v", p, prior)
		}
	case store.Begun:
		m.checkBegun(rt, got, m.begin(k, b))
	default:
	}
}

// checkBegun compares what begin returned with the conversation so far.
func (m *machine) checkBegun(rt *rapid.T, got store.BeginResult, turn *modelTurn) {
	var history []conversation.Exchange
	for _, t := range m.of(turn.conversation) {
		if t.state == conversation.Answered {
			history = append(history, conversation.Exchange{Message: t.message, Reply: t.reply})
		}
	}
	history = history[max(0, len(history)-40):]
	if got.ConversationID != turn.conversation.id || got.Number != turn.number || got.Price != turn.price ||
		!slices.Equal(got.History, history) {
		rt.Fatalf("begun: %+v, want turn %+v after %+v", got, turn, history)
	}
}

func (m *machine) settleTurn(rt *rapid.T) {
	m.finishTurn(rt, pick(rt, "pending turn", filter(m.turns, (*modelTurn).pending)))
}

// finishAgain settles any turn, in most cases one that is settled, reaped or deleted.
func (m *machine) finishAgain(rt *rapid.T) { m.finishTurn(rt, pick(rt, "turn", m.turns)) }

func (m *machine) finishTurn(rt *rapid.T, t *modelTurn) {
	in := store.Settlement{TurnID: t.id, State: conversation.Failed, ErrorCode: "model_error"}
	if rapid.IntRange(0, 3).Draw(rt, "failed") > 0 {
		in = store.Settlement{TurnID: t.id, State: conversation.Answered, Reply: fmt.Sprint("reply ", t.number), FinishReason: "stop",
			Sent: rapid.Bool().Draw(rt, "sent")}
	}
	want := store.Outcome(t.state)
	switch {
	case t.gone:
		want = store.Gone
	case t.pending():
		want = store.Settled
		t.finish(in)
	}
	got, err := m.s.FinishTurn(m.Context(), in)
	m.must(err, "finish")
	m.seen["finish: "+want]++
	if t.deleted {
		m.seen[store.Outcome("finish a deleted turn: "+t.state)]++
	}
	// A turn that the reaper failed has no remaining credits stored.
	remainingOK := t.gone || t.code == "unavailable" || got.CreditsRemaining == t.remaining
	if got.Outcome != want || !remainingOK || !t.gone && got.ErrorCode != t.code {
		rt.Fatalf("finish: %+v, want %s of %+v", got, want, t)
	}
}

func (m *machine) reap(rt *rapid.T) {
	want := 0
	for _, t := range m.turns {
		if t.pending() && t.overdue {
			t.settle(conversation.Failed, "", "unavailable")
			want++
		}
	}
	got, err := m.s.ReapTurns(m.Context(), 1000)
	m.must(err, "reap")
	if got != want {
		rt.Fatalf("reaped %d, want %d", got, want)
	}
}

// purge ages all deletions by a day and removes the rows that were kept.
func (m *machine) purge(rt *rapid.T) {
	want := 0
	for _, c := range m.conversations {
		if c.deleted && !c.purged && !slices.ContainsFunc(m.of(c), (*modelTurn).pending) {
			for _, t := range m.of(c) {
				t.gone = true
			}
			c.purged = true
			want++
		}
	}
	_, err := m.s.DB().ExecContext(m.Context(), `UPDATE conversations SET deleted_at = deleted_at - interval '25 h'`)
	m.must(err, "age")
	got, err := m.s.PurgeDeleted(m.Context(), 1000)
	m.must(err, "purge")
	if got != want {
		rt.Fatalf("purged %d conversations, want %d", got, want)
	}
}

// compare compares the tables with the model, and runs the auditor.
func (m *machine) compare(rt *rapid.T) {
	want, got := map[string]string{}, map[string]string{}
	for _, a := range m.accounts {
		want[a.id.String()] = fmt.Sprintf("%d %d %d", a.balance, a.held, a.entries)
	}
	for _, t := range m.turns {
		if !t.gone {
			want[t.id.String()] = fmt.Sprintf("%s %d %s %d", t.state, t.number, t.conversation.id, t.price)
		}
	}
	rows, err := m.s.DB().QueryContext(m.Context(), `
		SELECT id, concat_ws(' ', credit_balance, credits_held, entry_count) FROM accounts
		UNION ALL SELECT id, concat_ws(' ', state, number, conversation_id, price) FROM turns`)
	m.must(err, "read the tables")
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id, row string
		m.must(rows.Scan(&id, &row), "read a row")
		got[id] = row
	}
	m.must(rows.Err(), "read the tables")
	for id, row := range want {
		if got[id] != row {
			rt.Errorf("%s is %q, want %q", id, got[id], row)
		}
	}
	if len(got) != len(want) {
		rt.Errorf("%d accounts and turns, want %d", len(got), len(want))
	}
	storetest.Audit(m, m.s)
}

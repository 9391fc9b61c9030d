package turns_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestLedgerStateMachine performs random actions of owners, customers and the operator. It compares
// each result with the model's prediction and, after each step, every balance and turn with the
// model, and runs the auditor. The same histories run with each message in a call of its own, and
// with several messages in one call: both must be as the model says. A failure prints its seed.
func TestLedgerStateMachine(t *testing.T) {
	t.Parallel()
	chooseHistories(t)
	t.Run("alone", func(t *testing.T) { runHistories(t, false) })
	t.Run("together", func(t *testing.T) { runHistories(t, true) })
}

// chooseHistories sets what the command line leaves open: the number of random histories, each in
// its own database, their average length, and the seed. A file of a failed history would run in one
// of the modes only, so the test does not write it: the seed repeats the failure.
func chooseHistories(t *testing.T) {
	t.Helper()
	chosen := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { chosen[f.Name] = true })
	set := func(name, value string) {
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range map[string]string{
		"rapid.checks": "5", "rapid.steps": "80", "rapid.nofailfile": "true",
	} {
		if !chosen[name] {
			set(name, value)
		}
	}
	seed := flag.Lookup("rapid.seed").Value
	if seed.String() == "0" {
		set("rapid.seed", strconv.FormatUint(rand.Uint64()|1, 10))
		t.Cleanup(func() { set("rapid.seed", "0") }) // with -count, each run has its own
	}
	t.Logf("-rapid.seed=%s", seed)
}

func runHistories(t *testing.T, together bool) {
	t.Helper()
	seen := map[turns.Outcome]int{}
	defer func() { t.Logf("outcomes: %v", seen) }()
	rapid.Check(t, func(rt *rapid.T) {
		c := check{t, rt}
		m := &machine{check: c, s: storetest.New(c), seen: seen, together: together}
		for range 2 {
			m.openAccount()
		}
		rt.Repeat(m.actions())
	})
}

// actions are the possible steps; chats are more frequent than what ends them.
func (m *machine) actions() map[string]func(*rapid.T) {
	actions := map[string]func(*rapid.T){
		"": m.compare, "remove export": m.removeExport, "delete agent": m.deleteAgent, "delete account": m.deleteAccount, "purge": m.purge,
	}
	for name, action := range map[string]func(*rapid.T){
		"grant": m.grant, "set limit": m.setLimit, "begin": m.beginTurn, "settle": m.settleTurn, "finish again": m.finishAgain, "repeat": m.repeatTurn, "results": m.beginWithResults,
		"delete conversation": m.deleteConversation, "reap": m.reap, "begin several": m.beginSeveral, "settle several": m.settleSeveral,
	} {
		actions[name] = action
		for again := range often[name] {
			actions[fmt.Sprint(name, " ", again)] = action
		}
	}
	return actions
}

// often holds the weights of actions that are drawn more often than the others.
var often = map[string]int{"begin": 7, "settle": 7, "repeat": 3, "results": 4, "finish again": 1, "begin several": 3, "settle several": 2, "grant": 1, "set limit": 6}

// check is a testing.TB for one of rapid's checks: its cleanups run when the check ends, and its
// failures are reported to rapid.
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
	s *store.DB
	// seen counts the outcomes of all checks, to show which ones the histories reach.
	seen map[turns.Outcome]int
	// together has several messages, and several settlements, sent in one call.
	together bool
}

func (m *machine) must(err error, what string) {
	if err != nil {
		m.Fatalf("%s: %v", what, err)
	}
}

func (m *machine) openAccount() {
	f := storetest.Seed(m, m.s, storetest.Options{Credits: 20})
	account := &modelAccount{id: f.Account.ID, owner: f.Account.OwnerID, balance: 20, entries: 1, references: map[string]int64{}}
	m.accounts = append(m.accounts, account)
	m.addAgent(account, f.Agent.ID)
	m.addLimits(&modelKey{key: f.Key, export: f.Export.ID, agent: m.agents[len(m.agents)-1]})
	m.addKey(m.agents[len(m.agents)-1])
}

func (m *machine) addAgent(account *modelAccount, id uuid.UUID) {
	a := &modelAgent{id: id, account: account}
	m.agents = append(m.agents, a)
	m.keys = append(m.keys, &modelKey{source: conversation.Test, agent: a})
}

func (m *machine) addKey(a *modelAgent) {
	export, _, key := storetest.SeedExport(m, m.s, a.account.id, a.id, agent.MaxRatePerMinute)
	m.keys = append(m.keys, &modelKey{key: key, export: export.ID, agent: a})
}

// addLimits adds a key, with limits of its export that count what it uses and are never reached.
func (m *machine) addLimits(k *modelKey) {
	k.day, k.month = new(int64(agent.MaxCreditLimit)), new(int64(agent.MaxCreditLimit))
	_, err := exports.On(m.s).UpdateExport(m.Context(), k.agent.account.id, k.export, agent.ExportChanges{
		DailyCreditLimit: storetest.SetTo(*k.day), MonthlyCreditLimit: storetest.SetTo(*k.month)})
	m.must(err, "set limits")
	m.keys = append(m.keys, k)
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

// exported reports whether the sender is a key of an export.
func (k *modelKey) exported() bool { return k.source != conversation.Test }

func (m *machine) reap(rt *rapid.T) {
	due := filter(m.turns, func(t *modelTurn) bool { return t.pending() && t.overdue })
	slices.SortFunc(due, func(a, b *modelTurn) int { // as the reaper does
		return bytes.Compare(a.conversation.id[:], b.conversation.id[:])
	})
	for _, t := range due {
		t.settle(conversation.Failed, "", "unavailable")
	}
	got, err := turns.On(m.s).ReapTurns(m.Context(), 1000)
	m.must(err, "reap")
	if got != len(due) {
		rt.Fatalf("reaped %d, want %d", got, len(due))
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
	_, err := m.s.SQL().ExecContext(m.Context(), `UPDATE conversations SET deleted_at = deleted_at - interval '25 h'`)
	m.must(err, "age")
	got, err := erasure.On(m.s).PurgeDeleted(m.Context(), 1000)
	m.must(err, "purge")
	if got != want {
		rt.Fatalf("purged %d conversations, want %d", got, want)
	}
}

// counters describes the counters of the limits that the export has.
func (k *modelKey) counters() string {
	var counters []string
	for _, limit := range []*int64{k.day, k.month} {
		if limit != nil {
			counters = append(counters, fmt.Sprint(k.used))
		}
	}
	if k.userDay != nil {
		sum := int64(0)
		for _, n := range k.messages {
			sum += *n
		}
		counters = append(counters, fmt.Sprint(sum))
	}
	return strings.Join(counters, " ")
}

// row describes the stored turn. A deleted conversation has no replies.
func (t *modelTurn) row() string {
	reply := t.reply
	if t.conversation.deleted {
		reply = ""
	}
	row := fmt.Sprintf("%s %d %s %d %s %t %d %q %s", t.state, t.number, t.conversation.id, t.price,
		t.model, t.fallback, t.remaining, reply, t.code)
	return strings.TrimSpace(row)
}

// compare compares the tables with the model, and runs the auditor.
func (m *machine) compare(rt *rapid.T) {
	want, got := map[string]string{}, map[string]string{}
	for _, a := range m.accounts {
		want[a.id.String()] = fmt.Sprintf("%d %d %d", a.balance, a.held, a.entries)
	}
	for _, t := range m.turns {
		if !t.gone {
			want[t.id.String()] = t.row()
		}
	}
	for _, c := range m.conversations {
		if !c.deleted {
			want[c.id.String()] = fmt.Sprint(c.count)
		}
	}
	for _, k := range m.keys {
		if k.exported() && !k.agent.deleted {
			want[k.export.String()] = k.counters()
		}
	}
	rows, err := m.s.SQL().QueryContext(m.Context(), `
		SELECT id, concat_ws(' ', credit_balance, credits_held, entry_count) FROM accounts
		UNION ALL SELECT id, concat_ws(' ', state, number, conversation_id, price, model,
			coalesce(fallback, false)::text, coalesce(credits_remaining, 0),
			'"' || coalesce(reply, '') || '"', error_code) FROM turns
		UNION ALL SELECT c.id, c.turn_count::text FROM conversations c JOIN agents a ON a.id = c.agent_id
		WHERE a.deleted_at IS NULL AND c.deleted_at IS NULL
		UNION ALL SELECT e.id, concat_ws(' ',
			CASE WHEN e.daily_credit_limit IS NOT NULL THEN coalesce(sum(c.used) FILTER (WHERE c.period = 'DAY'), 0) END,
			CASE WHEN e.monthly_credit_limit IS NOT NULL THEN coalesce(sum(c.used) FILTER (WHERE c.period = 'MONTH'), 0) END,
			CASE WHEN e.user_daily_message_limit IS NOT NULL
				THEN coalesce(sum(c.used) FILTER (WHERE c.period = 'USER_DAY'), 0) END)
		FROM agents a JOIN api_exports e ON e.agent_id = a.id LEFT JOIN limit_counters c ON c.counted_for = e.id
		WHERE a.deleted_at IS NULL GROUP BY e.id`)
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
		rt.Errorf("%d accounts, turns, conversations and exports, want %d", len(got), len(want))
	}
	storetest.Audit(m, m.s)
}

package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/versions"
)

// received is a reply that a caller received. The key is the request's idempotency key, if any.
type received struct {
	at                  time.Time
	key, message, reply string
}

// load is a group of callers of some replicas. They send messages, which may ask for actions, and
// the results of these. Every request is retried until it is answered.
type load struct {
	t       *testing.T
	store   *store.DB
	client  *http.Client
	fixture storetest.Fixture
	callers sync.WaitGroup
	over    atomic.Bool

	mu       sync.Mutex
	replicas []*replica
	// mixed means that the replicas run two releases. One may add fields to a reply.
	mixed    bool
	received []received
	// counts counts what the callers have seen.
	counts map[string]int
}

func (l *load) count(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts[what]++
}

func (l *load) counted(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counts[what]
}

// shortDeadlines make a turn of a killed process end within seconds.
var shortDeadlines = []string{"MODEL_TIMEOUT=1s", "HOLD_GRACE=1s", "REAP_INTERVAL=100ms"}

// orderActions are the actions of an order desk.
var orderActions = []agent.Action{{
	Name:        "order_status",
	Description: "Looks up an order.",
	Parameters: `{"type":"object","required":["order"],
		"properties":{"order":{"type":"string"}}}`,
}}

// newLoad creates an account with enough credits, whose callers use the replicas.
func newLoad(t *testing.T, s *store.DB, replicas ...*replica) *load {
	t.Helper()
	return &load{
		t:        t,
		store:    s,
		client:   client(t),
		fixture:  storetest.Seed(t, s, storetest.Options{Credits: 1_000_000, Actions: orderActions}),
		replicas: replicas,
		counts:   map[string]int{},
	}
}

// chat returns the address of a replica.
func (l *load) chat(i int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.replicas[i%len(l.replicas)].Chat
}

// replaceReplica kills a replica and starts another one.
func (l *load) replaceReplica(i int, databaseURL string) {
	l.replace(i, (*replica).kill, func() *replica { return start(l.t, databaseURL, shortDeadlines...) })
}

// begin starts a number of callers, each in a session of its own.
func (l *load) begin(callers int) {
	for caller := range callers {
		session := uuid.NewString()
		l.callers.Go(func() {
			for !l.over.Load() {
				l.chain(caller, session)
			}
		})
	}
	l.more(20)
}

// more waits until more requests are answered.
func (l *load) more(n int) {
	l.t.Helper()
	before := l.counted("answered")
	eventually(l.t, "requests are answered", func() bool {
		return l.counted("answered") >= before+n || l.t.Failed()
	})
}

// end stops the callers and returns when each has its last answer.
func (l *load) end() {
	l.over.Store(true)
	l.callers.Wait()
}

// chain sends a message that asks for no action, for two actions once, or for an action again and
// again, and sends results for a number of rounds. Every reply must continue the chain under its
// version. The session's next message closes what is left open.
func (l *load) chain(caller int, session string) {
	directives := []string{
		"",
		"[[sandbox action=order_status action=order_status]]",
		"[[sandbox action=order_status action=again]]",
	}
	n := rand.IntN(len(directives))
	rounds := []int{0, 1, 1 + rand.IntN(conversation.MaxRounds)}[n]
	message := map[string]any{"session_id": session, "message": "hello " + directives[n]}
	reply, ok := l.untilAnswered(caller, message, uuid.NewString())
	version, before, results := reply.Version, chained{}, []string(nil)
	for round := 0; ok && round < rounds; round++ {
		if reply.FinishReason != "actions" || len(reply.Actions) == 0 || reply.Version != version {
			l.t.Errorf("%s, round %d: %s", session, round, reply.Body)
			return
		}
		body := map[string]any{"session_id": session, "action_results": reply.answers(&results)}
		key := []string{"", uuid.NewString()}[rand.IntN(2)]
		before = reply
		reply, ok = l.untilAnswered(caller+round, body, key)
	}
	switch complete := rounds == 0 || len(reply.Actions) == 0; {
	case !ok:
	case !complete:
		l.count("chains closed by a message")
	case reply.FinishReason != "stop" || reply.Version != version ||
		!containsInOrder(reply.Reply, results):
		l.t.Errorf("%s: the reply %s does not continue with %q", session, reply.Body, results)
	case rounds > 0:
		l.count("complete chains")
		l.refuseStale(caller, session, before)
	}
}

// chained is a reply that may ask for actions.
type chained struct {
	answer
	FinishReason string                    `json:"finish_reason"`
	Actions      []conversation.ActionCall `json:"actions"`
}

// answers returns results for the reply's actions, in any order. It appends what the sandbox says
// of each to said.
func (c chained) answers(said *[]string) []map[string]any {
	results := make([]map[string]any, len(c.Actions))
	for i, call := range c.Actions {
		mark := uuid.NewString()
		results[i] = map[string]any{"id": call.ID, "result": mark}
		*said = append(*said, fmt.Sprintf("The action order_status returned: %q.", mark))
	}
	rand.Shuffle(len(results), func(i, j int) { results[i], results[j] = results[j], results[i] })
	return results
}

// containsInOrder reports whether a text contains all parts, in their order.
func containsInOrder(text string, parts []string) bool {
	for _, part := range parts {
		_, after, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = after
	}
	return true
}

// untilAnswered sends a request until it is answered. Sometimes it disconnects before that, and
// sometimes it sends the request again afterwards. It returns false once the test is over.
func (l *load) untilAnswered(
	caller int, body map[string]any, key string,
) (reply chained, ok bool) {
	var headers []string
	if key != "" {
		headers = []string{"Idempotency-Key", key}
	}
	retried := []string{
		"session_busy", "request_in_progress", "model_unavailable", "unavailable", "internal",
		"rate_limited",
	}
	for try := caller; l.t.Context().Err() == nil; try++ {
		ctx, leave := l.t.Context(), func() {}
		if rand.IntN(8) == 0 {
			soon := time.Duration(rand.IntN(20_000)) * time.Microsecond
			ctx, leave = context.WithTimeout(ctx, soon)
			l.count("clients left")
		}
		got, err := askWith(ctx, l.client, l.chat(try), l.fixture.Key.Reveal(), body, headers...)
		leave()
		switch {
		case err != nil:
		case got.Status == http.StatusOK:
			reply.answer = got
			if err := json.Unmarshal(got.Body, &reply); err != nil {
				l.t.Error(err)
			}
			l.keep(key, got)
			if rand.IntN(4) == 0 && (key != "" || body["action_results"] != nil) {
				l.expectReplays(caller, body, got, headers)
			}
			return reply, true
		case !slices.Contains(retried, got.outcome()):
			l.t.Errorf("%v under %q: %s", body, key, got.Body)
			return reply, false
		case got.outcome() == "unavailable":
			l.count("refused")
		}
		<-time.After(20 * time.Millisecond)
	}
	return reply, false
}

// keep remembers a reply for the verdict.
func (l *load) keep(key string, got answer) {
	l.count("answered")
	l.mu.Lock()
	defer l.mu.Unlock()
	l.received = append(l.received, received{time.Now(), key, got.Message, got.Reply})
}

// outage returns the longest time without an answer between two moments.
func (l *load) outage(from, to time.Time) (longest time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := from
	for _, r := range l.received { // in order
		if r.at.After(from) && r.at.Before(to) {
			longest = max(longest, r.at.Sub(last))
			last = r.at
		}
	}
	return max(longest, to.Sub(last))
}

// expectReplays sends an answered request five times at once to all replicas.
func (l *load) expectReplays(caller int, body map[string]any, first answer, headers []string) {
	const times = 5
	parallel(times, times, func(i int) string {
		chat := l.chat(caller + i)
		got, err := askWith(l.t.Context(), l.client, chat, l.fixture.Key.Reveal(), body, headers...)
		switch {
		case err != nil || got.Status >= http.StatusInternalServerError:
		case got.Status != http.StatusOK || !l.mixed && string(got.Body) != string(first.Body) ||
			got.Message != first.Message || got.Reply != first.Reply || got.Header.Get("Idempotent-Replayed") != "true":
			l.t.Errorf("a replay is %s, the reply was %s", got.Body, first.Body)
		default:
			l.count("replays")
		}
		return ""
	})
}

// refuseStale sends other results for actions that were answered.
func (l *load) refuseStale(caller int, session string, asked chained) {
	results := make([]map[string]any, len(asked.Actions))
	for i, call := range asked.Actions {
		results[i] = map[string]any{"id": call.ID, "error": "stale"}
	}
	body := map[string]any{"session_id": session, "action_results": results}
	got, err := askWith(l.t.Context(), l.client, l.chat(caller), l.fixture.Key.Reveal(), body)
	switch {
	case err != nil || got.Status >= http.StatusInternalServerError:
	case got.outcome() != "action_mismatch" || fmt.Sprint(got.Error.Details) != "map[open:[]]":
		l.t.Errorf("stale results: %s", got.Body)
	default:
		l.count("stale results")
	}
}

// publish publishes versions until the load ends, also while the database is unavailable.
func (l *load) publish() {
	account, agentID := l.fixture.Account.ID, l.fixture.Agent.ID
	for !l.over.Load() {
		text := uuid.NewString()
		changes := agent.Changes{Instructions: agent.Change[string]{Set: true, Value: &text}}
		_, err := agents.On(l.store).UpdateAgent(l.t.Context(), account, agentID, changes, nil)
		if err == nil {
			offered := func(string) bool { return true }
			_, _, err = versions.On(l.store).PublishAgent(l.t.Context(), account, agentID,
				versions.Publication{}, offered)
		}
		if err == nil {
			l.count("versions published")
		}
		<-time.After(50 * time.Millisecond)
	}
}

// recoveryTime waits until every replica answers a new message, and returns how long that took.
func (l *load) recoveryTime() time.Duration {
	l.t.Helper()
	began := time.Now()
	parallel(len(l.replicas), len(l.replicas), func(i int) string {
		key := uuid.NewString()
		eventually(l.t, "a new message is answered", func() bool {
			got, err := ask(l.t.Context(), l.client, l.chat(i), l.fixture.Key.Reveal(), "", "hello",
				"Idempotency-Key", key)
			if err != nil || got.Status != http.StatusOK {
				return false
			}
			l.keep(key, got)
			return true
		})
		return ""
	})
	return time.Since(began)
}

// verdict checks that every reply that a caller received is stored with exactly one charge, that
// nothing else was charged, that the actions of a reply were answered at most once, and that a
// chain has one version.
func (l *load) verdict() {
	l.t.Helper()
	expectNoHold(l.t, l.store, l.fixture)
	distinct := map[string]bool{}
	for _, r := range l.received {
		distinct[r.message] = true
		var turns, stored, charges int
		readRow(l.t, l.store, `
			SELECT count(DISTINCT t.id), count(DISTINCT t.id) FILTER (WHERE t.reply = $4), count(e.id)
			FROM turns t LEFT JOIN credit_entries e ON e.turn_id = t.id
			WHERE t.agent_id = $1 AND t.state = 'ANSWERED'
				AND (t.idempotency_key = $2 OR t.id = $3::uuid)`,
			[]any{l.fixture.Agent.ID, r.key, r.message, r.reply}, &turns, &stored, &charges)
		if turns != 1 || stored != 1 || charges != 1 {
			l.t.Errorf("message %s: %d turns, %d with the reply, %d charges", r.message, turns, stored,
				charges)
		}
	}
	var replies, twice, mixed int
	readRow(l.t, l.store, `
		SELECT count(*), count(t.results_for) - count(DISTINCT t.results_for),
			count(*) FILTER (WHERE t.version <> m.version)
		FROM turns t
		LEFT JOIN turns m ON m.conversation_id = t.conversation_id AND m.number = t.message_number
		WHERE t.agent_id = $1 AND t.state = 'ANSWERED'`,
		[]any{l.fixture.Agent.ID}, &replies, &twice, &mixed)
	if replies != len(distinct) || twice != 0 || mixed != 0 {
		l.t.Errorf("%d replies are stored and %d were received; %d answer actions a second time, "+
			"%d have another version than their message", replies, len(distinct), twice, mixed)
	}
	storetest.Audit(l.t, l.store)
	l.t.Log(l.counts)
}

package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/versions"
)

// orderActions are the actions of an order desk.
var orderActions = []agent.Action{{Name: "order_status", Description: "Looks up an order.",
	Parameters: `{"type":"object","required":["order"],"properties":{"order":{"type":"string"}}}`}}

// chainFigures count what callers of a load have seen.
type chainFigures struct{ whole, closed, results, left, again, stale atomic.Int64 }

func (f *chainFigures) String() string {
	return fmt.Sprintf("%d chains, %d more closed by a message, %d results answered; %d times a client left, %d replies had again, %d stale results refused",
		f.whole.Load(), f.closed.Load(), f.results.Load(), f.left.Load(), f.again.Load(), f.stale.Load())
}

// chained is a reply of a chain.
type chained struct {
	answer
	FinishReason string                    `json:"finish_reason"`
	Actions      []conversation.ActionCall `json:"actions"`
}

// chain sends a message that asks for nothing, for an action once, or again and again, brings what is asked for in some rounds, and checks that
// every reply goes on with those before it, under one version. The next chain of the session closes what was left open.
func (l *load) chain(caller int, session string) {
	directive, rounds := [...]string{"", "[[sandbox action=order_status action=order_status]]", "[[sandbox action=order_status action=again]]"}[rand.IntN(3)], 0
	switch {
	case strings.Contains(directive, "again"):
		rounds = 1 + rand.IntN(conversation.MaxRounds)
	case directive != "":
		rounds = 1
	}
	reply, ok := l.untilAnswered(caller, map[string]any{"session_id": session, "message": "hello " + directive}, uuid.NewString())
	version, before, seen := reply.Version, chained{}, []string(nil)
	for round := 0; ok && round < rounds; round++ {
		if reply.FinishReason != "actions" || len(reply.Actions) == 0 || reply.Version != version {
			l.t.Errorf("%s, round %d: %s", session, round, reply.Body)
			return
		}
		results := make([]map[string]any, len(reply.Actions))
		for i, call := range reply.Actions {
			mark := uuid.NewString()
			results[i] = map[string]any{"id": call.ID, "result": mark}
			seen = append(seen, fmt.Sprintf("The action order_status returned: %q.", mark))
		}
		rand.Shuffle(len(results), func(i, j int) { results[i], results[j] = results[j], results[i] })
		body, key := map[string]any{"session_id": session, "action_results": results}, [...]string{"", uuid.NewString()}[rand.IntN(2)]
		before = reply
		if reply, ok = l.untilAnswered(caller+round, body, key); !ok {
			return
		}
		l.chains.results.Add(1)
		if rand.IntN(4) == 0 {
			l.haveAgain(caller, body, reply)
		}
	}
	switch last := directive == "" || len(reply.Actions) == 0; {
	case !ok:
	case !last:
		l.chains.closed.Add(1)
	case reply.FinishReason != "stop" || reply.Version != version || !hasInOrder(reply.Reply, seen):
		l.t.Errorf("%s: the reply %s goes on with %q", session, reply.Body, seen)
	case rounds > 0:
		l.chains.whole.Add(1)
		l.refuseStale(caller, session, before)
	}
}

// hasInOrder reports whether a text has all parts, in their order.
func hasInOrder(text string, parts []string) bool {
	for _, part := range parts {
		_, after, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = after
	}
	return true
}

// untilAnswered sends a request until it is answered, and sometimes leaves before that. false means that the test is over.
func (l *load) untilAnswered(caller int, body map[string]any, key string) (reply chained, ok bool) {
	var headers []string
	if key != "" {
		headers = []string{"Idempotency-Key", key}
	}
	waits := []string{"session_busy", "request_in_progress", "model_unavailable", "unavailable", "internal", "rate_limited"}
	for try := caller; l.t.Context().Err() == nil; try++ {
		ctx, leave := l.t.Context(), func() {}
		if rand.IntN(8) == 0 {
			ctx, leave = context.WithTimeout(ctx, time.Duration(rand.IntN(20_000))*time.Microsecond)
			l.chains.left.Add(1)
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
			l.receive(key, got)
			l.answered.Add(1)
			return reply, true
		case !slices.Contains(waits, got.outcome()):
			l.t.Errorf("%v under %q: %s", body, key, got.Body)
			return reply, false
		}
		<-time.After(20 * time.Millisecond)
	}
	return reply, false
}

// haveAgain sends results without a key that were answered: they get the same reply.
func (l *load) haveAgain(caller int, body map[string]any, reply chained) {
	got, err := askWith(l.t.Context(), l.client, l.chat(caller+1), l.fixture.Key.Reveal(), body)
	switch {
	case err != nil || got.Status >= http.StatusInternalServerError:
	case got.Status != http.StatusOK || string(got.Body) != string(reply.Body) || got.Header.Get("Idempotent-Replayed") != "true":
		l.t.Errorf("again: %s after %s", got.Body, reply.Body)
	default:
		l.chains.again.Add(1)
	}
}

// refuseStale sends other results for actions that were answered: nothing is open.
func (l *load) refuseStale(caller int, session string, asked chained) {
	results := make([]map[string]any, len(asked.Actions))
	for i, call := range asked.Actions {
		results[i] = map[string]any{"id": call.ID, "error": "stale"}
	}
	got, err := askWith(l.t.Context(), l.client, l.chat(caller), l.fixture.Key.Reveal(), map[string]any{"session_id": session, "action_results": results})
	switch {
	case err != nil || got.Status >= http.StatusInternalServerError:
	case got.outcome() != "action_mismatch" || fmt.Sprint(got.Error.Details) != "map[open:[]]":
		l.t.Errorf("stale results: %s", got.Body)
	default:
		l.chains.stale.Add(1)
	}
}

// publish publishes versions until the load is over, also while the database is away.
func (l *load) publish(s *store.DB) {
	for !l.over.Load() {
		text := uuid.NewString()
		_, err := agents.On(s).UpdateAgent(l.t.Context(), l.fixture.Account.ID, l.fixture.Agent.ID, agent.Changes{Instructions: agent.Change[string]{Set: true, Value: &text}}, nil)
		if err == nil {
			_, _, err = versions.On(s).PublishAgent(l.t.Context(), l.fixture.Account.ID, l.fixture.Agent.ID, versions.Publication{}, func(string) bool { return true })
		}
		if err == nil {
			l.published.Add(1)
		}
		<-time.After(50 * time.Millisecond)
	}
}

// verdictOnChains: the actions of a reply were answered at most once, each chain has one version, and no reply is there that nobody received.
func (l *load) verdictOnChains(s *store.DB) {
	l.t.Helper()
	received := map[string]bool{}
	for _, p := range l.acknowledged {
		received[p.message] = true
	}
	var replies, twice, versions, mixed int
	err := s.SQL().QueryRowContext(l.t.Context(), `
		SELECT count(*), count(t.results_for) - count(DISTINCT t.results_for), count(DISTINCT t.version),
		       count(*) FILTER (WHERE t.version <> m.version)
		FROM turns t
		LEFT JOIN turns m ON m.conversation_id = t.conversation_id AND m.number = t.message_number
		WHERE t.agent_id = $1 AND t.state = 'ANSWERED'`, l.fixture.Agent.ID).Scan(&replies, &twice, &versions, &mixed)
	if err != nil || replies != len(received) || twice != 0 || mixed != 0 {
		l.t.Errorf("%d replies are stored, of which callers received %d; %d answer actions that were answered, %d have another version than their message: %v",
			replies, len(received), twice, mixed, err)
	}
	l.t.Logf("%d replies of %d versions, %d published: %s", replies, versions, l.published.Load(), &l.chains)
}

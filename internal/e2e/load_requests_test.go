package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
)

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

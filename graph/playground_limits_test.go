package graph_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"agentchat/graph"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/storetest"
)

// tester sends an account's test messages.
type tester struct {
	*user
	draft string
}

func newTester(t *testing.T, b *bench) *tester {
	t.Helper()
	u := signedIn(t, b)
	return &tester{u, u.made(t, vars{"maxOutputTokens": nil}).text(t, "createAgent.agent.id")}
}

func (u *tester) say(t *testing.T, message string) answer {
	t.Helper()
	return u.do(t, sendTest, vars{"input": vars{"agentId": u.draft, "message": message}})
}

// wantWait checks that a response is RATE_LIMITED with a wait of at most most seconds.
func (a answer) wantWait(t *testing.T, what string, most int) {
	t.Helper()
	a.want(t, what, http.StatusOK, "RATE_LIMITED")
	if wait, ok := a.Errors[0].Extensions["retryAfterSeconds"].(float64); !ok || wait < 1 || wait > float64(most) {
		t.Errorf("%s: retryAfterSeconds %v, want 1 to %d", what, wait, most)
	}
}

// follow starts a stream that does not end until its client disconnects, and returns after an
// event.
func (u *tester) follow(t *testing.T, message, event string) (leave func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	body, err := json.Marshal(vars{"query": followTest, "variables": vars{
		"input": vars{"agentId": u.draft, "message": message}}})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.b.URL+"/graphql", strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Content-Type": "application/json",
		"Accept": "text/event-stream", "Authorization": "Bearer " + u.token} {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req) //nolint:bodyclose // leave closes it
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for chunk := make([]byte, 4096); !strings.Contains(text, event); {
		n, err := resp.Body.Read(chunk)
		if text += string(chunk[:n]); err != nil {
			t.Fatalf("the stream has no %s: %v %s", event, err, text)
		}
	}
	return func() {
		cancel()
		_ = resp.Body.Close()
	}
}

// settled waits until none of the account's credits are held.
func (u *tester) settled(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		account, err := accounts.On(u.b.store).Account(t.Context(), u.account.ID)
		if err != nil {
			t.Fatal(err)
		}
		if account.CreditsHeld == 0 {
			return
		}
	}
	t.Fatal("a turn does not end")
}

func TestTestMessagesAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := newTester(t, b), newTester(t, b)
	var leave []func()
	for range graph.MaxTestsAtOnce {
		leave = append(leave, u.follow(t, "[[sandbox delay=5m]]", "TestMessageStarted"))
	}
	u.say(t, "hello").wantWait(t, "one more", 5)
	u.do(t, followTest, vars{"input": vars{"agentId": u.draft, "message": "hello"}}).wantWait(t, "one more stream", 5)
	other.say(t, "hello").wantNone(t, "another account")
	for _, left := range leave {
		left()
	}
	u.settled(t)
	// The turns have ended; their slots are free a moment later.
	for a := u.say(t, "hello"); a.code() != ""; a = u.say(t, "hello") {
		a.wantWait(t, "after the others", 5)
	}
	storetest.Audit(t, b.store)
}

func TestTestMessagesPerMinute(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := newTester(t, b), newTester(t, b)
	u.say(t, "hello").wantNone(t, "the first")
	b.exec(t, `UPDATE throttles SET hits = array_fill(hits[1], ARRAY[$1::int])`, graph.MaxTests-1)
	u.say(t, "hello").wantNone(t, "the last")
	u.say(t, "hello").wantWait(t, "one more", 60)
	other.say(t, "hello").wantNone(t, "another account")
	age(t, b, "1 minute")
	u.say(t, "hello").wantNone(t, "a minute later")
}

// age moves all counted attempts into the past.
func age(t *testing.T, b *bench, interval string) {
	t.Helper()
	b.exec(t, `UPDATE throttles SET hits = ARRAY(SELECT h - $1::interval FROM unnest(hits) h)`,
		interval)
}

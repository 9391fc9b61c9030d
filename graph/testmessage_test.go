package graph_test

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"agentchat/internal/account"
	"agentchat/internal/store/storetest"
)

const followTest = `subscription($input: SendTestMessageInput!) { testMessage(input: $input) { __typename
	... on TestMessageStarted { turnId sessionId } ... on TestMessageDelta { text }
	... on TestMessageEnded { creditsRemaining turn { id state reply } conversation { sessionId } }
	... on TestMessageFailed { creditsRemaining turn { errorCode } } } }`

// eventsOf returns the data of a stream's events; it fails the test if the stream did not end
// properly.
func eventsOf(t *testing.T, stream string) (out []string) {
	t.Helper()
	body, ended := strings.CutSuffix(stream, "event: complete\ndata:\n\n")
	if !ended {
		t.Fatalf("the stream has no end: %q", stream)
	}
	for block := range strings.SplitSeq(strings.TrimSuffix(body, "\n\n"), "\n\n") {
		if block == ":" {
			continue
		}
		data, ok := strings.CutPrefix(block, "event: next\ndata: ")
		if !ok || strings.Contains(data, "\n") {
			t.Fatalf("an event is %q", block)
		}
		out = append(out, data)
	}
	if len(out) == 0 {
		t.Fatalf("the stream has no events: %q", stream)
	}
	return out
}

// story is a whole stream: its types with repetitions merged, the text of its deltas, and its last
// event.
func (a answer) story(t *testing.T) (types, text string, last answer) {
	t.Helper()
	for _, data := range a.events {
		last = answer{body: data}
		if err := json.Unmarshal([]byte(data), &last); err != nil {
			t.Fatal(err)
		}
		name, _ := last.get("testMessage.__typename").(string)
		if !strings.HasSuffix(types, name+" ") {
			types += name + " "
		}
		delta, _ := last.get("testMessage.text").(string)
		text += delta
	}
	return types, text, last
}

func TestFollowingATestMessage(t *testing.T) {
	t.Parallel()
	u := newTester(t, newBench(t))
	follow := func(message, key string) answer {
		return u.do(t, followTest, vars{"input": vars{
			"agentId": u.draft, "message": message, "sessionId": "try", "idempotencyKey": key}})
	}
	var turn any
	for _, what := range []string{"first", "replayed"} {
		types, text, last := follow("[[sandbox words=300]]", "one").story(t)
		last.wantValues(t, what, map[string]any{
			"testMessage.turn.reply":             text,
			"testMessage.turn.state":             "ANSWERED",
			"testMessage.creditsRemaining":       99,
			"testMessage.conversation.sessionId": "try",
		})
		again := turn
		turn = last.get("testMessage.turn.id")
		if types != "TestMessageStarted TestMessageDelta TestMessageEnded " ||
			again != nil && again != turn {
			t.Errorf("%s: %s, turn %v, then %v", what, types, again, turn)
		}
	}
	types, text, last := follow("[[sandbox fail=error after=3]]", "two").story(t)
	last.wantValues(t, "a failure", map[string]any{
		"testMessage.turn.errorCode": "model_error", "testMessage.creditsRemaining": 99})
	if types != "TestMessageStarted TestMessageDelta TestMessageFailed " ||
		len(strings.Fields(text)) != 3 {
		t.Errorf("a failure is %s %q", types, text)
	}
	follow(" ", "three").wantFields(t, "a blank message", "message blank")
	u.do(t, updateAgent, vars{"input": vars{"id": u.draft, "model": nil}}).wantNone(t, "edit")
	follow("hello", "four").want(t, "no model", http.StatusOK, "CONFLICT")
}

// TestEqualTestMessages tests that streams that join a message in flight are whole, with its turn.
func TestEqualTestMessages(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := newTester(t, b)
	input := vars{"agentId": u.draft, "message": "[[sandbox words=100 pace=10ms]]", "sessionId": "try",
		"idempotencyKey": "one"}
	var whole answer
	var got [3]answer
	var work sync.WaitGroup
	ended := make(chan struct{})
	work.Go(func() {
		defer close(ended)
		whole = u.do(t, sendTest, vars{"input": input})
	})
	for begun := 0; begun == 0; begun = storetest.CountRows(t, b.store, `SELECT count(*) FROM turns`) {
		select {
		case <-ended:
			t.Fatal(whole.body)
		case <-time.After(time.Millisecond):
		}
	}
	for i := range got {
		work.Go(func() { got[i] = u.do(t, followTest, vars{"input": input}) })
	}
	work.Wait()
	for i, a := range got {
		types, text, last := a.story(t)
		last.wantValues(t, fmt.Sprint("message ", i), map[string]any{
			"testMessage.turn.id":          whole.get("sendTestMessage.turn.id"),
			"testMessage.turn.reply":       text,
			"testMessage.creditsRemaining": 99,
		})
		if types != "TestMessageStarted TestMessageDelta TestMessageEnded " {
			t.Errorf("message %d: %s", i, types)
		}
	}
}

// Clients that accept only Apollo's multipart subscriptions get the same responses in parts.
func TestFollowingInParts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	v := vars{"input": vars{"agentId": u.made(t, nil).text(t, "createAgent.agent.id"), "message": "[[sandbox words=30]]"}}
	a := b.do(t, call{query: followTest, vars: v, token: u.token, header: map[string]string{
		"Accept": "multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/graphql-response+json,application/json;q=0.9"}})
	types, text, last := a.story(t)
	if types != "TestMessageStarted TestMessageDelta TestMessageEnded " ||
		text == "" || last.get("testMessage.turn.reply") != text {
		t.Errorf("%s %q %s", types, text, last.body)
	}
}

// partsOf returns the payloads of a stream's parts; it fails the test if the stream did not end
// properly.
func partsOf(t *testing.T, resp *http.Response, stream string) (out []string) {
	t.Helper()
	_, params, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil || params["subscriptionspec"] != "1.0" {
		t.Fatalf("%v %v", params, err)
	}
	for parts := multipart.NewReader(strings.NewReader(stream), params["boundary"]); ; {
		part, err := parts.NextPart()
		if err == io.EOF {
			return out
		}
		var message struct{ Payload json.RawMessage }
		if err == nil {
			err = json.NewDecoder(part).Decode(&message)
		}
		if err != nil {
			t.Fatalf("%v in %q", err, stream)
		}
		out = append(out, string(message.Payload))
	}
}

// A malformed subscription is refused with an ordinary JSON response.
func TestRefusedSubscriptions(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	v := vars{"input": vars{"agentId": "00000000-0000-7000-8000-000000000000", "message": "hello"}}
	b.do(t, call{query: followTest, vars: v}).want(t, "no token", http.StatusUnauthorized, "UNAUTHENTICATED")
	anything := map[string]string{"Accept": "*/*"}
	b.do(t, call{query: followTest, vars: v, token: u.token, header: anything}).
		want(t, "Accept: */*", http.StatusOK, "BAD_USER_INPUT")
	// Clients that send the same Accept with every operation list other types as well: urql and
	// graphql-sse do.
	both := map[string]string{"Accept": "application/json, text/event-stream"}
	a := b.do(t, call{query: followTest, vars: v, token: u.token, header: both})
	if a.want(t, "an unknown agent", http.StatusOK, "NOT_FOUND"); a.events == nil {
		t.Errorf("no stream: %s", a.body)
	}
	b.do(t, call{query: "subscription { other }", token: u.token}).want(t, "unknown",
		http.StatusUnprocessableEntity, "GRAPHQL_VALIDATION_FAILED")
}

// A stream and its reply end when the sign-in ends or loses its rights.
func TestAStreamEndsWithItsSignIn(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct{ end, code string }{
		"signed out": {`UPDATE sign_ins SET ended_at = now() WHERE user_id = $1`, "UNAUTHENTICATED"},
		"removed":    {`DELETE FROM memberships WHERE user_id = $1`, "UNAUTHENTICATED"},
		"a viewer":   {`UPDATE memberships SET role = 'VIEWER' WHERE user_id = $1`, "FORBIDDEN"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, func(o *options) { o.graph.SignInCheck = 50 * time.Millisecond })
			owner, member := newTester(t, b), signedIn(t, b)
			member.join(t, owner.user, account.Editor)
			go func() {
				query := `SELECT count(*) FROM turns WHERE state = 'PENDING'`
				for pending := 0; pending == 0 && t.Context().Err() == nil; {
					_ = b.store.SQL().QueryRowContext(t.Context(), query).Scan(&pending)
				}
				b.exec(t, c.end, member.account.OwnerID)
			}()
			a := member.in(t, owner.user, followTest, vars{"input": vars{
				"agentId": owner.draft, "message": "[[sandbox delay=5m]]"}})
			_, _, last := a.story(t)
			if last.code() != c.code {
				t.Errorf("the stream ended with %s", last.body)
			}
			owner.settled(t)
			storetest.Audit(t, b.store)
		})
	}
}

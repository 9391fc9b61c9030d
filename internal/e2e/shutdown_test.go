package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

// TestShutdownBesideSlowClients: a replica gets SIGTERM while it has 20 streams and 5 sign-ins, and 50 bodies that do not go on. It ends within 5 s of
// its longest turn. Every stream ends with its reply, and every sign-in is answered.
func TestShutdownBesideSlowClients(t *testing.T) {
	t.Parallel()
	const streams, signIns, stalled = 20, 5, 50
	url, c, rounds, random := storetest.URL(t), client(t), 2, newRandom()
	s := storetest.Open(t, url)
	auditing(t, s)
	f := storetest.Seed(t, s, storetest.Options{Credits: int64(rounds * streams), RatePerMinute: 1_000_000})
	email, longest := uuid.NewString()+"@example.com", time.Duration(0)
	signIn := fmt.Sprintf(`{"query":%q,"variables":{"input":{"email":%q,"password":%q}}}`, signInQuery, email, ownersPassword)
	for round := range rounds {
		r := start(t, url)
		if round == 0 {
			newBrowser(t).signedUp(r, email, ownersPassword)
		}
		ended := make(chan error, streams)
		for range streams {
			message := fmt.Sprintf("[[sandbox words=8 pace=%dms]]", 200+random.IntN(300))
			resp, lines, err := openStream(t.Context(), c, r.Chat, f.Key.Reveal(), message) //nolint:bodyclose // the goroutine closes it
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				defer func() { _ = resp.Body.Close() }()
				ended <- until(lines, "end", 1)
			}()
		}
		stall(t, r, f.Key.Reveal(), stalled)
		waiting := make([]*wire, signIns)
		for i := range waiting {
			waiting[i] = halfSent(t, r, "POST /graphql", "", signIn)
		}

		began := time.Now()
		r.terminate()
		for _, w := range waiting {
			w.send(signIn[len(signIn)-1:])
		}
		for range streams {
			if err := <-ended; err != nil {
				t.Errorf("round %d: a stream ended without its reply: %v", round, err)
			}
		}
		turns := time.Since(began)
		for _, w := range waiting {
			if got := w.receive(http.MethodPost); got.Status != http.StatusOK || !strings.Contains(string(got.Body), `"accessToken":"`) {
				t.Errorf("round %d: a sign-in: %d %s", round, got.Status, got.Body)
			}
		}
		<-r.exited
		after := time.Since(began) - turns
		if code := r.command.ProcessState.ExitCode(); code != 0 || after > 5*time.Second {
			t.Errorf("round %d: exit code %d, %s after the last turn\n%s", round, code, after, r.log.String())
		}
		longest = max(longest, after)
	}
	storetest.Audit(t, s)
	account, err := s.Account(t.Context(), f.Account.ID)
	if err != nil || account.CreditBalance != 0 || account.CreditsHeld != 0 {
		t.Errorf("balance %d, held %d (%v), want each of the %d replies charged", account.CreditBalance, account.CreditsHeld, err, rounds*streams)
	}
}

// stall sends requests whose bodies do not go on, or only a byte at a time, and returns when the service is reading them.
func stall(t *testing.T, r *replica, key string, n int) {
	t.Helper()
	for i := range n {
		target, authorization := "POST /graphql", ""
		if i%2 == 0 {
			target, authorization = "POST /v1/agent/chat", "Authorization: Bearer "+key+"\r\n"
		}
		w := halfSent(t, r, target, authorization, `{"message":"`+strings.Repeat("x", 10_000)+`"}`)
		if i%3 == 0 {
			go func() { dribble(w.conn, strings.Repeat("x", 1000), r.exited) }()
		}
	}
}

// halfSent sends a request whose body lacks its last byte, or all but the first kilobyte of a longer one. It returns when the service
// is reading the body.
func halfSent(t *testing.T, r *replica, target, header, body string) *wire {
	t.Helper()
	w := dial(t, r.Chat)
	w.send(fmt.Sprintf("%s HTTP/1.1\r\nHost: localhost\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n",
		target, header, len(body)))
	if got, err := http.ReadResponse(w.in, nil); err != nil || got.StatusCode != http.StatusContinue { //nolint:bodyclose // it has none
		t.Fatalf("the service does not read the body: %v %v", got, err)
	}
	w.send(body[:min(len(body)-1, 1<<10)])
	return w
}

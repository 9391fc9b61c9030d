package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// deployment is a database with its replicas, and what the scenarios of one test share.
type deployment struct {
	url      string
	store    *store.DB
	replicas []*replica
	client   *http.Client

	mu sync.Mutex
	// private are texts that no log may contain; faults are the IDs of requests for which the log may contain an error.
	private []string
	faults  map[string]bool
	sent    []sentRequest
}

func newDeployment(t *testing.T, replicas int, env ...string) *deployment {
	t.Helper()
	d := &deployment{url: storetest.URL(t), client: client(t), faults: map[string]bool{}}
	d.store = storetest.Open(t, d.url)
	for range replicas {
		d.replicas = append(d.replicas, start(t, d.url, append([]string{"LOG_LEVEL=debug"}, env...)...))
	}
	return d
}

func (d *deployment) chat() string { return d.replicas[0].Chat }

// apiCaller is the account of one scenario, with its agent, export and key.
type apiCaller struct {
	storetest.Fixture
	// text is in the caller's messages, and no log may contain it.
	text   string
	expand *strings.Replacer
}

// newCaller opens an account with an agent and an export.
func (d *deployment) newCaller(t *testing.T, o storetest.Options) *apiCaller {
	t.Helper()
	caller := &apiCaller{Fixture: storetest.Seed(t, d.store, o), text: "private-" + uuid.NewString()}
	key := caller.Key.Reveal()
	changed := byte('A')
	if key[20] == changed {
		changed = 'B'
	}
	caller.expand = strings.NewReplacer("{text}", caller.text, "{key}", key, "{cut}", key[:len(key)-1],
		"{changed}", key[:20]+string(changed)+key[21:], "{unknown}", apikey.Mint().Reveal())
	d.keepPrivate(caller.text, key[4:36], caller.Account.Email)
	return caller
}

func (d *deployment) keepPrivate(texts ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.private = append(d.private, texts...)
}

// finish audits the whole database, shuts the replicas down gracefully, and checks their logs.
func (d *deployment) finish(t *testing.T) {
	t.Helper()
	storetest.Audit(t, d.store)
	requests := 0
	for _, r := range d.replicas {
		r.terminate()
		<-r.exited
		if code := r.command.ProcessState.ExitCode(); code != 0 {
			t.Errorf("a replica ended with exit code %d\n%s", code, r.log.String())
		}
		requests += d.checkLog(t, r.log.String())
	}
	if requests == 0 {
		t.Error("the logs contain no request")
	}
	d.checkRequests(t)
}

// checkLog checks a replica's log and returns the number of requests in it.
func (d *deployment) checkLog(t *testing.T, log string) (requests int) {
	t.Helper()
	if apikey.HasShape(log) {
		t.Error("a log contains something that looks like a key")
	}
	for _, text := range d.private {
		if strings.Contains(log, text) {
			t.Errorf("a log contains %q: a part of a key, a message or an email address", text)
		}
	}
	for line := range strings.Lines(log) {
		var entry struct {
			Level, Msg string
			RequestID  string `json:"request_id"`
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Errorf("a line of the log is not JSON: %s", line)
		}
		if entry.Msg == "request" {
			requests++
		}
		if entry.Level == "ERROR" && !d.faults[entry.RequestID] {
			t.Errorf("the log contains an error: %s", line)
		}
	}
	return requests
}

// figures are what a request may change in one account.
type figures struct{ Balance, Held, Entries, Pending, Answered, Failed, Conversations int64 }

func (d *deployment) figures(t *testing.T, caller *apiCaller) figures {
	t.Helper()
	var b figures
	err := d.store.SQL().QueryRowContext(t.Context(), `
		SELECT a.credit_balance, a.credits_held, (SELECT count(*) FROM credit_entries WHERE account_id = a.id),
		       count(t.id) FILTER (WHERE t.state = 'PENDING'), count(t.id) FILTER (WHERE t.state = 'ANSWERED'),
		       count(t.id) FILTER (WHERE t.state = 'FAILED'), (SELECT count(*) FROM conversations WHERE account_id = a.id)
		FROM accounts a LEFT JOIN turns t ON t.account_id = a.id WHERE a.id = $1 GROUP BY a.id`, caller.Account.ID).
		Scan(&b.Balance, &b.Held, &b.Entries, &b.Pending, &b.Answered, &b.Failed, &b.Conversations)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// byGo marks an error of net/http itself, in plain text, before any code of the service runs.
const byGo = "[go]"

// scenario is one request and the expected result. In raw, header and body, {key} is replaced by the caller's key, {text} by
// its private text, and so on, see newCaller.
type scenario struct {
	name    string
	options storetest.Options
	// raw is the request byte for byte, for a socket; {length} is replaced by its body's length. half closes the sending side after it.
	raw  string
	half bool
	// Without raw, an HTTP client posts body. header holds pairs of names and values that replace the usual headers; an empty value removes
	// a header.
	body   string
	header []string

	status int
	// code is the error's code; "" for a reply, byGo for an error of net/http.
	code string
	// details are the error's details.
	details map[string]any
	// closed means that the connection ends after the response; failed, that a failed turn is stored.
	closed, failed bool
}

// run runs all scenarios in parallel, each with its own caller.
func (d *deployment) run(t *testing.T, scenarios []scenario) {
	t.Helper()
	t.Run("cases", func(t *testing.T) {
		for _, s := range scenarios {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				caller := d.newCaller(t, s.options)
				before := d.figures(t, caller)
				got := d.send(t, caller, s)
				d.checkAnswer(t, caller, s, got)
				d.remember(caller, s, got)
				d.checkFigures(t, caller, s, before, got)
			})
		}
	})
}

func (d *deployment) send(t *testing.T, caller *apiCaller, s scenario) answer {
	t.Helper()
	if s.raw == "" {
		return d.post(t, d.chat(), caller, caller.expand.Replace(s.body), s.header...)
	}
	w := dial(t, d.chat())
	w.send(caller.fill(s.raw))
	if s.half {
		w.closeWrite()
	}
	method, _, _ := strings.Cut(s.raw, " ")
	got := w.receive(method)
	if s.closed {
		w.wantClosed()
	}
	return got
}

// post sends a request with an HTTP client.
func (d *deployment) post(t *testing.T, url string, caller *apiCaller, body string, header ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+caller.Key.Reveal())
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Del(header[i])
		if header[i+1] != "" {
			req.Header.Set(header[i], caller.expand.Replace(header[i+1]))
		}
	}
	resp, err := d.client.Do(req) //nolint:bodyclose // readAnswer closes it
	if err != nil {
		t.Fatal(err)
	}
	return readAnswer(t, resp)
}

// stream sends a message with a streamed reply and reads the whole stream.
func (d *deployment) stream(t *testing.T, chat string, caller *apiCaller, message string) answer {
	t.Helper()
	resp, lines, err := openStream(t.Context(), d.client, chat, caller.Key.Reveal(), message)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return readAnswer(t, resp)
	}
	whole, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	return answer{Status: resp.StatusCode, Header: resp.Header, Body: whole}
}

func readAnswer(t *testing.T, resp *http.Response) answer {
	t.Helper()
	defer func() { _ = resp.Body.Close() }()
	got := answer{Status: resp.StatusCode, Header: resp.Header}
	var err error
	got.Body, err = io.ReadAll(resp.Body)
	if err != nil && (resp.ContentLength >= 0 || !errors.Is(err, syscall.ECONNRESET)) {
		t.Fatalf("the response is broken: %v", err) // net/http's own errors have no length and may end with a reset
	}
	if resp.Header.Get("Content-Type") == "application/json" && len(got.Body) > 0 {
		if err := json.Unmarshal(got.Body, &got); err != nil {
			t.Fatalf("the response is not JSON: %v: %s", err, got.Body)
		}
	}
	return got
}

// fill replaces the placeholders in a raw request, and its length.
func (caller *apiCaller) fill(raw string) string {
	raw = caller.expand.Replace(raw)
	_, body, found := strings.Cut(raw, "\r\n\r\n")
	if !found {
		_, body, _ = strings.Cut(raw, "\n\n")
	}
	return strings.Replace(raw, "{length}", strconv.Itoa(len(body)), 1)
}

// checkFigures checks that a reply made one turn and one charge, and that a replay or an error made none.
func (d *deployment) checkFigures(t *testing.T, caller *apiCaller, s scenario, before figures, got answer) {
	t.Helper()
	want := before
	if got.Status == http.StatusOK && got.Header.Get("Idempotent-Replayed") == "" {
		want.Balance -= got.Usage.Credits
		want.Entries++
		want.Answered++
		want.Conversations++
	}
	if s.failed {
		want.Failed++
		want.Conversations++
	}
	if after := d.figures(t, caller); after != want {
		t.Errorf("the figures after the response are %+v, want %+v", after, want)
	}
	if got.Status == http.StatusOK && got.Usage.CreditsRemaining != want.Balance {
		t.Errorf("credits_remaining is %d, the balance %d", got.Usage.CreditsRemaining, want.Balance)
	}
}

// excerpt keeps the output of a failing test readable.
func excerpt(body []byte) string { return fmt.Sprintf("%.400q", body) }

// variants makes one scenario per text. They differ in the name and in what vary sets.
func variants(base scenario, texts []string, vary func(s *scenario, text string)) []scenario {
	out := make([]scenario, 0, len(texts))
	for i, text := range texts {
		s := base
		s.name = fmt.Sprintf("%s: %d %.30q", base.name, i, text)
		vary(&s, text)
		out = append(out, s)
	}
	return out
}

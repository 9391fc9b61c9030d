package download_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/auth"
	"agentchat/internal/download"
	"agentchat/internal/httpapi"
	"agentchat/internal/identity"
	"agentchat/internal/memory"
	"agentchat/internal/store"
	"agentchat/internal/store/dataexport"
	"agentchat/internal/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// bench is the handler with an account and a sign-in of its owner.
type bench struct {
	*testing.T
	*httptest.Server
	store    *store.DB
	identity *identity.Service
	tokens   *auth.Tokens
	account  storetest.Fixture
	signIn   uuid.UUID
	mu       sync.Mutex
	log      bytes.Buffer
	// ended receives the record of each request.
	ended chan httpapi.AccessRecord
}

// Write appends to the log.
func (b *bench) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.log.Write(p)
}

func newBench(t *testing.T, budget *memory.Budget) *bench {
	t.Helper()
	s := storetest.New(t)
	tokens, err := auth.NewTokens([]byte("a signing secret of 32 bytes or more"))
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, store: s, tokens: tokens, account: storetest.Seed(t, s, storetest.Options{Credits: 100}),
		ended: make(chan httpapi.AccessRecord, 100)}
	b.signIn = storetest.SignIn(t, s, b.account.Account.OwnerID)
	b.identity = identity.New(identity.Config{Store: s, Hasher: auth.NewHasher(), Tokens: tokens})
	b.Server = httptest.NewUnstartedServer(download.NewHandler(download.Config{Store: s.Panel(), Identity: b.identity,
		Logger: slog.New(slog.NewJSONHandler(b, nil)), Observe: func(a httpapi.AccessRecord) { b.ended <- a }, Memory: budget}))
	b.Config.ErrorLog = log.New(io.Discard, "", 0)
	b.Start()
	t.Cleanup(b.Close)
	return b
}

// token returns the token of a new link of the owner.
func (b *bench) token() string {
	b.Helper()
	token, _, err := b.identity.NewDownload(b.Context(), auth.Principal{AccountID: b.account.Account.ID,
		UserID: b.account.Account.OwnerID, SignInID: b.signIn})
	if err != nil {
		b.Fatal(err)
	}
	return token
}

// reply is a response whose body is closed at the end of the test, or before.
type reply struct {
	status int
	header http.Header
	body   io.ReadCloser
}

func (b *bench) do(method, token string) reply {
	b.Helper()
	req, err := http.NewRequestWithContext(b.Context(), method, download.Link(b.URL, token), http.NoBody)
	if err != nil {
		b.Fatal(err)
	}
	resp, err := b.Client().Do(req)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = resp.Body.Close() })
	return reply{resp.StatusCode, resp.Header, resp.Body}
}

// refused sends a request and returns its status with the code of its error.
func (b *bench) refused(method, token string) string {
	b.Helper()
	resp := b.do(method, token)
	var body httpapi.ErrorBody
	if err := json.NewDecoder(resp.body).Decode(&body); err != nil && method != http.MethodHead {
		b.Errorf("the error is not JSON: %v", err)
	}
	return fmt.Sprint(resp.status, " ", body.Error.Code)
}

// lines reads lines until an error.
func lines(from io.Reader) (out []string, err error) {
	scanner := bufio.NewScanner(from)
	scanner.Buffer(nil, 64<<20)
	for scanner.Scan() {
		out = append(out, scanner.Text())
	}
	return out, scanner.Err()
}

// fill adds a conversation with more text than the connection buffers.
func (b *bench) fill() {
	b.Helper()
	storetest.Exec(b.T, b.store, `INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
		VALUES ($1, $1, $2, 'API', 's', 30)`, b.account.Account.ID, b.account.Agent.ID)
	storetest.Exec(b.T, b.store, `INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, model, price, request_id, deadline)
		SELECT gen_random_uuid(), $1, $2, $1, 'API', n, 'ANSWERED', repeat('x', 1 << 20), 'm', 1, 'r', now() FROM generate_series(1, 30) n`,
		b.account.Account.ID, b.account.Agent.ID)
}

// TestDownload tests that a file is the account's export without the sign-ins of other members, and
// ends with its number of lines. The link is in no log.
func TestDownload(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	other := storetest.Seed(t, b.store, storetest.Options{})
	storetest.Exec(t, b.store, `INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'OWNER')`,
		b.account.Account.ID, other.Account.OwnerID)
	foreign := storetest.SignIn(t, b.store, other.Account.OwnerID)
	storetest.AnswerInPlayground(t, b.store, b.account, "session")
	var want []string
	err := dataexport.On(b.store).ExportAccount(t.Context(), b.account.Account.ID, nil, func(line json.RawMessage) error {
		want = append(want, string(line))
		return nil
	})
	all := len(want)
	want = slices.DeleteFunc(want, func(line string) bool {
		return strings.HasPrefix(line, `{"type":"sign_in","id":"`+foreign.String())
	})
	if err != nil || len(want) != all-1 {
		t.Fatalf("the export has %d lines, %d without the other sign-in: %v", all, len(want), err)
	}
	want = append(want, fmt.Sprintf(`{"type":"end","lines":%d}`, len(want)))
	token := b.token()
	head := b.do(http.MethodHead, token)
	resp := b.do(http.MethodGet, token)
	if got, err := lines(resp.body); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v: got\n%s\nwant\n%s", err, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for name, value := range map[string]string{"Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
		"Content-Type": "application/x-ndjson", "X-Content-Type-Options": "nosniff",
		"Content-Disposition": `attachment; filename="agentchat-` + b.account.Account.ID.String() + `.jsonl"`} {
		if resp.header.Get(name) != value || head.header.Get(name) != value || head.status != http.StatusOK {
			t.Errorf("%s is %q, and of HEAD %d %q", name, resp.header.Get(name), head.status, head.header.Get(name))
		}
	}
	for range 2 {
		<-b.ended
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if text := b.log.String(); strings.Contains(text, token[:20]) || strings.Count(text, `"route":"/download/account","status":200`) != 2 ||
		!strings.Contains(text, b.account.Account.ID.String()) {
		t.Errorf("the log: %s", text)
	}
}

// TestDownloadIsRefused tests that a link works for a minute, while its sign-in is an owner's.
func TestDownloadIsRefused(t *testing.T) {
	t.Parallel()
	const refused = "403 forbidden"
	for name, change := range map[string]string{
		"a demoted owner":       `UPDATE memberships SET role = 'EDITOR'`,
		"a removed owner":       `DELETE FROM memberships`,
		"an ended sign-in":      `UPDATE sign_ins SET ended_at = now()`,
		"a suspended account":   `UPDATE accounts SET state = 'SUSPENDED'`,
		"a deleted account":     `UPDATE accounts SET state = 'DELETED'`,
		"a required 2FA":        `UPDATE accounts SET require_second_factor = true`,
		"a sign-in that is old": `UPDATE sign_ins SET renew_before = now()`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil)
			token := b.token()
			storetest.Exec(t, b.store, change)
			if got := b.refused(http.MethodGet, token); got != refused {
				t.Errorf("%s, want %s", got, refused)
			}
		})
	}
	t.Run("a token", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, memory.Bytes(1<<20))
		_, expires, err := b.identity.NewDownload(t.Context(), auth.Principal{AccountID: b.account.Account.ID})
		if left := time.Until(expires); err != nil || left > time.Minute || left < 50*time.Second {
			t.Errorf("a link works for %s, %v", left, err)
		}
		mint := func(signIn uuid.UUID, left time.Duration) string {
			return b.tokens.MintDownload(auth.Download{AccountID: b.account.Account.ID, UserID: b.account.Account.OwnerID,
				SignInID: signIn, ExpiresAt: time.Now().Add(left)})
		}
		for name, c := range map[string]struct{ method, token, want string }{
			"none":              {http.MethodGet, "", refused},
			"no token":          {http.MethodGet, "x", refused},
			"expired":           {http.MethodGet, mint(b.signIn, 0), refused},
			"of another user":   {http.MethodGet, mint(uuid.New(), time.Minute), refused},
			"by POST":           {http.MethodPost, b.token(), "405 method_not_allowed"},
			"without memory":    {http.MethodGet, b.token(), "503 unavailable"},
			"expired, for HEAD": {http.MethodHead, mint(b.signIn, 0), "403 "},
		} {
			if got := b.refused(c.method, c.token); got != c.want {
				t.Errorf("%s: %s, want %s", name, got, c.want)
			}
		}
	})
}

// TestDownloadIsCut tests that a download whose owner is demoted is cut, without its last line, and
// that another one of the account waits for its end.
func TestDownloadIsCut(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.fill()
	token := b.token()
	first := b.do(http.MethodGet, token) // its client reads nothing yet
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		if got := b.refused(method, token); !strings.HasPrefix(got, "429 ") {
			t.Errorf("%s meanwhile: %s", method, got)
		}
		<-b.ended
	}
	storetest.Exec(t, b.store, `UPDATE memberships SET role = 'VIEWER'`)
	if got, err := lines(first.body); err == nil || len(got) == 0 || strings.Contains(got[len(got)-1], `"end"`) {
		t.Errorf("%d lines, %v", len(got), err)
	}
	if record := <-b.ended; record.Code != "forbidden" || record.Status != http.StatusOK {
		t.Errorf("recorded %+v", record)
	}
	storetest.Exec(t, b.store, `UPDATE memberships SET role = 'OWNER'`)
	second := b.do(http.MethodGet, token)
	_ = second.body.Close() // a client that leaves
	<-b.ended
	third, err := lines(b.do(http.MethodGet, token).body)
	if err != nil || !strings.Contains(third[len(third)-1], `"end"`) {
		t.Errorf("after their ends: %d lines, %v", len(third), err)
	}
}

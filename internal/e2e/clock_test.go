package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/auth"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// wrongClock returns the path of a program whose wall clock is off by CLOCK_OFFSET, such as 10m or -10m. A build overlay changes
// package time, because Go reads the clock without the C library and nothing outside the program could change it. The whole program
// is compiled for this, which takes minutes the first time.
var wrongClock = sync.OnceValues(func() (string, error) {
	dir := filepath.Dir(binary)
	original := filepath.Join(runtime.GOROOT(), "src", "time", "time.go") //nolint:staticcheck // these tests run where they are built
	text, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	const now = "func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n"
	if strings.Count(string(text), now) != 1 {
		return "", fmt.Errorf("%s does not contain the Now that this test changes", original)
	}
	changed := filepath.Join(dir, "time.go")
	added := filepath.Join(dir, "offset.go")
	if err := os.WriteFile(changed, []byte(strings.Replace(string(text), now, now+"\tsec += wallOffset\n", 1)), 0o600); err != nil {
		return "", err
	}
	if err := os.WriteFile(added, []byte(`package time

import "syscall"

var wallOffset = readWallOffset()

func readWallOffset() int64 {
	text, _ := syscall.Getenv("CLOCK_OFFSET")
	offset, _ := ParseDuration(text)
	return int64(offset / Second)
}
`), 0o600); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		original: changed, filepath.Join(filepath.Dir(original), "agentchat_offset.go"): added}})
	if err != nil {
		return "", err
	}
	config, path := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "agentchat-wrong-clock")
	if err := os.WriteFile(config, overlay, 0o600); err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-trimpath", "-overlay", config, "-o", path, "agentchat/cmd/agentchat")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

// clocks is two replicas, of which the first has a wrong clock.
type clocks struct {
	*pair
	off  time.Duration
	http *http.Client
}

// TestClockSkewOnOneReplica: a replica whose clock is ten minutes ahead or behind charges the same prices, answers in the same order,
// ends holds at the right time, and accepts the other replica's access tokens and vice versa.
func TestClockSkewOnOneReplica(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	program, err := wrongClock()
	if err != nil {
		t.Fatal(err)
	}
	for _, off := range []time.Duration{10 * time.Minute, -10 * time.Minute} {
		t.Run(off.String(), func(t *testing.T) {
			env := []string{"MODEL_TIMEOUT=2s", "HOLD_GRACE=1s", "REAP_INTERVAL=50ms"}
			c := &clocks{pair: &pair{url: storetest.URL(t)}, off: off, http: client(t)}
			c.store = storetest.Open(t, c.url)
			auditing(t, c.store)
			c.replicas[0] = startProgram(t, program, c.url, append(env, "CLOCK_OFFSET="+off.String())...)
			c.replicas[1] = start(t, c.url, env...)
			c.expectOff(t)
			c.expectOrder(t)
			c.expectHolds(t)
			c.expectTimes(t)
			c.expectSignIns(t)
			storetest.Audit(t, c.store)
		})
	}
}

// expectOff checks by the times in the log that the clock is really off.
func (c *clocks) expectOff(t *testing.T) {
	t.Helper()
	line, _, _ := strings.Cut(c.replicas[0].log.String(), "\n")
	var entry struct{ Time time.Time }
	if err := json.Unmarshal([]byte(line), &entry); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	if off := time.Until(entry.Time); (off - c.off).Abs() > time.Minute {
		t.Fatalf("the clock is off by %v, want %v", off, c.off)
	}
}

// expectOrder sends 50 concurrent messages to one session over both replicas, for one credit each.
func (c *clocks) expectOrder(t *testing.T) {
	t.Helper()
	const messages = 50
	for range 5 {
		f := storetest.Seed(t, c.store, storetest.Options{Credits: messages})
		var mu sync.Mutex
		asked, before := map[int]string{}, map[int]string{}
		counts := parallel(messages, messages, func(i int) string {
			message := fmt.Sprint("message ", i)
			got, err := ask(t.Context(), c.http, c.chat(i), f.Key.Reveal(), "s", message)
			if err != nil {
				return err.Error()
			}
			mu.Lock()
			defer mu.Unlock()
			number := numberIn(turnPattern, got.Reply)
			asked[number] = message
			if m := beforePattern.FindStringSubmatch(got.Reply); m != nil {
				before[number] = m[1]
			}
			return got.outcome()
		})
		if balance, held := c.creditsOf(t, f); counts["200"] != messages || balance != 0 || held != 0 {
			t.Errorf("%v, balance %d, held %d", counts, balance, held)
		}
		for number := 1; number <= messages; number++ {
			if asked[number] == "" || before[number] != asked[number-1] {
				t.Errorf("turn %d is %q and follows %q, want %q", number, asked[number], before[number], asked[number-1])
			}
		}
	}
}

func (c *clocks) creditsOf(t *testing.T, f storetest.Fixture) (balance, held int64) {
	t.Helper()
	a, err := accounts.On(c.store).Account(t.Context(), f.Account.ID)
	if err != nil {
		t.Fatal(err)
	}
	return a.CreditBalance, a.CreditsHeld
}

// expectHolds sends a slow message to each replica while both look for expired holds, and checks that deadlines use the database's
// time. A rate limit of one per minute applies across both.
func (c *clocks) expectHolds(t *testing.T) {
	t.Helper()
	for i := range c.replicas {
		f := storetest.Seed(t, c.store, storetest.Options{})
		got, err := ask(t.Context(), c.http, c.chat(i), f.Key.Reveal(), "", "[[sandbox delay=1500ms]]")
		if balance, held := c.creditsOf(t, f); err != nil || got.Status != http.StatusOK || balance != 99 || held != 0 {
			t.Errorf("replica %d, slow message: %s %v, balance %d, held %d", i, got.outcome(), err, balance, held)
		}
		one := storetest.Seed(t, c.store, storetest.Options{RatePerMinute: 1})
		for n, want := range []string{"200", "rate_limited"} {
			if got, err := ask(t.Context(), c.http, c.chat(i+n), one.Key.Reveal(), "", "hello"); err != nil || got.outcome() != want {
				t.Errorf("message %d at one per minute: %s %v, want %s", n+1, got.outcome(), err, want)
			}
		}
	}
	var wrong int
	if err := c.store.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM turns
		WHERE abs(extract(epoch FROM deadline - created_at) - 3) > 1`).Scan(&wrong); err != nil || wrong != 0 {
		t.Errorf("%d holds are not 3 s long, %v", wrong, err)
	}
}

// expectTimes checks that every stored time is the database's.
func (c *clocks) expectTimes(t *testing.T) {
	t.Helper()
	for i := range c.replicas {
		f := storetest.Seed(t, c.store, storetest.Options{})
		if got, err := ask(t.Context(), c.http, c.chat(i), f.Key.Reveal(), "", "hello"); err != nil || got.Status != http.StatusOK {
			t.Errorf("replica %d: %s %v", i, got.outcome(), err)
		}
		eventually(t, "the key's last use", func() bool {
			var known bool
			err := c.store.SQL().QueryRowContext(t.Context(), `SELECT last_used_at IS NOT NULL FROM api_keys WHERE id = $1`, f.KeyID).Scan(&known)
			return err == nil && known
		})
	}
	for _, column := range []string{"turns.created_at", "turns.settled_at", "credit_entries.created_at", "conversations.last_turn_at",
		"api_keys.last_used_at", "accounts.created_at"} {
		table, name, _ := strings.Cut(column, ".")
		var wrong int
		if err := c.store.SQL().QueryRowContext(t.Context(), fmt.Sprintf(
			`SELECT count(*) FROM %s WHERE abs(extract(epoch FROM clock_timestamp() - %s)) > 300`, table, name)).Scan(&wrong); err != nil ||
			wrong > 0 {
			t.Errorf("%d values of %s are not the database's time, %v", wrong, column, err)
		}
	}
}

// expectSignIns signs in on each replica and uses the other. Both reject a sign-in that has ended.
func (c *clocks) expectSignIns(t *testing.T) {
	t.Helper()
	for i := range c.replicas {
		b := newBrowser(t)
		b.signedUp(c.replicas[i], uuid.NewString()+"@example.com", ownersPassword)
		for _, r := range c.replicas {
			b.must(r, viewerQuery, nil)
		}
		b.must(c.replicas[1-i], renewQuery, nil)
		c.expectTokens(t, b)
		c.expectExpiry(t, b)
	}
}

// expectTokens sends access tokens that have just expired or are issued in the future to both replicas. A replica that used its own
// clock, ten minutes off, would accept one of them.
func (c *clocks) expectTokens(t *testing.T, b *browser) {
	t.Helper()
	tokens, err := auth.NewTokens([]byte(testJWTSecret))
	if err != nil {
		t.Fatal(err)
	}
	own, err := tokens.ReadAccess(b.Token)
	if err != nil {
		t.Fatal(err)
	}
	for after, want := range map[time.Duration]string{
		0: "ok", time.Minute - auth.AccessLifetime: "ok",
		-time.Minute - auth.AccessLifetime: "UNAUTHENTICATED", 2 * time.Minute: "UNAUTHENTICATED",
	} {
		made := newBrowser(t)
		made.Token, _ = tokens.IssueAccess(own.UserID(), own.SignInID(), time.Now().Add(after))
		for i, r := range c.replicas {
			if got, err := made.do(r, viewerQuery, nil); err != nil || got.code() != want {
				t.Errorf("replica %d, token issued %v ago: %v %s, want %s", i, -after, err, got.Raw, want)
			}
		}
	}
}

// expectExpiry lets the sign-in expire by the database's clock, and checks that neither replica accepts its tokens.
func (c *clocks) expectExpiry(t *testing.T, b *browser) {
	t.Helper()
	if _, err := c.store.SQL().ExecContext(t.Context(), `UPDATE sign_ins SET expires_at = statement_timestamp(), renew_before = statement_timestamp()
		WHERE ended_at IS NULL`); err != nil {
		t.Fatal(err)
	}
	for _, r := range c.replicas {
		for _, query := range []string{viewerQuery, renewQuery} {
			if got, err := b.do(r, query, nil); err != nil || got.code() != "UNAUTHENTICATED" {
				t.Errorf("after the sign-in expired: %s: %v %s", query, err, got.Raw)
			}
		}
	}
}

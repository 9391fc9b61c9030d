package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/auth"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// wrongClock returns the path of a program whose wall clock is off by CLOCK_OFFSET, such as 1h or
// -1h. Go reads the clock without the C library, so a build overlay changes package time. This
// compiles the whole program, which takes minutes the first time.
var wrongClock = sync.OnceValues(func() (string, error) {
	dir := filepath.Dir(binary)
	//nolint:staticcheck // these tests run where they are built
	original := filepath.Join(runtime.GOROOT(), "src", "time", "time.go")
	text, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	changed := string(text)
	for old, next := range map[string]string{
		"import (\n": "import (\n\t\"syscall\"\n",
		"func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n": `
var wallOffset = func() int64 {
	text, _ := syscall.Getenv("CLOCK_OFFSET")
	offset, _ := ParseDuration(text)
	return int64(offset / Second)
}()

func Now() Time {
	sec, nsec, mono := runtimeNow()
	sec += wallOffset
`,
	} {
		if strings.Count(changed, old) != 1 {
			return "", fmt.Errorf("%s does not contain the text that this test changes: %s", original, old)
		}
		changed = strings.Replace(changed, old, next, 1)
	}
	patched, overlay := filepath.Join(dir, "time.go"), filepath.Join(dir, "overlay.json")
	config, err := json.Marshal(map[string]any{"Replace": map[string]string{original: patched}})
	err = errors.Join(err, os.WriteFile(patched, []byte(changed), 0o600),
		os.WriteFile(overlay, config, 0o600))
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "agentchat-wrong-clock")
	build(".", path, "-overlay", overlay)
	return path, nil
})

// TestClockSkewOnOneReplica: a replica whose clock is an hour ahead or behind charges the same prices,
// answers in the same order, ends holds at the right time, takes no replica for dead, and accepts and
// rejects the same access tokens as another replica.
func TestClockSkewOnOneReplica(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	program, err := wrongClock()
	if err != nil {
		t.Fatal(err)
	}
	for _, off := range []time.Duration{time.Hour, -time.Hour} {
		t.Run(off.String(), func(t *testing.T) {
			c := &cluster{url: storetest.URL(t)}
			c.store = storetest.Open(t, c.url)
			auditing(t, c.store)
			skewed := append([]string{"CLOCK_OFFSET=" + off.String()}, shortDeadlines...)
			c.replicas = []*replica{
				startProgram(t, program, c.url, skewed...),
				start(t, c.url, shortDeadlines...),
			}
			line, _, _ := strings.Cut(c.replicas[0].log.String(), "\n")
			var entry struct{ Time time.Time }
			if err := json.Unmarshal([]byte(line), &entry); err != nil {
				t.Fatalf("%v in %s", err, line)
			}
			if got := time.Until(entry.Time); (got - off).Abs() > time.Minute {
				t.Fatalf("the clock is off by %v, want %v", got, off)
			}
			l := newLoad(t, c.store, c.replicas...)
			l.begin(8)
			l.more(200)
			l.end()
			l.verdict()
			c.expectDatabaseTimes(t)
			c.expectTokens(t)
			c.expectNoneReleased(t)
		})
	}
}

// expectDatabaseTimes checks a slow message and a rate limit over both replicas, and that every
// stored time is the database's.
func (c *cluster) expectDatabaseTimes(t *testing.T) {
	t.Helper()
	hc := client(t)
	for i := range c.replicas {
		slow := storetest.Seed(t, c.store, storetest.Options{})
		got, err := ask(t.Context(), hc, c.chat(i), slow.Key.Reveal(), "", "[[sandbox delay=800ms]]")
		balance, held := creditsOf(t, c.store, slow)
		if outcome := outcomeOf(got, err); outcome != "200" || balance != 99 || held != 0 {
			t.Errorf("replica %d, a slow message: %s, balance %d, held %d", i, outcome, balance, held)
		}
		limited := storetest.Seed(t, c.store, storetest.Options{RatePerMinute: 1})
		for n, want := range []string{"200", "rate_limited"} {
			got, err := ask(t.Context(), hc, c.chat(i+n), limited.Key.Reveal(), "", "hello")
			if outcome := outcomeOf(got, err); outcome != want {
				t.Errorf("message %d at one per minute: %s, want %s", n+1, outcome, want)
			}
		}
		eventually(t, "the key's last use", func() (known bool) {
			readRow(t, c.store, `SELECT last_used_at IS NOT NULL FROM api_keys WHERE id = $1`,
				[]any{slow.KeyID}, &known)
			return known
		})
	}
	for _, column := range []string{
		"turns.created_at", "turns.settled_at", "turns.deadline", "credit_entries.created_at",
		"conversations.last_turn_at", "api_keys.last_used_at", "accounts.created_at",
	} {
		table, name, _ := strings.Cut(column, ".")
		var wrong int
		readRow(t, c.store, fmt.Sprintf(`SELECT count(*) FROM %s
			WHERE abs(extract(epoch FROM clock_timestamp() - %s)) > 300`, table, name), nil, &wrong)
		if wrong > 0 {
			t.Errorf("%d values of %s are not the database's time", wrong, column)
		}
	}
}

// expectTokens signs in on each replica and uses the other one. A replica that used its own clock
// would accept an access token that has expired or that is issued in the future.
func (c *cluster) expectTokens(t *testing.T) {
	t.Helper()
	tokens, err := auth.NewTokens([]byte(testJWTSecret))
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.replicas {
		b := newBrowser(t)
		b.signedUp(c.replicas[i], uuid.NewString()+"@example.com", ownersPassword)
		b.must(c.replicas[1-i], renewQuery, nil)
		own, err := tokens.ReadAccess(b.Token)
		if err != nil {
			t.Fatal(err)
		}
		for after, want := range map[time.Duration]string{
			0:                                  "ok",
			time.Minute - auth.AccessLifetime:  "ok",
			-time.Minute - auth.AccessLifetime: "UNAUTHENTICATED",
			2 * time.Minute:                    "UNAUTHENTICATED",
		} {
			made := newBrowser(t)
			issued := time.Now().Add(after)
			made.Token, _ = tokens.IssueAccess(own.UserID(), own.SignInID(), issued)
			for n, r := range c.replicas {
				if got, err := made.do(r, viewerQuery, nil); err != nil || got.code() != want {
					t.Errorf("replica %d, a token issued %v ago: %v %s, want %s", n, -after, err, got.Raw,
						want)
				}
			}
		}
	}
}

package e2e_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/faults"
	"agentchat/internal/store/storetest"
)

// TestOnePasswordOnManyAccounts: of the sign-ins of one network to made-up accounts, over both replicas, 30 are looked at. Its owners
// can still sign in from a known browser, and everybody else from any.
func TestOnePasswordOnManyAccounts(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "N8")
	const allowed, workers = 30, 50
	p := newPair(t, behindProxy)
	t.audit(p.store)
	guesses := 200
	if faults.Full() {
		guesses = 10_000
	}
	for round := range faults.Times(1, 3) {
		network := func(i int) []string { return []string{"X-Forwarded-For", fmt.Sprintf("203.0.%d.%d", round, i%250)} }
		email := uuid.NewString() + "@example.com"
		owner := newBrowser(tt, network(251)...)
		owner.signedUp(p.replicas[0], email, ownersPassword)
		crowd := make([]*browser, workers)
		for i := range crowd {
			crowd[i] = newBrowser(tt, network(i)...)
		}
		counts := parallel(workers, guesses, func(i int) string {
			guesser := *crowd[i%workers]
			got, err := guesser.signIn(p.replicas[i%2], signInQuery, fmt.Sprintf("%d-%s", i, email), "Summer2026!")
			if err != nil {
				return err.Error()
			}
			return got.code()
		})
		if counts["INVALID_CREDENTIALS"] != allowed || counts["RATE_LIMITED"] != guesses-allowed {
			t.Errorf("%v, want %d INVALID_CREDENTIALS and the rest RATE_LIMITED", counts, allowed)
		}
		for who, c := range map[string]struct {
			from *browser
			want string
		}{
			"the owner on a known browser":  {owner, "ok"},
			"the owner on a new one there":  {newBrowser(tt, network(252)...), "RATE_LIMITED"},
			"the owner in the next network": {newBrowser(tt, from(round)...), "ok"},
		} {
			if got, err := c.from.signIn(p.replicas[round%2], signInQuery, email, ownersPassword); err != nil || got.code() != c.want {
				t.Errorf("%s: %v %s, want %s", who, err, got.Raw, c.want)
			}
		}
		t.ran(guesses)
		t.measured("of %d guesses of one network %d were looked at", guesses, counts["INVALID_CREDENTIALS"])
	}
}

// cpu is what the replica has spent of the processors' time, in ticks. It skips the test on a system without /proc.
func (r *replica) cpu(t testing.TB) int {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", r.command.Process.Pid))
	if err != nil {
		t.Skip("this system has no /proc: the CPU time is unknown")
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // the program's name may have spaces
	ticks := 0
	for _, field := range strings.Fields(rest)[11:13] {
		n, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		ticks += n
	}
	return ticks
}

// TestDistinctDocuments: a document of 8 KB without a token costs no more than a small one, and with a token a few times as much.
func TestDistinctDocuments(tt *testing.T) {
	faults.Heavy(tt) // it compares times
	t := newRow(tt, "N11")
	const mostTimes = 10
	documents := 1000 * faults.Times(2, 10)
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	r := start(t, url)
	owner := newBrowser(tt)
	owner.signedUp(r, uuid.NewString()+"@example.com", ownersPassword)
	t.audit(s)
	cost := func(connections int, token, want string, query func(i int) string) float64 {
		before := r.cpu(t)
		counts := parallel(connections, documents, func(i int) string {
			got, err := (&browser{t: tt, http: owner.http, Token: token, header: owner.header}).do(r, query(i), nil)
			if err != nil {
				return err.Error()
			}
			return got.code()
		})
		if counts[want] != documents {
			t.Errorf("%v, want %s", counts, want)
		}
		t.ran(documents)
		return float64(r.cpu(t)-before) / float64(documents)
	}
	large := func(i int) string {
		return fmt.Sprintf("query Q%d { viewer { ... { %s} } } # %s", i, strings.Repeat("id ", 900), strings.Repeat("x", 5300))
	}
	small := cost(8, owner.Token, "ok", func(i int) string { return fmt.Sprintf("query Q%d { viewer { id } }", i) })
	public := cost(128, "", "UNAUTHENTICATED", large) // each refusal is delayed by half a second
	signedIn := cost(8, owner.Token, "ok", large)
	if public > small || signedIn > mostTimes*small {
		t.Errorf("8 KB cost %.2f ticks without a token and %.2f with one, a small document %.2f", public, signedIn, small)
	}
	t.measured("CPU of a document of 8 KB, compared with a small one: %.2f without a token, %.1f with one", public/small, signedIn/small)
}

const sendTestQuery = `mutation($input: SendTestMessageInput!) { sendTestMessage(input: $input) { turn { state } } }`

// playground is an owner with an agent to try.
type playground struct {
	*pair
	owner *browser
	agent string
}

func newPlayground(t *faultRow) *playground {
	t.Helper()
	return &playground{pair: newPair(t, behindProxy, "STARTING_CREDITS=1000000")}
}

// another goes on as a new account, from the i-th address: sign-ups are limited by address.
func (p *playground) another(t *faultRow, i int) {
	t.Helper()
	tt, _ := t.TB.(*testing.T)
	p.owner = newBrowser(tt, from(i)...)
	p.owner.signedUp(p.replicas[0], uuid.NewString()+"@example.com", ownersPassword)
	var made struct{ Agent struct{ ID string } }
	p.owner.must(p.replicas[0], createAgent, map[string]any{"name": "Desk", "instructions": "Help.", "model": "sandbox/assistant"}).
		into(p.owner.t, "createAgent", &made)
	p.agent = made.Agent.ID
}

// say sends one message to one of the replicas.
func (p *playground) say(replica int, message string) string {
	guest := *p.owner
	got, err := guest.do(p.replicas[replica%2], sendTestQuery, map[string]any{"agentId": p.agent, "message": message})
	if err != nil {
		return err.Error()
	}
	if got.code() == "RATE_LIMITED" && got.Errors[0].Extensions.RetryAfterSeconds < 1 {
		return "a refusal without a time"
	}
	return got.code()
}

// TestPlaygroundIsLimited: a replica answers 8 test messages of an account at once, and both answer 60 in a minute.
func TestPlaygroundIsLimited(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "N12")
	const atOnce, perMinute = 8, 60
	p := newPlayground(t)
	t.audit(p.store)
	p.another(t, 1)
	crowd := 100
	if faults.Full() {
		crowd = 1000
	}
	first := parallel(crowd, crowd, func(int) string { return p.say(0, "[[sandbox delay=10s]]") })
	if first["ok"] != atOnce || first["RATE_LIMITED"] != crowd-atOnce {
		t.Errorf("at once: %v, want %d times ok and the rest RATE_LIMITED", first, atOnce)
	}
	p.another(t, 2)
	began := time.Now()
	second := parallel(atOnce, 3*perMinute, func(i int) string { return p.say(i, "[[sandbox words=1]]") })
	if time.Since(began) < time.Minute && (second["ok"] != perMinute || second["RATE_LIMITED"] != 2*perMinute) {
		t.Errorf("in a minute: %v, want %d times ok and the rest RATE_LIMITED", second, perMinute)
	}
	t.ran(crowd + 3*perMinute)
	t.measured("of %d at once %v, of %d in a minute over both replicas %v", crowd, first, 3*perMinute, second)
}

// TestFreeTestMessagesAreLimited: at most 10 test messages in a minute call the model and cost nothing, over both replicas.
func TestFreeTestMessagesAreLimited(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "N13")
	const free, tries = 10, 100
	p := newPlayground(t)
	t.audit(p.store)
	for round := range faults.Times(2, 20) {
		p.another(t, round)
		began := time.Now()
		counts := parallel(6, tries, func(i int) string { return p.say(i, "[[sandbox fail=error]]") })
		if time.Since(began) < time.Minute && (counts["ok"] != free || counts["RATE_LIMITED"] != tries-free) {
			t.Errorf("%v, want %d failed turns and the rest RATE_LIMITED", counts, free)
		}
		t.ran(tries)
		t.measured("of %d tries in a row, %v", tries, counts)
	}
}

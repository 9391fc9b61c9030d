package e2e_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentchat/internal/store"
)

const (
	// haBalancer is the address of .ci/ha's HAProxy, and haReplicas the number of replicas behind it.
	haBalancer = "http://127.0.0.1:18080/v1/agent/chat"
	haReplicas = 3
	haCallers  = 10
	// haCut is the time that a machine stays off the network.
	haCut = 40 * time.Second
)

// TestHighAvailability is `make trial-ha`: three replicas behind HAProxy, on a PostgreSQL pair
// under Patroni, through PgBouncer in transaction mode, under a steady load whose clients retry.
// Each failure happens AGENTCHAT_TRIAL_HA times. No answered message may be lost, and none may be
// charged twice. The outages are printed.
func TestHighAvailability(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv("AGENTCHAT_TRIAL_HA"))
	if err != nil {
		t.Skip("make trial-ha runs it")
	}
	cluster := newHACluster(t)
	replicas := make([]*replica, haReplicas)
	for i := range replicas {
		replicas[i] = cluster.serve(t, i)
	}
	s, err := store.Open(t.Context(), store.Config{URL: cluster.direct})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	auditing(t, s)
	l := newLoad(t, s, &replica{Chat: haBalancer})
	l.begin(haCallers)

	failures := []haFailure{
		{"switchover", func() { cluster.do(t, "switchover") }},
		{"PostgreSQL killed", func() { cluster.do(t, "kill-postgres", cluster.primary(t)) }},
		{"machine of the primary dead", func() {
			dead := cluster.primary(t)
			cluster.do(t, "kill-machine", dead)
			eventually(t, "the standby leads", func() bool {
				leader := cluster.tryPrimary()
				return leader != "" && leader != dead
			})
			cluster.do(t, "start-machine", dead)
		}},
		{"primary off the network", func() {
			gone := cluster.primary(t)
			cluster.do(t, "cut", gone)
			<-time.After(haCut)
			cluster.do(t, "heal", gone)
		}},
		{"replica killed", func() {
			i := rand.IntN(haReplicas)
			replicas[i].kill()
			replicas[i] = cluster.serve(t, i)
		}},
	}
	outages := map[string][]time.Duration{}
	for round := range rounds {
		for _, failure := range failures {
			eventually(t, "a primary and a standby", cluster.healthy)
			settle()
			from := time.Now()
			failure.inject()
			eventually(t, "a primary and a standby again", cluster.healthy)
			settle()
			outage := l.outage(from, time.Now())
			outages[failure.name] = append(outages[failure.name], outage)
			t.Logf("round %d, %s: %.1f s without an answer", round+1, failure.name, outage.Seconds())
		}
	}
	l.end()
	for _, failure := range failures {
		all := outages[failure.name]
		slices.Sort(all)
		t.Logf("%s, %d times: median %.1f s, worst %.1f s", failure.name, len(all),
			all[len(all)/2].Seconds(), all[len(all)-1].Seconds())
	}
	l.verdict()
}

// settle runs the load for a calm time.
func settle() { <-time.After(3 * time.Second) }

type haFailure struct {
	name   string
	inject func()
}

// haCluster is the cluster that .ci/ha has started.
type haCluster struct {
	dir string
	// pooled is a URL through PgBouncer. owner and direct are URLs of PostgreSQL itself.
	pooled, owner, direct string
}

func newHACluster(t *testing.T) *haCluster {
	t.Helper()
	//nolint:usetesting // user postgres must enter it
	dir, err := os.MkdirTemp("/var/tmp", "agentchat-ha-")
	if err != nil {
		t.Fatal(err)
	}
	c := &haCluster{dir: dir}
	t.Cleanup(func() {
		c.do(t, "down")
		if !t.Failed() {
			_ = os.RemoveAll(dir)
		}
	})
	urls := strings.Fields(c.do(t, "up"))
	if len(urls) != 3 {
		t.Fatalf("no URLs: %v", urls)
	}
	c.pooled, c.owner, c.direct = urls[0], urls[1], urls[2]
	return c
}

func (c *haCluster) run(args ...string) ([]byte, error) {
	command := exec.Command(filepath.FromSlash("../../.ci/ha"), args...)
	command.Env = append(os.Environ(), "HA_DIR="+c.dir)
	var failure *exec.ExitError
	out, err := command.Output()
	if errors.As(err, &failure) {
		err = fmt.Errorf("%w: %s", err, failure.Stderr)
	}
	return out, err
}

func (c *haCluster) do(t *testing.T, args ...string) string {
	t.Helper()
	out, err := c.run(args...)
	if err != nil {
		t.Fatalf("%v: %v %s (logs in %s)", args, err, out, c.dir)
	}
	return string(out)
}

func (c *haCluster) healthy() bool { _, err := c.run("healthy"); return err == nil }

// tryPrimary returns the number of the primary, or "" while there is no primary.
func (c *haCluster) tryPrimary() string {
	out, _ := c.run("primary")
	return strings.TrimSpace(string(out))
}

func (c *haCluster) primary(t *testing.T) string {
	t.Helper()
	return strings.TrimSpace(c.do(t, "primary"))
}

// serve starts a replica on the ports that HAProxy knows.
func (c *haCluster) serve(t *testing.T, i int) *replica {
	t.Helper()
	return startProgram(t, binary, c.pooled, "MIGRATE_DATABASE_URL="+c.owner,
		"DATABASE_POOLER=transaction", behindProxy, "STARTING_CREDITS=10000000",
		fmt.Sprintf("LISTEN_ADDR=127.0.0.1:%d", 18081+i), fmt.Sprintf("OPS_ADDR=127.0.0.1:%d", 19091+i))
}

package e2e_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2/toxics"

	"agentchat/internal/testlong"
)

// chaos is a load over two replicas on a database, and what breaks it.
type chaos struct {
	*load
	database *crashableDB
	disk     *smallDisk // nil unless the disk is a fault
	random   *rand.Rand
}

// faultUnderLoad is a fault of the services that a load uses.
type faultUnderLoad struct {
	name string
	// inject breaks something, and returns once it is repaired.
	inject func(c *chaos)
}

// faultGroup is a row of TestFaultsUnderLoad: faults of one kind, each injected in every round.
type faultGroup struct {
	name   string
	rounds int
	// recovery is the time after a repair within which new requests must be answered.
	recovery time.Duration
	faults   []faultUnderLoad
	prepare  func(t *testing.T) (*crashableDB, *smallDisk)
}

var faultGroups = []faultGroup{
	{
		name:     "crashes",
		rounds:   5,
		recovery: 5 * time.Second,
		prepare:  onlyDatabase,
		faults: []faultUnderLoad{
			{"the first replica is killed", func(c *chaos) { c.replaceReplica(0, c.database.url) }},
			{"PostgreSQL is killed", killPostgreSQL},
			{"the second replica is killed", func(c *chaos) { c.replaceReplica(1, c.database.url) }},
			{"PostgreSQL is killed again", killPostgreSQL},
		},
	},
	{
		name:     "network",
		rounds:   3,
		recovery: 5 * time.Second,
		prepare:  onlyDatabase,
		faults:   networkFaults(),
	},
	{
		name:     "disk",
		rounds:   4,
		recovery: 30 * time.Second,
		faults:   []faultUnderLoad{{"the disk is full", fillDisk}},
		prepare: func(t *testing.T) (*crashableDB, *smallDisk) {
			t.Helper()
			disk := newSmallDisk(t, 200)
			return newCrashableDBIn(t, disk.dir, map[string]string{
				"max_wal_size":   "64MB",
				"min_wal_size":   "32MB",
				"shared_buffers": "16MB",
			}), disk
		},
	},
}

func onlyDatabase(t *testing.T) (*crashableDB, *smallDisk) {
	t.Helper()
	return newCrashableDB(t, nil), nil
}

func killPostgreSQL(c *chaos) {
	<-time.After(time.Duration(c.random.IntN(300)) * time.Millisecond)
	c.database.kill()
	c.database.start()
}

// fillDisk leaves PostgreSQL without disk space until requests have been refused. PostgreSQL may
// stop because it cannot write its WAL; then an operator restarts it.
func fillDisk(c *chaos) {
	refused, readiness := c.counted("refused"), ""
	eventually(c.t, "requests are refused and /readyz names the full disk", func() bool {
		c.disk.fill(c.t) // again and again: PostgreSQL frees space, such as old WAL files
		if got := c.replicas[0].readiness(); got != "200 ready" {
			readiness = got
		}
		return c.counted("refused") >= refused+4 && readiness == "503 disk_full" ||
			c.database.stopped()
	})
	c.disk.empty(c.t)
	if c.database.stopped() {
		c.database.stop()
		c.database.start()
	}
}

// stopped reports whether the server has stopped by itself.
func (c *crashableDB) stopped() bool {
	select {
	case <-c.server.Done():
		return true
	default:
		return false
	}
}

// loss is a toxic that keeps connections open and discards their data. Toxiproxy's own timeout
// toxic closes the connections when it is removed.
type loss struct{}

func init() { toxics.Register("loss", new(loss)) }

// Pipe discards all data.
func (*loss) Pipe(stub *toxics.ToxicStub) {
	for {
		select {
		case <-stub.Interrupt:
			return
		case chunk := <-stub.Input:
			if chunk == nil {
				stub.Close()
				return
			}
		}
	}
}

// networkFaults returns failures of the network to the database for all connections or for some.
func networkFaults() (faults []faultUnderLoad) {
	for _, f := range []struct{ name, stream, toxic, attributes string }{
		{"responses are lost", "downstream", "loss", `{}`},
		{"connections are cut within a response", "downstream", "limit_data", `{"bytes":%d}`},
		{"requests are lost", "upstream", "loss", `{}`},
		{"responses are seconds late", "downstream", "latency", `{"latency":6000,"jitter":1000}`},
		{"connections are reset", "downstream", "reset_peer", `{"timeout":0}`},
		{"silence until connections end", "downstream", "timeout", `{"timeout":0}`},
		{"responses are slow", "downstream", "latency", `{"latency":200,"jitter":150}`},
		{"connections are cut within a request", "upstream", "limit_data", `{"bytes":%d}`},
		{"a few bytes at a time", "downstream", "bandwidth", `{"rate":1}`},
	} {
		faults = append(faults, faultUnderLoad{f.name, func(c *chaos) {
			attributes := f.attributes
			if strings.Contains(attributes, "%d") {
				attributes = fmt.Sprintf(attributes, 1+c.random.IntN(3000))
			}
			toxicity := []float64{1, 0.5, 0.8}[c.random.IntN(3)]
			toxic := fmt.Sprintf(`{"type":%q,"stream":%q,"toxicity":%.1f,"attributes":%s}`,
				f.toxic, f.stream, toxicity, attributes)
			if _, err := c.database.proxy.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
				c.t.Fatal(err)
			}
			<-time.After(time.Duration(200+c.random.IntN(2800)) * time.Millisecond)
			c.database.proxy.Toxics.ResetToxics(context.WithoutCancel(c.t.Context()))
		}})
	}
	return faults
}

// TestFaultsUnderLoad injects faults while callers send messages and results over two replicas,
// versions are published and the panel is used. Callers retry until they are answered. Each answer
// is stored and charged once, chains stay in order under their version, and the service recovers by
// itself soon after each repair.
func TestFaultsUnderLoad(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	for _, g := range faultGroups {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			g.run(t)
		})
	}
}

func (g faultGroup) run(t *testing.T) {
	t.Helper()
	database, disk := g.prepare(t)
	s := database.open()
	if g.name == "network" {
		s = database.direct()
	}
	stop := auditing(t, s)
	replicas := []*replica{
		start(t, database.url, shortDeadlines...),
		start(t, database.url, shortDeadlines...),
	}
	c := &chaos{newLoad(t, s, replicas...), database, disk, newRandom()}
	panel := startPanelReaders(t, c)
	c.begin(16)
	c.callers.Go(c.publish)
	for round := range g.rounds {
		for _, f := range g.faults {
			c.more(20)
			f.inject(c)
			repaired := time.Now()
			recovered := max(c.recoveryTime(), panel.recoveryTime(repaired))
			if t.Failed() { // the next faults would only wait for the same
				t.FailNow()
			}
			t.Logf("round %d: %s: answered again after %v", round, f.name, recovered)
			if recovered > g.recovery {
				t.Errorf("round %d: %s: answered again only %v after the repair", round, f.name, recovered)
			}
		}
	}
	panel.end()
	c.end()
	c.verdict()
	stop()
	_ = s.Close() // before the small disk is unmounted
}

// panelReaders query the panel's API of each replica continuously.
type panelReaders struct {
	t       *testing.T
	over    atomic.Bool
	readers sync.WaitGroup
	mu      sync.Mutex
	// sent holds, for each reader, when its last answered query was sent.
	sent []time.Time
}

// startPanelReaders starts four readers of each replica.
func startPanelReaders(t *testing.T, c *chaos) *panelReaders {
	t.Helper()
	p := &panelReaders{t: t}
	first := newBrowser(t)
	first.signedUp(c.replicas[0], "ada@example.com", ownersPassword)
	for i := range 4 * len(c.replicas) {
		b := newBrowser(t)
		b.Token = first.Token
		p.sent = append(p.sent, time.Time{})
		p.readers.Go(func() {
			for !p.over.Load() {
				c.mu.Lock()
				r := c.replicas[i%len(c.replicas)]
				c.mu.Unlock()
				sent := time.Now()
				got, err := b.do(r, viewerQuery, nil)
				if err == nil && got.Status == http.StatusOK && got.code() == "ok" {
					p.mu.Lock()
					p.sent[i] = sent
					p.mu.Unlock()
				}
				<-time.After(50 * time.Millisecond)
			}
		})
	}
	return p
}

// recoveryTime waits until every reader got an answer to a query that it sent after a time, and
// returns how long that took.
func (p *panelReaders) recoveryTime(since time.Time) time.Duration {
	p.t.Helper()
	eventually(p.t, "every panel reader is answered again", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, sent := range p.sent {
			if sent.Before(since) {
				return false
			}
		}
		return true
	})
	return time.Since(since)
}

func (p *panelReaders) end() {
	p.over.Store(true)
	p.readers.Wait()
}

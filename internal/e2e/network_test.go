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
	"github.com/google/uuid"

	"agentchat/internal/testlong"
)

// networkFailure is one way in which the network to the database fails, and toxiproxy's toxic for it.
type networkFailure struct {
	name, stream, toxic string
	// attributes returns the toxic's attributes, some of them random.
	attributes func(*rand.Rand) string
}

// loss is our own toxic: connections stay open, but data sent while it is active is lost. Toxiproxy's timeout toxic also loses data,
// but closes its connections when it is removed.
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

func fixed(attributes string) func(*rand.Rand) string {
	return func(*rand.Rand) string { return attributes }
}

var networkFailures = []networkFailure{
	{"responses are lost while connections stay open", "downstream", "loss", fixed(`{}`)},
	{"connections are cut in the middle of a response", "downstream", "limit_data", func(r *rand.Rand) string {
		return fmt.Sprintf(`{"bytes":%d}`, 1+r.IntN(2000))
	}},
	{"requests are lost while connections stay open", "upstream", "loss", fixed(`{}`)},
	{"responses are seconds late", "downstream", "latency", fixed(`{"latency":6000,"jitter":1000}`)},
	{"connections are reset", "downstream", "reset_peer", fixed(`{"timeout":0}`)},
	{"silence until connections end", "downstream", "timeout", fixed(`{"timeout":0}`)},
	{"responses are slow", "downstream", "latency", fixed(`{"latency":200,"jitter":150}`)},
	{"connections are cut in the middle of a request", "upstream", "limit_data", func(r *rand.Rand) string {
		return fmt.Sprintf(`{"bytes":%d}`, 1+r.IntN(4000))
	}},
	{"a few bytes at a time", "downstream", "bandwidth", fixed(`{"rate":1}`)},
}

// inject breaks the network for a share of the connections, and returns a function that repairs it.
func (c *crashableDB) inject(d networkFailure, toxicity float64, random *rand.Rand) (repair func()) {
	c.t.Helper()
	_, err := c.proxy.Toxics.AddToxicJson(strings.NewReader(fmt.Sprintf(`{"type":%q,"stream":%q,"toxicity":%.2f,"attributes":%s}`,
		d.toxic, d.stream, toxicity, d.attributes(random))))
	if err != nil {
		c.t.Fatal(err)
	}
	return func() { c.proxy.Toxics.ResetToxics(context.WithoutCancel(c.t.Context())) }
}

// TestNetworkToDatabaseUnderLoad: the network between two replicas and PostgreSQL fails in every way under a load of chats and panel
// queries. Each answer is stored and charged once, and soon after a repair everything is answered again.
func TestNetworkToDatabaseUnderLoad(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	database := newCrashableDB(t, nil)
	s := database.direct()
	auditing(t, s)
	l := newLoad(t, database, s)
	panel := startPanelReaders(t, l.replicas)
	l.begin(8, func(int) string { return uuid.NewString() })
	random, slowest := newRandom(), time.Duration(0)
	for round := range 3 * len(networkFailures) {
		before := l.answered.Load()
		eventually(t, "the load is running", func() bool { return l.answered.Load() >= before+20 })
		d := networkFailures[round%len(networkFailures)]
		toxicity := []float64{1, 0.5, 0.8}[round/len(networkFailures)%3]
		repair := database.inject(d, toxicity, random)
		<-time.After(time.Duration(200+random.IntN(2800)) * time.Millisecond)
		repair()
		repaired := time.Now()
		var read atomic.Int64
		var both sync.WaitGroup
		both.Go(func() { read.Store(int64(panel.recoveryTime(repaired))) })
		took := l.recoveryTime()
		both.Wait()
		if t.Failed() { // what still waits would wait through the other rounds, too
			t.FailNow()
		}
		took = max(took, time.Duration(read.Load()))
		if slowest = max(slowest, took); took > recoveryLimit {
			t.Errorf("round %d: %s: the first answer came %v after the repair", round, d.name, took)
		}
		t.Logf("round %d: %s (%.0f %%): answered again after %v", round, d.name, 100*toxicity, took.Round(time.Millisecond))
	}
	panel.end()
	l.end()
	l.verdict(s)
}

// panelReaders query the panel's API of each replica continuously.
type panelReaders struct {
	t       *testing.T
	over    atomic.Bool
	readers sync.WaitGroup
	mu      sync.Mutex
	// began holds, for each reader, when its last answered query was sent.
	began []time.Time
}

// startPanelReaders starts as many readers per replica as it has database connections.
func startPanelReaders(t *testing.T, replicas []*replica) *panelReaders {
	t.Helper()
	p := &panelReaders{t: t}
	first := newBrowser(t)
	first.signedUp(replicas[0], "ada@example.com", "a good password")
	for range 4 {
		for _, r := range replicas {
			b, i := newBrowser(t), len(p.began)
			b.Token = first.Token
			p.began = append(p.began, time.Time{})
			p.readers.Go(func() {
				for !p.over.Load() {
					began := time.Now()
					got, err := b.do(r, viewerQuery, nil)
					if err == nil && got.Status == http.StatusOK && got.code() == "ok" {
						p.mu.Lock()
						p.began[i] = began
						p.mu.Unlock()
					}
					<-time.After(50 * time.Millisecond)
				}
			})
		}
	}
	return p
}

// recoveryTime waits until every reader got an answer to a query that it sent after since, and returns how long that took.
func (p *panelReaders) recoveryTime(since time.Time) time.Duration {
	p.t.Helper()
	eventually(p.t, "every panel reader is answered again", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, began := range p.began {
			if began.Before(since) {
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

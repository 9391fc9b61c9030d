package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/faults"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// faultRow is a test that is a row of the fault bench. Its errors count as violations. When it ends, it logs one record and
// appends it to the file that AGENTCHAT_FAULTS_REPORT names.
type faultRow struct {
	testing.TB
	violations atomic.Int64
	audits     atomic.Int64
	began      time.Time
	mu         sync.Mutex
	record     faults.Record
}

// newRow starts a row. AGENTCHAT_FAULTS_SEED repeats the random choices of an earlier run.
func newRow(t testing.TB, id string) *faultRow {
	t.Helper()
	p := &faultRow{TB: t, began: time.Now(), record: faults.Record{Promise: id, Full: faults.Full(), Seed: rand.Uint64()}}
	if !p.record.Known() {
		t.Fatalf("%s is not in internal/faults/rows.go", id)
	}
	if text := os.Getenv("AGENTCHAT_FAULTS_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("AGENTCHAT_FAULTS_SEED: %v", err)
		}
		p.record.Seed = seed
	}
	t.Cleanup(p.report)
	return p
}

// random returns a source of random numbers that depends only on the row's seed. It is for one goroutine.
func (p *faultRow) random() *rand.Rand { return rand.New(rand.NewPCG(p.record.Seed, 0)) }

// ran counts runs: rounds, keys, kills, or whatever else the row repeats.
func (p *faultRow) ran(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.record.Runs += n
}

// measured sets the row's figures.
func (p *faultRow) measured(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.record.Measured = fmt.Sprintf(format, args...)
}

func (p *faultRow) Error(args ...any) {
	p.Helper()
	p.violations.Add(1)
	p.TB.Error(args...)
}

func (p *faultRow) Errorf(format string, args ...any) {
	p.Helper()
	p.violations.Add(1)
	p.TB.Errorf(format, args...)
}

func (p *faultRow) Fatal(args ...any) {
	p.Helper()
	p.violations.Add(1)
	p.TB.Fatal(args...)
}

func (p *faultRow) Fatalf(format string, args ...any) {
	p.Helper()
	p.violations.Add(1)
	p.TB.Fatalf(format, args...)
}

// report logs the record, unless the test was skipped. If the test failed in a helper that does not know about rows, the record
// still gets a violation.
func (p *faultRow) report() {
	if p.Skipped() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.record.Violations, p.record.Seconds = int(p.violations.Load()), int(time.Since(p.began).Round(time.Second).Seconds())
	if p.Failed() && p.record.Violations == 0 {
		p.record.Violations = 1
	}
	if p.record.Runs == 0 && !p.Failed() {
		p.TB.Errorf("%s: the row injected no fault", p.record.Promise)
	}
	if n := p.audits.Load(); n > 0 {
		p.record.Measured += fmt.Sprintf("; %d audits", n)
	} else if !p.Failed() {
		p.TB.Errorf("%s: the ledger was never audited: call audit with the row's store", p.record.Promise)
	}
	p.Log(p.record.Line())
	if path := os.Getenv("AGENTCHAT_FAULTS_REPORT"); path != "" {
		if err := faults.Append(path, p.record); err != nil {
			p.TB.Error(err)
		}
	}
}

// auditOnce audits the ledger at the end of a row whose figures audits would spoil.
func (p *faultRow) auditOnce(s *store.Store) {
	p.Helper()
	storetest.Audit(p, s)
	p.audits.Add(1)
}

// audit audits the ledger every 100 ms, each time in one snapshot, until the row ends or stop is called. stop returns the number of
// audits. If an audit takes longer than 100 ms, audits run a fifth of the time. An unreachable database is not a violation.
func (p *faultRow) audit(s *store.Store) (stop func() int) {
	p.Helper()
	const every = 100 * time.Millisecond
	over, ended, audits := make(chan struct{}), make(chan struct{}), 0
	go func() {
		defer close(ended)
		for pause := time.Duration(0); ; {
			select {
			case <-time.After(pause):
			case <-over:
				return
			}
			began := time.Now()
			found, err := s.Verify(p.Context(), 5)
			for _, v := range found.Violations {
				p.Errorf("audit %d: %s: account %s: %s", audits, v.Kind, v.AccountID, v.Figures)
			}
			if err == nil {
				audits++
			}
			took := time.Since(began)
			if pause = every - took; pause < 0 {
				pause = 4 * took
			}
		}
	}()
	stop = sync.OnceValue(func() int {
		close(over)
		<-ended
		p.audits.Add(int64(audits))
		return audits
	})
	p.Cleanup(func() { stop() }) // also if the row ends early, and before the database is closed
	return stop
}

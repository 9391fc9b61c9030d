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
)

// promise is a test that is a row of the fault bench. Its errors are violations; when it ends it prints one record, and adds
// it to the file that AGENTCHAT_FAULTS_REPORT names.
type promise struct {
	testing.TB
	violations atomic.Int64
	audits     atomic.Int64
	began      time.Time
	mu         sync.Mutex
	record     faults.Record
}

// newPromise begins a row. AGENTCHAT_FAULTS_SEED repeats the random choices of an earlier run.
func newPromise(t testing.TB, id string) *promise {
	t.Helper()
	p := &promise{TB: t, began: time.Now(), record: faults.Record{Promise: id, Full: inFull(), Seed: rand.Uint64()}}
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

// inFull says whether the rows run as often and as long as they promise, or in the short form of the everyday tests.
func inFull() bool { return os.Getenv("AGENTCHAT_FAULTS") == "full" }

// times is how often the row is repeated: the full number when AGENTCHAT_FAULTS is full, otherwise as rounds says.
func (p *promise) times(short, full int) int {
	if inFull() {
		return full
	}
	return rounds(short)
}

// random is a source that the row's seed repeats. It is for one goroutine.
func (p *promise) random() *rand.Rand { return rand.New(rand.NewPCG(p.record.Seed, 0)) }

// ran counts runs: rounds, keys, kills, whatever the row repeats.
func (p *promise) ran(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.record.Runs += n
}

// measured says the row's figures.
func (p *promise) measured(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.record.Measured = fmt.Sprintf(format, args...)
}

func (p *promise) Error(args ...any) {
	p.Helper()
	p.violations.Add(1)
	p.TB.Error(args...)
}

func (p *promise) Errorf(format string, args ...any) {
	p.Helper()
	p.violations.Add(1)
	p.TB.Errorf(format, args...)
}

func (p *promise) Fatal(args ...any) {
	p.Helper()
	p.violations.Add(1)
	p.TB.Fatal(args...)
}

func (p *promise) Fatalf(format string, args ...any) {
	p.Helper()
	p.violations.Add(1)
	p.TB.Fatalf(format, args...)
}

// report prints the record. A test that was skipped, or that did nothing, has none; one that failed in a helper that knows
// nothing of promises has a violation all the same.
func (p *promise) report() {
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
		p.TB.Errorf("%s: nothing was tried", p.record.Promise)
	}
	if n := p.audits.Load(); n > 0 {
		p.record.Measured += fmt.Sprintf("; %d audits", n)
	} else if !p.Failed() {
		p.TB.Errorf("%s: the books were never audited: call audit with the row's store", p.record.Promise)
	}
	p.Log(p.record.Line())
	if path := os.Getenv("AGENTCHAT_FAULTS_REPORT"); path != "" {
		if err := faults.Append(path, p.record); err != nil {
			p.TB.Error(err)
		}
	}
}

// audit audits the books every 100 ms, each time in one snapshot, until the row ends or stop is called, which returns how often
// it did. Books so large that an audit takes longer are audited a fifth of the time. A database that is away for
// a moment is no drift.
func (p *promise) audit(s *store.Store) (stop func() int) {
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
	p.Cleanup(func() { stop() }) // for a row that ends early; before the database is closed
	return stop
}

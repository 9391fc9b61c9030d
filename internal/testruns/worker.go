// Package testruns runs test cases in the background: it sends their messages with the source TEST,
// as Try does, and checks the replies. Accounts take turns.
//
// Sessions and idempotency keys are derived from the run, the case, the attempt and the step. So
// after a crash, the next replica gets stored replies, joins pending turns, and charges nothing
// twice.
package testruns

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/memory"
	"agentchat/internal/store"
	"agentchat/internal/store/tests"
)

const (
	// maxRuns is the limit of concurrent runs per process, and maxMessages of concurrent messages per
	// run.
	maxRuns, maxMessages = 2, 4
	// lookEvery is the interval for polling for runs started on other replicas or left by lost ones.
	lookEvery = 5 * time.Second
	// renewEvery is the interval for renewing the claim of a run.
	renewEvery = tests.Lease / 4
	// maxTries is the limit of times a message is sent if its failures are temporary.
	maxTries = 3
	// usualPause is the pause before a retry if the failure has no Retry-After.
	usualPause = time.Second
	// A run stops after maxUnavailable consecutive attempts with temporary failures, or after
	// unavailableFor without any other attempt.
	maxUnavailable = 5
	unavailableFor = 2 * time.Hour
	// endWithin is the time for messages to finish after the worker was stopped.
	endWithin = 2 * time.Second
)

// Config configures a Worker.
type Config struct {
	Store     *store.DB
	Chat      *chat.Service
	Catalogue *catalogue.Live
	Logger    *slog.Logger
	// Memory is the budget for messages and replies; nil for no limit.
	Memory *memory.Budget
}

// Worker runs test cases. Run does its work.
type Worker struct {
	cfg Config
	// woken wakes a slot per item, because there may be a run to claim.
	woken    chan struct{}
	draining chan struct{}
	drain    func()

	mu sync.Mutex
	// last is the account whose run was claimed last.
	last uuid.UUID
}

// New returns a Worker. The store wakes it for new runs.
func New(cfg Config) *Worker {
	w := &Worker{cfg: cfg, woken: make(chan struct{}, maxRuns), draining: make(chan struct{})}
	w.drain = sync.OnceFunc(func() { close(w.draining) })
	cfg.Store.OnRun(func() {
		select {
		case w.woken <- struct{}{}:
		default:
		}
	})
	return w
}

// Drain makes the worker send no more messages. Those in flight end, and their runs continue on
// another replica, or after the next start.
func (w *Worker) Drain() { w.drain() }

// Run works on runs until the context ends. It always returns nil.
func (w *Worker) Run(ctx context.Context) error {
	var work sync.WaitGroup
	for range maxRuns {
		work.Go(func() { w.runSlot(ctx) })
	}
	work.Wait()
	return nil
}

// runSlot works on one run at a time.
func (w *Worker) runSlot(ctx context.Context) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		w.runAll(ctx)
		select {
		case <-w.woken:
		case <-look.C:
		case <-w.draining:
			<-ctx.Done()
			return
		case <-ctx.Done():
			return
		}
	}
}

// runAll works on all waiting runs.
func (w *Worker) runAll(ctx context.Context) {
	for ctx.Err() == nil && !w.isDraining() {
		run, err := w.claim(ctx)
		if err != nil {
			w.log(ctx, "looking for test runs", err)
			return
		}
		w.work(ctx, run)
	}
}

func (w *Worker) claim(ctx context.Context) (tests.Run, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	run, err := tests.On(w.cfg.Store).ClaimRun(ctx, w.last)
	w.last = run.AccountID
	return run, err
}

func (w *Worker) isDraining() bool {
	select {
	case <-w.draining:
		return true
	default:
		return false
	}
}

// log logs an error, unless the run was deleted or another replica has claimed it. After any other
// error the run is claimed again, at the latest when its lease has expired.
func (w *Worker) log(ctx context.Context, what string, err error) {
	if err != nil && !fault.Is(err, fault.NotFound) && ctx.Err() == nil {
		w.cfg.Logger.WarnContext(ctx, what+" failed and will be retried", slog.String("error", err.Error()))
	}
}

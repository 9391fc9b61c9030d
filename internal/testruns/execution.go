package testruns

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/tests"
)

// errEnded ends an attempt without a result, because its run ends or continues on another replica.
var errEnded = errors.New("the run sends no more messages")

// execution is a claimed run.
type execution struct {
	*Worker
	run      tests.Run
	settings tests.RunSettings
	ledger   *ledger
	// renewed is the Unix time of the last renewal. The monotonic clock stops while a machine is suspended.
	renewed atomic.Int64

	mu sync.Mutex
	// left are the attempts that no lane has taken yet.
	left []attempt
	// ended is closed when end is set, which has the reason.
	ended chan struct{}
	end   end
	// unavailable is the number of consecutive attempts, up to the latest, with temporary failures.
	// answered is the time of the last attempt without one.
	unavailable int
	answered    time.Time
	// pausedUntil is the earliest time to send the next message.
	pausedUntil time.Time
}

// end is the reason why a run sends no more messages. All fields are zero while it may send.
type end struct {
	stop tests.StopReason
	// lost means that the claim no longer holds.
	lost bool
	// draining and failed mean that another claim continues the run. A failed claim counts as lost.
	draining, failed bool
}

// attempt is one of the attempts of a case.
type attempt struct {
	tests.RunCase
	repeat int
}

// work makes the attempts of a run that have no result yet, until the run or this worker ends.
func (w *Worker) work(ctx context.Context, run tests.Run) {
	own := context.WithoutCancel(store.ForAccount(ctx, run.AccountID))
	e := &execution{Worker: w, run: run, ended: make(chan struct{}), answered: time.Now()}
	e.renewed.Store(time.Now().Unix())
	if err := e.prepare(own); err != nil {
		if fault.Is(err, fault.NotFound) { // the agent or the judge
			e.stopFor(end{stop: tests.NotAvailable})
		} else {
			w.log(own, "preparing a test run", err)
			e.stopFor(end{failed: true})
		}
	}
	renewing, stopRenewing := context.WithCancel(own)
	var renewal, lanes sync.WaitGroup
	renewal.Go(func() { e.renew(renewing) })
	for range maxMessages {
		lanes.Go(func() { e.runLane(ctx, own) })
	}
	lanes.Wait()
	e.awaitCharges(own)
	stopRenewing()
	renewal.Wait()
	e.finish(own)
}

// prepare reads the run's charges, settings and cases, and checks that it may begin.
func (e *execution) prepare(ctx context.Context) error {
	e.ledger = newLedger(e.run.Budget)
	if err := e.readCharges(ctx); err != nil {
		return err
	}
	e.ledger.spent = max(e.ledger.spent, e.run.Credits) // RunCharges leaves out erased sessions
	if err := e.look(ctx); err != nil {
		return err
	}
	if e.run.Lost > tests.MaxLost { // the run may be what ends its replicas
		e.stopFor(end{stop: tests.NotAvailable})
		return nil
	}
	settings, err := tests.On(e.cfg.Store).RunSettings(ctx, e.run)
	if err != nil {
		return err
	}
	e.settings = settings
	cases, err := tests.On(e.cfg.Store).CasesOfRun(ctx, e.run)
	for _, c := range cases {
		for repeat := 1; repeat <= e.run.Repeats; repeat++ {
			if !c.HasResult(repeat) {
				e.left = append(e.left, attempt{c, repeat})
			}
		}
	}
	return err
}

// readCharges updates the ledger with the charges of the run's messages.
func (e *execution) readCharges(ctx context.Context) error {
	charges, err := tests.On(e.cfg.Store).RunCharges(ctx, e.run)
	if err == nil {
		e.ledger.update(charges)
	}
	return err
}

// look checks whether the run may continue, and ends it if not.
func (e *execution) look(ctx context.Context) error {
	standing, err := tests.On(e.cfg.Store).LookAtRun(ctx, e.run)
	switch {
	case fault.Is(err, fault.NotFound):
		e.stopFor(end{lost: true})
		return nil
	case err == nil && standing != "":
		e.stopFor(end{stop: standing})
	}
	return err
}

// renew renews the claim and checks whether the run may continue.
func (e *execution) renew(ctx context.Context) {
	ticker := time.NewTicker(renewEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		err := tests.On(e.cfg.Store).RenewRun(ctx, e.run)
		if err == nil {
			e.renewed.Store(time.Now().Unix())
			err = e.look(ctx)
		}
		if fault.Is(err, fault.NotFound) {
			e.stopFor(end{lost: true})
			return
		}
		e.log(ctx, "renewing the claim of a test run", err)
	}
}

// stopFor ends the run's messages. The first reason counts.
func (e *execution) stopFor(why end) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.end == (end{}) {
		e.end = why
		close(e.ended)
	}
}

// next returns the next attempt; false after the last one, or if the run sends no more messages.
func (e *execution) next() (a attempt, ok bool) {
	if e.isDraining() {
		e.stopFor(end{draining: true})
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.end != (end{}) || len(e.left) == 0 {
		return a, false
	}
	a, e.left = e.left[0], e.left[1:]
	return a, true
}

// runLane makes one attempt after another. ctx ends with the worker, but own does not.
func (e *execution) runLane(ctx, own context.Context) {
	for {
		a, ok := e.next()
		if !ok {
			return
		}
		result, err := e.try(ctx, own, a)
		switch {
		case fault.Is(err, fault.NotFound): // the case was erased
			continue
		case err == nil:
			err = tests.On(e.cfg.Store).InsertResult(own, e.run, *result, e.ledger.total())
			if fault.Is(err, fault.NotFound) {
				e.stopFor(end{lost: true})
				err = nil
			}
		}
		if err != nil && !errors.Is(err, errEnded) {
			e.log(own, "a step of a test run", err)
			e.stopFor(end{failed: true})
		}
	}
}

// awaitCharges waits until the messages that an earlier claim left in flight have ended, so that the
// cost of a run that ends includes them. If it cannot wait, another claim continues the run.
func (e *execution) awaitCharges(ctx context.Context) {
	for !e.isReleased() {
		if err := e.readCharges(ctx); err != nil {
			e.log(ctx, "reading the charges of a test run", err)
			e.release(end{failed: true})
			return
		}
		if !e.ledger.inFlightBefore() {
			return
		}
		select {
		case <-time.After(usualPause):
		case <-e.draining:
			e.release(end{draining: true})
		}
	}
}

// isReleased reports whether this claim does not end the run.
func (e *execution) isReleased() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.end.lost || e.end.draining || e.end.failed
}

// release replaces the reason for the end. The next claim finds that reason again.
func (e *execution) release(why end) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.end = why
}

// finish stores the end of a run, or gives up its claim.
func (e *execution) finish(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, endWithin)
	defer cancel()
	var err error
	switch {
	case e.end.lost:
	case e.end.draining, e.end.failed:
		err = tests.On(e.cfg.Store).ReleaseRun(ctx, e.run, e.ledger.total(), e.end.failed)
	default:
		err = tests.On(e.cfg.Store).EndRun(ctx, e.run, e.end.stop, e.ledger.total())
		e.cfg.Logger.InfoContext(ctx, "test run ended", slog.String("run", e.run.ID.String()),
			slog.String("account", e.run.AccountID.String()), slog.String("reason", string(e.end.stop)))
	}
	e.log(ctx, "ending a test run", err)
}

// pause waits for at least the given time, and until the run's pause is over. Error: errEnded.
func (e *execution) pause(wait time.Duration) error {
	for {
		e.mu.Lock()
		wait = max(wait, time.Until(e.pausedUntil))
		over := e.end != (end{})
		e.mu.Unlock()
		switch {
		case over || e.isDraining():
			return errEnded
		case wait <= 0:
			return nil
		}
		select {
		case <-time.After(wait):
			wait = 0
		case <-e.ended:
		case <-e.draining:
		}
	}
}

// pauseAll keeps all lanes from sending for the given time.
func (e *execution) pauseAll(wait time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if until := time.Now().Add(wait); until.After(e.pausedUntil) {
		e.pausedUntil = until
	}
}

// observe records whether an attempt ended in a temporary failure. It stops the run after too many of
// them.
func (e *execution) observe(willPass bool) {
	e.mu.Lock()
	if willPass {
		e.unavailable++
	} else {
		e.unavailable, e.answered = 0, time.Now()
	}
	stop := e.unavailable >= maxUnavailable || time.Since(e.answered) > unavailableFor
	e.mu.Unlock()
	if stop {
		e.stopFor(end{stop: tests.NotAvailable})
	}
}

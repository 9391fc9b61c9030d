package chat

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/tests"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/usage"
)

// Run does the background work until the context ends. It shows the other replicas that this one
// runs, fails abandoned turns and those of dead replicas, purges deleted conversations and agents
// and the counters of past periods, erases the text of deleted end users and test runs, adds charges
// and failed turns to the usage, and notifies owners. It stores when keys were last used, once more at the
// end. It always returns nil.
func (s *Service) Run(ctx context.Context) error {
	var work sync.WaitGroup
	work.Go(func() { s.watchReplicas(ctx) })
	work.Go(func() { every(ctx, s.cfg.ReapEvery, s.reap) })
	work.Go(func() { every(ctx, retryEvery, s.settleUnsettled) })
	work.Go(func() { every(ctx, purgeEvery, s.purge) })
	work.Go(func() { every(ctx, eraseEvery, s.erase) })
	work.Go(func() { every(ctx, countEvery, s.count) })
	work.Go(func() { every(ctx, rollUpEvery, s.rollUp(rollUpBehind)) })
	work.Go(func() { every(ctx, rollUpAllEvery, s.rollUp(1)) })
	work.Go(func() { every(ctx, purgeTestsEvery, s.purgeTests) })
	work.Go(func() { every(ctx, flushUseEvery, s.flushUse) })
	work.Go(func() { every(ctx, notifyEvery, s.notify) })
	work.Wait()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	s.flushUse(last)
	s.leave(last)
	return nil
}

// every runs work immediately and then at an interval.
func every(ctx context.Context, interval time.Duration, work func(context.Context)) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		work(ctx)
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

func (s *Service) reap(ctx context.Context) {
	s.inBatches(ctx, "failing abandoned turns", func(ctx context.Context, limit int) (int, error) {
		n, err := turns.On(s.cfg.Store.Own()).ReapTurns(ctx, limit)
		s.cfg.Released(DeadlinePassed, n)
		return n, err
	})
}

func (s *Service) purge(ctx context.Context) {
	s.inBatches(ctx, "deleting idle conversations", func(ctx context.Context, limit int) (int, error) {
		return erasure.On(s.cfg.Store.Own()).PurgeIdle(ctx, s.cfg.RetentionDays, limit)
	})
	s.inBatches(ctx, "deleting old rejected requests", func(ctx context.Context, limit int) (int, error) {
		return erasure.On(s.cfg.Store.Own()).PurgeIdleRejected(ctx, s.cfg.RetentionDays, limit)
	})
	s.inBatches(ctx, "purging deleted conversations", erasure.On(s.cfg.Store.Own()).PurgeDeleted)
	s.inBatches(ctx, "purging deleted agents", erasure.On(s.cfg.Store.Own()).PurgeDeletedAgents)
	s.inBatches(ctx, "purging the counters of past periods", exports.On(s.cfg.Store.Own()).PurgeCounters)
	s.quietly(ctx, "forgetting past erasures", batchSize, erasure.On(s.cfg.Store.Own()).PurgeErasures)
	s.quietly(ctx, "forgetting past events", batchSize, notifications.On(s.cfg.Store.Own()).PurgeNotificationsSent)
}

func (s *Service) erase(ctx context.Context) {
	own := erasure.On(s.cfg.Store.Own())
	s.inBatches(ctx, "erasing the text of deleted end users", own.EraseEndUsers)
	s.inBatches(ctx, "purging test cases of deleted conversations", own.PurgeErasedCases)
	s.inBatches(ctx, "purging deleted test runs", own.PurgeDeletedRuns)
}

func (s *Service) purgeTests(ctx context.Context) {
	own := tests.On(s.cfg.Store.Own())
	s.inBatches(ctx, "deleting old test runs", own.HideOldRuns)
	s.inBatches(ctx, "purging ended test cases", own.PurgeEndedCases)
}

func (s *Service) count(ctx context.Context) {
	s.quietly(ctx, "counting failed turns", countBatch, usage.On(s.cfg.Store.Own()).CountFailedTurns)
	s.quietly(ctx, "counting long conversations", countBatch, usage.On(s.cfg.Store.Own()).CountConversations)
}

// notify notifies owners and the operator of low credits, limits and keys that expire. It runs in
// the background so that chats need not wait.
func (s *Service) notify(ctx context.Context) {
	own := s.cfg.Store.Own()
	s.quietly(ctx, "notifying of low credits", batchSize, notifications.On(own).NotifyLowCredits)
	s.quietly(ctx, "notifying of credits that are used up", usedUpBatch, notifications.On(own).NotifyUsedUp)
	s.quietly(ctx, "notifying of limits that are near", batchSize, notifications.On(own).NotifyLimits)
	s.quietly(ctx, "notifying of keys that expire", batchSize, notifications.On(own).NotifyKeys)
}

func (s *Service) rollUp(behind int) func(context.Context) {
	return func(ctx context.Context) {
		s.quietly(ctx, "adding charges to the usage", batchSize, func(ctx context.Context, limit int) (int, error) {
			return usage.On(s.cfg.Store.Own()).RollUpCharges(ctx, behind, limit)
		})
	}
}

// inBatches is quietly with a log line for the number of rows.
func (s *Service) inBatches(ctx context.Context, what string, work func(context.Context, int) (int, error)) {
	s.quietly(ctx, what, batchSize, func(ctx context.Context, limit int) (int, error) {
		n, err := work(ctx, limit)
		if n > 0 {
			s.cfg.Logger.InfoContext(ctx, what, slog.Int("count", n))
		}
		return n, err
	})
}

// quietly repeats work until a batch is not full. It retries work at the next interval after an
// error.
func (s *Service) quietly(ctx context.Context, what string, size int, work func(context.Context, int) (int, error)) {
	for {
		n, err := work(ctx, size)
		if err != nil && ctx.Err() == nil {
			s.cfg.Logger.WarnContext(ctx, what+" failed; it will be retried", slog.String("error", err.Error()))
		}
		if err != nil || n < size {
			return
		}
	}
}

// keyUse collects when keys were last used. Storing that later neither delays a chat nor fails it.
type keyUse struct {
	mu sync.Mutex
	at map[uuid.UUID]time.Time
}

func newKeyUse() *keyUse { return &keyUse{at: map[uuid.UUID]time.Time{}} }

func (u *keyUse) record(key uuid.UUID) {
	now := time.Now()
	u.mu.Lock()
	defer u.mu.Unlock()
	u.at[key] = now
}

func (u *keyUse) take() map[uuid.UUID]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	taken := u.at
	u.at = make(map[uuid.UUID]time.Time, len(taken))
	return taken
}

// putBack keeps times that could not be stored for the next attempt, unless a later use was
// recorded.
func (u *keyUse) putBack(taken map[uuid.UUID]time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for key, at := range taken {
		if u.at[key].Before(at) {
			u.at[key] = at
		}
	}
}

func (s *Service) flushUse(ctx context.Context) {
	taken := s.used.take()
	if len(taken) == 0 {
		return
	}
	ids, ago := make([]uuid.UUID, 0, len(taken)), make([]time.Duration, 0, len(taken))
	for key, at := range taken {
		ids, ago = append(ids, key), append(ago, time.Since(at))
	}
	if err := exports.On(s.cfg.Store.Own()).RecordKeyUse(ctx, ids, ago); err != nil {
		s.used.putBack(taken)
	}
}

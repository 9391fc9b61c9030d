package chat

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"agentchat/internal/store/turns"
)

const (
	// beatPause is the default of Config.BeatPause.
	beatPause = 3 * time.Second
	// deadAfter is the number of reads in a row with the same beats from which a replica counts as
	// dead, and removeAfter that from which its row is removed: ten minutes.
	deadAfter   = 4
	removeAfter = int(10 * time.Minute / beatPause)
)

// Reason is why a turn failed in the background.
type Reason string

// The reasons of Config.Released.
const (
	// ReplicaDied means that the replica that began the turn stands still.
	ReplicaDied Reason = "replica"
	// DeadlinePassed means that its deadline has passed.
	DeadlinePassed Reason = "deadline"
	// Unsettled means that its request ended without knowing whether the turn was begun or settled.
	Unsettled Reason = "unsettled"
)

// standing is a replica as the last read found it, and the number of reads in a row before it that
// found the same beats.
type standing struct {
	turns.Replica
	still int
}

func (r standing) beats() bool { return r.still < deadAfter }

// observe adds a read to what the reads before it found. It compares no clocks: after an outage, in
// which no replica reads, all have time to beat. The observer itself is never dead, because it beats
// with each read.
func observe(before map[int32]standing, read []turns.Replica) map[int32]standing {
	now := make(map[int32]standing, len(read))
	for _, r := range read {
		last, seen := before[r.Number]
		now[r.Number] = standing{Replica: r}
		if seen && last.Beats == r.Beats {
			now[r.Number] = standing{r, last.still + 1}
		}
	}
	return now
}

// Ready reports whether the database is ready for chats, and registers this replica if it is not
// registered yet: turns that begin without a number are released late after a crash.
func (s *Service) Ready(ctx context.Context) error {
	if err := s.cfg.Store.Ready(ctx); err != nil {
		return err
	}
	return s.turns.Register(ctx)
}

// Replicas returns the number of replicas that beat, this one included; 0 if this one does not.
func (s *Service) Replicas() int { return int(s.alive.Load()) }

// watchReplicas beats, and fails the turns of replicas that stand still, until the context ends.
func (s *Service) watchReplicas(ctx context.Context) {
	found := make(chan []standing, 1)
	go func() {
		defer close(found)
		s.beat(ctx, found)
	}()
	for dead := range found {
		for _, r := range dead {
			s.releaseTurnsOf(ctx, r)
		}
	}
}

// beat sends the dead replicas of the last read. It does not wait for their turns to be failed: a
// lock must not stop the beats.
func (s *Service) beat(ctx context.Context, found chan []standing) {
	var replicas map[int32]standing
	for ctx.Err() == nil {
		read, err := s.turns.Beat(context.WithoutCancel(ctx)) // none arrives after leave
		if err != nil {
			s.cfg.Logger.WarnContext(ctx, "beating failed; it will be retried",
				slog.String("error", err.Error()))
		} else {
			replicas = observe(replicas, read)
			dead := slices.DeleteFunc(slices.Collect(maps.Values(replicas)), standing.beats)
			s.alive.Store(int64(len(replicas) - len(dead)))
			select {
			case <-found: // not taken yet
			default:
			}
			found <- dead
		}
		select {
		case <-time.After(s.cfg.BeatPause):
		case <-ctx.Done():
		}
	}
}

// releaseTurnsOf fails the pending turns of a dead replica: after each read, because a begin may
// commit late.
func (s *Service) releaseTurnsOf(ctx context.Context, dead standing) {
	own := turns.On(s.cfg.Store.Own())
	reap := func(ctx context.Context, limit int) (int, error) {
		n, err := own.ReapReplica(ctx, dead.Replica, limit)
		s.cfg.Released(ReplicaDied, n)
		return n, err
	}
	s.inBatches(ctx, "failing turns of a replica that stands still", reap)
	if dead.still < removeAfter {
		return
	}
	if err := own.RemoveReplica(ctx, dead.Replica); err != nil {
		s.cfg.Logger.WarnContext(ctx, "a replica was not removed; it will be retried",
			slog.String("error", err.Error()))
	}
}

// leave removes the row of this replica, unless it leaves turns for the others to fail.
func (s *Service) leave(ctx context.Context) {
	if s.inFlight.count() > 0 || s.unsettled.count() > 0 {
		return
	}
	if err := s.turns.Unregister(ctx); err != nil {
		s.cfg.Logger.WarnContext(ctx, "this replica was not removed; the others will do it",
			slog.String("error", err.Error()))
	}
}

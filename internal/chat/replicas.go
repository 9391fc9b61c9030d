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
	// deadAfter is the number of reads in a row without a new beat after which a replica counts as
	// dead. After removeAfter, about ten minutes, its row is removed.
	deadAfter   = 4
	removeAfter = int(10 * time.Minute / beatPause)
)

// Reason is the reason why background work failed a turn.
type Reason string

// The reasons of Config.Released.
const (
	// ReplicaDied means that the replica that began the turn no longer beats.
	ReplicaDied Reason = "replica"
	// DeadlinePassed means that its deadline has passed.
	DeadlinePassed Reason = "deadline"
	// Unsettled means that its request gave up without knowing whether the turn was begun or settled.
	Unsettled Reason = "unsettled"
)

// standing is a replica as last read. still is the number of latest reads in a row without a new
// beat.
type standing struct {
	turns.Replica
	still int
}

func (r standing) beats() bool { return r.still < deadAfter }

// observe adds a read to the results of earlier ones. It compares no clocks. During an outage no
// replica reads, so afterwards all have time to beat. The observer itself is never dead, because it
// beats with each read.
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

// watchReplicas beats, and fails the turns of dead replicas, until the context ends.
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

// beat beats, and after each read sends the dead replicas to found. It does not wait until their
// turns have failed: a lock must not stop the beats.
func (s *Service) beat(ctx context.Context, found chan []standing) {
	var replicas map[int32]standing
	for ctx.Err() == nil {
		read, err := s.turns.Beat(context.WithoutCancel(ctx)) // canceled, it could commit after leave
		if err != nil {
			s.cfg.Logger.WarnContext(ctx, "a heartbeat failed; it will be retried",
				slog.String("error", err.Error()))
		} else {
			replicas = observe(replicas, read)
			dead := slices.DeleteFunc(slices.Collect(maps.Values(replicas)), standing.beats)
			s.alive.Store(int64(len(replicas) - len(dead)))
			select {
			case <-found: // replace what was not taken yet
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

// releaseTurnsOf fails the pending turns of a dead replica. It is called after each read, because a
// begin may commit late.
func (s *Service) releaseTurnsOf(ctx context.Context, dead standing) {
	own := turns.On(s.cfg.Store.Own())
	reap := func(ctx context.Context, limit int) (int, error) {
		n, err := own.ReapReplica(ctx, dead.Replica, limit)
		s.cfg.Released(ReplicaDied, n)
		return n, err
	}
	s.inBatches(ctx, "failing turns of a dead replica", reap)
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

// Package requestlog records rejected requests in the background: they wait in a bounded queue, and
// are written in batches, with the accounts in turn. If an account has used its share of the queue,
// or the database rejects a batch, requests are dropped and counted.
package requestlog

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"agentchat/internal/failpoint"
	"agentchat/internal/fair"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
)

const (
	// maxQueued is the most requests in the queue: a few seconds of a flood. Each takes 2 KiB at most.
	maxQueued = 4_096
	// batchSize is the most requests that one statement writes.
	batchSize = 256
	// pause is the time between two writes.
	pause = 100 * time.Millisecond
	// purgeEvery is the time between two deletions of old requests.
	purgeEvery = time.Minute
	// flushFor is the time limit for writing the rest of the queue at the end.
	flushFor = 2 * time.Second
	// maxText is the most bytes of a text that are stored.
	maxText = 1_024
)

// Recorder records rejected requests. It is safe for concurrent use. Run does its background work.
type Recorder struct {
	store   *store.DB
	keep    time.Duration
	logger  *slog.Logger
	dropped atomic.Int64

	mu    sync.Mutex
	queue fair.RoundRobin[conversations.RejectedRequest]
}

// New returns a Recorder. Requests are deleted once they are older than keep.
func New(s *store.DB, keep time.Duration, logger *slog.Logger) *Recorder {
	return &Recorder{store: s, keep: keep, logger: logger}
}

// Dropped returns the number of requests that could not be recorded.
func (r *Recorder) Dropped() int64 { return r.dropped.Load() }

// Record queues a request of an account, uuid.Nil if it is unknown. It never waits. An account may
// add to the queue while it has fewer requests there than the queue has free places: a single
// account gets half, and something is left for others.
func (r *Recorder) Record(account uuid.UUID, request conversations.RejectedRequest) {
	request.Detail = clean(request.Detail)
	request.SessionID, request.UserID = cleaned(request.SessionID), cleaned(request.UserID)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.queue.Of(account) >= maxQueued-r.queue.Len() {
		r.dropped.Add(1)
		return
	}
	r.queue.Add(account, request)
}

// clean returns a text in a form that PostgreSQL can store.
func clean(text string) string {
	if len(text) > maxText {
		text = text[:maxText]
	}
	if utf8.ValidString(text) && !strings.ContainsRune(text, 0) {
		return text
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", "")
}

func cleaned(text *string) *string {
	if text == nil {
		return nil
	}
	out := clean(*text)
	return &out
}

// Run writes requests, and deletes old ones, until the context ends; then it writes the rest. It
// always returns nil.
func (r *Recorder) Run(ctx context.Context) error {
	purge := time.NewTicker(purgeEvery)
	defer purge.Stop()
	write := time.NewTicker(pause)
	defer write.Stop()
	r.purge(ctx)
	for {
		select {
		case <-write.C:
			r.flush(context.WithoutCancel(ctx)) // a batch that was taken from the queue must be written
		case <-purge.C:
			r.purge(ctx)
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushFor)
			defer cancel()
			r.flush(last)
			return nil
		}
	}
}

// flush writes the queue, batch by batch.
func (r *Recorder) flush(ctx context.Context) {
	for {
		batch := r.take()
		if len(batch) == 0 {
			return
		}
		err := failpoint.Hit("requestlog.record")
		if err == nil {
			err = conversations.On(r.store).RecordRejected(ctx, batch)
		}
		if err != nil {
			r.dropped.Add(int64(len(batch)))
			r.logger.WarnContext(ctx, "rejected requests could not be recorded",
				slog.Int("count", len(batch)),
				slog.String("error", err.Error()))
			return
		}
		if len(batch) < batchSize {
			return
		}
	}
}

func (r *Recorder) take() []conversations.RejectedRequest {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.queue.Take(batchSize, batchSize, func(conversations.RejectedRequest) bool { return true })
}

func (r *Recorder) purge(ctx context.Context) {
	for {
		n, err := conversations.On(r.store).PurgeRejected(ctx, r.keep, batchSize)
		if err != nil && ctx.Err() == nil {
			r.logger.WarnContext(ctx, "deleting old rejected requests failed and will be retried",
				slog.String("error", err.Error()))
		}
		if err != nil || n < batchSize {
			return
		}
	}
}

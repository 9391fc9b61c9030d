// Package requestlog records turnless requests, off the path of chats: they wait in a bounded queue, and the background writes them in
// batches. When the queue is full, or the database does not take a batch, requests are dropped and counted.
package requestlog

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"agentchat/internal/failpoint"
	"agentchat/internal/store"
)

const (
	// maxQueued is how many requests wait to be written: a few seconds of a flood. Each is 2 KiB at most.
	maxQueued = 4_096
	// batchSize is how many requests one statement writes.
	batchSize = 256
	// pause is how long requests are collected before they are written.
	pause = 100 * time.Millisecond
	// purgeEvery is how often old requests are removed.
	purgeEvery = time.Minute
	// flushFor is how long writing the last ones may take at the end.
	flushFor = 2 * time.Second
	// maxText is how many bytes of a text are kept.
	maxText = 1_024
)

// Recorder records turnless requests. It is safe for concurrent use. Run does its background work.
type Recorder struct {
	store   *store.Store
	keep    time.Duration
	logger  *slog.Logger
	queue   chan store.TurnlessRequest
	dropped atomic.Int64
}

// New returns a Recorder. Requests are removed once they are older than keep.
func New(s *store.Store, keep time.Duration, logger *slog.Logger) *Recorder {
	return &Recorder{store: s, keep: keep, logger: logger, queue: make(chan store.TurnlessRequest, maxQueued)}
}

// Dropped is how many requests could not be recorded.
func (r *Recorder) Dropped() int64 { return r.dropped.Load() }

// Record queues a request. It never waits.
func (r *Recorder) Record(request store.TurnlessRequest) {
	request.Detail = clean(request.Detail)
	request.SessionID, request.UserID = cleaned(request.SessionID), cleaned(request.UserID)
	select {
	case r.queue <- request:
	default:
		r.dropped.Add(1)
	}
}

// clean makes a text one that PostgreSQL stores.
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

// Run writes requests, and removes old ones, until the context ends; then it writes the last ones. It always returns nil.
func (r *Recorder) Run(ctx context.Context) error {
	purge := time.NewTicker(purgeEvery)
	defer purge.Stop()
	write := time.NewTicker(pause)
	defer write.Stop()
	r.purge(ctx)
	for {
		select {
		case <-write.C:
			r.flush(context.WithoutCancel(ctx)) // what was taken from the queue is written
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
			err = r.store.RecordTurnless(ctx, batch)
		}
		if err != nil {
			r.dropped.Add(int64(len(batch)))
			r.logger.WarnContext(ctx, "refused requests could not be recorded", slog.Int("count", len(batch)),
				slog.String("error", err.Error()))
			return
		}
		if len(batch) < batchSize {
			return
		}
	}
}

func (r *Recorder) take() []store.TurnlessRequest {
	var batch []store.TurnlessRequest
	for len(batch) < batchSize {
		select {
		case request := <-r.queue:
			batch = append(batch, request)
		default:
			return batch
		}
	}
	return batch
}

func (r *Recorder) purge(ctx context.Context) {
	for {
		n, err := r.store.PurgeTurnless(ctx, r.keep, batchSize)
		if err != nil && ctx.Err() == nil {
			r.logger.WarnContext(ctx, "removing old turnless requests failed; it will be tried again", slog.String("error", err.Error()))
		}
		if err != nil || n < batchSize {
			return
		}
	}
}

// Package files reads files for agents' knowledge in the background, with the accounts in turn. Each
// process reads one small and one large file at a time.
package files

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/knowledge/reading"
	"agentchat/internal/memory"
	"agentchat/internal/store"
	"agentchat/internal/store/sources"
)

const (
	// lookEvery is the interval for polling files of other replicas, and files whose readers were
	// lost.
	lookEvery = 5 * time.Second
	// readWithin is the time limit for reading a file. Its source may be READING for two minutes,
	// which includes storing the text.
	readWithin = 100 * time.Second
	// endWithin is the time limit for storing the result of a job while the process ends.
	endWithin = 5 * time.Second
	// indexing is the memory per byte of a text while it is cut into passages and indexed, in bytes.
	indexing = 12
)

// Read returns the text of a file. encoding is the owner's choice; empty to detect it. Fault:
// InvalidInput, with a sentence for the file's owner, if the file can never be read. Any other error
// says nothing about the file.
type Read func(ctx context.Context, name, encoding string, file []byte) (knowledge.FileText, error)

// Config configures a Worker.
type Config struct {
	Store *store.DB
	// Quick reads the files of the quick lane, and Slow all others. reading.ErrNotQuick moves a file
	// from one to the other.
	Quick, Slow Read
	// Prepare compiles the reader of PDFs; nil if there is nothing to compile. PDFs wait until it
	// returns, and are read even after an error.
	Prepare func(ctx context.Context) error
	Logger  *slog.Logger
	// Memory is the budget for files and their texts; nil has no bound.
	Memory *memory.Budget
}

// Worker reads files. Run does its work.
type Worker struct {
	cfg         Config
	quick, slow *lane
}

// lane is one of the two queues of files, which is read one file at a time.
type lane struct {
	quick bool
	read  Read
	// prepared is closed when PDFs can be read; nil afterwards.
	prepared <-chan struct{}
	// woken has an item if there may be a file to read.
	woken chan struct{}
}

// claims returns the files that the lane can read now.
func (l *lane) claims() sources.Lane {
	select {
	case <-l.prepared:
		l.prepared = nil
	default:
	}
	return sources.Lane{Quick: l.quick, NoPDF: l.prepared != nil}
}

func (l *lane) wake() {
	select {
	case l.woken <- struct{}{}:
	default:
	}
}

// New returns a Worker. The store wakes it for new files.
func New(cfg Config) *Worker {
	w := &Worker{cfg: cfg,
		quick: &lane{quick: true, read: cfg.Quick, woken: make(chan struct{}, 1)},
		slow:  &lane{read: cfg.Slow, woken: make(chan struct{}, 1)},
	}
	cfg.Store.OnFile(func() { w.quick.wake(); w.slow.wake() })
	return w
}

// Run reads files until the context ends. The current files then wait for another replica, or for
// the next start. It always returns nil.
func (w *Worker) Run(ctx context.Context) error {
	var work sync.WaitGroup
	prepared := make(chan struct{})
	w.slow.prepared = prepared
	work.Go(func() { w.prepare(ctx); close(prepared) })
	for _, l := range []*lane{w.quick, w.slow} {
		work.Go(func() { w.runLane(ctx, l) })
	}
	work.Wait()
	return nil
}

func (w *Worker) prepare(ctx context.Context) {
	if w.cfg.Prepare == nil {
		return
	}
	if err := w.cfg.Prepare(ctx); err != nil && ctx.Err() == nil {
		w.cfg.Logger.WarnContext(ctx, "the reader of PDF files could not be compiled; "+
			"each PDF file will try it again, and can fail", slog.String("error", err.Error()))
	}
}

// runLane reads the files of a lane until the context ends.
func (w *Worker) runLane(ctx context.Context, l *lane) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for ctx.Err() == nil {
		w.readAll(ctx, l)
		select {
		case <-l.prepared:
		case <-l.woken:
		case <-look.C:
		case <-ctx.Done():
		}
	}
}

// readAll reads all waiting files of a lane.
func (w *Worker) readAll(ctx context.Context, l *lane) {
	account := uuid.Nil
	for ctx.Err() == nil {
		job, err := sources.On(w.cfg.Store).ClaimFile(ctx, l.claims(), account)
		if err != nil {
			w.log(ctx, "looking for files to read", err)
			return
		}
		account = job.AccountID
		w.read(ctx, l, job)
	}
}

// read reads one file. It stores the result even if the context ends meanwhile.
func (w *Worker) read(ctx context.Context, l *lane, job sources.FileJob) {
	hold := w.cfg.Memory.Hold(memory.Panel(job.AccountID))
	defer hold.Release()
	hold.Take(int64(len(job.Content)))
	limited, cancel := context.WithTimeout(ctx, readWithin)
	text, err := l.read(limited, job.Name, job.Encoding, job.Content)
	late := limited.Err() != nil && ctx.Err() == nil
	cancel()
	interrupted := ctx.Err() != nil
	if interrupted {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), endWithin)
		defer cancel()
	}
	switch {
	case err == nil:
		hold.Take(indexing * int64(len(text.Text)))
		w.log(ctx, "storing the text of a file", sources.On(w.cfg.Store).FinishFile(ctx, job, text))
	case errors.Is(err, reading.ErrNotQuick):
		w.log(ctx, "moving a file to the slow lane", sources.On(w.cfg.Store).MoveToSlowLane(ctx, job))
		w.slow.wake()
	case fault.Is(err, fault.InvalidInput):
		w.log(ctx, "storing the reason why a file could not be read",
			sources.On(w.cfg.Store).FailFile(ctx, job, fault.ClientMessage(err), text.Notes))
	case late:
		w.log(ctx, "storing that a file takes too long", sources.On(w.cfg.Store).FailFile(ctx, job,
			"The file takes too long to process. Split it or save it in another format.", nil))
	default:
		if !interrupted {
			w.cfg.Logger.WarnContext(ctx, "a file could not be read and will be retried",
				slog.String("error", err.Error()))
		}
		w.log(ctx, "releasing a file", sources.On(w.cfg.Store).ReleaseFile(ctx, job, !interrupted))
	}
}

// log logs an error, unless the file was deleted or another worker has claimed it. After any other
// error the file is retried when its lease expires.
func (w *Worker) log(ctx context.Context, what string, err error) {
	if err != nil && !fault.Is(err, fault.NotFound) && ctx.Err() == nil {
		w.cfg.Logger.WarnContext(ctx, what+" failed and will be retried",
			slog.String("error", err.Error()))
	}
}

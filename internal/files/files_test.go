package files_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/files"
	"agentchat/internal/knowledge"
	"agentchat/internal/knowledge/filetext/filetest"
	"agentchat/internal/knowledge/reading"
	"agentchat/internal/memory"
	"agentchat/internal/store"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
)

// TestMain can also be a reader's process, which runs this program.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == reading.Command {
		os.Exit(reading.Child(os.Args[2:], os.Stdin, os.Stdout))
	}
	storetest.Main(m)
}

type bench struct {
	*store.DB
	seeded storetest.Fixture
	worker *files.Worker
	memory *memory.Budget
}

// newBench returns a bench whose lanes read with the same function.
func newBench(t *testing.T, read files.Read) *bench {
	t.Helper()
	return newLanes(t, files.Config{Quick: read, Slow: read})
}

func newLanes(t *testing.T, cfg files.Config) *bench {
	t.Helper()
	b := &bench{DB: storetest.New(t), memory: memory.Bytes(64 << 20)}
	b.seeded = storetest.Seed(t, b.DB, storetest.Options{})
	cfg.Store, cfg.Logger, cfg.Memory = b.DB, slog.New(slog.DiscardHandler), b.memory
	b.worker = files.New(cfg)
	return b
}

// run runs the worker until the test ends or stop is called.
func (b *bench) run(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { _ = b.worker.Run(ctx); close(done) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

func (b *bench) add(t *testing.T, name, content string) knowledge.Source {
	t.Helper()
	src, err := sources.On(b.DB).AddFile(t.Context(), b.seeded.Account.ID, b.seeded.Agent.ID, sources.NewFile{Name: name, Content: []byte(content)})
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// until waits for the state of a source, and fails the test if reading ends in another state.
func (b *bench) until(t *testing.T, id uuid.UUID, state knowledge.State) knowledge.Source {
	t.Helper()
	for {
		found, err := sources.On(b.DB).KnowledgeByIDs(t.Context(), b.seeded.Account.ID, []uuid.UUID{id})
		if err != nil {
			t.Fatal(err)
		}
		switch found[id].State {
		case state:
			return found[id]
		case knowledge.Ready:
			t.Fatalf("%s has been read, want %s", found[id].Name, state)
		case knowledge.Failed:
			t.Fatalf("%s, want %s: %s", found[id].Name, state, *found[id].Reason)
		}
		runtime.Gosched()
	}
}

// TestFilesAreRead reads files with the real reader.
func TestFilesAreRead(t *testing.T) {
	t.Parallel()
	b := newBench(t, reading.New(filetest.Compiled(t)).Read)
	b.run(t)
	good := b.add(t, "prices.md", "# Prices\n\nTea is 3 euros.")
	table := b.add(t, "prices.csv", "tea,3\n")
	blank := b.add(t, "blank.txt", " \n")
	document := b.add(t, "terms.docx",
		string(filetest.Docx(filetest.P("Kapitel", "Rückgabe")+filetest.P("", "30 Tage"))))
	pages := b.add(t, "manual.pdf", string(filetest.PDF(true, "Rückgabe", "退货", "c")))
	if got := b.until(t, good.ID, knowledge.Ready); got.Passages != 1 || got.Reason != nil {
		t.Errorf("read: %+v", got)
	}
	b.until(t, table.ID, knowledge.Ready)
	if got := b.until(t, document.ID, knowledge.Ready); got.Pages != nil ||
		got.Characters != len([]rune("# Rückgabe\n\n30 Tage")) || got.Passages != 1 {
		t.Errorf("a Word document: %+v", got)
	}
	if got := b.until(t, pages.ID, knowledge.Ready); got.Pages == nil || *got.Pages != 3 ||
		got.Characters != len([]rune("Rückgabe\f退货\fc")) || got.Passages != 3 {
		t.Errorf("a PDF: %+v", got)
	}
	if got := b.until(t, blank.ID, knowledge.Failed); got.Reason == nil ||
		*got.Reason != "The file has no text." {
		t.Errorf("blank: %+v", got)
	}
	found, err := sources.On(b.DB).FindKnowledge(t.Context(), sources.FindKnowledge{AccountID: b.seeded.Account.ID, AgentID: b.seeded.Agent.ID, Message: "euros", MaxWhole: 1})
	if err != nil || len(found.Passages) != 1 || !strings.Contains(found.Passages[0].Text, "3 euros") {
		t.Errorf("found: %+v, %v", found, err)
	}
	for b.memory.Used() > 0 { // the state changes before the job has ended
		runtime.Gosched()
	}
	storetest.Audit(t, b.DB)
}

// TestStopWhileReading shows that the file waits for the next start, and that this does not count
// as an attempt.
func TestStopWhileReading(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{}, 1)
	b := newBench(t, func(ctx context.Context, _, _ string, _ []byte) (out knowledge.FileText, err error) {
		begun <- struct{}{}
		<-ctx.Done()
		return out, context.Cause(ctx)
	})
	src := b.add(t, "a.txt", "a")
	for range 4 {
		stop := b.run(t)
		<-begun
		b.until(t, src.ID, knowledge.Reading)
		stop()
		b.until(t, src.ID, knowledge.Waiting)
	}
	if job, err := sources.On(b.DB).ClaimFile(t.Context(), sources.Lane{Quick: true}, uuid.Nil); err != nil || job.Attempts != 1 {
		t.Errorf("attempt %d, %v", job.Attempts, err)
	}
}

// TestReaderIsLost shows that an error other than a refusal does not blame the file.
func TestReaderIsLost(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(_ context.Context, name, _ string, _ []byte) (out knowledge.FileText, err error) {
		if name == "bad.txt" {
			return out, fault.New(fault.InvalidInput, "It is bad.")
		}
		return out, errors.New("killed")
	})
	b.run(t)
	src := b.add(t, "a.txt", "a")
	bad := b.add(t, "bad.txt", "a") // must not wait for the other file
	if got := b.until(t, bad.ID, knowledge.Failed); *got.Reason != "It is bad." {
		t.Errorf("bad: %s", *got.Reason)
	}
	for range 2 {
		if _, err := b.SQL().ExecContext(t.Context(), `UPDATE knowledge_files SET due_at = clock_timestamp() WHERE due_at IS NOT NULL`); err != nil {
			t.Fatal(err)
		}
		another := b.add(t, "bad.txt", "a") // wakes the worker
		b.until(t, another.ID, knowledge.Failed)
	}
	if got := b.until(t, src.ID, knowledge.Failed); !strings.Contains(*got.Reason, "three times") {
		t.Errorf("lost: %s", *got.Reason)
	}
	storetest.Audit(t, b.DB)
}

// TestLanes tests that small files wait neither for large ones nor for PDFs, and only PDFs for their
// reader.
func TestLanes(t *testing.T) {
	t.Parallel()
	compiled, slow := make(chan struct{}), make(chan struct{})
	wait := func(ctx context.Context, until chan struct{}) {
		select {
		case <-until:
		case <-ctx.Done():
		}
	}
	b := newLanes(t, files.Config{
		Quick: func(_ context.Context, name, _ string, _ []byte) (out knowledge.FileText, err error) {
			if name == "heavy.txt" {
				return out, reading.ErrNotQuick
			}
			return knowledge.FileText{Text: "quick " + name}, nil
		},
		Slow: func(ctx context.Context, name, _ string, _ []byte) (knowledge.FileText, error) {
			wait(ctx, slow)
			return knowledge.FileText{Text: "slow " + name}, nil
		},
		Prepare: func(ctx context.Context) error { wait(ctx, compiled); return errors.New("killed") },
	})
	b.run(t)
	pdf, heavy := b.add(t, "a.pdf", "a"), b.add(t, "heavy.txt", "a")
	b.until(t, heavy.ID, knowledge.Reading)
	small := b.add(t, "a.txt", "a")
	b.until(t, small.ID, knowledge.Ready)
	close(slow)
	if got := b.until(t, heavy.ID, knowledge.Ready); got.Characters != len("slow heavy.txt") {
		t.Errorf("%d characters: the quick lane has read it", got.Characters)
	}
	b.until(t, pdf.ID, knowledge.Waiting)
	close(compiled)
	b.until(t, pdf.ID, knowledge.Ready)
	storetest.Audit(t, b.DB)
}

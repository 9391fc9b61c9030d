package reading_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge/filetext/filetest"
	"agentchat/internal/knowledge/reading"
)

// TestMain lets this program be the reading process: a Reader starts it again.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == reading.Command {
		os.Exit(reading.Child(os.Args[2:], os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

func newReader(t *testing.T) *reading.Reader {
	t.Helper()
	return reading.New(filetest.Compiled(t))
}

func TestRead(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	for name, c := range map[string]struct {
		name  string
		data  []byte
		want  string
		pages int
	}{
		"text": {"a.txt", []byte("Rückgabe"), "Rückgabe", 0},
		"word": {"a.docx", filetest.Docx(filetest.P("Kapitel", "Rückgabe")), "# Rückgabe", 0},
		"PDF":  {"a.pdf", filetest.PDF(true, "Rückgabe", "退货"), "Rückgabe\f退货", 2},
		"name": {"a\nb.txt", []byte("a"), "a", 0},
		"long": {strings.Repeat("a", 300) + ".txt", []byte("a"), "a", 0},
		"most": {"a.txt", bytes.Repeat([]byte("é"), 2_000_000), strings.Repeat("é", 2_000_000), 0},
	} {
		got, err := r.Read(t.Context(), c.name, "", c.data)
		if err != nil || strings.TrimSpace(got.Text) != strings.TrimSpace(c.want) ||
			got.Pages != c.pages {
			t.Errorf("%s: %.100q, %d pages, %v", name, got.Text, got.Pages, err)
		}
	}
}

func TestRefusalsReachTheOwner(t *testing.T) {
	t.Parallel()
	_, err := newReader(t).Read(t.Context(), "a.pdf", "", []byte("<html><p>a"))
	if !fault.Is(err, fault.InvalidInput) ||
		fault.ClientMessage(err) != "The name of the file ends in .pdf, but it is a web page. Rename it, or upload the right file." {
		t.Error(err)
	}
}

// TestStopped shows that one file is read at a time, and that reading stops when its context ends.
func TestStopped(t *testing.T) {
	t.Parallel()
	r := reading.New("") // compiles for seconds before it reads a PDF
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := r.Read(ctx, "a.pdf", "", []byte("a"))
		ended <- err
	}()
	late, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	if _, err := r.Read(late, "a.pdf", "", []byte("a")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("two files at once: %v", err)
	}
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		t.Error("it has not stopped")
	}
}

func TestDirectoryThatCannotBeMade(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := reading.New(file).Read(t.Context(), "a.txt", "", []byte("a")); !errors.Is(err, reading.ErrLost) {
		t.Error(err)
	}
}

func TestWithoutADirectory(t *testing.T) {
	t.Parallel()
	if got, err := reading.New("").Read(t.Context(), "a.txt", "", []byte("a")); err != nil ||
		got.Text != "a" {
		t.Errorf("%v, %v", got, err)
	}
}

// TestQuick tests that a quick reader leaves files to the other reader that take much memory, or time
// to unzip, and reads the others.
func TestQuick(t *testing.T) {
	t.Parallel()
	r := reading.NewQuick("")
	files := hostileFiles()
	files["small.docx"] = filetest.Docx(filetest.P("", "a"))
	for name, want := range map[string]error{"fonts.html": reading.ErrNotQuick,
		"ratio.docx": reading.ErrNotQuick, "small.docx": nil} {
		file := files[name][:min(len(files[name]), 1<<20)]
		if _, err := r.Read(t.Context(), name, "", file); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

// TestPrepare tests that a reader is compiled in advance, and that a failure is kept until the next
// attempt.
func TestPrepare(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	compiled := filepath.Join(dir, "compiled")
	if err := os.WriteFile(compiled, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := reading.New(dir)
	if err := r.Prepare(t.Context()); err == nil || reading.Failure(dir) != err.Error() {
		t.Errorf("it cannot store anything: %v, %q", err, reading.Failure(dir))
	}
	if err := os.Remove(compiled); err != nil {
		t.Fatal(err)
	}
	filetest.Link(dir)
	if err := r.Prepare(t.Context()); err != nil || reading.Failure(dir) != "" {
		t.Errorf("prepared: %v, %q", err, reading.Failure(dir))
	}
}

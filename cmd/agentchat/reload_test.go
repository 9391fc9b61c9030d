package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentchat/internal/server"
)

// TestSignUpOpen tests that anyone may open an account while only the sandbox is configured. With a
// provider, sign-up is closed unless SIGN_UP opens it.
func TestSignUpOpen(t *testing.T) {
	t.Parallel()
	file := "MODELS_FILE=" + writeFile(t, models("first"))
	for _, c := range []struct {
		env  []string
		open bool
	}{
		{nil, true},
		{[]string{"SIGN_UP=closed"}, false},
		{[]string{"GEMINI_API_KEY=key"}, false},
		{[]string{"OPENAI_API_KEY=key"}, false},
		{[]string{"GEMINI_API_KEY=key", "SIGN_UP=open"}, true},
		{[]string{file}, false},
		{[]string{file, "SIGN_UP=open"}, true},
	} {
		if open := configOf(t, c.env...).signUpOpen(); open != c.open {
			t.Errorf("with %q sign-up is open: %t", c.env, open)
		}
	}
}

// watched is a models file in a folder like a Kubernetes mount, and the settings of a service that
// checks it every 5 ms.
type watched struct {
	*testing.T
	dir    string
	config *serveCmd
	log    safeBuffer
}

func newWatched(t *testing.T) *watched {
	t.Helper()
	w := &watched{T: t, dir: t.TempDir()}
	w.mount("one", models("first"))
	w.must(os.Symlink(filepath.Join("..data", "models.yaml"), filepath.Join(w.dir, "models.yaml")))
	w.config = configOf(t, "MODELS_FILE="+filepath.Join(w.dir, "models.yaml"))
	w.config.hangups = make(chan os.Signal, 1)
	logger := slog.New(slog.NewTextHandler(&w.log, nil))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	watch := w.config.reloadModels(server.NewOps(http.NotFoundHandler(), slog.New(slog.DiscardHandler)), logger,
		5*time.Millisecond, 50*time.Millisecond)
	go func() { ended <- watch(ctx) }()
	t.Cleanup(func() {
		cancel()
		w.must(<-ended)
	})
	return w
}

func (w *watched) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// mount writes a folder with a models file and switches the link ..data to it.
func (w *watched) mount(folder, content string) {
	w.Helper()
	w.must(os.Mkdir(filepath.Join(w.dir, folder), 0o700))
	w.must(os.WriteFile(filepath.Join(w.dir, folder, "models.yaml"), []byte(content), 0o600))
	w.must(os.Symlink(folder, filepath.Join(w.dir, "..new")))
	w.must(os.Rename(filepath.Join(w.dir, "..new"), filepath.Join(w.dir, "..data")))
}

func (w *watched) offers(name string) bool { return w.config.catalogue.Offered("acme/" + name) }

// count returns the number of log lines with a text.
func (w *watched) count(text string) int { return strings.Count(w.log.String(), text) }

func models(name string) string {
	return fmt.Sprintf("providers: [{name: acme, kind: openai, base_url: http://127.0.0.1:1/v1}]\n"+
		"models: [{name: %s, provider: acme, credits: 1, context_window: 4096}]\n", name)
}

// TestModelsFileChanges tests that the models file is reloaded when it changes, even behind links,
// and only then.
func TestModelsFileChanges(t *testing.T) {
	t.Parallel()
	w := newWatched(t)
	const reloaded, kept = "the models were reloaded", "the models were not reloaded"
	w.mount("two", models("second"))
	until(t, "a switched link is seen", func() bool { return w.offers("second") })
	path := filepath.Join(w.dir, "models.yaml")
	write := func(content string) {
		w.must(os.WriteFile(path+".new", []byte(content), 0o600))
		w.must(os.Rename(path+".new", path))
	}
	write(models("third"))
	until(t, "another file in its place is seen", func() bool { return w.offers("third") })
	write("models: nonsense\n")
	until(t, "a bad file is told", func() bool { return w.count(kept) == 1 })
	w.must(os.Remove(path))
	until(t, "a missing file is told", func() bool { return w.count(kept) == 2 })
	write(models("fourth"))
	until(t, "a file that comes back is seen", func() bool { return w.offers("fourth") })
	w.must(os.Chtimes(path, time.Now(), time.Now()))
	w.config.hangups <- os.Interrupt
	until(t, "a signal has it read at once", func() bool { return w.count(reloaded) == 4 })
	if w.count(kept) != 2 {
		t.Errorf("the log: %s", w.log.String())
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"agentchat/internal/embeddedpg"
	"agentchat/internal/store/storetest"
)

// TestServeEmbedded runs on the embedded database: an empty directory, a service, a chat, commands
// while it runs and after its end, and a second start that finds all data.
func TestServeEmbedded(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(storetest.DataDir(t), "data")
	env := settings(dir)
	first := startService(t, env, "--demo")
	code, answer := say(t, first.Chat, first.Demo.APIKey, "s", "My name is Ada.")
	if code != http.StatusOK || answer.Usage.CreditsRemaining != 99 {
		t.Fatalf("the first chat = %d %+v", code, answer)
	}
	grant := []string{"credits", "grant", "--json", "--email", "Demo@Example.com ", "--amount", "41",
		"--note", "top-up",
		"--reference", "inv-1"}
	if got := invoke(t, env, "", grant...).object(t); got["balance"] != 140.0 || got["repeated"] != false {
		t.Errorf("a grant while the service runs: %v", got)
	}
	second := invoke(t, settings(dir), "", "serve")
	second.expectLine(t, exitFailed, dir)
	if code := first.stop(t); code != exitOK {
		t.Errorf("the service ended with code %d: %s", code, first.stderr.String())
	}
	if got := invoke(t, env, "", grant...).object(t); got["balance"] != 140.0 || got["repeated"] != true {
		t.Errorf("the same grant without the service: %v", got)
	}
	for _, name := range []string{secretFile, demoFile} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v; want only its owner to read it", name, info, err)
		}
	}
	again := startService(t, env, "--demo")
	if *again.Demo != *first.Demo {
		t.Errorf("a second start made another demo:\n%+v\n%+v", again.Demo, first.Demo)
	}
	code, answer = say(t, again.Chat, first.Demo.APIKey, "s", "What is my name?")
	if code != http.StatusOK || !strings.Contains(answer.Reply, "Ada") || answer.Usage.CreditsRemaining != 139 {
		t.Errorf("the conversation continues = %d %+v", code, answer)
	}
	postgres, err := embeddedpg.Attach(t.Context(),
		embeddedpg.Config{DataDir: dir, BinDir: os.Getenv("AGENTCHAT_POSTGRES_BIN")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = postgres.Stop(context.WithoutCancel(t.Context())) }()
	s := storetest.Open(t, postgres.URL())
	if _, err := s.SQL().ExecContext(t.Context(),
		`DELETE FROM goose_db_version WHERE version_id > 0`); err != nil {
		t.Fatal(err)
	}
	invoke(t, env, "", "migrate").expectLine(t, exitFailed, "cannot migrate the database in "+dir+": ",
		"AGENTCHAT_DATA_DIR")
}

// TestServeEndsWithItsDatabase tests that the service ends with code 1 and one line when the
// embedded database dies, so that a supervisor restarts both.
func TestServeEndsWithItsDatabase(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(storetest.DataDir(t), "data")
	s := startService(t, settings(dir))
	content, err := os.ReadFile(filepath.Join(dir, "postgres", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.SplitN(string(content), "\n", 2)[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	until(t, "the service ends", func() bool {
		select {
		case <-s.ended:
			return true
		default:
			return false
		}
	})
	if last := s.stderr.String(); s.code != exitFailed || !strings.HasSuffix(last, "postgres.log\"}}\n") ||
		!strings.Contains(last, "database ended unexpectedly") {
		t.Errorf("code %d, stderr %s", s.code, s.stderr.String())
	}
	if again := startService(t, settings(dir)); again.stop(t) != exitOK {
		t.Errorf("the next start does not recover: %s", again.stderr.String())
	}
}

func TestServeSchema(t *testing.T) {
	t.Parallel()
	url := storetest.EmptyURL(t)
	r := invoke(t, onDatabase(t, url), "", "serve", "--migrate=false")
	r.expectLine(t, exitFailed, "agentchat migrate")
	if r := invoke(t, onDatabase(t, url), "", "credits", "grant", "--email", "a@example.com",
		"--amount", "1", "--note", "n",
		"--reference", "r"); r.code != exitFailed || !strings.Contains(r.stderr, "agentchat migrate") {
		t.Errorf("a command on an empty database: %+v", r)
	}
	if r := invoke(t, onDatabase(t, url), "", "migrate", "--json"); r.code != exitOK ||
		r.stdout != "{\"schema\":\"current\"}\n" {
		t.Errorf("migrate: %+v", r)
	}
	if s := startService(t, onDatabase(t, url), "--migrate=false"); s.stop(t) != exitOK {
		t.Errorf("on the migrated database: %s", s.stderr.String())
	}
}

// TestSignals sends signals to a real process. SIGHUP reloads the models. The first SIGTERM drains
// for SHUTDOWN_DELAY; a second signal ends it at once.
func TestSignals(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	for _, c := range []struct {
		name, delay string
		again       bool
		want        int
	}{{"one signal", "0s", false, exitOK}, {"a second signal", "5m", true, exitInterrupted}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			command := exec.CommandContext(t.Context(), os.Args[0], "serve", "--json")
			command.Env = append(onDatabase(t, url, "SHUTDOWN_DELAY="+c.delay,
				"MODELS_FILE="+writeFile(t, models("first"))), execVariable+"=1")
			var stdout, stderr safeBuffer
			command.Stdout, command.Stderr = &stdout, &stderr
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_ = command.Wait()
			}()
			until(t, "the announcement", func() bool { return strings.Contains(stdout.String(), "\n") })
			var where addresses
			if err := json.Unmarshal([]byte(stdout.String()), &where); err != nil {
				t.Fatal(err)
			}
			until(t, "ready", func() bool { return status(t, where.Ops+"/readyz") == http.StatusOK })
			_ = command.Process.Signal(syscall.SIGHUP)
			until(t, "the models are reloaded",
				func() bool { return strings.Contains(stderr.String(), "the models were reloaded") })
			_ = command.Process.Signal(syscall.SIGTERM)
			if c.again {
				until(t, "draining",
					func() bool { return status(t, where.Ops+"/readyz") == http.StatusServiceUnavailable })
			}
			until(t, "the end", func() bool {
				if c.again {
					_ = command.Process.Signal(os.Interrupt)
				}
				select {
				case <-ended:
					return true
				default:
					return false
				}
			})
			if code := command.ProcessState.ExitCode(); code != c.want {
				t.Errorf("exit code %d, want %d; stderr: %s", code, c.want, stderr.String())
			}
		})
	}
}

// TestStopWhileStarting tests that a stop during initdb is orderly and leaves a directory that the
// next start can use.
func TestStopWhileStarting(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(storetest.DataDir(t), "data")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var stdout, stderr safeBuffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, process{args: []string{"serve"}, env: settings(dir), stdout: &stdout, stderr: &stderr})
	}()
	until(t, "the database is being made", func() bool { return strings.Contains(stderr.String(), "cluster") })
	cancel()
	var code int
	until(t, "the end", func() bool {
		select {
		case code = <-ended:
			return true
		default:
			return false
		}
	})
	if code != exitOK || strings.Contains(stderr.String(), "agentchat: ") {
		t.Errorf("code %d, stderr %s", code, stderr.String())
	}
	if s := startService(t, settings(dir)); s.stop(t) != exitOK {
		t.Errorf("the next start: %s", s.stderr.String())
	}
}

func TestSigningSecret(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	config := serveCmd{databaseSettings: databaseSettings{DataDir: dir}}
	made, err := config.signingSecret(&config.databaseSettings)
	if err != nil || len(made) < minSecretBytes {
		t.Fatalf("made %d bytes, %v", len(made), err)
	}
	if kept, err := config.signingSecret(&config.databaseSettings); err != nil || !bytes.Equal(kept, made) {
		t.Errorf("the secret was not kept (%v)", err)
	}
	if err := os.WriteFile(filepath.Join(dir, secretFile), []byte("cut"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = config.signingSecret(&config.databaseSettings)
	if err == nil || !strings.Contains(err.Error(), secretFile) || strings.Contains(err.Error(), "cut") {
		t.Errorf("a damaged secret: %v", err)
	}
	config.JWTSecret = jwtSecret(testSecret)
	if own, err := config.signingSecret(&config.databaseSettings); err != nil || string(own) != testSecret {
		t.Errorf("the configured secret does not win: %v", err)
	}
}

package embeddedpg_test

import (
	"context"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"agentchat/internal/embeddedpg"
	"agentchat/internal/testlong"
)

func TestSecondServiceIsRefused(t *testing.T) {
	t.Parallel()
	cfg := existing(t)
	h := startHelper(t, order{Kind: "service", DataDir: cfg.DataDir}, nil).ready(t)
	refused(t, cfg, "in use by another agentchat (process "+strconv.Itoa(h.cmd.Process.Pid)+")",
		"AGENTCHAT_DATA_DIR")
	write(t, h.URL) // the first one is not affected
	h.end(t)
	note(t, start(t, cfg).URL())
}

func TestCommandWithAService(t *testing.T) {
	t.Parallel()
	cfg := existing(t)
	s := start(t, cfg)
	write(t, s.URL())
	h := startHelper(t, order{Kind: "command", DataDir: cfg.DataDir}, nil).ready(t)
	if h.PID != s.PID() || h.Owner {
		t.Errorf("the command has started another server: %+v", h.answer)
	}
	note(t, h.URL)
	h.end(t)
	note(t, s.URL())
	if isClosed(s.Done()) {
		t.Error("the command has stopped the service's server")
	}
}

func TestCommandWithoutAService(t *testing.T) {
	t.Parallel()
	cfg := existing(t)
	s, err := embeddedpg.Attach(t.Context(), cfg)
	must(t, err)
	if !s.Owner() {
		t.Error("the command does not own the server that it started")
	}
	write(t, s.URL())
	stop(t, s)
	if embeddedpg.IsPostmaster(t.Context(), s.PID(), filepath.Join(cfg.DataDir, "postgres")) {
		t.Error("the command has left its server running")
	}
	note(t, start(t, cfg).URL())
}

// TestServiceWaitsForACommand tests that a service waits for a command that uses the database, even
// if that is the server of a killed service.
func TestServiceWaitsForACommand(t *testing.T) {
	t.Parallel()
	for message, killed := range map[string]bool{
		"waiting for a command that uses the database":               false,
		"stopping the PostgreSQL that a killed service left running": true,
	} {
		t.Run(message, func(t *testing.T) {
			t.Parallel()
			cfg := existing(t)
			var service *helper
			if killed {
				service = startHelper(t, order{Kind: "service", DataDir: cfg.DataDir}, nil).ready(t)
			}
			command := startHelper(t, order{Kind: "command", DataDir: cfg.DataDir}, nil).ready(t)
			write(t, command.URL)
			if killed {
				service.kill(t)
			}
			waiting := make(chan struct{})
			cfg.Logger = onMessage(message, sync.OnceFunc(func() { close(waiting) }))
			started := make(chan *embeddedpg.Server, 1)
			go func() {
				s, err := embeddedpg.Start(context.Background(), cfg)
				if err != nil {
					t.Error(err)
				}
				started <- s
			}()
			closed(t, "the service waiting", waiting)
			note(t, command.URL)
			if len(started) > 0 {
				t.Error("the service did not wait")
			}
			command.end(t)
			if s := <-started; s != nil {
				note(t, s.URL())
				stop(t, s)
			}
		})
	}
}

// TestCommandsAtOnce shows that several commands share one server, and that the one that started it
// stops last.
func TestCommandsAtOnce(t *testing.T) {
	t.Parallel()
	testlong.Only(t)
	cfg := existing(t)
	const n = 4
	servers := make([]*embeddedpg.Server, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			s, err := embeddedpg.Attach(context.Background(), cfg)
			if err != nil {
				t.Error(err)
				return
			}
			servers[i] = s
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	var owner *embeddedpg.Server
	for _, s := range servers {
		if s.PID() != servers[0].PID() {
			t.Errorf("servers %d and %d", s.PID(), servers[0].PID())
		}
		if s.Owner() {
			owner = s
		}
	}
	write(t, owner.URL())
	gone := make(chan error, 1)
	go func() { gone <- owner.Stop(context.Background()) }()
	for _, s := range servers {
		if s != owner {
			note(t, s.URL())
			stop(t, s)
		}
	}
	must(t, <-gone)
}

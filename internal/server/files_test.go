package server_test

import (
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"syscall"
	"testing"

	"agentchat/internal/server"
)

func TestConnectionsFor(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ files, pool, want int }{
		{4, 4, 4},
		{64, 4, 16},
		{136, 4, 34},
		{1024, 4, 478},
		{20_067, 4, 9_999},
		{20_068, 4, 10_000},
		{20_068, 6, 9_999},
		{1 << 30, 1000, 10_000},
	} {
		if got := server.ConnectionsFor(tc.files, tc.pool); got != tc.want {
			t.Errorf("%d files and a pool of %d: %d connections, want %d", tc.files, tc.pool, got, tc.want)
		}
	}
	if server.OpenFiles() < 16 {
		t.Errorf("%d files may be open", server.OpenFiles())
	}
}

// exhausted is a listener that can open no more files for a while.
type exhausted struct {
	net.Listener
	failures atomic.Int64
}

func (e *exhausted) Accept() (net.Conn, error) {
	if e.failures.Add(-1) >= 0 {
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	return e.Listener.Accept()
}

// When no file is left, an idle connection makes room, and the log says once what to do.
func TestNoFileIsLeft(t *testing.T) {
	t.Parallel()
	log := &lockedLog{}
	listener := &exhausted{}
	service := run(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), func(s *server.Service) {
		listener.Listener = s.Listener
		s.Listener, s.Logger = listener, slog.New(slog.NewTextHandler(log, nil))
	})
	idle := connect(t, service.address)
	mustDo(t, http.MethodGet, service.url+"/", nil) // so that the idle one was accepted
	listener.failures.Store(3)
	mustDo(t, http.MethodGet, service.url+"/", nil) // accepted by the call that is waiting
	mustDo(t, http.MethodGet, service.url+"/", nil)
	if n, err := idle.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("the idle connection was not closed: %d, %v", n, err)
	}
	if n := log.count("ulimit -n"); n != 1 {
		t.Errorf("%d warnings, want one a minute", n)
	}
}

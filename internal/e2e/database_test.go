package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"agentchat/internal/embeddedpg"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// crashableDB is a private PostgreSQL that a test can kill and restart, behind a proxy that can
// break the network. Clients use the proxy's address because the cluster chooses a new port at each
// start.
type crashableDB struct {
	t      testing.TB
	config embeddedpg.Config
	server *embeddedpg.Server
	proxy  *toxiproxy.Proxy
	// url is the URL of the migrated database, through the proxy.
	url string
}

func newCrashableDB(t testing.TB, settings map[string]string) *crashableDB {
	t.Helper()
	return newCrashableDBIn(t, storetest.DataDir(t), settings)
}

// newCrashableDBIn is newCrashableDB with its data in dir.
func newCrashableDBIn(t testing.TB, dir string, settings map[string]string) *crashableDB {
	t.Helper()
	c := &crashableDB{t: t}
	c.config = storetest.ClusterConfig(dir)
	for name, value := range settings {
		c.config.Settings[name] = value
	}
	c.start()
	t.Cleanup(c.stop)
	t.Cleanup(func() { c.proxy.Stop() })
	u, err := url.Parse(c.server.URL())
	if err != nil {
		t.Fatal(err)
	}
	u.Host = c.proxy.Listen
	c.url = u.String()
	s := storetest.Open(t, c.url)
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// start starts the server and returns when it accepts connections.
func (c *crashableDB) start() {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	server, err := embeddedpg.Start(ctx, c.config)
	if err != nil {
		c.t.Fatal(err)
	}
	u, err := url.Parse(server.URL())
	if err != nil {
		c.t.Fatal(err)
	}
	c.server = server
	if c.proxy == nil {
		zerolog.SetGlobalLevel(zerolog.Disabled) // some toxics write to their own log
		all := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
		c.proxy = toxiproxy.NewProxy(all, "postgresql", net.JoinHostPort(privateLoopback(), "0"), u.Host)
		err = c.proxy.Start()
	} else {
		// A process that another test starts holds the old listener between its fork and its exec.
		eventually(c.t, "the proxy listens again", func() bool {
			err = c.proxy.Update(&toxiproxy.Proxy{Listen: c.proxy.Listen, Upstream: u.Host, Enabled: true})
			return !errors.Is(err, syscall.EADDRINUSE)
		})
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// privateLoopback returns a random loopback address if the system has more than one, so that
// nothing else takes the proxy's port while the proxy moves to another server.
func privateLoopback() string {
	if runtime.GOOS != "linux" {
		return "127.0.0.1"
	}
	return fmt.Sprintf("127.%d.%d.%d", 1+rand.IntN(200), rand.IntN(250), 2+rand.IntN(250))
}

func (c *crashableDB) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	_ = c.server.Stop(ctx)
}

// kill sends SIGKILL to the server and its child processes. What was only in memory is lost.
func (c *crashableDB) kill() {
	c.t.Helper()
	c.signal(syscall.SIGKILL)
	<-c.server.Done()
	c.stop()
}

// pause suspends the server and its child processes until resume is called or the test ends.
func (c *crashableDB) pause() (resume func()) {
	c.t.Helper()
	paused := c.signal(syscall.SIGSTOP)
	resume = sync.OnceFunc(func() {
		for _, process := range paused {
			_ = syscall.Kill(process, syscall.SIGCONT)
		}
	})
	c.t.Cleanup(resume)
	return resume
}

// signal signals the server and its child processes, and returns their IDs.
func (c *crashableDB) signal(signal syscall.Signal) []int {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.config.DataDir, "postgres", "postmaster.pid"))
	if err != nil {
		c.t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		c.t.Fatal(err)
	}
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid))
	if err != nil {
		c.t.Skip("this system has no lists of child processes")
	}
	processes := []int{pid}
	for text := range strings.FieldsSeq(string(children)) {
		child, _ := strconv.Atoi(text)
		processes = append(processes, child)
	}
	for _, process := range processes {
		_ = syscall.Kill(process, signal)
	}
	return processes
}

// open opens a store for the test on the cluster, through the proxy. It never reuses a connection,
// which could be to a killed server.
func (c *crashableDB) open() *store.DB {
	c.t.Helper()
	s := storetest.Open(c.t, c.url)
	s.SQL().SetMaxIdleConns(0)
	return s
}

// direct opens a store for the test on the running cluster, without the proxy and its failures.
func (c *crashableDB) direct() *store.DB {
	c.t.Helper()
	return storetest.Open(c.t, c.server.URL())
}

// smallDisk is a private file system that a test can fill and empty.
type smallDisk struct{ dir, ballast string }

// newSmallDisk mounts an in-memory file system. It skips the test if the user is not root.
func newSmallDisk(t *testing.T, megabytes int) *smallDisk {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a file system")
	}
	dir := filepath.Join(traversableDir(t), "disk")
	if err := os.Mkdir(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	options := fmt.Sprintf("size=%dm,mode=0711", megabytes)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("this system cannot mount a file system: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Errorf("the file system in %s is still mounted: %v", dir, err)
			_ = syscall.Unmount(dir, syscall.MNT_DETACH)
		}
	})
	return &smallDisk{dir: dir, ballast: filepath.Join(dir, "ballast")}
}

// fill uses up all free space.
func (d *smallDisk) fill(t testing.TB) {
	t.Helper()
	file, err := os.OpenFile(d.ballast, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for piece := make([]byte, 1<<20); len(piece) >= 4096; {
		if _, err = file.Write(piece); errors.Is(err, syscall.ENOSPC) {
			piece = piece[:len(piece)/2]
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func (d *smallDisk) empty(t testing.TB) {
	t.Helper()
	if err := os.Remove(d.ballast); err != nil {
		t.Fatal(err)
	}
}

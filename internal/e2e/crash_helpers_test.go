package e2e_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"agentchat/internal/embeddedpg"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// crashableDB is a PostgreSQL of a test's own, which can be killed and started again, behind a network that can be broken. Its
// address stays the same meanwhile: that of a proxy, because a cluster chooses a new port whenever it starts.
type crashableDB struct {
	t      testing.TB
	config embeddedpg.Config
	server *embeddedpg.Server
	proxy  *toxiproxy.Proxy
	// url is the migrated database's, through the proxy.
	url string
}

func newCrashableDB(t testing.TB, settings map[string]string) *crashableDB {
	t.Helper()
	dir, err := os.MkdirTemp("", "agentchat-e2e-") //nolint:usetesting // PostgreSQL's unprivileged user has to pass it
	if err == nil {
		err = os.Chmod(dir, 0o711)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return newCrashableDBIn(t, dir, settings)
}

// newCrashableDBIn is newCrashableDB in a folder of the test's choice.
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

// start returns when the server accepts connections.
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
		zerolog.SetGlobalLevel(zerolog.Disabled) // some toxics write to a log of their own
		all := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
		c.proxy = toxiproxy.NewProxy(all, "postgresql", net.JoinHostPort(privateLoopback(), "0"), u.Host)
		err = c.proxy.Start()
	} else {
		err = c.proxy.Update(&toxiproxy.Proxy{Listen: c.proxy.Listen, Upstream: u.Host, Enabled: true})
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// privateLoopback is a loopback address of its own where the system has those, so that nobody takes the proxy's port while the proxy
// is led to another server.
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

// kill ends the server and all processes of its own with -9, all at once: what was only in their memory is lost.
func (c *crashableDB) kill() {
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
	children := childrenOf(c.t, pid)
	for _, process := range append([]int{pid}, children...) {
		_ = syscall.Kill(process, syscall.SIGKILL)
	}
	<-c.server.Done()
	c.stop()
}

// childrenOf are the processes that a process has started.
func childrenOf(t testing.TB, pid int) (children []int) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		t.Skip("this system does not list its processes in /proc")
	}
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		if len(fields) < 2 || fields[1] != strconv.Itoa(pid) {
			continue
		}
		if child, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			children = append(children, child)
		}
	}
	return children
}

// open opens a store of the test's own on the cluster, through the proxy.
func (c *crashableDB) open() *store.Store {
	c.t.Helper()
	s := storetest.Open(c.t, c.url)
	s.DB().SetMaxIdleConns(0) // the test's own reads never meet a connection to the server that was killed
	return s
}

// direct opens a store of the test's own on the cluster as it runs now, past the proxy and its faults.
func (c *crashableDB) direct() *store.Store {
	c.t.Helper()
	return storetest.Open(c.t, c.server.URL())
}

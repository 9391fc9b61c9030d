package server_test

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"agentchat/internal/httpapi"
	"agentchat/internal/server"
)

// places is how many connections the services of these tests have, and share how many of them one address may have.
const places, share = 50, 10

// crowd is a service with few places.
type crowd struct {
	*running
	t   *testing.T
	log *lockedLog
	// vouched receives a value for each request to /vouched and /anonymous; their answers wait until release is closed.
	vouched, release chan struct{}
	mu               sync.Mutex
	ran              map[string]bool
}

type lockedLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedLog) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), text)
}

func newCrowd(t *testing.T, trusted ...string) *crowd {
	t.Helper()
	c := &crowd{t: t, log: &lockedLog{}, vouched: make(chan struct{}, places), release: make(chan struct{}), ran: map[string]bool{}}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		c.ran[r.URL.Path] = true
		c.mu.Unlock()
		if r.URL.Path == "/vouched" {
			httpapi.Vouch(r.Context())
		}
		if r.URL.Path == "/vouched" || r.URL.Path == "/anonymous" {
			c.vouched <- struct{}{}
			<-c.release
		}
		_, _ = io.WriteString(w, "hello")
	})
	c.running = run(t, handler, func(s *server.Service) {
		s.Connections, s.Logger = places, slog.New(slog.NewTextHandler(c.log, nil))
		for _, network := range trusted {
			s.TrustedProxies = append(s.TrustedProxies, netip.MustParsePrefix(network))
		}
	})
	return c
}

// caller is a connection that is kept.
type caller struct {
	net.Conn
	reader *bufio.Reader
}

// call opens a connection from an address of this machine, 127.0.0.n.
func (c *crowd) call(n int) *caller {
	c.t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(n))}}
	conn, err := dialer.DialContext(c.t.Context(), "tcp", c.address)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(waitLimit))
	return &caller{conn, bufio.NewReader(conn)}
}

func (c *caller) send(path string) {
	_, _ = io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n")
}

// answered reports whether an answer comes before the connection ends.
func (c *caller) answered() bool {
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	return err == nil
}

func (c *caller) asks(path string) bool {
	c.send(path)
	return c.answered()
}

// idle opens connections from an address that each have had one answer.
func (c *crowd) idle(n, connections int) []*caller {
	c.t.Helper()
	all := make([]*caller, connections)
	for i := range all {
		if all[i] = c.call(n); !all[i].asks("/") {
			c.t.Fatalf("connection %d of 127.0.0.%d is not answered", i, n)
		}
	}
	return all
}

// check counts the connections that the service has closed.
func (c *crowd) check(what string, callers []*caller, closed int) {
	c.t.Helper()
	found := 0
	for _, caller := range callers {
		if !caller.asks("/again") {
			found++
		}
	}
	if found != closed {
		c.t.Errorf("%s: %d of %d were closed, want %d", what, found, len(callers), closed)
	}
}

func TestAnAddressHasAShareOfIdleConnections(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	callers := c.idle(1, share)
	c.check("at the share", callers, 0)
	one := c.idle(1, 1)
	c.check("over the share", callers, 1)
	c.check("the new one", one, 0)
	c.idle(1, 3)
	if n := c.log.count("level=WARN"); n != 1 || c.log.count("address=127.0.0.1/32") != 1 {
		t.Errorf("%d warnings, want one a minute, with the address", n)
	}
}

// Connections that never send anything count too, and make room for those that do.
func TestSilentConnectionsMakeRoom(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	silent := make([]*caller, share)
	for i := range silent {
		silent[i] = c.call(1)
	}
	other := c.idle(2, 1)
	c.idle(1, 1)
	if silent[0].answered() {
		t.Error("an answer to nothing")
	}
	c.check("another address", other, 0)
	c.check("the younger ones", silent[1:], 0)
}

func TestConnectionsInUseHaveNoShare(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	callers := make([]*caller, places)
	for i := range callers {
		callers[i] = c.call(1)
		callers[i].send("/vouched")
		receive(t, "the request", c.vouched)
	}
	// There is no place left and nothing idle: one more waits, and the log says so.
	late := c.call(2)
	late.send("/")
	until(t, "the log says that it is full", func() bool { return c.log.count("all connections are in use") == 1 })
	close(c.release)
	for i, caller := range callers {
		if !caller.answered() {
			t.Errorf("connection %d was not answered", i)
		}
	}
	if !late.answered() {
		t.Error("the one that waited was not answered")
	}
	// They are idle now and over the share, so the oldest were closed.
	for _, caller := range callers {
		caller.asks("/again") // not before the connection is idle
	}
	c.check("idle", callers, places-share)
}

func TestAShareThatIsInUseIsRefused(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	callers := make([]*caller, share)
	for i := range callers {
		callers[i] = c.call(1)
		callers[i].send("/anonymous")
		receive(t, "the request", c.vouched)
	}
	if c.call(1).asks("/") {
		t.Error("one over the share is answered")
	}
	if !c.call(2).asks("/") {
		t.Error("another address is not answered")
	}
	close(c.release)
	for i, caller := range callers {
		if !caller.answered() {
			t.Errorf("connection %d was not answered", i)
		}
	}
}

func TestWhenAllPlacesAreTakenIdleConnectionsAreClosed(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, "127.0.0.9/32")
	proxy := c.idle(9, share+2) // no share for a trusted proxy
	c.check("a trusted proxy", proxy, 0)
	var callers []*caller
	for n := 1; len(proxy)+len(callers) < places; n++ {
		callers = append(callers, c.idle(n, min(share, places-len(proxy)-len(callers)))...)
	}
	newcomers := c.idle(8, 2)
	c.check("all", callers, 2)
	c.check("the newcomers", newcomers, 0)
	c.check("the proxy, which is older", proxy, 0)
	for n := range places - 1 { // nobody else is left
		c.call(10 + n).send("/vouched")
		receive(t, "the request", c.vouched)
	}
	c.check("the proxy, when there is nobody else", proxy, len(proxy)-1)
	close(c.release)
}

// A request that arrives on a connection that is being closed is answered or not run, and never run without an answer.
func TestClosedConnectionsRunNothing(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	lost := 0
	for round := range 20 {
		callers := c.idle(1+round, share)
		var work sync.WaitGroup
		answered := make([]bool, share)
		for i, caller := range callers {
			work.Go(func() { answered[i] = caller.asks(fmt.Sprintf("/%d/%d", round, i)) })
		}
		for range share {
			work.Go(func() { c.call(1 + round).asks("/") })
		}
		work.Wait()
		for i, got := range answered {
			c.mu.Lock()
			ran := c.ran[fmt.Sprintf("/%d/%d", round, i)]
			c.mu.Unlock()
			if ran != got {
				t.Errorf("round %d, connection %d: run %v, answered %v", round, i, ran, got)
			}
			if !got {
				lost++
			}
		}
	}
	t.Logf("%d of %d requests came too late", lost, 20*share)
}

func TestShareOf(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"203.0.113.5": "203.0.113.5/32", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "::1": "::/64",
	} {
		if got := server.ShareOf(netip.MustParseAddr(address)).String(); got != want {
			t.Errorf("%s counts for %s, want %s", address, got, want)
		}
	}
}

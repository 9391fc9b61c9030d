package server

import (
	"container/list"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/time/rate"

	"agentchat/internal/httpapi"
)

const (
	// MaxConnections is how many clients may be connected at once; more wait in the kernel's queue.
	MaxConnections = 10_000
	// shareOfConnections is the part of them, as a divisor, that one network address may have without a request under a valid key or
	// token. A fifth is 2,000: room for an office of 300 browsers behind one address, and for a customer's server that opens a thousand
	// streams before the first key is checked; and no more than 50 MiB of memory for the connections of one address.
	shareOfConnections = 5
	// leastShare keeps a share that a browser fits in, where there may be only a few connections.
	leastShare = 8
	// networkBits is the length of the IPv6 prefix that counts as one address: hosts choose the rest themselves.
	networkBits = 64
)

// connections is the public listener. It closes idle connections, the oldest first, when their address has more than its share, and
// when there is no room for a new one. A connection is idle when no request of it has arrived with its whole header.
type connections struct {
	net.Listener
	limit, share int
	trusted      []netip.Prefix
	logger       *slog.Logger
	full, greedy rate.Sometimes // when warnings are logged

	mu sync.Mutex
	// room is signalled when there may be room for another connection, and when the listener is closed.
	room   sync.Cond
	closed bool
	open   int
	// idle holds the idle connections of all peers but the trusted proxies.
	idle    list.List
	proxies peer
	peers   map[netip.Prefix]*peer
}

// peer is a network address, or all trusted proxies together.
type peer struct {
	network netip.Prefix
	// open counts the connections, and anonymous those that have no request under a valid key or token.
	open, anonymous int
	idle            list.List
}

// connection is an open connection. The table's mutex guards it.
type connection struct {
	net.Conn
	table   *connections
	peer    *peer
	vouched bool
	ended   bool
	// idle and idleOfPeer are its places in the lists while it is idle.
	idle, idleOfPeer *list.Element
}

func newConnections(listener net.Listener, limit int, trusted []netip.Prefix, logger *slog.Logger) *connections {
	t := &connections{Listener: listener, limit: limit, share: max(limit/shareOfConnections, leastShare), trusted: trusted, logger: logger,
		full: rate.Sometimes{Interval: time.Minute}, greedy: rate.Sometimes{Interval: time.Minute}, peers: map[netip.Prefix]*peer{}}
	t.room.L = &t.mu
	return t
}

// Accept waits for a connection that has room. http.Server waits a little after an error and accepts again.
func (t *connections) Accept() (net.Conn, error) {
	for {
		conn, err := t.Listener.Accept()
		if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
			t.outOfFiles(err)
		}
		if err != nil {
			return nil, err
		}
		if accepted := t.add(conn); accepted != nil {
			return accepted, nil
		}
		_ = conn.Close()
	}
}

// Close closes the listener.
func (t *connections) Close() error {
	t.mu.Lock()
	t.closed = true
	t.room.Broadcast()
	t.mu.Unlock()
	return t.Listener.Close()
}

// add makes room for a connection and adds it; nil when its peer has no share left, or the listener was closed.
func (t *connections) add(conn net.Conn) net.Conn {
	t.mu.Lock()
	defer t.mu.Unlock()
	network, trusted := t.networkOf(conn)
	if p := t.peers[network]; !trusted && p != nil && p.anonymous >= t.share {
		t.warnOfPeer(p)
		if !t.evict(&p.idle) {
			return nil
		}
	}
	for t.open >= t.limit && !t.closed {
		t.full.Do(func() {
			t.logger.Warn("all connections are in use: idle ones are closed early, and others wait until there are some; "+
				"start more replicas, or allow more open files where these are the limit", slog.Int("limit", t.limit))
		})
		if !t.evict(&t.idle) && !t.evict(&t.proxies.idle) {
			t.room.Wait()
		}
	}
	if t.closed {
		return nil
	}
	p := &t.proxies
	if !trusted {
		if p = t.peers[network]; p == nil {
			p = &peer{network: network}
			t.peers[network] = p
		}
	}
	t.open, p.open, p.anonymous = t.open+1, p.open+1, p.anonymous+1
	c := &connection{Conn: conn, table: t, peer: p}
	t.rest(c)
	return c
}

// networkOf returns the network that a connection counts for, and whether it is a trusted proxy's.
func (t *connections) networkOf(conn net.Conn) (network netip.Prefix, trusted bool) {
	tcp, ok := conn.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}, false
	}
	address := tcp.AddrPort().Addr().Unmap().WithZone("")
	trusted = slices.ContainsFunc(t.trusted, func(proxies netip.Prefix) bool { return proxies.Contains(address) })
	return shareOf(address), trusted
}

// shareOf returns the addresses that have one share together with this one.
func shareOf(address netip.Addr) netip.Prefix {
	bits := address.BitLen()
	if address.Is6() {
		bits = networkBits
	}
	network, _ := address.Prefix(bits) // fails for an invalid length only
	return network
}

// rest puts a connection at the end of the lists of idle ones.
func (t *connections) rest(c *connection) {
	c.idleOfPeer = c.peer.idle.PushBack(c)
	if c.peer != &t.proxies {
		c.idle = t.idle.PushBack(c)
	}
}

func (t *connections) wake(c *connection) {
	if c.idleOfPeer != nil {
		c.peer.idle.Remove(c.idleOfPeer)
	}
	if c.idle != nil {
		t.idle.Remove(c.idle)
	}
	c.idle, c.idleOfPeer = nil, nil
}

// evict closes the oldest connection of a list, and reports whether there was one.
func (t *connections) evict(idle *list.List) bool {
	oldest := idle.Front()
	if oldest == nil {
		return false
	}
	c := oldest.Value.(*connection)
	t.remove(c)
	_ = c.Conn.Close()
	return true
}

// remove forgets a connection, once.
func (t *connections) remove(c *connection) {
	if c.ended {
		return
	}
	c.ended = true
	t.wake(c)
	t.open--
	c.peer.open--
	if !c.vouched {
		c.peer.anonymous--
	}
	if c.peer.open == 0 {
		delete(t.peers, c.peer.network) // the proxies are not in it
	}
	t.room.Signal()
}

// Close closes the connection.
func (c *connection) Close() error {
	c.table.mu.Lock()
	c.table.remove(c)
	c.table.mu.Unlock()
	return c.Conn.Close()
}

// vouch says that the connection's request has a valid key or token.
func (c *connection) vouch() {
	c.table.mu.Lock()
	defer c.table.mu.Unlock()
	if !c.vouched && !c.ended {
		c.vouched = true
		c.peer.anonymous--
	}
}

func (c *connection) evicted() bool {
	c.table.mu.Lock()
	defer c.table.mu.Unlock()
	return c.ended
}

// changed is the server's ConnState: a request has arrived, or was answered. A new connection is idle already.
func (t *connections) changed(conn net.Conn, state http.ConnState) {
	c, ok := conn.(*connection)
	if !ok {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case c.ended:
	case state == http.StateActive:
		t.wake(c)
	case state == http.StateIdle:
		if c.vouched {
			c.vouched = false
			c.peer.anonymous++
		}
		t.rest(c)
		if c.peer != &t.proxies && c.peer.anonymous > t.share {
			t.warnOfPeer(c.peer)
			t.evict(&c.peer.idle)
		}
		t.room.Signal()
	}
}

type connectionKey struct{}

// context is the server's ConnContext.
func (t *connections) context(ctx context.Context, conn net.Conn) context.Context {
	c, ok := conn.(*connection)
	if !ok {
		return ctx
	}
	return httpapi.OnVouch(context.WithValue(ctx, connectionKey{}, c), c.vouch)
}

// refuseEvicted ends a request whose connection was closed while it arrived. It must not be run: its client would never see an answer.
func refuseEvicted(r *http.Request) {
	if c, ok := r.Context().Value(connectionKey{}).(*connection); ok && c.evicted() {
		panic(http.ErrAbortHandler)
	}
}

func (t *connections) warnOfPeer(p *peer) {
	t.greedy.Do(func() {
		t.logger.Warn("an address has more connections without a valid key or token than its share: its idle ones are closed, the oldest "+
			"first; if it is a proxy of yours, add it to TRUSTED_PROXIES",
			slog.String("address", p.network.String()), slog.Int("share", t.share))
	})
}

// outOfFiles makes room when the process, or the system, can open no more files.
func (t *connections) outOfFiles(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.full.Do(func() {
		t.logger.Warn("no connection can be accepted, because too many files are open: idle connections are closed early; "+
			"allow more open files (ulimit -n, or LimitNOFILE of systemd)", slog.Any("error", err))
	})
	if !t.evict(&t.idle) {
		t.evict(&t.proxies.idle)
	}
}

package upstream

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"

	"agentchat/internal/aside"
)

// plain sends requests by HTTP/1.1 without TLS, which is what model servers of one's own speak. It does what net/http's Transport
// would do with the same settings, and on the caller's goroutine: the Transport keeps two of its own for each connection, and here
// each answer that is waited for has a connection to itself. What is on the wire is net/http's to write and to read.
type plain struct {
	settings *http.Transport

	mu   sync.Mutex
	idle []*plainConn // the latest last
}

var (
	errHeaderTooLong = errors.New("the header of the answer is too long")
	longAgo          = time.Unix(1, 0)
	writers          = sync.Pool{New: func() any { return bufio.NewWriter(nil) }}
)

// roundTrip sends a request and returns the answer once its header is there. Its error is an unreachedError when no connection
// was made. A connection that was kept and is dead is replaced, as long as nothing was sent on it.
func (p *plain) roundTrip(req *http.Request) (*http.Response, error) {
	for {
		var c *plainConn
		var err error
		aside.Do(func() { c, err = p.send(req) })
		if err != nil {
			return nil, err
		}
		if !c.deadWhenTaken() {
			return c.answer(req)
		}
		c.end()
	}
}

// send sends the request on a connection that was kept, or on a new one.
func (p *plain) send(req *http.Request) (*plainConn, error) {
	ctx, address := req.Context(), hostPort(req)
	c := p.take(address)
	if c == nil {
		conn, err := p.settings.DialContext(ctx, "tcp", address)
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, &unreachedError{err}
		}
		c = &plainConn{Conn: conn, pool: p, address: address}
		c.reader = bufio.NewReaderSize(c, p.settings.ReadBufferSize)
	}
	c.ctx, c.written, c.left = ctx, 0, p.settings.MaxResponseHeaderBytes
	c.stop = context.AfterFunc(ctx, func() { _ = c.SetDeadline(longAgo) })
	c.unsent = c.write(req)
	return c, nil
}

func hostPort(req *http.Request) string {
	if req.URL.Port() == "" {
		return net.JoinHostPort(req.URL.Hostname(), "80")
	}
	return req.URL.Host
}

// take returns a connection that was kept and is alive; nil when there is none.
func (p *plain) take(address string) *plainConn {
	for {
		c := p.pop(address)
		if c == nil {
			return nil
		}
		_ = c.SetReadDeadline(longAgo) // ends the watch
		if <-c.watched && c.SetReadDeadline(time.Time{}) == nil && c.isQuiet() {
			c.kept = true
			return c
		}
		_ = c.Close()
	}
}

// isQuiet reports whether nothing has come on a connection that nobody uses, its end neither. The watch may have been ended before
// it saw that.
func (c *plainConn) isQuiet() bool {
	system, ok := c.Conn.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := system.SyscallConn()
	if err != nil {
		return false
	}
	var nothing error
	err = raw.Read(func(fd uintptr) bool {
		_, nothing = syscall.Read(int(fd), make([]byte, 1))
		return true
	})
	return err == nil && errors.Is(nothing, syscall.EAGAIN)
}

func (p *plain) pop(address string) *plainConn {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.idle) - 1; i >= 0; i-- {
		if c := p.idle[i]; c.address == address {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			return c
		}
	}
	return nil
}

// keep keeps a connection whose answer was read whole.
func (p *plain) keep(c *plainConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) >= p.settings.MaxIdleConns || c.SetReadDeadline(time.Now().Add(p.settings.IdleConnTimeout)) != nil {
		_ = c.Close()
		return
	}
	c.ctx, c.stop, c.watched = nil, nil, make(chan bool, 1)
	p.idle = append(p.idle, c)
	go p.watch(c, c.watched)
}

// watch waits for the end of a connection that nobody uses: the server's, or that of its time. Whoever takes the connection ends
// the watch and is told whether it is alive.
func (p *plain) watch(c *plainConn, alive chan<- bool) {
	_, err := c.reader.Peek(1)
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.idle {
		if p.idle[i] == c {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			_ = c.Close()
			break
		}
	}
	alive <- err != nil && isTimeout(err)
}

// plainConn is one connection. It is one goroutine's at a time.
type plainConn struct {
	net.Conn
	pool    *plain
	address string
	reader  *bufio.Reader
	written int64
	left    int64     // that may be read still
	kept    bool      // it has answered before
	watched chan bool // whether it is alive, after it was idle

	// These are of the request that is under way.
	ctx    context.Context
	stop   func() bool // ends the context's hold on the connection
	unsent error       // why not all of the request was sent
}

// Read is the reader's.
func (c *plainConn) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errHeaderTooLong
	}
	n, err := c.Conn.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// Write counts what was sent.
func (c *plainConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.written += int64(n)
	return n, err
}

// write writes a request, as net/http's Transport would.
func (c *plainConn) write(req *http.Request) error {
	out := *req
	out.Header = req.Header.Clone()
	out.Header.Set("Accept-Encoding", "gzip")
	if req.GetBody != nil {
		var err error
		if out.Body, err = req.GetBody(); err != nil {
			return err
		}
	}
	w, ok := writers.Get().(*bufio.Writer)
	if !ok {
		w = bufio.NewWriter(nil)
	}
	defer writers.Put(w)
	w.Reset(c)
	defer w.Reset(nil)
	if err := out.Write(w); err != nil {
		return err
	}
	return w.Flush()
}

// deadWhenTaken reports whether a connection that was kept has turned out to be dead, before anything was sent.
func (c *plainConn) deadWhenTaken() bool {
	return c.kept && c.unsent != nil && c.written == 0 && c.ctx.Err() == nil
}

// answer returns the answer once its header is there.
func (c *plainConn) answer(req *http.Request) (resp *http.Response, err error) {
	if err = c.await(); err == nil {
		aside.Do(func() { resp, err = c.receive(req) }) //nolint:bodyclose // the caller closes it
	}
	switch {
	case c.ctx.Err() != nil:
		err = c.ctx.Err()
	case err != nil && c.unsent != nil:
		err = c.unsent
	}
	if err != nil {
		c.end()
		return nil, err
	}
	return resp, nil
}

// await waits for the answer. A server may refuse what it has not read to its end: so what could not be sent is an error only
// where there is no answer.
func (c *plainConn) await() error {
	if err := c.SetReadDeadline(time.Now().Add(c.pool.settings.ResponseHeaderTimeout)); err != nil {
		return err
	}
	if err := c.ctx.Err(); err != nil { // it ended before this deadline, which has taken the place of the one that it set
		return err
	}
	_, err := c.reader.Peek(1)
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// receive reads the header of the answer, after those of hints.
func (c *plainConn) receive(req *http.Request) (*http.Response, error) {
	for {
		resp, err := http.ReadResponse(c.reader, req)
		switch {
		case err != nil:
			return nil, err
		case resp.StatusCode >= http.StatusOK || resp.StatusCode == http.StatusSwitchingProtocols:
			c.left = math.MaxInt64
			resp.Body = &plainBody{ReadCloser: resp.Body, conn: c, keep: c.unsent == nil && !resp.Close}
			// The context may have ended meanwhile, for which the caller looks afterwards.
			return unpacked(resp), c.SetReadDeadline(time.Time{})
		}
	}
}

// end ends the request that is under way, and the connection.
func (c *plainConn) end() {
	c.stop()
	_ = c.Close()
}

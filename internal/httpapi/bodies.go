package httpapi

import (
	"cmp"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/memory"
)

const (
	// BodyTimeout is the time in which a request's body must arrive, from the end of its header.
	BodyTimeout = 15 * time.Second
	// lingerTime and lingerBytes bound the rest of a body that is read after a response that did not
	// wait for the whole body. A connection that is closed while its client sends is reset, and the
	// client may then lose the response.
	lingerTime  = time.Second
	lingerBytes = 1 << 20
	// HeldPerByte is the memory in bytes per byte of a body: the buffer, which grows before it is full,
	// and the decoded text.
	HeldPerByte = 4
)

// Bodies bounds the time in which requests' bodies arrive, and their total memory, on every path
// and for every handler. The zero value is ready.
type Bodies struct {
	// Timeout is the time in which a body must arrive; zero means BodyTimeout.
	Timeout time.Duration
	// Memory is the budget from which bodies take memory as they arrive, until their requests end; nil
	// has no bound.
	Memory *memory.Budget
	// Account returns the account that a request claims to be from, whose memory it takes at first.
	// The claim is not verified yet. uuid.Nil means an unknown caller; a nil Account returns it for
	// all requests.
	Account func(*http.Request) uuid.UUID

	mu       sync.Mutex
	arriving map[*body]struct{}
	// limit is the time by which every body must have arrived; zero for none.
	limit time.Time
}

// Handler serves each request with a deadline for its body. Reading a late body fails, and its
// connection is closed after the response. Put Handler around all other handlers: the deadline
// starts when it is called.
func (b *Bodies) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			// net/http already watches the connection, and would mistake a deadline for a client that left.
			next.ServeHTTP(w, r)
			return
		}
		if len(r.TransferEncoding) > 0 {
			// There may have been a Content-Length, too, which net/http removes. A proxy that used it would
			// see other requests on this connection (RFC 9112, 6.1).
			w.Header().Set("Connection", "close")
		}
		arriving := b.expect(w, r)
		defer arriving.hold.Release()
		defer arriving.over()
		r = r.WithContext(r.Context()) // a copy, because net/http looks at the body of its own request
		r.Body = arriving
		next.ServeHTTP(w, r)
		arriving.linger()
	})
}

// Hurry gives all bodies at most this much more time, including those of later requests.
func (b *Bodies) Hurry(within time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.limit = time.Now().Add(within)
	for body := range b.arriving {
		body.until(b.limit)
	}
}

// MemoryOf returns the hold from which the body of a request takes memory, until the request ends;
// nil if Bodies does not serve the request.
func MemoryOf(r *http.Request) *memory.Hold {
	if b, ok := r.Body.(*body); ok {
		return b.hold
	}
	return nil
}

// MoreTime gives the body of a request that Bodies serves this much time from now on, but no more
// than Hurry allows.
func MoreTime(r *http.Request, within time.Duration) {
	b, ok := r.Body.(*body)
	if !ok {
		return
	}
	b.bodies.mu.Lock()
	defer b.bodies.mu.Unlock()
	if _, arriving := b.bodies.arriving[b]; !arriving {
		return
	}
	b.deadline = time.Time{}
	b.until(time.Now().Add(within))
	if !b.bodies.limit.IsZero() {
		b.until(b.bodies.limit)
	}
}

func (b *Bodies) expect(w http.ResponseWriter, r *http.Request) *body {
	account := uuid.Nil
	if b.Account != nil {
		account = b.Account(r)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	expected := &body{
		ReadCloser: r.Body,
		bodies:     b,
		w:          w,
		control:    http.NewResponseController(w),
		hold:       b.Memory.Hold(account),
	}
	expected.until(time.Now().Add(cmp.Or(b.Timeout, BodyTimeout)))
	if !b.limit.IsZero() {
		expected.until(b.limit)
	}
	if b.arriving == nil {
		b.arriving = map[*body]struct{}{}
	}
	b.arriving[expected] = struct{}{}
	return expected
}

// body is a request's body. Bodies.mu guards the deadline.
type body struct {
	io.ReadCloser
	bodies   *Bodies
	w        http.ResponseWriter
	control  *http.ResponseController
	deadline time.Time
	hold     *memory.Hold
	// owed is memory for bytes that were read when none was left.
	owed int64
}

// take takes n bytes of memory, and the owed memory.
func (b *body) take(n int) error {
	b.owed += int64(n)
	err := b.hold.Grow(b.owed)
	if err == nil {
		b.owed = 0
	}
	return err
}

// until sets the deadline, unless there is an earlier one.
func (b *body) until(deadline time.Time) {
	if b.deadline.IsZero() || b.deadline.After(deadline) {
		b.deadline = deadline
		_ = b.control.SetReadDeadline(deadline) // recorders in tests have no deadlines
	}
}

// Read takes memory for the bytes it reads. After an error over memory.ErrUsedUp nothing is lost,
// and Read can be called again.
func (b *body) Read(p []byte) (int, error) {
	if err := b.take(0); err != nil {
		return 0, err
	}
	n, err := b.receive(p)
	if refused := b.take(n * HeldPerByte); refused != nil {
		return n, refused
	}
	return n, err
}

// receive removes the deadline when the whole body has arrived: from then on net/http watches the
// connection for a client that leaves.
func (b *body) receive(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	switch {
	case err == io.EOF:
		if b.over() {
			_ = b.control.SetReadDeadline(time.Time{})
		}
	case err != nil && b.late():
		err = os.ErrDeadlineExceeded // net/http mistakes a late trailer for a broken one
	}
	return n, err
}

func (b *body) late() bool {
	b.bodies.mu.Lock()
	defer b.bodies.mu.Unlock()
	return time.Now().After(b.deadline)
}

// over forgets the body and reports whether it was still arriving.
func (b *body) over() bool {
	b.bodies.mu.Lock()
	defer b.bodies.mu.Unlock()
	_, arriving := b.bodies.arriving[b]
	delete(b.bodies.arriving, b)
	return arriving
}

// linger sends the response. If the body is still arriving, it then reads on for a while.
func (b *body) linger() {
	b.bodies.mu.Lock()
	_, arriving := b.bodies.arriving[b]
	b.bodies.mu.Unlock()
	if !arriving {
		return
	}
	_ = b.control.Flush()
	b.bodies.mu.Lock()
	b.until(time.Now().Add(lingerTime))
	b.bodies.mu.Unlock()
	// Over the limit, MaxBytesReader makes net/http give the client half a second for the response
	// before it closes. The buffer is small, because thousands of clients may be in this state.
	_, _ = io.CopyBuffer(discard{}, http.MaxBytesReader(b.w, unmetered{b}, lingerBytes),
		make([]byte, 2<<10))
}

// discard is io.Discard without its own, larger buffer.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// unmetered reads a body without taking memory, to discard it.
type unmetered struct{ *body }

func (u unmetered) Read(p []byte) (int, error) { return u.receive(p) }

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
	// BodyTimeout is how long a request's body may take to arrive, counted from the end of its header.
	BodyTimeout = 15 * time.Second
	// After an answer that did not wait for the whole body, lingerTime and lingerBytes bound what is still read of it. A connection
	// that is closed while its client sends is reset, and the client may then lose the answer.
	lingerTime  = time.Second
	lingerBytes = 1 << 20
	// held is how many bytes of memory a byte of a body counts for: the buffer, which grows before it is full, and the decoded text.
	held = 4
)

// Bodies bounds the time that requests' bodies take to arrive, and the memory they take together, on every path and for every
// handler. The zero value is ready.
type Bodies struct {
	// Timeout is how long a body may take; zero means BodyTimeout.
	Timeout time.Duration
	// Memory is what bodies take from as they arrive, and give back when their requests end; nil has no bound.
	Memory *memory.Budget
	// Account is whose memory a request takes at first: nobody has checked who sends it yet, so it may be wrong. uuid.Nil, also for a nil
	// Account, are strangers.
	Account func(*http.Request) uuid.UUID

	mu       sync.Mutex
	arriving map[*body]struct{}
	// limit is the time at which every body must have arrived; zero for none.
	limit time.Time
}

// Handler serves each request with a deadline for its body. A body that has not arrived by then fails to be read, and its connection
// is closed after the answer. Put it around the whole handler: the deadline begins when it is called.
func (b *Bodies) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			// net/http is watching the connection already, and would take a deadline for a client that left.
			next.ServeHTTP(w, r)
			return
		}
		if len(r.TransferEncoding) > 0 {
			// There may have been a Content-Length too, which net/http removes. A proxy that went by it would see other requests on
			// this connection than we do (RFC 9112, 6.1).
			w.Header().Set("Connection", "close")
		}
		arriving := b.expect(w, r)
		defer arriving.hold.Release()
		defer arriving.over()
		r = r.WithContext(r.Context()) // a copy: net/http looks at the body of its own request
		r.Body = arriving
		next.ServeHTTP(w, r)
		arriving.linger()
	})
}

// Hurry gives all bodies at most this much more time, those of later requests included.
func (b *Bodies) Hurry(within time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.limit = time.Now().Add(within)
	for body := range b.arriving {
		body.until(b.limit)
	}
}

// MemoryOf returns the hold of a request that Bodies serves, which its body takes from. It is released when the request ends; nil for other
// requests.
func MemoryOf(r *http.Request) *memory.Hold {
	if b, ok := r.Body.(*body); ok {
		return b.hold
	}
	return nil
}

// MoreTime gives the body of a request that Bodies serves so much time from now on, but no more than Hurry has left to all.
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
	expected := &body{ReadCloser: r.Body, bodies: b, w: w, control: http.NewResponseController(w), hold: b.Memory.Hold(account)}
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

// body is a request's body that is arriving. Bodies.mu guards the deadline.
type body struct {
	io.ReadCloser
	bodies   *Bodies
	w        http.ResponseWriter
	control  *http.ResponseController
	deadline time.Time
	hold     *memory.Hold
	// owed is the memory of what was read and not taken yet, because there was none.
	owed int64
}

// take takes n bytes of memory, and those that are owed.
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

// Read takes memory for what it reads. After an error over memory.ErrUsedUp nothing is lost, and Read can be called again.
func (b *body) Read(p []byte) (int, error) {
	if err := b.take(0); err != nil {
		return 0, err
	}
	n, err := b.receive(p)
	if refused := b.take(n * held); refused != nil {
		return n, refused
	}
	return n, err
}

// receive lifts the deadline when the body has arrived whole: from then on net/http watches the connection for a client that leaves.
func (b *body) receive(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	switch {
	case err == io.EOF:
		if b.over() {
			_ = b.control.SetReadDeadline(time.Time{})
		}
	case err != nil && b.late():
		err = os.ErrDeadlineExceeded // net/http takes a late trailer for a broken one
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

// linger sends the answer, and then reads on for a while if the body is still arriving.
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
	// Over the limit, MaxBytesReader has net/http give the client half a second for the answer before it closes.
	// The buffer is small: thousands of clients may owe a body.
	_, _ = io.CopyBuffer(discard{}, http.MaxBytesReader(b.w, unpaid{b}, lingerBytes), make([]byte, 2<<10))
}

// discard is io.Discard without its own, larger buffer.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// unpaid reads a body to throw it away.
type unpaid struct{ *body }

func (u unpaid) Read(p []byte) (int, error) { return u.receive(p) }

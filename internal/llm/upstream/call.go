package upstream

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// call is what one call and the transport below its library share. At any time it is one goroutine's.
type call struct {
	text    Text      // that has come
	asked   bool      // the library has asked
	request *request  // what it asks for, until there is an answer
	body    Body      // of the answer, nil while there is none
	source  io.Closer // its end
	cancel  func()    // ends the answer's request
	timer   *time.Timer
}

var errNoAnswer = errors.New("the request is not sent yet")

// Read is the library's, when it reads the answer.
func (c *call) Read(p []byte) (int, error) {
	if reader, ok := c.body.(io.Reader); ok {
		return reader.Read(p)
	}
	return 0, errNoAnswer
}

// Close is the library's. What has begun ends with the call in any case.
func (c *call) Close() error { return nil }

// close ends the answer's connection, or gives it back when the answer was read whole.
func (c *call) close() {
	if c.timer != nil {
		c.timer.Stop()
	}
	if c.body != nil {
		_ = c.source.Close()
		c.cancel()
	}
}

type callKey struct{}

// EndSoon ends the request of an answer after a while. It is for a Body that has read all it needs and would have the rest, if
// only so that the connection can be used again. The context is the Body's.
func EndSoon(ctx context.Context, after time.Duration) {
	call, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		return
	}
	if call.timer != nil {
		call.timer.Stop()
	}
	call.timer = time.AfterFunc(after, call.cancel)
}

// request is what a library asks for, with nothing in it of the library's.
type request struct {
	like    *http.Request
	payload []byte
}

// newRequest copies a library's request.
func newRequest(from *http.Request, header http.Header) (*request, error) {
	r := &request{like: &http.Request{Method: from.Method, URL: from.URL, Host: from.Host, Header: header}}
	if from.Body == nil {
		return r, nil
	}
	var err error
	r.payload, err = io.ReadAll(from.Body)
	return r, err
}

// in returns the request for one attempt, in a context.
func (r *request) in(ctx context.Context) *http.Request {
	out := r.like.WithContext(ctx)
	if len(r.payload) == 0 {
		return out
	}
	out.ContentLength = int64(len(r.payload))
	out.GetBody = func() (io.ReadCloser, error) { return newPayload(r.payload), nil }
	out.Body = newPayload(r.payload)
	return out
}

// payload is the body of a request until it is closed. net/http keeps a request for as long as its answer comes; the conversation
// that was sent is not kept with it.
type payload struct{ left atomic.Pointer[bytes.Reader] }

func newPayload(data []byte) *payload {
	p := &payload{}
	p.left.Store(bytes.NewReader(data))
	return p
}

// Read reads what is left.
func (p *payload) Read(into []byte) (int, error) {
	if left := p.left.Load(); left != nil {
		return left.Read(into)
	}
	return 0, http.ErrBodyReadAfterClose
}

// Close lets go of the data.
func (p *payload) Close() error {
	p.left.Store(nil)
	return nil
}

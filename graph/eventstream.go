package graph

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agentchat/internal/eventstream"
	"agentchat/internal/fault"
)

// Times of a subscription's stream.
const (
	// pingEvery is how often a comment line is sent while there is nothing else, so that no proxy closes the connection.
	pingEvery = 15 * time.Second
	// signInCheckedEvery is how often the sign-in is looked at: a stream ends within 15 s of it.
	signInCheckedEvery = 10 * time.Second
	// writeTimeout is how long the client may take to receive one event.
	writeTimeout = 30 * time.Second
)

// follow answers a subscription with server-sent events, in the way of gqlgen's own transport (next with a response as data,
// then complete), which is not used because it logs bodies it cannot read and knows no status but 200. Whoever leaves, or is
// signed out, cancels the subscription.
func (p post) follow(ctx context.Context, ex *exchange, exec graphql.GraphExecutor, opCtx *graphql.OperationContext, header http.Header) {
	if !eventstream.Accepted(header) {
		ex.refuse(http.StatusOK, codeBadUserInput, "A subscription is answered as events: send Accept: text/event-stream.")
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &eventStream{ex: ex, cancel: cancel}
	events := make(chan event)
	go func() {
		defer close(events)
		defer func() {
			if p := recover(); p != nil {
				err := recovered(ctx, p)
				ex.failure.Store(&err)
			}
		}()
		next, ctx := exec.DispatchOperation(ctx, opCtx)
		for resp := next(ctx); resp != nil; resp = next(ctx) {
			e := newEvent(ex.bounded(resp)) // at once: the next response overwrites this one's data
			ex.answer.spent.Store(0)        // each event is an answer of its own
			select {
			case events <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	s.begin()
	err := s.pass(ctx, events, p.h)
	if failure := ex.failure.Load(); err == nil && failure != nil {
		err = *failure
	}
	if err = asFault(err); err != nil {
		resp := exec.DispatchError(graphql.WithOperationContext(ctx, opCtx), gqlerror.List{gqlerror.WrapPath(nil, err)})
		s.next(newEvent(resp))
	}
	s.write("event: complete\ndata:\n\n")
}

// stillSignedIn returns Unauthorized once the sign-in that the stream began with has ended. A database that is away says nothing.
func (h *endpoint) stillSignedIn(ctx context.Context, ex *exchange) error {
	if err := h.identity.SignedIn(ctx, *ex.principal); fault.Is(err, fault.Unauthorized) {
		return err
	}
	return nil
}

// event is one response on its way; code is its error's, "" for none.
type event struct {
	data []byte
	code string
}

func newEvent(resp *graphql.Response) event {
	var e event
	if len(resp.Errors) > 0 {
		e.code, _ = resp.Errors[0].Extensions["code"].(string)
	}
	var err error
	if e.data, err = json.Marshal(resp); err != nil {
		panic(err) // the responses are gqlgen's own JSON
	}
	return e
}

// eventStream writes one stream, from the request's own goroutine.
type eventStream struct {
	ex     *exchange
	cancel context.CancelFunc
}

func (s *eventStream) begin() {
	s.ex.status = http.StatusOK
	eventstream.Announce(s.ex.w.Header())
	s.ex.w.WriteHeader(http.StatusOK)
	s.write(":\n\n")
}

// pass writes events until there are no more, or the sign-in has ended: that is its fault.
func (s *eventStream) pass(ctx context.Context, events <-chan event, h *endpoint) error {
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	check := time.NewTicker(h.check)
	defer check.Stop()
	for {
		select {
		case e, ok := <-events:
			if !ok {
				return nil
			}
			s.next(e)
			ping.Reset(pingEvery)
		case <-ping.C:
			s.write(":\n\n")
		case <-check.C:
			if err := h.stillSignedIn(ctx, s.ex); err != nil {
				s.cancel()
				return err
			}
		}
	}
}

func (s *eventStream) next(e event) {
	if e.code != "" {
		s.ex.code = e.code
	}
	s.write("event: next\ndata: " + string(e.data) + "\n\n")
}

// write lets the client have a text at once. A client that takes too long counts as gone.
func (s *eventStream) write(text string) {
	control := http.NewResponseController(s.ex.w)
	// A writer without deadlines is one of a test's.
	_ = control.SetWriteDeadline(time.Now().Add(writeTimeout))
	_, err := s.ex.w.Write([]byte(text))
	if err == nil {
		err = control.Flush()
	}
	if err != nil {
		s.cancel()
	}
}

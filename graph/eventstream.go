package graph

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
)

// defaultSignInCheck is the interval between two checks of a stream's sign-in. A stream ends within
// 15 s of its sign-in.
const defaultSignInCheck = 10 * time.Second

// follow answers a subscription with a stream of responses. gqlgen's own transport logs bodies that
// it cannot read and knows no status but 200. A subscription ends when its client disconnects or is
// signed out.
func (p transport) follow(
	ctx context.Context,
	req *request,
	exec graphql.GraphExecutor,
	opCtx *graphql.OperationContext,
) {
	form := formOf(req.R.Header)
	if form == nil {
		req.refuse(
			fault.New(
				fault.InvalidInput,
				"A subscription needs a stream of events. Send Accept: text/event-stream.",
			),
		)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	responses := make(chan response)
	go func() {
		defer close(responses)
		defer func() {
			if p := recover(); p != nil {
				err := recovered(ctx, p)
				req.failure.Store(&err)
			}
		}()
		next, ctx := exec.DispatchOperation(ctx, opCtx)
		for resp := next(ctx); resp != nil; resp = next(ctx) {
			encoded := newResponse(
				req.bounded(resp),
			) // at once: the next response overwrites this one's data
			req.answer.spent.Store(0) // the budget is for each event
			select {
			case responses <- encoded:
			case <-ctx.Done():
				return
			}
		}
	}()
	field := graphql.CollectFields(opCtx, opCtx.Operation.SelectionSet, []string{"Subscription"})[0] // the only one (GraphQL 5.2.4.1)
	s := &subscription{
		req:    req,
		form:   form,
		events: form.start(req.Exchange, httpapi.WriteTimeout),
		cancel: cancel,
		rule:   operations["Subscription."+field.Name],
	}
	s.write(form.first)
	err := s.pass(ctx, responses, p.h)
	if failure := req.failure.Load(); err == nil && failure != nil {
		err = *failure
	}
	if err = asFault(err); err != nil {
		resp := exec.DispatchError(
			graphql.WithOperationContext(ctx, opCtx),
			gqlerror.List{gqlerror.WrapPath(nil, err)},
		)
		s.next(newResponse(resp))
	}
	s.write(form.last)
}

// sendEvent sends the response of a query or a mutation as a stream of one event. graphql-sse
// accepts nothing else: after JSON it would retry the request, and with it a mutation, five times.
func (req *request) sendEvent(resp *graphql.Response) {
	req.Access.Code = codeOf(resp)
	eventsForm.start(req.Exchange, httpapi.WriteTimeout).
		Write(eventsForm.next(encode(resp)) + eventsForm.last)
}

// response is one response as JSON, with the code of its first error.
type response struct {
	data []byte
	code string
}

func newResponse(resp *graphql.Response) response { return response{encode(resp), codeOf(resp)} }

// subscription writes one stream, from the request's own goroutine.
type subscription struct {
	req    *request
	form   *form
	events *httpapi.Events
	cancel context.CancelFunc
	// rule is the access rule of its field.
	rule rule
}

// stillMay checks the current rights of the principal. Faults: SecondFactorRequired, roleForbids.
func (s *subscription) stillMay(p auth.Principal) error {
	switch {
	case p.NeedsSecondFactor:
		return fault.Wrap(fault.SecondFactorRequired, nil)
	case !s.rule.allows(p.Role):
		return fault.New(roleForbids, "Your role no longer allows this.")
	}
	return nil
}

// pass writes responses until the last one, or until the sign-in ends or loses its rights. Faults:
// Unauthorized and those of stillMay for the latter.
func (s *subscription) pass(ctx context.Context, responses <-chan response, h *endpoint) error {
	quiet := time.NewTicker(httpapi.CommentInterval)
	defer quiet.Stop()
	check := time.NewTicker(h.signInCheck)
	defer check.Stop()
	for {
		select {
		case resp, ok := <-responses:
			if !ok {
				return nil
			}
			s.next(resp)
			quiet.Reset(httpapi.CommentInterval)
		case <-quiet.C:
			s.write(s.form.quiet)
		case <-check.C:
			// While the database is unavailable, the sign-in counts as unchanged.
			now, err := h.identity.SignedIn(ctx, *s.req.principal)
			if err == nil {
				err = s.stillMay(now)
			}
			if err != nil && !fault.Is(err, fault.Unavailable) {
				s.cancel()
				return err
			}
		}
	}
}

func (s *subscription) next(resp response) {
	if resp.code != "" {
		s.req.Access.Code = resp.code
	}
	s.write(s.form.next(resp.data))
}

// write cancels the subscription if the client has disconnected.
func (s *subscription) write(text string) {
	if !s.events.Write(text) {
		s.cancel()
	}
}

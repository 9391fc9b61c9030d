package graph

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agentchat/internal/account"
	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
	"agentchat/internal/identity"
	"agentchat/internal/memory"
)

// request is one HTTP request, with everything known about it.
type request struct {
	*httpapi.Exchange
	// secure reports whether the API is served over https: its cookies are Secure then.
	secure bool
	client identity.Client
	// token is the access token or account token in the header, "" for none.
	token string
	// sender is the user id of an access token that the service signed, or the id of a valid account
	// token; "" for unknown callers.
	sender string
	// boundary separates the parts of a multipart body; "" for JSON.
	boundary  string
	principal *auth.Principal
	// signedIn is the sign-in that the request has begun or renewed; nil when it has done neither.
	signedIn *auth.Principal
	account  *account.Account
	// named reports whether the request named the account, in X-Account-Id.
	named  bool
	answer budget
	// read counts the long texts that were read for the request, in bytes.
	read atomic.Int64
	// hold is the memory reserved for the request: for its response, and for test messages.
	hold *memory.Hold
	// sure counts the bytes reserved for a response that must be sent. short is set once no memory was
	// left beyond them.
	sure  atomic.Int64
	short atomic.Bool
	// turns are the test messages in flight. They may continue after the client has disconnected.
	turns     sync.WaitGroup
	operation string
	// failure is the error that ended a subscription; nil if it ended normally. The goroutine of the
	// turn may set it after the client has disconnected.
	failure atomic.Pointer[error]
}

type requestKey struct{}

func requestOf(ctx context.Context) *request { return ctx.Value(requestKey{}).(*request) }

// user returns the principal of a user; nil for account tokens and anonymous requests.
func (req *request) user() *auth.Principal {
	if req.principal == nil || req.principal.IsToken() {
		return nil
	}
	return req.principal
}

// viewer returns the account of the request; nil for a user without one. Access is checked before
// any resolver runs, so resolvers never see a suspended account, nor objects of an account without
// one.
func viewer(ctx context.Context) *account.Account { return requestOf(ctx).account }

// owner returns the account id for store calls on owned rows: the account of the request or, below
// the fields that sign in, the account that has just signed in.
func owner(ctx context.Context) uuid.UUID {
	req := requestOf(ctx)
	if root := graphql.GetRootFieldContext(ctx); req.signedIn != nil && root != nil &&
		operations["Mutation."+root.Field.Name].public() {
		return req.signedIn.AccountID
	}
	return req.account.ID
}

// share returns the tenant of the request for fair shares: its account or, without one, the user.
func (req *request) share() uuid.UUID {
	if req.account == nil {
		return req.principal.UserID
	}
	return req.account.ID
}

// stamp adds the request id, which every error has.
func (req *request) stamp(err *gqlerror.Error) *gqlerror.Error {
	if err.Extensions == nil {
		err.Extensions = map[string]any{}
	}
	err.Extensions["requestId"] = req.Access.RequestID
	return err
}

// ServeHTTP serves a request, recovers from panics, and records the request.
func (h *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req := &request{
		Exchange: httpapi.NewExchange(w, r, h.logger),
		secure:   h.secure,
		hold:     httpapi.MemoryOf(r),
	}
	req.hold.MoveTo(memory.Panel(uuid.Nil)) // before any of the body is read
	req.Access.Route = "/graphql"
	req.R = r.WithContext(context.WithValue(r.Context(), requestKey{}, req))
	req.client = req.clientOf()
	defer func() { h.observe(req.Finish(slog.String("operation", req.operation))) }()
	defer req.turns.Wait()
	defer req.Recover(func() { req.refuse(fault.New(fault.Internal, "")) })
	h.serve(req)
}

// refuse sends an error before, or instead of, an operation.
func (req *request) refuse(err error) {
	row, known := codes[fault.KindOf(err)]
	if !known {
		row = errorCode{codeInternal, http.StatusInternalServerError}
	}
	req.LogUnavailable(err)
	extensions := map[string]any{"code": row.code}
	if f, ok := errors.AsType[*fault.Error](err); ok && f.RetryAfter > 0 {
		extensions["retryAfterSeconds"] = httpapi.WholeSeconds(f.RetryAfter)
	}
	req.send(cmp.Or(row.status, http.StatusOK), &graphql.Response{Errors: gqlerror.List{
		req.stamp(&gqlerror.Error{Message: fault.ClientMessage(err), Extensions: extensions}),
	}})
}

// graphQLResponse is the media type of GraphQL over HTTP (draft of 2025).
const graphQLResponse = "application/graphql-response+json"

// send writes a response.
func (req *request) send(status int, resp *graphql.Response) {
	req.Access.Code = codeOf(resp)
	if status == http.StatusServiceUnavailable {
		req.W.Header().Set("Retry-After", strconv.Itoa(retryAfterOf(resp.Errors)))
	}
	mediaType := "application/json"
	accept := req.R.Header["Accept"]
	if weight := httpapi.Weight(accept, graphQLResponse); weight > 0 &&
		weight >= httpapi.Weight(accept, mediaType) {
		mediaType = graphQLResponse
	}
	req.Send(status, mediaType, encode(resp))
}

// codeOf returns the code of a response's first error, "" without errors.
func codeOf(resp *graphql.Response) string {
	if len(resp.Errors) == 0 {
		return ""
	}
	code, _ := resp.Errors[0].Extensions["code"].(string)
	return code
}

func encode(resp *graphql.Response) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false) // texts with many < would grow sixfold
	if err := encoder.Encode(resp); err != nil {
		panic(err) // gqlgen wrote the JSON in it
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// retryAfterOf returns the wait of an UNAVAILABLE response in seconds: the longest that one of its
// errors has, at least 1.
func retryAfterOf(errs gqlerror.List) int {
	wait := 1
	for _, err := range errs {
		if seconds, ok := err.Extensions["retryAfterSeconds"].(int); ok {
			wait = max(wait, seconds)
		}
	}
	return wait
}

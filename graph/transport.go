package graph

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
	"agentchat/internal/store"
)

// maxBody is the largest body, in bytes. maxSignedInBody is the largest one with a token that the
// service issued: it may contain a text of knowledge.
const (
	maxBody         = 256 << 10
	maxSignedInBody = 1 << 20
)

// bodyLimit returns the largest body of a request. Whether its sign-in is still valid is checked
// later.
func (h *endpoint) bodyLimit(req *request) int64 {
	switch {
	case req.sender == "":
		return maxBody
	case req.boundary != "":
		return maxUpload
	}
	return maxSignedInBody
}

// transport is the only transport: POST of JSON, or of multipart with a file, and GET for queries.
// There are no batches and no websockets. gqlgen's own transports answer every operation with 200
// and repeat the body in their errors.
type transport struct{ h *endpoint }

// Supports accepts everything: endpoint.check has refused all other formats.
func (transport) Supports(*http.Request) bool { return true }

// Do runs one operation.
func (p transport) Do(_ http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	ctx := r.Context()
	req := requestOf(ctx)
	params, err := p.readParams(ctx, req)
	if err != nil {
		req.refuse(err)
		return
	}
	done, err := p.h.enter(ctx, req)
	if err != nil {
		req.refuse(err)
		return
	}
	defer done()
	opCtx, errs := exec.CreateOperationContext(ctx, params)
	ctx = graphql.WithOperationContext(ctx, opCtx)
	if len(errs) > 0 {
		if fault.Is(errs[0], fault.Unauthorized) {
			p.h.refusals.Wait(ctx)
		}
		req.send(statusOf(errs), exec.DispatchError(ctx, errs))
		return
	}
	req.operation = string(opCtx.Operation.Operation)
	if err := checkOperation(req, opCtx.Operation); err != nil {
		req.refuse(err)
		return
	}
	if err := asFault(p.h.authorize(ctx, req, opCtx)); err != nil {
		resp := exec.DispatchError(ctx, gqlerror.List{gqlerror.WrapPath(nil, err)})
		req.send(cmp.Or(codes[fault.KindOf(err)].status, http.StatusOK), resp)
		return
	}
	if req.principal != nil {
		ctx = store.ForAccount(ctx, req.share())
	}
	if opCtx.Operation.Operation == ast.Subscription {
		done() // a subscription mostly waits for a model
		p.follow(ctx, req, exec, opCtx)
		return
	}
	responses, ctx := exec.DispatchOperation(ctx, opCtx)
	resp := responses(ctx)
	if resp == nil { // the client has disconnected
		resp = &graphql.Response{}
	}
	resp = req.bounded(resp)
	if httpapi.PrefersEvents(req.R.Header) {
		req.sendEvent(resp)
		return
	}
	status := http.StatusOK
	if slices.ContainsFunc(
		resp.Errors,
		func(err *gqlerror.Error) bool { return err.Extensions["code"] == codeUnavailable },
	) {
		status = http.StatusServiceUnavailable
	}
	req.send(status, resp)
}

// statusOf returns the status of a document that was not run.
func statusOf(errs gqlerror.List) int {
	f, isFault := errors.AsType[*fault.Error](errs[0])
	switch {
	case isFault:
		return cmp.Or(codes[f.Kind].status, http.StatusOK)
	case isProtocol(errs[0]):
		return http.StatusUnprocessableEntity
	case errs[0].Extensions["code"] == codeBadUserInput:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

func badBody(message string) error { return fault.New(httpapi.InvalidJSON, message) }

// operation is a GraphQL request over HTTP.
type operation struct {
	Query         *string        `json:"query"`
	OperationName *string        `json:"operationName"`
	Variables     jsontext.Value `json:"variables"`
	Extensions    jsontext.Value `json:"extensions"`
}

// readParams reads the operation from the query string of a GET, or from the body. Faults: those of
// readBody, readUpload and params.
func (p transport) readParams(ctx context.Context, req *request) (*graphql.RawParams, error) {
	switch {
	case req.R.Method == http.MethodGet:
		op, err := readURL(req)
		if err != nil {
			return nil, err
		}
		return op.params(req)
	case req.boundary != "":
		return p.readUpload(ctx, req)
	}
	return p.readBody(ctx, req)
}

// readBody reads the body: one JSON object with query and, optionally, operationName, variables and
// extensions. Faults: PayloadTooLarge, RequestTimeout, Unavailable, and those of params.
func (p transport) readBody(ctx context.Context, req *request) (*graphql.RawParams, error) {
	body, err := httpapi.ReadBody(req.W, req.R, p.h.bodyLimit(req), func() error {
		if err := p.h.authenticate(ctx, req); !fault.Is(err, fault.Unauthorized) {
			return err
		}
		return nil // it may turn out that no token is needed
	})
	if err != nil {
		return nil, err
	}
	return parseParams(req, body)
}

// parseParams reads the JSON of an operation. Faults: those of params.
func parseParams(req *request, body []byte) (*graphql.RawParams, error) {
	// Otherwise duplicate names, invalid UTF-8 and trailing data would be accepted or changed.
	if !jsontext.Value(body).IsValid() {
		return nil, badBody("The body is not valid JSON, or a name in it is repeated.")
	}
	var op operation
	if err := jsonv2.Unmarshal(body, &op); err != nil {
		return nil, badBody(
			"The body must be a JSON object with query and, optionally, operationName and variables.",
		)
	}
	return op.params(req)
}

// params returns the operation for gqlgen. Faults: InvalidJSON, persistedQuery.
func (op operation) params(req *request) (*graphql.RawParams, error) {
	if op.Query == nil || strings.TrimSpace(*op.Query) == "" {
		if op.isPersisted() {
			return nil, fault.New(persistedQuery, "PersistedQueryNotSupported")
		}
		return nil, badBody("The request has no query.")
	}
	params := &graphql.RawParams{Query: *op.Query, Headers: req.R.Header}
	if op.OperationName != nil {
		params.OperationName = *op.OperationName
	}
	if len(op.Variables) > 0 && !httpapi.IsEmptyArray(op.Variables) {
		// Numbers keep their digits: gqlgen itself distinguishes whole numbers from others.
		decoder := json.NewDecoder(bytes.NewReader(op.Variables))
		decoder.UseNumber()
		if err := decoder.Decode(&params.Variables); err != nil {
			return nil, badBody("The variables are not a JSON object.")
		}
	}
	return params, nil
}

// isPersisted reports whether the operation names a query by its hash, as Apollo's automatic
// persisted queries do.
func (op operation) isPersisted() bool {
	var extensions struct {
		PersistedQuery map[string]any `json:"persistedQuery"`
	}
	return json.Unmarshal(op.Extensions, &extensions) == nil && extensions.PersistedQuery != nil
}

package graph

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agentchat/internal/fault"
)

const maxBody = 256 << 10

// post is the one transport: POST of JSON, and nothing of GET, forms, multipart, batches or websockets. gqlgen's own answers
// every operation with 200 and puts the body into its errors.
type post struct{ h *endpoint }

// Supports accepts everything: what is not a POST of JSON was refused before.
func (post) Supports(*http.Request) bool { return true }

// Do runs one operation.
func (p post) Do(_ http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	ex := exchangeOf(r.Context())
	params, refusal := readParams(r)
	if refusal != nil {
		ex.refuse(refusal.status, refusal.code, refusal.message)
		return
	}
	ctx := r.Context()
	opCtx, errs := exec.CreateOperationContext(ctx, params)
	ctx = graphql.WithOperationContext(ctx, opCtx)
	if len(errs) > 0 {
		ex.send(statusOf(errs), exec.DispatchError(ctx, errs))
		return
	}
	ex.operation = string(opCtx.Operation.Operation)
	if err := asFault(p.h.authorize(ctx, ex, opCtx)); err != nil {
		resp := exec.DispatchError(ctx, gqlerror.List{gqlerror.WrapPath(nil, err)})
		ex.send(statusOfRefusal(err), resp)
		return
	}
	if opCtx.Operation.Operation == ast.Subscription {
		p.follow(ctx, ex, exec, opCtx, r.Header)
		return
	}
	responses, ctx := exec.DispatchOperation(ctx, opCtx)
	resp := responses(ctx)
	if resp == nil { // the client is gone
		resp = &graphql.Response{}
	}
	resp = ex.bounded(resp)
	status := http.StatusOK
	if hasCode(resp.Errors, codeUnavailable) {
		status = http.StatusServiceUnavailable
	}
	ex.send(status, resp)
}

// send writes a response.
func (ex *exchange) send(status int, resp *graphql.Response) {
	if len(resp.Errors) > 0 {
		ex.code, _ = resp.Errors[0].Extensions["code"].(string)
	}
	data, err := json.Marshal(resp)
	if err != nil {
		status, ex.code = http.StatusInternalServerError, codeInternal
		data = []byte(`{"errors":[{"message":` + strconv.Quote(internalText) + `,"extensions":{"code":"INTERNAL","requestId":` +
			strconv.Quote(ex.requestID) + `}}],"data":null}`)
	}
	ex.status = status
	if status == http.StatusServiceUnavailable {
		ex.w.Header().Set("Retry-After", strconv.Itoa(retryAfterOf(resp.Errors)))
	}
	ex.w.Header().Set("Content-Type", "application/json")
	ex.w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	ex.w.WriteHeader(status)
	_, _ = ex.w.Write(data)
}

// retryAfterOf is how many seconds an UNAVAILABLE answer asks for: the longest that one of its errors does.
func retryAfterOf(errs gqlerror.List) int {
	wait := int(retryAfter.Seconds())
	for _, err := range errs {
		if seconds, ok := err.Extensions["retryAfterSeconds"].(int); ok {
			wait = max(wait, seconds)
		}
	}
	return wait
}

// statusOf is the status of a document that was not run.
func statusOf(errs gqlerror.List) int {
	switch {
	case isProtocol(errs[0]):
		return http.StatusUnprocessableEntity
	case errs[0].Extensions["code"] == codeBadUserInput:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// statusOfRefusal is the status of an operation whose access was not granted.
func statusOfRefusal(err error) int {
	switch fault.KindOf(err) {
	case fault.Unauthorized:
		return http.StatusUnauthorized
	case fault.Unavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusOK
}

func hasCode(errs gqlerror.List, code string) bool {
	for _, err := range errs {
		if err.Extensions["code"] == code {
			return true
		}
	}
	return false
}

// refusal is why a request was refused for its form.
type refusal struct {
	status        int
	code, message string
}

func badBody(message string) *refusal {
	return &refusal{http.StatusBadRequest, codeBadUserInput, message}
}

// checkForm refuses what is not a POST of JSON.
func checkForm(r *http.Request) *refusal {
	if r.Method != http.MethodPost {
		return &refusal{http.StatusMethodNotAllowed, codeBadUserInput, "GraphQL is answered by POST only."}
	}
	types := r.Header.Values("Content-Type")
	media, params, err := mime.ParseMediaType(strings.Join(types, ","))
	charset := params["charset"]
	if len(types) != 1 || err != nil || media != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return &refusal{http.StatusUnsupportedMediaType, codeBadUserInput, "Send the request as Content-Type: application/json."}
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return &refusal{http.StatusUnsupportedMediaType, codeBadUserInput, "Send the request without compression."}
	}
	if r.ContentLength > maxBody {
		return tooLarge()
	}
	return nil
}

func tooLarge() *refusal {
	return &refusal{http.StatusRequestEntityTooLarge, codeLimitExceeded, "The request is longer than 256 KiB."}
}

// readParams reads the body: one JSON object with query and, at will, operationName, variables and extensions.
func readParams(r *http.Request) (*graphql.RawParams, *refusal) {
	body, err := io.ReadAll(r.Body)
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		return nil, tooLarge()
	}
	if err != nil {
		return nil, badBody("The request's body did not arrive whole.")
	}
	// Names that repeat, invalid UTF-8 and what follows the object would otherwise be let through or changed.
	if !jsontext.Value(body).IsValid() {
		return nil, badBody("The request's body is not valid JSON, or a name in it repeats.")
	}
	var fields struct {
		Query         *string        `json:"query"`
		OperationName *string        `json:"operationName"`
		Variables     jsontext.Value `json:"variables"`
		Extensions    jsontext.Value `json:"extensions"`
	}
	if err := jsonv2.Unmarshal(body, &fields); err != nil {
		return nil, badBody("The request's body is a JSON object with query, and at will operationName and variables.")
	}
	if fields.Query == nil || strings.TrimSpace(*fields.Query) == "" {
		return nil, badBody("The request has no query.")
	}
	params := &graphql.RawParams{Query: *fields.Query, Headers: r.Header}
	if fields.OperationName != nil {
		params.OperationName = *fields.OperationName
	}
	if len(fields.Variables) > 0 {
		// Numbers keep their digits: gqlgen tells whole numbers from others itself.
		decoder := json.NewDecoder(bytes.NewReader(fields.Variables))
		decoder.UseNumber()
		if err := decoder.Decode(&params.Variables); err != nil {
			return nil, badBody("The request's variables are not a JSON object.")
		}
	}
	return params, nil
}

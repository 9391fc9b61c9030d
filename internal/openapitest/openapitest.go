// Package openapitest checks the responses of a running server against the OpenAPI description.
//
// The description is open, because the API may grow: clients ignore unknown elements. A test must
// find everything that is not described, so it checks against a closed form: the lists of
// x-extensible-enum are complete, and objects have only the described fields.
package openapitest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/goccy/go-yaml"
)

// common are HTTP's own headers, and those that the description's introduction lists for all
// responses.
var common = []string{"Cache-Control", "Connection", "Content-Length", "Content-Type", "Date",
	"X-Accel-Buffering",
	"X-Content-Type-Options"}

const (
	mediaType  = "application/json"
	streamType = "text/event-stream"
)

// dataOf names the schema of each event's data, as the description of streamType says in words.
var dataOf = map[string]string{"start": "StreamStart", "delta": "StreamDelta",
	"action": "ActionCall", "end": "ChatReply", "error": "Error"}

// Document is the description of an API with one operation. It is safe for concurrent use.
type Document struct {
	// Server is the URL of its only server.
	Server    string
	operation *openapi3.Operation
	schemas   openapi3.Schemas
	request   *http.Request
	router    routers.Router

	mu     sync.Mutex
	unseen map[string]bool // described elements that no response has had yet
}

// Load parses a description in YAML. It fails the test if the description or one of its examples is
// invalid, in its open or closed form. method and path are those of its operation.
func Load(t testing.TB, text []byte, method, path string) *Document {
	t.Helper()
	validate(t, text)
	var tree any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	closeObjects(tree)
	closed, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	spec := validate(t, closed)
	d := &Document{unseen: map[string]bool{}}
	if d.router, err = legacy.NewRouter(spec); err != nil {
		t.Fatal(err)
	}
	if len(spec.Servers) != 1 || spec.Paths.Len() != 1 ||
		spec.Paths.Value(path).GetOperation(method) == nil {
		t.Fatalf("the description has %d servers and %d paths, with %s: %v", len(spec.Servers),
			spec.Paths.Len(), path,
			spec.Paths.Value(path) != nil)
	}
	d.Server = spec.Servers[0].URL
	d.operation = spec.Paths.Value(path).GetOperation(method)
	d.schemas = spec.Components.Schemas
	if d.request, err = http.NewRequestWithContext(t.Context(), method, d.Server+path,
		nil); err != nil {
		t.Fatal(err)
	}
	d.expectAll()
	return d
}

func validate(t testing.TB, text []byte) *openapi3.T {
	t.Helper()
	spec, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatalf("the description cannot be read: %v", err)
	}
	if !spec.IsOpenAPI31OrLater() {
		t.Fatalf("the description is of OpenAPI %s", spec.OpenAPI)
	}
	if err := spec.Validate(t.Context(), openapi3.EnableMultiError(),
		openapi3.EnableSchemaFormatValidation()); err != nil {
		t.Fatalf("the description is not valid: %v", err)
	}
	return spec
}

// closeObjects turns a description into its closed form.
func closeObjects(node any) {
	switch node := node.(type) {
	case map[string]any:
		if known, ok := node["x-extensible-enum"]; ok {
			node["enum"] = known
		}
		types, _ := node["type"].([]any) // an object or null
		isObject := node["type"] == "object" || slices.Contains(types, any("object"))
		if _, open := node["additionalProperties"]; !open && isObject && node["properties"] != nil {
			node["additionalProperties"] = false
		}
		for _, value := range node {
			closeObjects(value)
		}
	case []any:
		for _, value := range node {
			closeObjects(value)
		}
	}
}

// Codes returns the error codes with their statuses.
func (d *Document) Codes() map[string]int {
	out := map[string]int{}
	for status, response := range d.operation.Responses.Map() {
		for _, code := range codesOf(response.Value) {
			out[code] = number(status)
		}
	}
	return out
}

// codesOf returns the error codes of one status.
func codesOf(response *openapi3.Response) (codes []string) {
	listed, _ := response.Content.Get(mediaType).Extensions["x-codes"].([]any)
	for _, code := range listed {
		codes = append(codes, fmt.Sprint(code))
	}
	return codes
}

func number(status string) (n int) {
	_, _ = fmt.Sscan(status, &n) // Validate has checked the form
	return n
}

// expectAll lists everything that responses must show: each status, header, code and error example.
func (d *Document) expectAll() {
	for status, response := range d.operation.Responses.Map() {
		d.unseen["status "+status] = true
		for name := range response.Value.Headers {
			d.unseen["header "+status+" "+http.CanonicalHeaderKey(name)] = true
		}
		if response.Value.Content[streamType] != nil {
			for name := range dataOf {
				d.unseen["event "+name] = true
			}
		}
		for name, example := range response.Value.Content.Get(mediaType).Examples {
			if _, ok := errorOf(example.Value.Value); ok {
				d.unseen["example "+status+" "+name] = true
			}
		}
	}
	for code, status := range d.Codes() {
		d.unseen[fmt.Sprint("code ", status, " ", code)] = true
	}
}

// Unseen returns the described elements that no checked response had, sorted.
func (d *Document) Unseen() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []string
	for what := range d.unseen {
		out = append(out, what)
	}
	slices.Sort(out)
	return out
}

// Accepts returns an error if the description does not allow a request. It ignores path, method and
// host.
func (d *Document) Accepts(t testing.TB, r *http.Request) error {
	t.Helper()
	input := d.input(t)
	input.Request = d.request.Clone(t.Context())
	input.Request.Header, input.Request.Body, input.Request.ContentLength = r.Header.Clone(), r.Body,
		r.ContentLength
	return openapi3filter.ValidateRequest(t.Context(), input)
}

func (d *Document) input(t testing.TB) *openapi3filter.RequestValidationInput {
	t.Helper()
	route, params, err := d.router.FindRoute(d.request)
	if err != nil {
		t.Fatal(err)
	}
	return &openapi3filter.RequestValidationInput{Request: d.request, Route: route, PathParams: params,
		Options: &openapi3filter.Options{
			IncludeResponseStatus: true,
			MultiError:            true,
			AuthenticationFunc:    bearer,
		}}
}

// Check checks a response against the description.
func (d *Document) Check(t testing.TB, response *http.Response, body []byte) {
	t.Helper()
	described := d.operation.Responses.Status(response.StatusCode).Value
	d.mark("status %d", response.StatusCode)
	for name := range response.Header {
		isName := func(other string) bool { return strings.EqualFold(other, name) }
		if !slices.ContainsFunc(common, isName) &&
			!slices.ContainsFunc(slices.Collect(maps.Keys(described.Headers)), isName) {
			t.Errorf("the response %d has an undescribed header %s", response.StatusCode, name)
		}
		d.mark("header %d %s", response.StatusCode, name)
	}
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); kind == streamType {
		d.checkStream(t, string(body))
		return
	}
	input := &openapi3filter.ResponseValidationInput{RequestValidationInput: d.input(t),
		Status: response.StatusCode,
		Header: response.Header}
	input.Options = input.RequestValidationInput.Options
	input.SetBodyBytes(body)
	if err := openapi3filter.ValidateResponse(t.Context(), input); err != nil {
		t.Errorf("the response %d %s does not match the description: %v", response.StatusCode, body, err)
		return
	}
	d.checkError(t, response.StatusCode, described, body)
}

// checkError marks the code and the example of an error.
func (d *Document) checkError(t testing.TB, status int, described *openapi3.Response, body []byte) {
	t.Helper()
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Error(err)
	}
	got, failed := errorOf(value)
	if !failed {
		return
	}
	if code := fmt.Sprint(got["code"]); !slices.Contains(codesOf(described), code) {
		t.Errorf("%d has no code %s", status, code)
	}
	d.mark("code %d %s", status, got["code"])
	for name, example := range described.Content.Get(mediaType).Examples {
		if shown, _ := errorOf(example.Value.Value); timeless(shown) == timeless(got) {
			d.mark("example %d %s", status, name)
		}
	}
}

// checkStream checks a stream's events against their schemas.
func (d *Document) checkStream(t testing.TB, body string) {
	t.Helper()
	for event := range strings.SplitSeq(strings.TrimSuffix(body, "\n\n"), "\n\n") {
		name, data, ok := strings.Cut(event, "\ndata: ")
		name, named := strings.CutPrefix(name, "event: ")
		schema := d.schemas[dataOf[name]]
		var value any
		if !ok || !named || schema == nil || json.Unmarshal([]byte(data), &value) != nil {
			t.Errorf("the stream has an undescribed event: %q", event)
			continue
		}
		if err := schema.Value.VisitJSON(value, openapi3.MultiErrors()); err != nil {
			t.Errorf("the data of %s does not match the description: %v", name, err)
		}
		d.mark("event %s", name)
	}
}

func (d *Document) mark(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.unseen, fmt.Sprintf(format, args...))
}

// errorOf returns the error object of a response's body.
func errorOf(body any) (object map[string]any, ok bool) {
	whole, _ := body.(map[string]any)
	object, ok = whole["error"].(map[string]any)
	return object, ok
}

var moment = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)

// timeless returns an error's text with a placeholder for each time, so that responses can be
// compared with examples.
func timeless(object map[string]any) string {
	return moment.ReplaceAllString(fmt.Sprint(object), "a time")
}

// bearer checks that a request has a key under the scheme Bearer; the server checks whether the key
// is valid.
func bearer(_ context.Context, input *openapi3filter.AuthenticationInput) error {
	if s := input.SecurityScheme; s.Type != "http" || s.Scheme != "bearer" {
		return fmt.Errorf("the scheme is %s %s", s.Type, s.Scheme)
	}
	scheme, key, _ := strings.Cut(input.RequestValidationInput.Request.Header.Get("Authorization"),
		" ")
	if !strings.EqualFold(scheme, "Bearer") || strings.TrimSpace(key) == "" {
		return errors.New("there is no key")
	}
	return nil
}

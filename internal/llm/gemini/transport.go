package gemini

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/grpc"

	"agentchat/internal/llm/upstream"
)

// transport sends the library's requests under the policy.
type transport struct{ client *upstream.Client }

// sentHeaders are the library's headers that are sent. The others describe this machine.
var sentHeaders = []string{"Accept", "Content-Type", "User-Agent"}

// RoundTrip implements http.RoundTripper. Any answer but 200 is an error, so the library has nothing to retry by its own rules.
func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	out := req.Clone(req.Context())
	out.Header = make(http.Header)
	for _, name := range sentHeaders {
		if value := req.Header.Get(name); value != "" {
			out.Header.Set(name, value)
		}
	}
	end := endingOf(req.Context())
	if end.schema != "" {
		if err := addSchema(out, end.schema); err != nil {
			return nil, err
		}
	}
	answer, err := t.client.Send(out, end.memory)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{},
		ContentLength: -1, Body: newAnswerBody(req.Context(), answer), Request: req,
	}, nil
}

// addSchema puts the schema of the reply into a request: the library knows only an older form of it.
func addSchema(req *http.Request, text string) error {
	defer func() { _ = req.Body.Close() }()
	var body, config map[string]jsontext.Value
	if err := json.UnmarshalRead(req.Body, &body); err != nil {
		return fmt.Errorf("reading the library's request: %w", err)
	}
	if err := json.Unmarshal(body["generationConfig"], &config); len(body["generationConfig"]) > 0 && err != nil {
		return fmt.Errorf("reading the library's generationConfig: %w", err)
	}
	if config == nil {
		config = map[string]jsontext.Value{}
	}
	config["responseMimeType"], config["responseJsonSchema"] = jsontext.Value(`"application/json"`), jsontext.Value(text)
	settings, err := json.Marshal(config)
	if err != nil {
		return fmt.Errorf("writing generationConfig: %w", err)
	}
	body["generationConfig"] = settings
	sent, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("writing the request: %w", err)
	}
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(sent)), int64(len(sent))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(sent)), nil }
	return nil
}

// noGRPC takes the place of the gRPC connection that the library would open.
type noGRPC struct{}

var errNoGRPC = errors.New("gemini is only reached by HTTP")

// Conn implements gtransport.ConnPool.
func (noGRPC) Conn() *grpc.ClientConn { return nil }

// Num implements gtransport.ConnPool.
func (noGRPC) Num() int { return 0 }

// Close implements gtransport.ConnPool.
func (noGRPC) Close() error { return nil }

// Invoke implements grpc.ClientConnInterface.
func (noGRPC) Invoke(context.Context, string, any, any, ...grpc.CallOption) error { return errNoGRPC }

// NewStream implements grpc.ClientConnInterface.
func (noGRPC) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	return nil, errNoGRPC
}

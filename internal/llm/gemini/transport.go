package gemini

import (
	"context"
	"errors"
	"net/http"

	"google.golang.org/grpc"

	"agentchat/internal/llm/upstream"
)

// transport sends the library's requests through package upstream.
type transport struct{ client *upstream.Client }

// sentHeaders are the library's headers that are sent. The others describe this machine.
var sentHeaders = []string{"Accept", "Content-Type", "User-Agent"}

// RoundTrip implements http.RoundTripper. Any status but 200 is an error, so the library has
// nothing to retry by its own rules.
func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	out := req.Clone(req.Context())
	out.Header = make(http.Header)
	for _, name := range sentHeaders {
		if value := req.Header.Get(name); value != "" {
			out.Header.Set(name, value)
		}
	}
	end := endingOf(req.Context())
	if end.own != nil {
		if err := end.own.put(out); err != nil {
			return nil, err
		}
	}
	answer, err := t.client.Send(out, end.memory)
	if end.accepted = err == nil || upstream.MayBill(err); err != nil {
		return nil, err
	}
	return &http.Response{
		Status:        "200 OK",
		StatusCode:    http.StatusOK,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        http.Header{},
		ContentLength: -1,
		Body:          newAnswerBody(req.Context(), answer),
		Request:       req,
	}, nil
}

// noGRPC replaces the gRPC connection that the library would open.
type noGRPC struct{}

var errNoGRPC = errors.New("gemini is reached over HTTP only")

// Conn implements gtransport.ConnPool.
func (noGRPC) Conn() *grpc.ClientConn { return nil }

// Num implements gtransport.ConnPool.
func (noGRPC) Num() int { return 0 }

// Close implements gtransport.ConnPool.
func (noGRPC) Close() error { return nil }

// Invoke implements grpc.ClientConnInterface.
func (noGRPC) Invoke(context.Context, string, any, any, ...grpc.CallOption) error {
	return errNoGRPC
}

// NewStream implements grpc.ClientConnInterface.
func (noGRPC) NewStream(context.Context, *grpc.StreamDesc, string,
	...grpc.CallOption) (grpc.ClientStream, error) {
	return nil, errNoGRPC
}

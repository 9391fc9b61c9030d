// Package llmtest runs model providers for tests: real HTTP servers on loopback that speak a
// provider's format and follow a script of good and bad answers.
package llmtest

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"agentchat/internal/llm"
)

// Request is a request that the server received.
type Request struct {
	// Method is the HTTP method.
	Method string
	// Path is the path, unescaped; Query is the raw query.
	Path, Query string
	// Header and Body are the rest of the request.
	Header http.Header
	Body   []byte
}

// Reply answers one request. It may block until the call is Over.
type Reply func(*Call)

// Call is one request to the server, with the writer of its answer.
type Call struct {
	// W writes the answer.
	W http.ResponseWriter
	// Request is the request.
	Request Request
	// Over is closed when the caller has left or the server stops.
	Over <-chan struct{}
	// format writes answers in the provider's format.
	format format
}

// format is the wire format of a provider.
type format interface {
	// answer returns the body of a reply, in one piece for each text.
	answer(pieces []string) (contentType string, body []string)
	// interruption returns the end of a body in which the provider reports an error.
	interruption() (body string)
	// blocked returns the body of a reply that the safety rules cut off after a text.
	blocked(text string) (contentType string, body []string)
	// cut returns the body of a reply that was cut off at the output limit.
	cut(text string) (contentType string, body []string)
	// calls returns the body of a reply with calls after a text.
	calls(text string, calls []llm.Call) (contentType string, body []string)
	// failure returns the body of a refusal.
	failure(status int) (body string)
	// check returns the status with which a real server refuses the request, 0 for none.
	check(r *http.Request) (status int)
}

// Server is a provider on loopback. It is safe for concurrent use.
type Server struct {
	// URL is the base URL, without a slash at the end.
	URL string

	format  format
	http    *httptest.Server
	closing chan struct{}
	done    chan struct{}

	mu          sync.Mutex
	script      []Reply
	always      Reply
	requests    []Request
	inFlight    int
	opened      int
	closedConns int
}

// newServer starts a server that stops with the test.
func newServer(t testing.TB, f format) *Server {
	t.Helper()
	s := &Server{
		format:  f,
		closing: make(chan struct{}),
		done:    make(chan struct{}, 4096),
		always:  Text("Hello."),
	}
	s.http = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.http.Config.ConnState = s.connection
	s.http.Start()
	s.URL = s.http.URL
	t.Cleanup(func() {
		close(s.closing)
		s.http.Close()
	})
	return s
}

// Next adds one answer for each of the next requests, in order.
func (s *Server) Next(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, replies...)
}

// Always sets the answer for requests without one from Next. The default is the text "Hello.".
func (s *Server) Always(reply Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.always = reply
}

// Requests returns all requests so far, in their order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Forget drops the requests so far, for a test that sends too many to keep.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = nil
}

// Last returns the latest request. It fails the test if there was none.
func (s *Server) Last(t testing.TB) Request {
	t.Helper()
	all := s.Requests()
	if len(all) == 0 {
		t.Fatal("the model server received no request")
	}
	return all[len(all)-1]
}

// Connections returns the number of connections opened, and of those closed since.
func (s *Server) Connections() (opened, closed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened, s.closedConns
}

// InFlight returns the number of requests in flight.
func (s *Server) InFlight() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inFlight
}

func (s *Server) count(change int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight += change
}

// Done receives once for every finished answer, complete or not.
func (s *Server) Done() <-chan struct{} { return s.done }

func (s *Server) connection(_ net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state {
	case http.StateNew:
		s.opened++
	case http.StateClosed, http.StateHijacked:
		s.closedConns++
	}
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.count(1)
	defer s.count(-1)
	defer func() {
		select {
		case s.done <- struct{}{}:
		default: // no test is waiting
		}
	}()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if status := s.format.check(r); status != 0 {
		http.Error(w, s.format.failure(status), status)
		return
	}
	request := Request{
		Method: r.Method,
		Path:   r.URL.Path,
		Query:  r.URL.RawQuery,
		Header: r.Header.Clone(),
		Body:   body,
	}
	reply := s.take(request)
	over := make(chan struct{})
	answered := make(chan struct{})
	defer close(answered)
	go func() {
		defer close(over)
		select {
		case <-r.Context().Done():
		case <-s.closing:
		case <-answered:
		}
	}()
	reply(&Call{W: w, Request: request, Over: over, format: s.format})
}

func (s *Server) take(request Request) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, request)
	if len(s.script) == 0 {
		return s.always
	}
	reply := s.script[0]
	s.script = s.script[1:]
	return reply
}

// Holds reports whether a text occurs in any request, except in the header with the key.
func (s *Server) Holds(text, keyHeader string) bool {
	for _, r := range s.Requests() {
		header := r.Header.Clone()
		header.Del(keyHeader)
		for _, values := range header {
			if strings.Contains(strings.Join(values, "\n"), text) {
				return true
			}
		}
		if strings.Contains(r.Path+"?"+r.Query+"\n"+string(r.Body), text) {
			return true
		}
	}
	return false
}

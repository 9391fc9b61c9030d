// Package llmtest runs model providers on loopback for tests: real HTTP servers that speak a provider's wire format and answer
// as a script says, well or badly.
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
)

// Request is a request as it was received.
type Request struct {
	Method string
	// Path is the path, unescaped; Query is the raw query.
	Path, Query string
	Header      http.Header
	Body        []byte
}

// Reply answers one request. It may block until the exchange is Over.
type Reply func(*Exchange)

// Exchange is one request and the writer of its answer.
type Exchange struct {
	// W writes the answer.
	W http.ResponseWriter
	// Request is what was asked.
	Request Request
	// Over is closed when the caller has gone or the server ends.
	Over <-chan struct{}
	// format writes the provider's own answers.
	format format
}

// format is the wire format of a provider.
type format interface {
	// answer returns the body, in pieces that arrive one by one, of a reply of these texts.
	answer(pieces []string) (contentType string, body []string)
	// interruption returns what follows pieces of a body when the provider fails in their middle.
	interruption() (body string)
	// blocked returns the body of a reply that the safety rules stopped after a text.
	blocked(text string) (contentType string, body []string)
	// cut returns the body of a reply that ended at its output limit.
	cut(text string) (contentType string, body []string)
	// failure returns the body of a refusal.
	failure(status int) (body string)
	// check returns the status with which a real server would refuse a request whatever the script says; 0 for none.
	check(r *http.Request) (status int)
}

// Server is a provider on loopback. Its methods can be called from any goroutine.
type Server struct {
	// URL is its base URL, without a slash at its end.
	URL string

	format  format
	http    *httptest.Server
	closing chan struct{}
	done    chan struct{}

	mu          sync.Mutex
	script      []Reply
	always      Reply
	requests    []Request
	underWay    int
	opened      int
	closedConns int
}

// newServer starts a server that ends with the test.
func newServer(t testing.TB, f format) *Server {
	t.Helper()
	s := &Server{format: f, closing: make(chan struct{}), done: make(chan struct{}, 4096), always: Text("Hello.")}
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

// Next adds answers for the next requests, one each, in order.
func (s *Server) Next(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, replies...)
}

// Always sets the answer to every request for which Next has none left. At first it is the text "Hello.".
func (s *Server) Always(reply Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.always = reply
}

// Requests returns all requests so far, in the order of their arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Forget drops the requests so far, for a test that sends so many that they would fill the memory.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = nil
}

// Last returns the latest request; it fails the test when there was none.
func (s *Server) Last(t testing.TB) Request {
	t.Helper()
	all := s.Requests()
	if len(all) == 0 {
		t.Fatal("the model server has received no request")
	}
	return all[len(all)-1]
}

// Connections returns how many connections were opened and how many of them are closed.
func (s *Server) Connections() (opened, closed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened, s.closedConns
}

// UnderWay is how many requests are being answered.
func (s *Server) UnderWay() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.underWay
}

func (s *Server) count(change int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.underWay += change
}

// Done receives once for every request whose answer has ended, well or not.
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
		default: // nobody waits for them
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
	request := Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header.Clone(), Body: body}
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
	reply(&Exchange{W: w, Request: request, Over: over, format: s.format})
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

// Holds reports whether a text occurs in anything that the server has received but the header that carries the key.
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

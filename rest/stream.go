package rest

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
)

// streamTimes are when a stream does something of its own accord.
type streamTimes struct {
	// start is how long after the turn has begun the stream begins, when the model has said nothing yet. Until then a model
	// that fails gives its true status.
	start time.Duration
	// comment is how often a comment line is sent while there is nothing else, so that no proxy closes the connection.
	comment time.Duration
	// write is how long the client may take to receive one write.
	write time.Duration
}

var contractTimes = streamTimes{start: 5 * time.Second, comment: 15 * time.Second, write: 30 * time.Second}

// events is a reply on its way from the turn to the client: the turn's side leaves word here and never waits for the client.
type events struct {
	mu    sync.Mutex
	begun *chat.Begun
	texts []string
	// word is sent to, without waiting, whenever something new is here.
	word chan struct{}
}

var _ chat.Stream = (*events)(nil)

// Begun implements chat.Stream.
func (e *events) Begun(begun chat.Begun) {
	e.mu.Lock()
	e.begun = &begun
	e.mu.Unlock()
	e.leaveWord()
}

// Text implements chat.Stream.
func (e *events) Text(piece string) {
	e.mu.Lock()
	e.texts = append(e.texts, piece)
	e.mu.Unlock()
	e.leaveWord()
}

func (e *events) leaveWord() {
	select {
	case e.word <- struct{}{}:
	default: // word is there already
	}
}

// take returns what is known of the turn, and the pieces that came since the last call.
func (e *events) take() (begun *chat.Begun, texts []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	begun, texts, e.texts = e.begun, e.texts, nil
	return begun, texts
}

// outcome is what became of a message; panicked is what its goroutine panicked with.
type outcome struct {
	result   chat.Result
	err      error
	panicked any
}

// stream answers with a stream of events (text/event-stream, HTML Standard, 9.2): start, delta repeated, then end or error. What
// ends before the stream begins is answered like any other request.
func (a *api) stream(ex *exchange, req chat.Request) {
	e := &events{word: make(chan struct{}, 1)}
	req.Stream = e
	over := make(chan outcome, 1)
	go func() {
		var out outcome
		defer func() {
			out.panicked = recover()
			over <- out
		}()
		out.result, out.err = a.chat.Send(ex.r.Context(), req)
	}()
	s := &streamWriter{ex: ex, events: e, times: a.times}
	s.end(s.follow(ex.r.Context(), over))
}

// streamWriter writes one stream, from the request's own goroutine.
type streamWriter struct {
	ex      *exchange
	events  *events
	times   streamTimes
	started bool
	// gone says that the client has left: nothing is written any more.
	gone bool
}

// follow writes the events until the turn is over. It goes on to the turn's end when the client leaves.
func (s *streamWriter) follow(ctx context.Context, over <-chan outcome) outcome {
	left := ctx.Done()
	// Until the turn has begun there is nothing to wait for.
	start, comment := newStopped(), newStopped()
	defer start.Stop()
	defer comment.Stop()
	var begun *chat.Begun
	for {
		select {
		case <-s.events.word:
			known, texts := s.events.take()
			if begun == nil && known != nil {
				begun = known
				start.Reset(s.times.start)
			}
			if len(texts) > 0 {
				s.begin(begun)
				s.write(deltas(texts))
			}
		case <-start.C:
			s.begin(begun)
		case <-comment.C:
			s.write([]byte(":\n\n"))
		case <-left:
			left, s.gone = nil, true
		case out := <-over:
			return out
		}
		if s.started {
			comment.Reset(s.times.comment)
		}
	}
}

func newStopped() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// begin sends the status and the event start, once.
func (s *streamWriter) begin(begun *chat.Begun) {
	if s.started {
		return
	}
	s.started = true
	if begun.Caller != nil {
		s.ex.access.Caller = begun.Caller
	}
	header := s.ex.w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-cache, no-transform")
	header.Set("X-Accel-Buffering", "no")
	s.ex.writeHeader(http.StatusOK)
	s.write(event("start", startEvent{MessageID: begun.MessageID, SessionID: begun.Session}))
}

// end ends the exchange with what became of the message.
func (s *streamWriter) end(out outcome) {
	ex := s.ex
	if out.result.Caller != nil {
		ex.access.Caller = out.result.Caller
	}
	ex.access.ClientGone = s.gone || ex.r.Context().Err() != nil
	defer func() { ex.access.ClientGone = ex.access.ClientGone || s.gone }() // the last writes may find it out
	if begun, texts := s.events.take(); len(texts) > 0 {
		s.begin(begun)
		s.write(deltas(texts))
	}
	switch {
	case out.panicked != nil:
		panic(out.panicked) // for the router: 500, or an aborted stream where one has begun
	case out.err == nil && out.result.Answer == nil:
		out.err = errors.New("rest: Send returned neither an answer nor an error")
		fallthrough
	case out.err != nil:
		s.fail(ex.turnFault(out.err))
	default:
		s.succeed(out.result.Answer)
	}
}

func (s *streamWriter) fail(err error) {
	if !s.started {
		s.ex.refuse(err)
		return
	}
	_, object := s.ex.describe(err)
	s.write(event("error", errorBody{Error: object, RequestID: s.ex.access.RequestID}))
}

func (s *streamWriter) succeed(answer *chat.Answer) {
	var whole []byte
	if answer.Replayed {
		s.ex.w.Header().Set(headerReplayed, "true")
		whole = deltas([]string{answer.Reply})
	}
	s.begin(&chat.Begun{MessageID: answer.MessageID, Session: answer.Session})
	s.write(append(whole, event("end", s.ex.replyBody(answer))...))
}

// write sends what is whole events and lets the client have it at once. A client that takes too long counts as gone.
func (s *streamWriter) write(data []byte) {
	if s.gone {
		return
	}
	control := http.NewResponseController(s.ex.w)
	// A writer without deadlines is one of a test's.
	_ = control.SetWriteDeadline(time.Now().Add(s.times.write))
	_, err := s.ex.w.Write(data)
	if err == nil {
		err = control.Flush()
	}
	s.gone = err != nil
}

type startEvent struct {
	MessageID uuid.UUID `json:"message_id"`
	SessionID string    `json:"session_id"`
}

type deltaEvent struct {
	Text string `json:"text"`
}

func deltas(texts []string) []byte {
	var data []byte
	for _, text := range texts {
		data = append(data, event("delta", deltaEvent{Text: text})...)
	}
	return data
}

// event is one event. JSON has no line breaks, so that its data is one line.
func event(name string, body any) []byte {
	data, err := encode(body)
	if err != nil {
		panic(err) // ours are structs of texts and numbers, and error details that every answer can hold
	}
	return []byte("event: " + name + "\ndata: " + string(data) + "\n\n")
}

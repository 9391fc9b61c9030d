package rest

import (
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/eventstream"
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

// stream answers with a stream of events (text/event-stream, HTML Standard, 9.2): start, delta repeated, then end or error. What
// ends before the stream begins is answered like any other request.
func (a *api) stream(ex *exchange, req chat.Request) {
	s := &streamWriter{ex: ex, times: a.times}
	s.idle.L = &s.mu
	req.Stream = s
	result, err := a.sendStreamed(s, req)
	s.end(result, err)
}

// sendStreamed has the message answered. The message is not held here meanwhile.
func (a *api) sendStreamed(s *streamWriter, req chat.Request) (chat.Result, error) {
	defer s.stop() // a panic of ours must not find the stream being written
	return a.chat.Send(s.ex.r.Context(), req)
}

// streamWriter writes one stream. The turn's side leaves word here and never waits for the client. While the turn is under way a
// goroutine writes whenever there is something to write, and ends when there is no more: a stream that waits for its model, with
// a thousand others, has no stack for it. After the turn the request's own goroutine writes.
type streamWriter struct {
	ex    *exchange
	times streamTimes
	begun *chat.Begun

	mu sync.Mutex
	// texts are the pieces that are not written yet.
	texts []string
	// due says that the stream is to say something of its own accord: that it starts, or that it lives.
	due bool
	// writing says that a goroutine writes; idle tells when it has ended.
	writing bool
	idle    sync.Cond
	// over says that the turn is over: no goroutine begins to write any more.
	over  bool
	quiet *time.Timer

	// These belong to whoever writes.
	started bool
	gone    bool // the client has left: nothing is written any more
}

var _ chat.Stream = (*streamWriter)(nil)

// Begun implements chat.Stream.
func (s *streamWriter) Begun(begun chat.Begun) {
	s.mu.Lock() // the timer may be quicker than its assignment
	defer s.mu.Unlock()
	s.begun = &begun
	s.quiet = time.AfterFunc(s.times.start, func() { s.leaveWord("") })
}

// Text implements chat.Stream.
func (s *streamWriter) Text(piece string) { s.leaveWord(piece) }

// leaveWord leaves a piece, or word that the stream was quiet for long enough, and sees to it that it is written.
func (s *streamWriter) leaveWord(piece string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	if piece != "" {
		s.texts = append(s.texts, piece)
	}
	s.due = s.due || piece == ""
	if !s.writing {
		s.writing = true
		go s.writeAll()
	}
}

// writeAll writes until there is nothing to write.
func (s *streamWriter) writeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.over && (s.due || len(s.texts) > 0) {
		texts, due := s.texts, s.due
		s.texts, s.due = nil, false
		s.mu.Unlock()
		s.writeNews(texts, due)
		s.quiet.Reset(s.times.comment)
		s.mu.Lock()
	}
	s.writing = false
	s.idle.Signal()
}

// stop waits for the writing goroutine; from then on the caller writes.
func (s *streamWriter) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	if s.quiet != nil {
		s.quiet.Stop()
	}
	for s.writing {
		s.idle.Wait()
	}
}

// writeNews writes what has come: text, or where there is none that the stream starts or lives.
func (s *streamWriter) writeNews(texts []string, due bool) {
	switch {
	case len(texts) > 0:
		s.begin()
		s.write(deltas(texts))
	case due && s.started:
		s.write([]byte(":\n\n"))
	case due:
		s.begin()
	}
}

// begin sends the status and the event start, once.
func (s *streamWriter) begin() {
	if s.started {
		return
	}
	s.started = true
	if s.begun.Caller != nil {
		s.ex.access.Caller = s.begun.Caller
	}
	eventstream.Announce(s.ex.w.Header())
	s.ex.writeHeader(http.StatusOK)
	s.write(event("start", startEvent{MessageID: s.begun.MessageID, SessionID: s.begun.Session}))
}

// end ends the exchange with what became of the message.
func (s *streamWriter) end(result chat.Result, err error) {
	ex := s.ex
	if result.Caller != nil {
		ex.access.Caller = result.Caller
	}
	ex.access.ClientGone = s.gone || ex.r.Context().Err() != nil
	defer func() { ex.access.ClientGone = ex.access.ClientGone || s.gone }() // the last writes may find it out
	s.writeNews(s.texts, false)
	switch {
	case err != nil:
		s.fail(ex.turnFault(err))
	case result.Answer == nil:
		s.fail(errors.New("rest: Send returned neither an answer nor an error"))
	default:
		s.succeed(result.Answer)
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
		s.begun = &chat.Begun{MessageID: answer.MessageID, Session: answer.Session}
		whole = deltas([]string{answer.Reply})
	}
	s.begin()
	s.write(append(whole, event("end", s.ex.replyBody(answer))...))
}

// write sends what is whole events and lets the client have it at once. A client that takes too long counts as gone. One whose
// request's context has ended may have closed its sending side only, and is written to until that fails.
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

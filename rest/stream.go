package rest

import (
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
)

// streamTimes are the times of a stream.
type streamTimes struct {
	// start is the time after which the stream of a turn begins if the model has sent nothing yet.
	// Until then a failing model gets its true status.
	start time.Duration
	// comment is the interval of comments while there is nothing else to send.
	comment time.Duration
	// write bounds the time in which the client receives one write.
	write time.Duration
}

var defaultTimes = streamTimes{start: 5 * time.Second, comment: httpapi.CommentInterval, write: httpapi.WriteTimeout}

// stream answers with server-sent events: start, delta repeated, action for each call, then end or
// error. A failure before the stream begins is answered like that of any other request.
func (a *api) stream(req *request, msg chat.Message) {
	s := &stream{req: req, times: a.times, relay: httpapi.NewRelay()}
	msg.Stream = s.relay
	result, err := s.send(a.chat, msg)
	s.end(result, err)
}

// stream is one streamed reply. While the turn runs, a goroutine writes the text from the relay.
// After the turn the request's own goroutine writes the rest.
type stream struct {
	req   *request
	times streamTimes
	relay *httpapi.Relay
	begun *chat.BegunTurn
	// wrote is set once text was written.
	wrote bool
	// events is nil until the stream begins.
	events *httpapi.Events
}

// send sends the message to the service while another goroutine writes. That goroutine has ended
// when send returns or panics.
func (s *stream) send(service Chat, msg chat.Message) (chat.Result, error) {
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		s.follow(over)
	}()
	defer func() {
		close(over)
		<-ended
	}()
	return s.req.ask(service, msg)
}

// follow writes text until the turn is over.
func (s *stream) follow(over <-chan struct{}) {
	quiet := time.NewTimer(s.times.start)
	quiet.Stop() // until the turn has begun
	defer quiet.Stop()
	for {
		select {
		case <-s.relay.News():
			switch begun, wrote := s.writeNews(); {
			case wrote:
				quiet.Reset(s.times.comment)
			case begun:
				quiet.Reset(s.times.start)
			}
		case <-quiet.C:
			if s.events == nil {
				s.start()
			} else {
				s.events.Write(httpapi.Comment)
			}
			quiet.Reset(s.times.comment)
		case <-over:
			return
		}
	}
}

// writeNews writes the news of the relay. It reports whether the turn has just begun, and whether
// text was written.
func (s *stream) writeNews() (begun, wrote bool) {
	started, pieces := s.relay.Take()
	if started != nil {
		s.begun = started
		s.req.identify(started.Caller)
	}
	if len(pieces) > 0 {
		s.wrote = true
		s.start()
		s.events.Write(deltas(pieces...))
	}
	return started != nil, len(pieces) > 0
}

// start sends the status and the start event, once.
func (s *stream) start() {
	if s.events != nil {
		return
	}
	s.req.setRate()
	if s.begun.Joined {
		s.req.setReplayed()
	}
	s.req.W.Header().Set("Trailer", headerServerTiming)
	s.events = s.req.StartEvents(s.times.write)
	s.events.Write(event("start", startEvent{MessageID: s.begun.MessageID, SessionID: s.begun.Session}))
}

// end writes the last pieces, and the result.
func (s *stream) end(result chat.Result, err error) {
	req := s.req
	req.identify(result.Caller)
	s.writeNews()
	req.recordResult(result)
	req.record.ClientGone = req.R.Context().Err() != nil || s.gone()
	switch {
	case err == nil:
		s.succeed(result.Answer)
	case s.events == nil:
		req.refuse(req.turnFault(err))
	default:
		if errors.Is(err, chat.ErrDraining) { // a stream cannot send Retry-After
			err = fault.New(fault.Unavailable, "")
		}
		_, body := req.Describe(answers, req.turnFault(err))
		s.events.Write(event("error", body))
	}
	req.record.ClientGone = req.record.ClientGone || s.gone() // the last write may have failed
}

func (s *stream) gone() bool { return s.events != nil && s.events.Gone() }

func (s *stream) succeed(answer *chat.Answer) {
	var last strings.Builder
	if answer.Replayed && !s.wrote { // the relay got no text
		s.begun = &chat.BegunTurn{MessageID: answer.MessageID, Session: answer.Session}
		if answer.Reply != "" {
			last.WriteString(deltas(answer.Reply))
		}
	}
	for _, action := range answer.Actions {
		last.WriteString(event("action", action))
	}
	last.WriteString(httpapi.Event("end", replyBody(answer)))
	s.start()
	s.events.Write(last.String())
	s.req.W.Header().Set(headerServerTiming, s.req.timing.String())
}

type startEvent struct {
	MessageID uuid.UUID `json:"message_id"`
	SessionID string    `json:"session_id"`
}

type deltaEvent struct {
	Text string `json:"text"`
}

func deltas(pieces ...string) string {
	var out strings.Builder
	for _, piece := range pieces {
		out.WriteString(event("delta", deltaEvent{Text: piece}))
	}
	return out.String()
}

func event(name string, body any) string { return httpapi.Event(name, httpapi.Encode(body)) }

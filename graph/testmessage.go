package graph

import (
	"context"
	"strings"
	"sync"

	"agentchat/graph/model"
	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
)

// feed is what becomes of a message of the playground, on its way to whoever follows it. The turn leaves word here and never
// waits for its reader.
type feed struct {
	mu      sync.Mutex
	started *model.TestMessageStarted
	text    strings.Builder
	// word is sent to, without waiting, whenever something new is here.
	word chan struct{}
	// over is closed when the message has its outcome.
	over    chan struct{}
	payload *model.SendTestMessagePayload
	err     error
}

var _ chat.Stream = (*feed)(nil)

// Begun implements chat.Stream.
func (f *feed) Begun(begun chat.Begun) {
	f.mu.Lock()
	f.started = &model.TestMessageStarted{TurnID: begun.MessageID, SessionID: begun.Session}
	f.mu.Unlock()
	f.leaveWord()
}

// Text implements chat.Stream.
func (f *feed) Text(piece string) {
	f.mu.Lock()
	f.text.WriteString(piece)
	f.mu.Unlock()
	f.leaveWord()
}

func (f *feed) leaveWord() {
	select {
	case f.word <- struct{}{}:
	default: // word is there already
	}
}

// take returns what came since the last call: that the message has begun, and text.
func (f *feed) take() (started *model.TestMessageStarted, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	started, text = f.started, f.text.String()
	f.started = nil
	f.text.Reset()
	return started, text
}

// testMessage sends a message of the playground and follows it. It returns once the message has begun: refusals are errors.
// Whoever leaves stops the reply.
func (r *Resolver) testMessage(ctx context.Context, in model.SendTestMessageInput) (<-chan model.TestMessageEvent, error) {
	if viewer(ctx) == nil { // the second lock, which gqlgen has for queries and mutations only
		return nil, fault.New(fault.Unauthorized, "")
	}
	req, err := testRequest(ctx, in)
	if err != nil {
		return nil, err
	}
	f := &feed{word: make(chan struct{}, 1), over: make(chan struct{})}
	req.Stream, req.Stop = f, ctx.Done()
	go func() {
		defer close(f.over)
		defer func() {
			if p := recover(); p != nil {
				f.err = recovered(ctx, p)
			}
		}()
		f.payload, f.err = r.sendTest(ctx, req)
	}()
	select {
	case <-f.word:
		f.leaveWord() // for deliver
	case <-f.over:
		if f.err != nil {
			return nil, f.err
		}
	}
	events := make(chan model.TestMessageEvent)
	go f.deliver(ctx, events)
	return events, nil
}

// deliver passes the events on until the message has its outcome, or its reader has left. What came while the reader was busy
// comes as one delta.
func (f *feed) deliver(ctx context.Context, events chan<- model.TestMessageEvent) {
	defer close(events)
	pass := func(e model.TestMessageEvent) {
		select {
		case events <- e:
		case <-ctx.Done():
		}
	}
	begun := false
	passNews := func() {
		started, text := f.take()
		if started != nil {
			begun = true
			pass(*started)
		}
		if text != "" {
			pass(model.TestMessageDelta{Text: text})
		}
	}
	for {
		select {
		case <-f.word:
			passNews()
		case <-f.over:
			passNews()
			exchangeOf(ctx).failure.Store(&f.err)
			f.passOutcome(begun, pass)
			return
		case <-ctx.Done():
			return
		}
	}
}

// passOutcome passes the last event on. A replay has not been started: it is told whole.
func (f *feed) passOutcome(begun bool, pass func(model.TestMessageEvent)) {
	p := f.payload
	if f.err != nil {
		return // the transport tells it
	}
	if !begun {
		pass(model.TestMessageStarted{TurnID: p.Turn.ID, SessionID: p.Conversation.SessionID})
		if p.Turn.Reply != nil {
			pass(model.TestMessageDelta{Text: *p.Turn.Reply})
		}
	}
	if p.Turn.State == conversation.Failed {
		pass(model.TestMessageFailed{Turn: p.Turn, Conversation: p.Conversation, CreditsRemaining: p.CreditsRemaining})
		return
	}
	pass(model.TestMessageEnded{Turn: p.Turn, Conversation: p.Conversation, CreditsRemaining: p.CreditsRemaining})
}

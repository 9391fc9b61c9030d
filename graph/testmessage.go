package graph

import (
	"context"
	"strings"

	"agentchat/graph/model"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
)

// testTurn is a playground message whose events are sent to a client.
type testTurn struct {
	relay  *httpapi.Relay
	events chan model.TestMessageEvent
	// over is closed when the turn has ended, with payload or err.
	over    chan struct{}
	payload *model.SendTestMessagePayload
	err     error
	// begun and wrote report whether the client has received the start of the turn, and text.
	begun, wrote bool
}

// testMessage sends a playground message and streams its events. It returns once the turn has
// begun, so that rejections are errors. A client that disconnects stops the reply.
func (r *Resolver) testMessage(
	ctx context.Context,
	in model.SendTestMessageInput,
) (<-chan model.TestMessageEvent, error) {
	if viewer(ctx) == nil { // gqlgen calls denyByDefault for queries and mutations only
		return nil, fault.New(fault.Unauthorized, "")
	}
	msg, err := r.testMessageOf(ctx, in)
	if err != nil {
		return nil, err
	}
	t := &testTurn{
		relay:  httpapi.NewRelay(),
		events: make(chan model.TestMessageEvent),
		over:   make(chan struct{}),
	}
	msg.Stream, msg.Stop = t.relay, ctx.Done()
	requestOf(ctx).turns.Go(func() {
		defer close(t.over)
		defer func() {
			if p := recover(); p != nil {
				t.err = recovered(ctx, p)
			}
		}()
		t.payload, t.err = r.sendTest(ctx, msg)
	})
	select {
	case <-t.relay.News():
	case <-t.over:
		if t.err != nil {
			return nil, t.err
		}
	}
	go t.deliver(ctx)
	return t.events, nil
}

// deliver sends the events until the turn ends or the client disconnects.
func (t *testTurn) deliver(ctx context.Context) {
	defer close(t.events)
	for {
		t.deliverNews(ctx)
		select {
		case <-t.relay.News():
		case <-t.over:
			t.deliverNews(ctx)
			requestOf(ctx).failure.Store(&t.err)
			if t.err == nil { // the transport sends errors
				t.deliverOutcome(ctx)
			}
			return
		case <-ctx.Done():
			return
		}
	}
}

func (t *testTurn) send(ctx context.Context, event model.TestMessageEvent) {
	select {
	case t.events <- event:
	case <-ctx.Done():
	}
}

// deliverNews sends the new events. Text that arrived while the client was slow is sent as one
// delta.
func (t *testTurn) deliverNews(ctx context.Context) {
	begun, pieces := t.relay.Take()
	if begun != nil {
		t.begun = true
		t.send(ctx, model.TestMessageStarted{TurnID: begun.MessageID, SessionID: begun.Session})
	}
	if text := strings.Join(pieces, ""); text != "" {
		t.wrote = true
		t.send(ctx, model.TestMessageDelta{Text: text})
	}
}

// deliverOutcome sends the last event. A replay has no earlier text, so it is sent whole.
func (t *testTurn) deliverOutcome(ctx context.Context) {
	p := t.payload
	if !t.begun {
		t.send(ctx, model.TestMessageStarted{TurnID: p.Turn.ID, SessionID: p.Conversation.SessionID})
	}
	if text := deref(p.Turn.Reply); !t.wrote && text != "" {
		t.send(ctx, model.TestMessageDelta{Text: text})
	}
	if p.Turn.State == conversation.Failed {
		t.send(
			ctx,
			model.TestMessageFailed{
				Turn:             p.Turn,
				Conversation:     p.Conversation,
				CreditsRemaining: p.CreditsRemaining,
			},
		)
		return
	}
	calls, err := p.Turn.Calls()
	if err != nil {
		requestOf(ctx).failure.Store(&err)
		return
	}
	for _, c := range calls {
		t.send(ctx, model.TestMessageAction{CallID: c.ID, Name: c.Name, Arguments: string(c.Arguments)})
	}
	t.send(
		ctx,
		model.TestMessageEnded{
			Turn:             p.Turn,
			Conversation:     p.Conversation,
			CreditsRemaining: p.CreditsRemaining,
		},
	)
}

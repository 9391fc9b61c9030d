package chat

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"agentchat/internal/conversation"
	"agentchat/internal/failpoint"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/store"
)

// answering is a turn on its way from its beginning to its end. Its steps take and return nothing, so that little of the stack is
// in use while the model is waited for.
type answering struct {
	service *Service
	ctx     context.Context // the client's until the turn has begun, then nobody's
	turn    *turn

	// These are set by prepare. What is asked is the model's once it is called.
	model llm.Model
	asked llm.Request
	text  *pieces
	name  string
	price int64

	// reply is the model's; answer is what is stored of it, now or earlier.
	reply  llm.Reply
	answer *Answer
	err    error
}

// prepare begins the turn and makes up what its model is asked; or says why not, or what was answered earlier.
func (a *answering) prepare() {
	s, t := a.service, a.turn
	begun, err := s.begin(a.ctx, t)
	if err != nil {
		a.err = err
		return
	}
	if begun.Outcome == store.Replay {
		a.answer = replayed(begun.Prior)
		return
	}
	t.began = true
	a.ctx = context.WithoutCancel(a.ctx)
	entry, ok := s.cfg.Catalogue.Lookup(begun.Model)
	if !ok || !entry.Available() {
		a.err = fault.New(fault.ModelUnavailable, "")
		s.fail(a.ctx, t, a.err)
		return
	}
	a.text = &pieces{}
	if t.req.Stream != nil {
		t.req.Stream.Begun(Begun{MessageID: t.id, Session: t.session, Caller: t.caller})
		a.text.listen = t.req.Stream.Text
	}
	a.model, a.asked, a.name, a.price = entry.Model, t.requestTo(entry, begun), begun.Model, begun.Price
	t.forget()
}

// leaveBehindAfter is how long a model's adapter may take to stop once its time is over.
const leaveBehindAfter = time.Second

// generate calls the model with a deadline. A model that does not come back by itself is left behind when the deadline passes.
// Once stopped, the reply is what there is of it; before the first word the fault is Stopped.
func (a *answering) generate() {
	ctx, cancel := context.WithTimeout(a.ctx, a.service.cfg.ModelTimeout)
	defer cancel()
	done := make(chan called, 1)
	go a.call(ctx, done)
	select {
	case r := <-done:
		a.reply, a.err = ended(r.reply), modelFault(ctx, r.err)
	case <-a.turn.stopped():
		if so := a.text.stop(); so != "" {
			a.reply = llm.Reply{Text: so, Finish: FinishStopped}
			return
		}
		a.err = fault.New(fault.Stopped, "")
	case <-ctx.Done():
		a.comesBack(ctx, done)
	}
}

// comesBack waits a little longer for a model whose time is over.
func (a *answering) comesBack(ctx context.Context, done <-chan called) {
	select {
	case r := <-done:
		a.reply, a.err = ended(r.reply), modelFault(ctx, r.err)
	case <-time.After(leaveBehindAfter):
		a.err = fault.Wrap(fault.ModelTimeout, errors.New("the model's adapter did not stop at its deadline"))
	}
}

// conclude settles the turn with the reply, fit to be stored, or with what came instead.
func (a *answering) conclude() {
	s, t, reply := a.service, a.turn, a.reply
	if a.err == nil {
		reply.Text, a.err = a.text.end(reply.Text)
	} else {
		a.text.stop()
	}
	if a.err != nil {
		s.fail(a.ctx, t, a.err)
		return
	}
	reply.InputTokens, reply.OutputTokens = plausible(reply.InputTokens), plausible(reply.OutputTokens)
	finished, err := s.settle(a.ctx, t, store.Settlement{
		TurnID: t.id, State: conversation.Answered, Reply: reply.Text, FinishReason: string(reply.Finish),
		InputTokens: reply.InputTokens, OutputTokens: reply.OutputTokens,
	}, settleFor)
	if err == nil {
		err = failpoint.Hit("answer.settled")
	}
	if err != nil {
		a.err = err
		return
	}
	a.answer = &Answer{
		MessageID: t.id, Session: t.session, Reply: reply.Text, FinishReason: reply.Finish, Model: a.name,
		Credits: a.price, CreditsRemaining: finished.CreditsRemaining,
		InputTokens: reply.InputTokens, OutputTokens: reply.OutputTokens,
	}
}

// ended gives a reply one of the two reasons that models end for.
func ended(reply llm.Reply) llm.Reply {
	if reply.Finish != llm.FinishLength {
		reply.Finish = llm.FinishStop
	}
	return reply
}

// called is what came of a model's call.
type called struct {
	reply llm.Reply
	err   error
}

// call runs the adapter; its panic costs this turn and nothing else. What is asked is the adapter's from then on, which can let
// go of it.
func (a *answering) call(ctx context.Context, done chan<- called) {
	r := &called{}
	defer r.tell(done)
	req := a.asked
	a.asked = llm.Request{}
	r.reply, r.err = a.model.Generate(ctx, req, a.text.add)
}

// tell is deferred by what may panic.
func (r *called) tell(done chan<- called) {
	if p := recover(); p != nil {
		r.err = fault.Wrap(fault.Internal, fmt.Errorf("a model's adapter panicked: %v\n%s", p, debug.Stack()))
	}
	done <- *r
}

// modelFault gives every error of a model one kind. A deadline that passed is a timeout whatever the adapter made of it.
func modelFault(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fault.Wrap(fault.ModelTimeout, err)
	}
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	return fault.Wrap(fault.ModelError, err)
}

func replayed(p *store.Stored) *Answer {
	return &Answer{
		MessageID: p.TurnID, Session: p.Session, Reply: p.Reply, FinishReason: llm.FinishReason(p.FinishReason), Model: p.Model,
		Credits: p.Price, CreditsRemaining: p.CreditsRemaining, InputTokens: p.InputTokens, OutputTokens: p.OutputTokens,
		Replayed: true,
	}
}

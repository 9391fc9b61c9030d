package chat

import (
	"context"
	"crypto/rand"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/failpoint"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store"
	"agentchat/internal/store/turns"
)

// turn is one message on its way through Send.
type turn struct {
	msg     Message
	id      uuid.UUID
	session string
	arrived time.Time
	// timing is filled in step by step, its total when the turn is settled.
	timing turns.Timing
	// waited is the time so far that Result.Waited describes.
	waited time.Duration
	// ticket is the message's position in its session's queue; nil for a new conversation, whose
	// session ID no other request can have.
	ticket *ticket
	caller *Caller
	// catalogue is the catalogue with which the turn last tried to begin. All lookups of its models
	// use it.
	catalogue *catalogue.Catalogue
	// model, price and cost are of the model that was asked last, and fellBack says that it is the
	// fallback model. They, version and what is held are known once the turn has begun, and cause is
	// the reason why that model failed, if it did.
	model    string
	price    int64
	cost     *catalogue.Cost
	held     int64
	fellBack bool
	version  int
	cause    llm.Cause
	// promptKnowledge has the passages of the prompts; nil for a version without knowledge.
	promptKnowledge *llm.Knowledge
	// inputBytes is the size of the prompt, once the model is called.
	inputBytes int64
	// earlierTurns is the number of earlier turns in the prompt of the last model call; nil without a
	// call.
	earlierTurns *int
	// rejected is the last reply that broke the version's reply schema or the parameters of its
	// actions.
	rejected rejectedReply
	// unpaidCalls counts the model calls so far without a charge that the account's owner or caller
	// could have provoked.
	unpaidCalls int
	spending    spending
	// called says that a model was called. A turn that ends before is withdrawn.
	called   bool
	delivery delivery
	// deleted is closed by delete, when this process has deleted the turn's conversation.
	deleted chan struct{}
	delete  func()
	// ended is closed when the turn has ended, with result and err.
	ended  chan struct{}
	result Result
	err    error
	// response gets what Send returns for a message in the background, and begun says that this was
	// the ids of its turn. leaveSlot returns its slot; nil without one. inProgress is the turn of an
	// earlier request that such a message found.
	response   chan response
	begun      bool
	leaveSlot  func()
	inProgress *BegunTurn
	// joinedFailed is the failed turn that a message of the playground has joined; uuid.Nil for none.
	joinedFailed uuid.UUID
}

// rejectedReply is a structured reply that was not accepted: its text for the second attempt, and
// an excerpt for the agent's owner.
type rejectedReply struct{ text, excerpt string }

// Answer is a reply that was charged, and is stored unless its conversation was deleted meanwhile.
type Answer struct {
	MessageID uuid.UUID
	Session   string
	Reply     string
	// Structured means that the reply is JSON that fits the version's reply schema.
	Structured bool
	// Actions are the actions that the caller shall run.
	Actions []conversation.ActionCall
	// Sources are the passages that the reply cites; nil for a version without knowledge.
	Sources      []conversation.GivenPassage
	FinishReason llm.FinishReason
	// Version is the number of the agent's version that answered; 0 for the playground's draft.
	Version int
	Model   string
	// Credits is the price that was charged.
	Credits int64
	// CreditsRemaining is the account's available credits after this message was first answered.
	CreditsRemaining int64
	// InputTokens and OutputTokens are nil when the model reported none or an implausible count.
	InputTokens  *int64
	OutputTokens *int64
	// Replayed marks the stored reply to an earlier request with the same idempotency key.
	Replayed bool
}

// run answers one message. No transaction and no connection is held while the model is called. A
// turn that has begun is finished even if its client leaves.
func (s *Service) run(ctx context.Context, t *turn) (*Answer, error) {
	begun, err := s.begin(ctx, t)
	if err != nil {
		return nil, err
	}
	switch begun.Outcome {
	case turns.Replay:
		return s.replay(ctx, t, begun)
	case turns.InProgress:
		if t.msg.Background {
			return nil, s.poll(ctx, t, begun)
		}
		return s.join(ctx, t, begun)
	case turns.KeptFailure:
		return s.endOf(ctx, t, begun)
	}
	if !t.msg.Background { // those rarely use the database
		defer s.turns.InFlight()()
	}
	t.model, t.price, t.held, t.version = begun.Model, begun.Price, begun.Price, begun.Version
	ctx = context.WithoutCancel(ctx)
	t.addHistory(begun)
	var reply llm.Reply
	if err = t.checkPrice(); err == nil {
		err = t.checkResults(begun)
	}
	if err == nil {
		err = t.fillInstructions(begun)
	}
	if err == nil {
		err = s.readKnowledge(ctx, t, begun)
	}
	if err == nil {
		reply, err = s.generate(ctx, t, begun)
	}
	if err != nil {
		s.fail(ctx, t, err)
		return nil, err
	}
	structured := begun.Settings.ReplySchema != nil && reply.Finish == llm.FinishStop
	calls, provider := storedCalls(reply)
	known := t.usedKnowledge(begun.Settings.ReplySchema != nil, reply.Text)
	result, err := s.settle(ctx, t, turns.Settlement{
		State: conversation.Answered, Reply: reply.Text, Structured: structured, Calls: calls, Provider: provider,
		UnpaidCalls:  t.unpaidCalls,
		FinishReason: string(reply.Finish), Knowledge: knowledgeText(known),
		InputTokens: reply.InputTokens, OutputTokens: reply.OutputTokens, CachedTokens: reply.CachedTokens,
		Sent: t.delivery.begun(),
	}, settleFor)
	if err != nil {
		return nil, err
	}
	if err := failpoint.Hit("answer.settled"); err != nil {
		return nil, err
	}
	return &Answer{
		MessageID: t.id, Session: t.session, Reply: reply.Text, Structured: structured, Actions: calls, Sources: known.Sources(),
		FinishReason: reply.Finish, Version: begun.Version, Model: t.model, Credits: t.price, CreditsRemaining: result.CreditsRemaining,
		InputTokens: reply.InputTokens, OutputTokens: reply.OutputTokens,
	}, nil
}

// addHistory puts the message's own history before the session's, up to the version's number of
// context turns.
func (t *turn) addHistory(begun *turns.BeginResult) {
	if len(t.msg.History) == 0 {
		return
	}
	all := slices.Concat(t.msg.History, begun.History)
	begun.History = all[max(0, len(all)-begun.Settings.ContextTurns):]
}

// checkPrice checks that the turn holds no more than the message allows. Fault: LimitReached.
func (t *turn) checkPrice() error {
	if t.msg.MaxPrice == nil || t.held <= *t.msg.MaxPrice {
		return nil
	}
	return fault.New(fault.LimitReached, "The message costs more than is left of its budget.")
}

// replay answers with the stored reply to an earlier request with the same idempotency key. Faults:
// ConversationDeleted, Unavailable.
func (s *Service) replay(ctx context.Context, t *turn, found *turns.BeginResult) (*Answer, error) {
	stored, err := s.turns.StoredReply(store.ForAccount(ctx, found.Sender.AccountID), found.Sender.AccountID, found.ReplayOf)
	if err != nil {
		return nil, err
	}
	if err := t.reservePiece(stored.Reply); err != nil {
		return nil, err
	}
	if stored.ActionCalls != nil {
		if err := t.reservePiece(*stored.ActionCalls); err != nil {
			return nil, err
		}
	}
	calls, err := stored.Calls()
	if err != nil {
		return nil, err
	}
	known, err := t.storedKnowledge(stored.Knowledge)
	if err != nil {
		return nil, err
	}
	return &Answer{
		MessageID: stored.TurnID, Session: stored.SessionID, Reply: stored.Reply, Structured: stored.Structured,
		Actions: calls, Sources: known.Sources(),
		FinishReason: llm.FinishReason(stored.FinishReason), Version: stored.Version, Model: stored.Model,
		Credits: stored.Price, CreditsRemaining: stored.CreditsRemaining,
		InputTokens: stored.InputTokens, OutputTokens: stored.OutputTokens, Replayed: true,
	}, nil
}

func (s *Service) newTurn(msg Message) *turn {
	t := &turn{
		msg:     msg,
		id:      uuid.Must(uuid.NewV7()),
		arrived: time.Now(),
		deleted: make(chan struct{}),
		ended:   make(chan struct{}),
	}
	t.delivery = delivery{stream: msg.Stream, readers: broadcastOf(msg), arrived: t.arrived}
	t.delete = sync.OnceFunc(func() { close(t.deleted) })
	switch {
	case msg.Session == nil:
		t.session = rand.Text()[:randomSessionIDBytes]
	case !msg.Source.IsAPI():
		t.session = *msg.Session
		t.ticket = s.queues.joinAgent(msg.Source, msg.AgentID, t.session)
	default:
		t.session = *msg.Session
		t.ticket = s.queues.join(msg.Key, t.session)
	}
	return t
}

// total returns the turn's timing up to now, when it is settled.
func (t *turn) total() turns.Timing {
	t.timing.Total, t.timing.FirstText, t.timing.Streamed = time.Since(t.arrived), t.delivery.firstText, t.msg.Stream != nil
	return t.timing
}

// message returns the message for the store to begin.
func (t *turn) message(spendRate bool) *turns.Begin {
	return &turns.Begin{
		Source: t.msg.Source, Key: t.msg.Key, SpendRate: spendRate, AccountID: t.msg.AccountID, AgentID: t.msg.AgentID,
		Version: t.msg.Version, Model: t.msg.Model, ContinueFrom: t.msg.ContinueFrom, IdempotencyKey: t.msg.IdempotencyKey,
		UserID: t.msg.UserID, Variables: t.msg.Variables, Results: t.msg.Results,
		Fingerprint: conversation.Body{Message: t.msg.Text, Results: t.msg.Results.Text(), Session: t.msg.Session, UserID: t.msg.UserID,
			Variables: t.msg.Variables, Version: t.msg.Version, Model: t.msg.Model, ContinueFrom: t.msg.ContinueFrom,
			History: t.msg.History}.Fingerprint(),
		Session: t.session, Message: t.msg.Text, TurnID: t.id, ConversationID: uuid.Must(uuid.NewV7()), RequestID: t.msg.RequestID,
	}
}

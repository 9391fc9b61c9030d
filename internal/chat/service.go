package chat

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/aside"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store"
)

// Config is what a Service needs. Zero durations and numbers mean the defaults of the public contract.
type Config struct {
	Store     *store.Store
	Catalogue *catalogue.Catalogue
	Logger    *slog.Logger
	// ModelTimeout bounds one reply, retries included: 55 s.
	ModelTimeout time.Duration
	// HoldGrace is how long after ModelTimeout a pending turn counts as abandoned: 60 s.
	HoldGrace time.Duration
	// ReapEvery is how often abandoned turns are looked for: 15 s.
	ReapEvery time.Duration
	// SessionWait bounds the wait for a session's earlier message: 30 s.
	SessionWait time.Duration
	// MaxWaiting bounds how many messages of one session wait in this process: 64.
	MaxWaiting int
}

// Limits of what a model is given of the conversation; see Config for the rest.
const (
	maxContextBytes  = 96 << 10
	flushUseEvery    = 10 * time.Second
	reapBatch        = 500
	purgeEvery       = time.Minute
	randomLabelBytes = 20
)

// Service answers messages. It is safe for concurrent use. Run does its background work.
type Service struct {
	cfg   Config
	lines *lines
	used  *keyUse
	under atomic.Int64
	idle  chan struct{}
}

// New returns a Service.
func New(cfg Config) *Service {
	setDefault(&cfg.ModelTimeout, 55*time.Second)
	setDefault(&cfg.HoldGrace, 60*time.Second)
	setDefault(&cfg.ReapEvery, 15*time.Second)
	setDefault(&cfg.SessionWait, 30*time.Second)
	setDefault(&cfg.MaxWaiting, 64)
	setDefault(&cfg.Logger, slog.Default())
	return &Service{cfg: cfg, lines: newLines(cfg.MaxWaiting), used: newKeyUse(), idle: make(chan struct{}, 1)}
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// UnderWay is how many messages are being answered or wait for their session.
func (s *Service) UnderWay() int64 { return s.under.Load() }

// Waiting is how many messages wait in line behind another of their session.
func (s *Service) Waiting() int { return s.lines.waiting() }

// Wait returns when no message is under way, or with the context's error.
func (s *Service) Wait(ctx context.Context) error {
	for s.under.Load() > 0 {
		select {
		case <-s.idle:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (s *Service) enter() (leave func()) {
	s.under.Add(1)
	return func() {
		if s.under.Add(-1) == 0 {
			select {
			case s.idle <- struct{}{}:
			default:
			}
		}
	}
}

// Admit checks a key and spends one request of its rate, for requests that are refused before they can begin a turn. The
// caller is set beside RateLimited too. Faults: Unauthorized, RateLimited, Unavailable.
func (s *Service) Admit(ctx context.Context, key apikey.Hash) (*Caller, error) {
	begun, err := s.admit(ctx, store.Gate{Key: key, SpendRate: true})
	if err != nil {
		return nil, err
	}
	caller := s.caller(begun)
	switch begun.Outcome {
	case store.Unauthorized, store.RateLimited:
		return caller, refusal(begun)
	default:
		s.used.note(caller.KeyID)
		return caller, nil
	}
}

// admit runs the gate until it decides: it is undecided only when the export changes at that very moment.
func (s *Service) admit(ctx context.Context, gate store.Gate) (store.Begun, error) {
	gate.Models, gate.Prices = s.cfg.Catalogue.PriceList()
	for range maxUndecided {
		begun, err := s.cfg.Store.Admit(ctx, gate)
		if err != nil || begun.Outcome != store.Again {
			return begun, err
		}
	}
	return store.Begun{}, fault.New(fault.Unavailable, "")
}

// Send answers one message. Once the turn has begun it is finished whether or not the client stays, so that a retry under the
// same idempotency key finds the reply. Result.Caller is set beside an error too once a valid key was seen.
func (s *Service) Send(ctx context.Context, req Request) (Result, error) {
	defer s.enter()()
	t := s.newTurn(req)
	defer t.handOver()
	answer, err := s.run(ctx, t)
	return Result{Caller: t.caller, Answer: answer}, err
}

// run takes a turn from its beginning to its end. Nothing is held while it waits for its model: no transaction, no connection, and
// of memory neither the conversation nor the stack that statements take.
func (s *Service) run(ctx context.Context, t *turn) (*Answer, error) {
	a := &answering{service: s, ctx: ctx, turn: t}
	aside.Do(a.prepare)
	if a.err != nil || a.answer != nil {
		return a.answer, a.err
	}
	a.generate()
	aside.Do(a.conclude)
	return a.answer, a.err
}

// turn is one call of Send or SendTest on its way.
type turn struct {
	req Request
	// test is set for the playground.
	test    *TestRequest
	began   bool
	id      uuid.UUID
	session string
	arrived time.Time
	caller  *Caller
	place   *place
	// contended is how long another replica's message is expected to ask for this conversation after the turn.
	contended time.Duration
	// given is how many bytes of text the model was given.
	given int64
}

// forget lets go of what only the beginning of a turn needs.
func (t *turn) forget() {
	t.req.Message = ""
	if t.test != nil {
		t.test.Message = ""
	}
}

func (s *Service) newTurn(req Request) *turn {
	t := &turn{req: req, id: uuid.Must(uuid.NewV7()), arrived: time.Now()}
	if req.Session == nil {
		// Nobody else can know a label that is being made up here, so there is no line to stand in.
		t.session = rand.Text()[:randomLabelBytes]
		return t
	}
	t.session = *req.Session
	t.place = s.lines.enter(req.Key, t.session)
	return t
}

func (t *turn) gate(spend bool) store.Gate {
	gate := store.Gate{Key: t.req.Key, SpendRate: spend, IdempotencyKey: t.req.IdempotencyKey,
		Fingerprint: conversation.Fingerprint(t.req.Message, t.session, t.req.Session != nil)}
	if t.test != nil {
		gate.Source, gate.AccountID, gate.AgentID = conversation.Playground, t.test.AccountID, t.test.AgentID
	}
	return gate
}

// caller translates who asks, with the rate as it stands. It is nil for an unknown key.
func (s *Service) caller(b store.Begun) *Caller {
	if b.Asker.RatePerMinute == 0 {
		return nil
	}
	return &Caller{AccountID: b.Asker.AccountID, AgentID: b.Asker.AgentID, ExportID: b.Asker.ExportID, KeyID: b.Asker.KeyID,
		Rate: rateOf(b.Asker.RatePerMinute, b.Asker.RateAhead)}
}

// rateOf reads a GCRA state: a burst of one minute's worth, of which the time ahead is spent.
func rateOf(perMinute int, ahead time.Duration) Rate {
	step := time.Minute / time.Duration(perMinute)
	// The database keeps microseconds; half a step of tolerance keeps its rounding from showing as a request less.
	remaining := int((step*time.Duration(perMinute) - ahead + step/2) / step)
	return Rate{Limit: perMinute, Remaining: min(max(remaining, 0), perMinute), Reset: max(ahead, 0)}
}

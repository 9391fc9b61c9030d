package chat

import (
	"cmp"
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"

	"agentchat/internal/apikey"
	"agentchat/internal/fair"
	"agentchat/internal/fault"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/schema"
	"agentchat/internal/store"
	"agentchat/internal/store/turns"
)

// Config configures a Service. Zero durations and numbers are replaced by the defaults of the
// public contract, given below.
type Config struct {
	Store     *store.DB
	Catalogue *catalogue.Live
	Logger    *slog.Logger
	// ModelTimeout bounds one reply, retries included: 55 s.
	ModelTimeout time.Duration
	// BackgroundTimeout is the ModelTimeout of messages in the background: 10 minutes.
	BackgroundTimeout time.Duration
	// HoldGrace is the time after these limits at which a pending turn counts as abandoned: 60 s.
	HoldGrace time.Duration
	// ReapEvery is the interval at which abandoned turns are failed: 15 s.
	ReapEvery time.Duration
	// BeatPause is the time from the end of a beat to the next one: 3 s. After four of them without a
	// beat, other replicas fail this one's turns.
	BeatPause time.Duration
	// RetentionDays is the number of days after its latest message for which a conversation is kept;
	// 0 keeps it as long as its account does.
	RetentionDays int
	// SessionWait bounds the wait for a session's earlier message: 30 s.
	SessionWait time.Duration
	// Observe receives each model call; nil for none.
	Observe func(ModelCall)
	// ObserveCost receives each model call's cost at its provider, in nano-dollars, or nil if it is
	// unknown; nil for none. A reply that is requested twice has two.
	ObserveCost func(model string, nanos *int64)
	// ObserveBackground receives the end of each background message; nil for none.
	ObserveBackground func(BackgroundEnd)
	// Released receives the number of turns that background work failed, with the reason; nil for
	// none.
	Released func(Reason, int)
	// MaxWaiting is the largest number of messages of one session that wait in this process: 64.
	MaxWaiting int
}

// Limits that Config does not set.
const (
	flushUseEvery = 10 * time.Second
	batchSize     = 500
	purgeEvery    = time.Minute
	eraseEvery    = 2 * time.Second
	// rollUpEvery is the interval at which charges are added to the usage of accounts that are
	// rollUpBehind entries behind, and rollUpAllEvery that for all other accounts. Reading an
	// account's usage adds its charges first, so the delay is never visible. Each time costs about
	// twelve rows, however few the charges.
	rollUpEvery    = 15 * time.Second
	rollUpBehind   = 500
	rollUpAllEvery = 10 * time.Minute
	// purgeTestsEvery is the interval at which old test runs and ended test cases are deleted.
	purgeTestsEvery = time.Hour
	// countEvery is the interval at which failed turns and the credits of long conversations are
	// counted.
	countEvery = 2 * time.Second
	// notifyEvery is the interval of the scans for notifications. The scan for used-up credits goes
	// through all accounts.
	notifyEvery          = time.Minute
	usedUpBatch          = 5_000
	countBatch           = 50
	randomSessionIDBytes = 20
)

// Service answers messages. It is safe for concurrent use. Run does its background work.
type Service struct {
	cfg Config
	// turns is kept, since each chat uses it: turns.On takes a lock.
	turns    turns.Store
	queues   *sessionQueues
	used     *keyUse
	inFlight *turnsInFlight
	// unsettled are turns whose requests gave up, and which may be pending.
	unsettled *unsettledTurns
	// alive is the number of replicas that beat, this one included.
	alive atomic.Int64
	joins *joins
	polls *endPolls
	slots *backgroundSlots
	// accounts are the accounts of keys, from earlier requests.
	accounts       *lru.Cache[apikey.Hash, uuid.UUID]
	schemas        schema.Cache
	schemaFailures *schemaFailures
	// unknownCallers is the queue of requests whose key is not known yet, by network, and keyChecks
	// that of known keys whose request is refused anyway, by account.
	unknownCallers, keyChecks *fair.Queue
}

// New returns a Service, which the store notifies of deletions.
func New(cfg Config) *Service {
	cfg.ModelTimeout = cmp.Or(cfg.ModelTimeout, 55*time.Second)
	cfg.BackgroundTimeout = cmp.Or(cfg.BackgroundTimeout, 10*time.Minute)
	cfg.HoldGrace = cmp.Or(cfg.HoldGrace, 60*time.Second)
	cfg.ReapEvery = cmp.Or(cfg.ReapEvery, 15*time.Second)
	cfg.BeatPause = cmp.Or(cfg.BeatPause, beatPause)
	cfg.SessionWait = cmp.Or(cfg.SessionWait, 30*time.Second)
	cfg.MaxWaiting = cmp.Or(cfg.MaxWaiting, 64)
	cfg.Logger = cmp.Or(cfg.Logger, slog.Default())
	if cfg.Released == nil {
		cfg.Released = func(Reason, int) {}
	}
	accounts, _ := lru.New[apikey.Hash, uuid.UUID](maxKnownKeys) // it fails for a size below 1
	s := &Service{
		turns:          turns.On(cfg.Store), // from now on, readiness rehearses a turn
		cfg:            cfg,
		queues:         newSessionQueues(cfg.MaxWaiting),
		used:           newKeyUse(),
		inFlight:       newTurnsInFlight(),
		unsettled:      newUnsettledTurns(),
		joins:          newJoins(),
		polls:          newEndPolls(turns.On(cfg.Store.Own()).EndedTurns),
		slots:          newBackgroundSlots(),
		accounts:       accounts,
		schemaFailures: newSchemaFailures(time.Now),
		unknownCallers: fair.NewQueue(maxUnknownCallers, maxUnknownOfNetwork, 0, nil),
		keyChecks:      fair.NewQueue(maxKeyChecks, maxKeyChecksOfAccount, 0, nil),
	}
	cfg.Store.OnTurnsDeleted(s.inFlight.delete)
	return s
}

// InFlight returns the number of messages that are being answered or wait for their session.
func (s *Service) InFlight() int64 { return int64(s.inFlight.count()) }

// Waiting returns the number of messages that wait for an earlier one of their session.
func (s *Service) Waiting() int { return s.queues.waiting() }

// Wait returns when no message is in flight, or with the context's error.
func (s *Service) Wait(ctx context.Context) error { return s.inFlight.wait(ctx) }

// Send answers one message; for a background message, it only begins to. Once the turn has begun it
// is finished whether or not the client stays, so that a retry with the same idempotency key finds
// the reply. Faults: see the package's documentation; an agent that is not the account's is
// Unauthorized for the API and NotFound for the playground.
func (s *Service) Send(ctx context.Context, msg Message) (Result, error) {
	t := s.newTurn(msg)
	if msg.Background {
		return s.sendInBackground(ctx, t)
	}
	return s.answer(ctx, t)
}

// answer answers the message of a new turn.
func (s *Service) answer(ctx context.Context, t *turn) (Result, error) {
	ctx, span := tracer.Start(ctx, "message")
	defer s.inFlight.enter(t)()
	defer close(t.ended)
	defer t.ticket.leave()
	panicked := true
	defer func() {
		if panicked {
			s.unsettled.keep(turns.Settlement{TurnID: t.id, ErrorCode: string(fault.Internal)})
		}
	}()
	answer, err := s.run(ctx, t)
	result := Result{
		Caller:     t.caller,
		Answer:     answer,
		InProgress: t.inProgress,
		Turn:       t.id,
		Model:      t.model,
		Version:    t.version,
		Cause:      t.cause,
		Waited:     t.waited,
		ModelTime:  t.timing.Model,
	}
	result.describe(span)
	endSpan(span, err)
	result.FailedTurn = t.joinedFailed
	if err != nil && answer == nil && t.called && !fault.Is(err, fault.Unavailable) &&
		!fault.Is(err, fault.ConversationDeleted) {
		result.FailedTurn = t.id
		if !t.msg.Source.IsAPI() && fault.Is(err, fault.Internal) {
			// It is shown as a failed turn, so no edge logs it.
			s.cfg.Logger.ErrorContext(ctx, "internal fault", slog.String("request_id", t.msg.RequestID),
				slog.String("account", t.msg.AccountID.String()), slog.String("error", err.Error()))
		}
	}
	s.recordEnd(ctx, t, answer, err)
	t.result, t.err = result, err
	panicked = false
	return result, err
}

// callerOf returns the caller with the state of its rate; nil for an unknown key and for the
// playground.
func callerOf(c turns.Sender) *Caller {
	if c.RatePerMinute == 0 {
		return nil
	}
	return &Caller{AccountID: c.AccountID, AgentID: c.AgentID, ExportID: c.ExportID, KeyID: c.KeyID,
		Rate: rateOf(c.RatePerMinute, c.RateAhead)}
}

// rateOf reads a GCRA state: of a burst of one minute's requests, the time ahead is spent.
func rateOf(perMinute int, ahead time.Duration) Rate {
	step := time.Minute / time.Duration(perMinute)
	// The database rounds each step to microseconds. More tolerance would count a request that is
	// refused as left.
	rounding := min(step/2, time.Duration(perMinute)*time.Microsecond)
	remaining := int((step*time.Duration(perMinute) - ahead + rounding) / step)
	return Rate{Limit: perMinute, Remaining: min(max(remaining, 0), perMinute), Reset: max(ahead, 0)}
}

package store

import (
	"context"
	"database/sql"
	_ "embed" // the statements of a turn are files of their own
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/failpoint"
)

var (
	//go:embed sql/gate.sql
	gateSQL string
	//go:embed sql/gate_playground.sql
	playgroundGateSQL string
	//go:embed sql/admit.sql
	admitTail string
	//go:embed sql/begin.sql
	beginTail string
	//go:embed sql/finish.sql
	finishSQL string
	//go:embed sql/reap.sql
	reapSQL string

	admitSQL = map[conversation.Source]string{
		conversation.API: gateSQL + admitTail, conversation.Playground: playgroundGateSQL + admitTail,
	}
	beginSQL = map[conversation.Source]string{
		conversation.API:        gateSQL + beginFor(conversation.API),
		conversation.Playground: playgroundGateSQL + beginFor(conversation.Playground),
	}
)

func beginFor(source conversation.Source) string {
	return strings.ReplaceAll(beginTail, "{source}", string(source))
}

// statementDeadline ends a statement of a turn together with its wait for a connection.
const statementDeadline = 10 * time.Second

// Outcome is what a statement of the turn says happened.
type Outcome string

// The outcomes of Admit and BeginTurn.
const (
	// Pass is Admit's yes: the request may go on.
	Pass Outcome = "pass"
	// Go is BeginTurn's yes: the turn is pending and its price is held.
	Go                  Outcome = "go"
	Unauthorized        Outcome = "unauthorized"
	RateLimited         Outcome = "rate_limited"
	KeyReused           Outcome = "idempotency_key_reused"
	ConversationDeleted Outcome = "conversation_deleted"
	InProgress          Outcome = "request_in_progress"
	Replay              Outcome = "replay"
	Draft               Outcome = "draft"
	ModelWithdrawn      Outcome = "model_withdrawn"
	// NoModel is a draft in the playground that has no model yet.
	NoModel Outcome = "no_model"
	// Busy is a conversation with a turn under way.
	Busy                Outcome = "busy"
	InsufficientCredits Outcome = "insufficient_credits"
	// ModelAway is a model that Begin.Away names.
	ModelAway Outcome = "model_away"
	// Again is a statement that lost a race and decided nothing: ask again. The rate is spent.
	Again Outcome = "again"
	// AgainUnspent is Again where the whole statement was undone, the rate included.
	AgainUnspent Outcome = "again_unspent"
)

// Gate is what decides whether a caller may ask now: by a key, or in the playground by the account that is signed in.
type Gate struct {
	// Source is API when empty.
	Source conversation.Source
	// Key is the caller's; for API only.
	Key apikey.Hash
	// SpendRate is false when the same request asks again; for API only.
	SpendRate bool
	// AccountID and AgentID are whose agent answers; for Playground only.
	AccountID, AgentID uuid.UUID
	// IdempotencyKey is empty when there is none; Fingerprint identifies the body.
	IdempotencyKey string
	Fingerprint    [32]byte
	// Models and Prices are the catalogue's price list, index by index.
	Models []string
	Prices []int64
}

// Begin is a turn to begin.
type Begin struct {
	Gate
	Session        string
	Message        string
	TurnID         uuid.UUID
	ConversationID uuid.UUID
	// HoldFor is the time to the turn's deadline, after which the reaper fails it.
	HoldFor   time.Duration
	RequestID string
	// MaxContextBytes bounds the earlier turns that are read, cut at whole turns.
	MaxContextBytes int64
	// AskAgainAfter is how soon the caller will ask again if the conversation is busy; whoever has the turn makes way.
	AskAgainAfter time.Duration
	// Away are the models that would refuse a call now.
	Away []string
}

// Asker is who asks, known unless the outcome is Unauthorized.
type Asker struct {
	KeyID, AccountID, AgentID, ExportID uuid.UUID
	RatePerMinute                       int
	// RateAhead is how far the rate's next free moment lies ahead (GCRA's theoretical arrival time).
	RateAhead time.Duration
}

// Stored is an answered turn as it was stored.
type Stored struct {
	TurnID                    uuid.UUID
	Session                   string
	Reply                     string
	FinishReason              string
	Model                     string
	Price                     int64
	CreditsRemaining          int64
	InputTokens, OutputTokens *int64
}

// Begun is what BeginTurn says. Conversation, Number, Messages and Replies are set for Go only; Prior for Replay only.
type Begun struct {
	Outcome         Outcome
	Asker           Asker
	Prior           *Stored
	Available       int64
	Price           int64
	Model           string
	Instructions    string
	Temperature     *float64
	MaxOutputTokens *int
	Conversation    uuid.UUID
	Number          int64
	// Messages and Replies are the earlier answered turns, oldest first, index by index.
	Messages []string
	Replies  []string
	// InputTokens, InputBytes and OutputTokens are what this model reported at those turns, index by index, and how many bytes
	// it had been given; nil where it did not, or where another model answered.
	InputTokens, InputBytes, OutputTokens []*int64
}

// Admit runs the gate alone: it checks the key, spends the rate, and finds an earlier request under the idempotency key.
func (s *Store) Admit(ctx context.Context, g Gate) (Begun, error) {
	ctx, cancel := context.WithTimeout(ctx, statementDeadline)
	defer cancel()
	var row gateRow
	targets := append([]any{&row.outcome, &row.config}, row.targets()...)
	err := s.pool.QueryRowContext(ctx, admitSQL[g.source()], g.args()...).Scan(targets...)
	if err != nil {
		return Begun{}, translate(err)
	}
	return row.begun(), nil
}

// BeginTurn begins a turn and holds its price, in one statement and one round trip, or says why not.
func (s *Store) BeginTurn(ctx context.Context, b Begin) (Begun, error) {
	ctx, cancel := context.WithTimeout(ctx, statementDeadline)
	defer cancel()
	args := append(b.args(), b.Session, b.Message, b.TurnID, b.ConversationID, b.HoldFor, b.RequestID, b.MaxContextBytes,
		b.AskAgainAfter, b.Away)
	var row gateRow
	var held int64
	var turn turnRow
	targets := append([]any{&row.outcome, &row.config, &held}, row.targets()...)
	err := s.pool.QueryRowContext(ctx, beginSQL[b.source()], args...).Scan(append(targets, turn.targets()...)...)
	switch {
	case violated(err, codeUniqueViolation, "turns_idempotency", "turns_one_pending", "turns_number", "conversations_label",
		"conversations_pkey"), violated(err, codeCheckViolation, "accounts_credits_cover"), isRace(err):
		return Begun{Outcome: AgainUnspent}, nil
	case err != nil:
		return Begun{}, translate(err)
	}
	out := row.begun()
	return out, turn.fill(&out)
}

// isRace reports errors by which PostgreSQL undid a statement that may simply be run again.
func isRace(err error) bool {
	return violatedCode(err, codeSerialization) || violatedCode(err, codeDeadlock)
}

func (g Gate) source() conversation.Source {
	if g.Source == "" {
		return conversation.API
	}
	return g.Source
}

func (g Gate) args() []any {
	var key *string
	if g.IdempotencyKey != "" {
		key = &g.IdempotencyKey
	}
	if g.source() == conversation.Playground {
		return []any{g.AccountID, g.AgentID, key, g.Fingerprint[:], g.Models, g.Prices}
	}
	return []any{g.Key[:], g.SpendRate, key, g.Fingerprint[:], g.Models, g.Prices}
}

// Settlement is how a turn ended.
type Settlement struct {
	TurnID uuid.UUID
	// State is Answered or Failed.
	State                     conversation.TurnState
	Reply                     string
	FinishReason              string
	ErrorCode                 string
	InputTokens, OutputTokens *int64
	// InputBytes is how many bytes of text the model was given in all; 0 when that is not known.
	InputBytes int64
}

// Settling outcomes of FinishTurn.
const (
	// Settled says that this call settled the turn.
	Settled Outcome = "settled"
	// AlreadyAnswered and AlreadyFailed say that an earlier call, or the reaper, did.
	AlreadyAnswered Outcome = "ANSWERED"
	AlreadyFailed   Outcome = "FAILED"
	// Gone says that there is no such turn.
	Gone Outcome = "gone"
)

// Finished is what FinishTurn says.
type Finished struct {
	Outcome          Outcome
	CreditsRemaining int64
	// ErrorCode is the code that a turn failed with.
	ErrorCode string
	// Contended is for how long another replica's message is still expected to ask for this conversation.
	Contended time.Duration
}

// FinishTurn settles a turn: charge, history row and reply in one transaction, or the hold released. It may be repeated with
// the same settlement when it is not known whether it was committed.
func (s *Store) FinishTurn(ctx context.Context, in Settlement) (Finished, error) {
	ctx, cancel := context.WithTimeout(ctx, statementDeadline)
	defer cancel()
	answered := in.State == conversation.Answered
	var outcome string
	var remaining sql.NullInt64
	var code sql.NullString
	var contended sql.NullFloat64
	if err := failpoint.Hit("finish.before"); err != nil {
		return Finished{}, translate(err)
	}
	err := s.pool.QueryRowContext(ctx, finishSQL, in.TurnID, string(in.State),
		sql.NullString{String: in.Reply, Valid: answered}, sql.NullString{String: in.FinishReason, Valid: answered},
		sql.NullString{String: in.ErrorCode, Valid: !answered}, in.InputTokens, in.OutputTokens, uuid.Must(uuid.NewV7()),
		sql.NullInt64{Int64: in.InputBytes, Valid: in.InputBytes > 0}).
		Scan(&outcome, &remaining, &code, &contended)
	if hit := failpoint.Hit("finish.after"); hit != nil {
		return Finished{}, translate(hit)
	}
	if isRace(err) {
		return Finished{Outcome: Again}, nil
	}
	if err != nil {
		return Finished{}, translate(err)
	}
	return Finished{Outcome: Outcome(outcome), CreditsRemaining: remaining.Int64, ErrorCode: code.String,
		Contended: seconds(contended)}, nil
}

// ReapTurns fails at most limit pending turns whose deadline has passed and releases their holds; it returns how many.
func (s *Store) ReapTurns(ctx context.Context, limit int) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, statementDeadline)
	defer cancel()
	var n int
	err := s.pool.QueryRowContext(ctx, reapSQL, limit).Scan(&n)
	return n, translate(err)
}

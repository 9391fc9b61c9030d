package store

import (
	"context"
	"database/sql"
	_ "embed" // the statements of a turn are in files of their own
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/failpoint"
	"agentchat/internal/fault"
)

var (
	//go:embed sql/gate.sql
	gateSQL string
	//go:embed sql/gate_playground.sql
	playgroundGateSQL string
	//go:embed sql/admission.sql
	admissionSQL string
	//go:embed sql/admit.sql
	admitSQL string
	//go:embed sql/begin.sql
	beginSQL string
	//go:embed sql/history.sql
	historySQL string
	//go:embed sql/finish.sql
	finishSQL string
	//go:embed sql/reap.sql
	reapSQL string

	admitStatements = withGates(admitSQL)
	beginStatements = withGates(withHistory(beginSQL, "$16"))
	finishStatement = withParts(finishSQL)
	reapStatement   = withParts(reapSQL)
)

// withGates returns a statement for each source, behind the gate of that source.
func withGates(statement string) map[conversation.Source]string {
	statements := map[conversation.Source]string{}
	for source, gate := range map[conversation.Source]string{conversation.API: gateSQL, conversation.Playground: playgroundGateSQL} {
		statements[source] = withParts(strings.ReplaceAll(gate+admissionSQL+statement, "{source}", string(source)))
	}
	return statements
}

// withHistory fills in how the earlier turns are read, at most so many bytes of them.
func withHistory(statement, bytes string) string {
	return strings.ReplaceAll(statement, "{history}", strings.ReplaceAll(historySQL, "{bytes}", bytes))
}

// withParts fills in what several statements have in common: the counters that include a turn t, with how much it counts, and a limit of
// package agent.
func withParts(statement string) string {
	return strings.NewReplacer(
		"{counted}", `('DAY', t.day_counted, ''::bytea, t.price), ('MONTH', t.month_counted, '', t.price),
			('USER_DAY', t.user_day_counted, t.user_hash, 1)`,
		"{max_instructions}", strconv.Itoa(agent.MaxFilledInstructions),
	).Replace(statement)
}

// statementDeadline bounds a statement of a turn, including the wait for a connection.
const statementDeadline = 10 * time.Second

// Gate identifies the caller and the request.
type Gate struct {
	// Source is API when empty.
	Source conversation.Source
	// Key is the caller's API key; for API only.
	Key apikey.Hash
	// SpendRate is false when the same request is tried again; for API only.
	SpendRate bool
	// AccountID is the signed-in account and AgentID its agent; for Playground only.
	AccountID, AgentID uuid.UUID
	// Version is the version that answers; nil for the draft. For Playground only.
	Version *int
	// IdempotencyKey is empty when the request has none; Fingerprint identifies the request's body.
	IdempotencyKey string
	Fingerprint    [32]byte
	// UserID is the end user; nil for none. Variables are the message's values by name.
	UserID    *string
	Variables map[string]string
	// Models and Prices are the catalogue's price list: Prices[i] is the price of Models[i] in credits.
	Models []string
	Prices []int64
}

// Begin is a turn to begin.
type Begin struct {
	Gate
	// Session is the conversation's label.
	Session string
	Message string
	TurnID  uuid.UUID
	// ConversationID is the id of the conversation if the label is new.
	ConversationID uuid.UUID
	// HoldFor is the time to the turn's deadline, after which the reaper fails it.
	HoldFor   time.Duration
	RequestID string
	// MaxContextBytes bounds the earlier turns that are read; only whole turns are.
	MaxContextBytes int64
	// RetryAfter is how soon the caller will try again if the conversation is busy; the replica that has the turn leaves it time.
	RetryAfter time.Duration
	// UnavailableModels are the models that would refuse a call now.
	UnavailableModels []string
	// AdmitOnly stops before the session is looked at.
	AdmitOnly bool
}

// Caller is the caller that the gate found. Its ids are zero for Unauthorized and NotFound; in the playground it has neither key,
// export nor rate.
type Caller struct {
	KeyID, AccountID, AgentID, ExportID uuid.UUID
	RatePerMinute                       int
	// RateAhead is how far the theoretical arrival time of the rate (GCRA) is in the future.
	RateAhead time.Duration
}

// StoredReply is an answered turn.
type StoredReply struct {
	TurnID       uuid.UUID
	SessionID    string
	Reply        string
	FinishReason string
	Model        string
	// Version is 0 for the playground's draft, and for turns from before versions.
	Version                   int
	Price                     int64
	CreditsRemaining          int64
	InputTokens, OutputTokens *int64
}

// Admission is the gate's decision. Its fields are the columns of admit.sql and the first ones of begin.sql.
type Admission struct {
	Outcome Outcome
	Caller  Caller `bun:"embed:"`
	// Variable is the name for VariableUnknown and VariableMissing.
	Variable string
	// ReplayOf is the turn that answered an earlier request with the same idempotency key; for Replay only.
	ReplayOf uuid.UUID
	// Prior is the reply to an earlier request with the same idempotency key; complete for Replay only.
	Prior StoredReply `bun:"embed:prior_"`
}

// Period is a period in which an export's use is counted.
type Period string

// The periods: UTC days and calendar months. Day and Month count the export's credits, UserDay the messages of one end user.
const (
	Day     Period = "DAY"
	Month   Period = "MONTH"
	UserDay Period = "USER_DAY"
)

// Limit is a limit that is reached.
type Limit struct {
	Period Period `json:"period"`
	// Allowed is the limit and Used what is used of it, in whole credits or messages.
	Allowed int64 `json:"allowed"`
	Used    int64 `json:"used"`
	// Ends is when the period ends.
	Ends time.Time `json:"ends"`
}

// BeginResult is the result of BeginTurn. Its fields are the columns of begin.sql. Available, Price and the version's settings are
// set unless the caller was refused; ConversationID, Number and History for Begun only.
type BeginResult struct {
	Admission
	// Available is the account's available credits before the turn, or before the whole batch in which the turn began.
	Available int64
	Price     int64
	// Version is 0 for the playground's draft.
	Version         int
	Model           string
	Instructions    string
	Variables       []agent.Variable
	Temperature     *float64
	MaxOutputTokens *int
	ConversationID  uuid.UUID
	// Number is the turn's number in its conversation, from 1.
	Number int64
	// History holds the earlier answered turns, oldest first.
	History []conversation.Exchange `bun:"-"`
	// Limit is set for LimitReached only: of several, the one that ends last.
	Limit *Limit
}

// Admit runs the gate alone: it checks the key, spends the rate, and looks for an earlier request with the same idempotency key.
func (s *Store) Admit(ctx context.Context, g Gate) (Admission, error) {
	ctx, cancel := context.WithTimeout(ctx, statementDeadline)
	defer cancel()
	args, err := g.args()
	if err != nil {
		return Admission{}, err
	}
	return one[Admission](ctx, s, admitStatements[g.source()], args...)
}

// BeginTurn begins a turn and holds its price, or reports why it did not: in one statement and one round trip, which it may share with
// other turns.
func (s *Store) BeginTurn(ctx context.Context, b Begin) (BeginResult, error) {
	ctx, cancel := context.WithTimeout(ctx, statementDeadline)
	defer cancel()
	begin := s.beginOne
	if b.source() == conversation.API && b.SpendRate && len(b.Variables) == 0 {
		begin = s.begins.do
	}
	row, err := begin(ctx, b)
	switch {
	case violated(err, codeUniqueViolation, "turns_idempotency", "turns_one_pending", "turns_number", "conversations_label",
		"conversations_pkey"), violated(err, codeCheckViolation, "accounts_credits_cover", "limit_counters_cover"), isRace(err):
		return BeginResult{Admission: Admission{Outcome: RetryUnspent}}, nil
	case err != nil:
		return BeginResult{}, err
	case row.Outcome == Unversioned:
		row.Outcome = Retry
		return row.BeginResult, s.makeFirstVersion(ctx, row.Caller)
	}
	row.History, err = row.history()
	return row.BeginResult, err
}

// beginOne begins a turn in a statement of its own.
func (s *Store) beginOne(ctx context.Context, b Begin) (beginRow, error) {
	args, err := b.args()
	if err != nil {
		return beginRow{}, err
	}
	args = append(args, b.Session, b.Message, b.TurnID, b.ConversationID, b.HoldFor, b.RequestID, b.MaxContextBytes,
		b.RetryAfter, b.UnavailableModels)
	return one[beginRow](ctx, s, beginStatements[b.source()], args...)
}

// isRace reports errors by which PostgreSQL undid a statement that can simply be run again.
func isRace(err error) bool {
	return violatedCode(err, codeSerialization) || violatedCode(err, codeDeadlock)
}

func (g Gate) source() conversation.Source {
	if g.Source == "" {
		return conversation.API
	}
	return g.Source
}

func (g Gate) args() ([]any, error) {
	key := sql.NullString{String: g.IdempotencyKey, Valid: g.IdempotencyKey != ""}
	var values *string
	if len(g.Variables) > 0 {
		text, err := json.Marshal(g.Variables)
		if err != nil {
			return nil, fault.Wrap(fault.Internal, err)
		}
		object := string(text)
		values = &object
	}
	caller := []any{g.Key[:], g.SpendRate}
	if g.source() == conversation.Playground {
		caller = []any{g.AccountID, g.AgentID}
	}
	return append(caller, key, g.Fingerprint[:], g.Models, g.Prices, g.Version, values, g.UserID), nil
}

// Settlement is how a turn ended.
type Settlement struct {
	TurnID uuid.UUID
	// State is Answered or Failed.
	State conversation.TurnState
	// Reply and FinishReason are for Answered, ErrorCode is for Failed.
	Reply                     string
	FinishReason              string
	ErrorCode                 string
	InputTokens, OutputTokens *int64
	// InputBytes is the size of the whole prompt; 0 when it is not known.
	InputBytes int64
	// Sent means that text of the reply has left the service: it is charged even if the conversation was deleted meanwhile.
	Sent bool
	Timing
}

// ifAnswered is what is stored of a turn that was answered, null for one that failed.
func (in Settlement) ifAnswered(text string) *string {
	if in.State != conversation.Answered {
		return nil
	}
	return &text
}

// Timing is how long a turn took since its request arrived; 0 where it is not known.
type Timing struct {
	// Waited is the time until the turn began, FirstText until the first text of a streamed reply was sent, and Total until it was to be
	// settled.
	Waited, FirstText, Total time.Duration
	// Model is how long the model took.
	Model time.Duration
	// Streamed says that the caller asked for a stream.
	Streamed bool
}

// wholeMs is what is stored of a time: milliseconds, rounded; null when it is not known.
func wholeMs(d time.Duration) *int64 {
	if d <= 0 {
		return nil
	}
	ms := d.Round(time.Millisecond).Milliseconds()
	return &ms
}

// The outcomes of FinishTurn, beside Retry.
const (
	// Settled means that this call settled the turn; it has failed if there is an ErrorCode.
	Settled Outcome = "settled"
	// AlreadyAnswered means that an earlier call stored a reply.
	AlreadyAnswered Outcome = "ANSWERED"
	// AlreadyFailed means that an earlier call or the reaper failed the turn.
	AlreadyFailed Outcome = "FAILED"
	// Gone means that there is no such turn.
	Gone Outcome = "gone"
)

// Finished is the result of FinishTurn. Its fields are the columns of finish.sql.
type Finished struct {
	Outcome          Outcome
	CreditsRemaining int64
	// ErrorCode is the code that a turn failed with.
	ErrorCode string
	// Contended is how long another replica is still expected to try for this conversation.
	Contended time.Duration
}

// FinishTurn settles a turn: it stores the reply with its charge and history row in one transaction, or releases the hold. If the
// turn's conversation was deleted meanwhile, no reply is stored, and it fails with the code conversation_deleted unless text was sent.
// It is safe to repeat with the same settlement when it is unknown whether it was committed.
func (s *Store) FinishTurn(ctx context.Context, in Settlement) (Finished, error) {
	ctx, cancel := context.WithTimeout(ctx, statementDeadline)
	defer cancel()
	if err := failpoint.Hit("finish.before"); err != nil {
		return Finished{}, translate(err)
	}
	finish := s.finishOne
	if in.State == conversation.Answered {
		finish = s.finishes.do
	}
	finished, err := finish(ctx, in)
	if hit := failpoint.Hit("finish.after"); hit != nil {
		return Finished{}, translate(hit)
	}
	if isRace(err) {
		return Finished{Outcome: Retry}, nil
	}
	return finished, err
}

// finishOne settles a turn in a statement of its own.
func (s *Store) finishOne(ctx context.Context, in Settlement) (Finished, error) {
	answered := in.State == conversation.Answered
	return one[Finished](ctx, s, finishStatement, in.TurnID, string(in.State),
		sql.NullString{String: in.Reply, Valid: answered}, sql.NullString{String: in.FinishReason, Valid: answered},
		sql.NullString{String: in.ErrorCode, Valid: !answered}, in.InputTokens, in.OutputTokens, uuid.Must(uuid.NewV7()),
		in.inputBytes(), in.Sent, wholeMs(in.Waited), wholeMs(in.Model), wholeMs(in.FirstText), wholeMs(in.Total), in.Streamed)
}

// inputBytes is what is stored of InputBytes: null when it is not known.
func (in Settlement) inputBytes() sql.NullInt64 {
	return sql.NullInt64{Int64: in.InputBytes, Valid: in.InputBytes > 0}
}

// ReapTurns fails at most limit pending turns whose deadline has passed and releases their holds; it returns how many.
func (s *Store) ReapTurns(ctx context.Context, limit int) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, statementDeadline)
	defer cancel()
	return one[int](ctx, s, reapStatement, limit)
}

package turns

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/credit"
	"agentchat/internal/failpoint"
	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
)

// Withdrawn is the State of a Settlement that deletes the turn, with the conversation that it
// opened, because it was refused before its model was called. No turn is stored in this state.
const Withdrawn conversation.TurnState = "WITHDRAWN"

// Settlement is how a turn ended.
type Settlement struct {
	TurnID uuid.UUID
	// State is Answered, Failed or Withdrawn.
	State conversation.TurnState
	// Reply, Structured, Calls, Provider and FinishReason are for Answered, RejectedReply and
	// ErrorCode are for Failed. Structured means that the reply is JSON that fits the version's reply
	// schema, and RejectedReply is an excerpt of the reply that does not, of at most 500 code points,
	// for the owner; empty for none. Provider is what the model's adapter keeps of Calls.
	Reply         string
	Structured    bool
	Calls         []conversation.ActionCall
	Provider      string
	RejectedReply string
	FinishReason  string
	ErrorCode     string
	// ProviderStatus, ProviderCode and ProviderError describe the provider's refusal that failed the
	// turn, as llm.ProviderError does: ProviderError has at most 300 code points. Zero for none.
	ProviderStatus int
	ProviderCode   string
	ProviderError  string
	// Knowledge lists, as JSON, the parts of the agent's knowledge that the model was given and those
	// that the reply cites; empty for none.
	Knowledge string
	// UnpaidCalls counts the model calls without a charge that the owner or a caller could have
	// provoked. A turn whose reply is dropped counts one more.
	UnpaidCalls               int
	InputTokens, OutputTokens *int64
	// CachedTokens is the part of InputTokens that the provider had cached; nil if it is not known.
	CachedTokens *int64
	// ProviderCost is the cost of all model calls at their providers, in nano-dollars; nil if it is not
	// known.
	ProviderCost *int64
	// InputBytes is the size of the whole prompt; 0 when it is not known.
	InputBytes int64
	// EarlierTurns is the number of earlier turns in the prompt of the last model call; nil without a
	// call.
	EarlierTurns *int
	// Sent means that text of the reply has left the service: it is charged even if the conversation
	// was deleted meanwhile.
	Sent bool
	// FallbackModel is the fallback model if it was asked last; empty otherwise.
	FallbackModel string
	// Charge is the turn's cost in credits, at most the held amount; nil for the whole amount. A
	// failed turn costs nothing and stores Charge as its price.
	Charge *int64
	Timing
}

// ifAnswered is a value that is stored of answered turns only; null for a failed one.
func (in Settlement) ifAnswered(text string) *string {
	if in.State != conversation.Answered {
		return nil
	}
	return &text
}

// text is the reply, or the one that did not fit; null for none.
func (in Settlement) text() *string {
	if in.State == conversation.Answered {
		return &in.Reply
	}
	return textOrNull(in.RejectedReply)
}

// asks says that the reply asks for actions.
func (in Settlement) asks() bool { return len(in.Calls) > 0 }

// calls is null for none.
func (in Settlement) calls() *string {
	if !in.asks() {
		return nil
	}
	text := conversation.EncodeJSON(in.Calls)
	return &text
}

// refused says that a provider's refusal failed the turn.
func (in Settlement) refused() bool {
	return in.ProviderStatus != 0 || in.ProviderCode != "" || in.ProviderError != ""
}

// structured is null for no.
func (in Settlement) structured() *bool {
	if !in.Structured {
		return nil
	}
	return &in.Structured
}

// other says that a turn does not end with the model and the price with which it began.
func (in Settlement) other() bool { return in.FallbackModel != "" || in.Charge != nil }

// costed says that the turn is stored with a cost or with cached tokens.
func (in Settlement) costed() bool {
	return in.State != Withdrawn && (in.CachedTokens != nil || in.ProviderCost != nil)
}

// Timing holds the durations of a turn since its request arrived; 0 if unknown.
type Timing struct {
	// Waited is the time until the turn began, FirstText until the first text of a streamed reply was
	// sent, and Total until it was to be settled.
	Waited, FirstText, Total time.Duration
	// Model is the time of all model calls.
	Model time.Duration
	// Streamed says that the caller asked for a stream.
	Streamed bool
}

// wholeMs is how a time is stored: in milliseconds, rounded; null when it is not known.
func wholeMs(d time.Duration) *int64 {
	if d <= 0 {
		return nil
	}
	ms := d.Round(time.Millisecond).Milliseconds()
	return &ms
}

// The outcomes of SettleTurn, besides Retry.
const (
	// Settled means that this call settled the turn; it has failed if there is an ErrorCode.
	Settled Outcome = "settled"
	// AlreadyAnswered means that an earlier call stored a reply.
	AlreadyAnswered Outcome = "ANSWERED"
	// AlreadyFailed means that an earlier call or the reaper failed the turn.
	AlreadyFailed Outcome = "FAILED"
	// Gone means that no such turn exists: it never began, or was withdrawn.
	Gone Outcome = "gone"
)

// SettleResult is the result of a settlement; its fields are the columns of settle_turns.
type SettleResult struct {
	Outcome          Outcome
	CreditsRemaining int64
	// ErrorCode is the code that a turn failed with.
	ErrorCode string
}

// SettleTurn settles a turn: it stores the reply with its charge and history row in one
// transaction, or releases the hold, and with it a withdrawn turn itself. If the turn's
// conversation was deleted meanwhile, no reply is stored, and it fails with the code
// conversation_deleted unless text was sent. It is safe to repeat with the same settlement when it
// is unknown whether it was committed.
func (s Store) SettleTurn(ctx context.Context, in Settlement) (SettleResult, error) {
	ctx, cancel := context.WithTimeout(ctx, db.StatementDeadline)
	defer cancel()
	if err := failpoint.Hit("settle.before"); err != nil {
		return SettleResult{}, db.Translate(err)
	}
	settled, err := s.queues.settles.do(ctx, in)
	if hit := failpoint.Hit("settle.after"); hit != nil {
		return SettleResult{}, db.Translate(hit)
	}
	if db.IsRace(err) {
		return SettleResult{Outcome: Retry}, nil
	}
	return settled, err
}

// settleTurns settles turns in one call.
func (s Store) settleTurns(ctx context.Context, ended []Settlement) ([]SettleResult, error) {
	parameters := []parameter{
		each("turn_ids", "uuid[]", ended, func(e Settlement) uuid.UUID { return e.TurnID }),
		each("states", "text[]", ended, func(e Settlement) string { return string(e.State) }),
		each("error_codes", "text[]", ended, func(e Settlement) *string { return textOrNull(e.ErrorCode) }),
		each("unpaid_calls", "int[]", ended, func(e Settlement) int { return e.UnpaidCalls }),
		each("replies", "text[]", ended, Settlement.text),
		each("are_structured", "boolean[]", ended, Settlement.structured),
		each("finish_reasons", "text[]", ended, func(e Settlement) *string { return e.ifAnswered(e.FinishReason) }),
		each("entry_ids", "uuid[]", ended, func(e Settlement) uuid.UUID { return credit.ChargeID(e.TurnID) }),
		each("sent", "boolean[]", ended, func(e Settlement) bool { return e.Sent }),
		each("tokens_in", "bigint[]", ended, func(e Settlement) *int64 { return e.InputTokens }),
		each("tokens_out", "bigint[]", ended, func(e Settlement) *int64 { return e.OutputTokens }),
		each("prompt_bytes", "bigint[]", ended, func(e Settlement) *int64 { return positive(e.InputBytes) }),
		each("earlier_counts", "int[]", ended, func(e Settlement) *int { return e.EarlierTurns }),
		each("waits", "int[]", ended, func(e Settlement) *int64 { return wholeMs(e.Waited) }),
		each("model_times", "int[]", ended, func(e Settlement) *int64 { return wholeMs(e.Model) }),
		each("first_texts", "int[]", ended, func(e Settlement) *int64 { return wholeMs(e.FirstText) }),
		each("durations", "int[]", ended, func(e Settlement) *int64 { return wholeMs(e.Total) }),
		each("streams", "boolean[]", ended, func(e Settlement) bool { return e.Streamed }),
	}
	if slices.ContainsFunc(ended, Settlement.asks) {
		parameters = append(parameters, each("calls", "text[]", ended, Settlement.calls),
			each("call_counts", "int[]", ended, func(e Settlement) *int64 { return positive(int64(len(e.Calls))) }),
			each("provider_calls", "text[]", ended, func(e Settlement) *string { return textOrNull(e.Provider) }))
	}
	if slices.ContainsFunc(ended, Settlement.other) {
		parameters = append(parameters,
			each("fallback_models", "text[]", ended, func(e Settlement) *string { return textOrNull(e.FallbackModel) }),
			each("charges", "bigint[]", ended, func(e Settlement) *int64 { return e.Charge }))
	}
	if slices.ContainsFunc(ended, Settlement.costed) {
		parameters = append(parameters,
			each("tokens_cached", "bigint[]", ended, func(e Settlement) *int64 { return e.CachedTokens }),
			each("provider_costs", "bigint[]", ended, func(e Settlement) *int64 { return e.ProviderCost }))
	}
	if slices.ContainsFunc(ended, func(e Settlement) bool { return e.Knowledge != "" }) {
		parameters = append(parameters, each("given_knowledge", "text[]", ended, func(e Settlement) *string {
			return textOrNull(e.Knowledge)
		}))
	}
	if slices.ContainsFunc(ended, Settlement.refused) {
		parameters = append(parameters,
			each("provider_statuses", "int[]", ended, func(e Settlement) *int64 {
				return positive(int64(e.ProviderStatus))
			}),
			each("provider_codes", "text[]", ended, func(e Settlement) *string {
				return textOrNull(e.ProviderCode)
			}),
			each("provider_errors", "text[]", ended, func(e Settlement) *string {
				return textOrNull(e.ProviderError)
			}))
	}
	return call[SettleResult](ctx, s.db, "settle_turns_1", len(ended), parameters...)
}

// SettleTogether settles turns in one call. If that call is rolled back, perhaps because of one of
// them, each is settled in a call of its own; those whose call fails have the outcome Retry.
func (s Store) SettleTogether(ctx context.Context, ended []Settlement) ([]SettleResult, error) {
	ctx, cancel := context.WithTimeout(ctx, db.StatementDeadline)
	defer cancel()
	settled, err := s.settleTurns(ctx, ended)
	if err == nil || isAway(err) {
		return settled, err
	}
	settled = make([]SettleResult, len(ended))
	for i := range ended {
		settled[i].Outcome = Retry
		if alone, err := s.settleTurns(ctx, ended[i:i+1]); err == nil {
			settled[i] = alone[0]
		}
	}
	return settled, nil
}

// ReapTurns fails at most limit pending turns whose deadline has passed and releases their holds;
// it returns how many.
func (s Store) ReapTurns(ctx context.Context, limit int) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, db.StatementDeadline)
	defer cancel()
	return db.One[int](ctx, s.db, `SELECT reap_turns_1($1::int)`, limit)
}

// StoredReply is an answered turn.
type StoredReply struct {
	TurnID    uuid.UUID
	SessionID string
	Reply     string
	// Structured means that the reply is JSON that fits the version's reply schema.
	Structured bool
	// ActionCalls are the actions that it asks for, as a JSON list, and Knowledge is that of its
	// settlement; nil for none.
	ActionCalls  *string
	Knowledge    *string
	FinishReason string
	Model        string
	// Version is 0 for the playground's draft.
	Version                   int
	Price                     int64
	CreditsRemaining          int64
	InputTokens, OutputTokens *int64
}

// Calls are the actions that the reply asks for.
func (r StoredReply) Calls() ([]conversation.ActionCall, error) {
	return stored[[]conversation.ActionCall](r.ActionCalls)
}

// StoredReply returns the reply that an answered turn of an account stored. Fault:
// ConversationDeleted when it was deleted meanwhile.
func (s Store) StoredReply(ctx context.Context, accountID, turnID uuid.UUID) (StoredReply, error) {
	reply, err := db.One[StoredReply](ctx, s.db, `
		SELECT t.id AS turn_id, c.session_id, t.reply, t.structured, t.action_calls, t.knowledge,
			t.finish_reason, t.model, t.version, t.price, t.credits_remaining, t.input_tokens, t.output_tokens
		FROM turns t JOIN conversations c ON c.id = t.conversation_id AND c.deleted_at IS NULL
		WHERE t.account_id = $1 AND t.id = $2 AND t.state = 'ANSWERED' AND t.reply IS NOT NULL`, accountID, turnID)
	if fault.Is(err, fault.NotFound) {
		err = fault.New(fault.ConversationDeleted, "")
	}
	return reply, err
}

package turns

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/store/internal/db"
)

// Begin is a message that is to begin a turn.
type Begin struct {
	// Source is API when empty.
	Source conversation.Source
	// Key is the caller's API key; for API only.
	Key apikey.Hash
	// SpendRate is false when the same request is tried again; for API only.
	SpendRate bool
	// AccountID is the account and AgentID its agent; not for API. Fields below that are for
	// Playground only are for Test, too.
	AccountID, AgentID uuid.UUID
	// Version is the version that answers; nil for the draft. For Playground only.
	Version *int
	// Model overrides the model of the draft or the version; empty for no override. For Playground
	// only.
	Model string
	// ContinueFrom is a turn of the agent: a new session reads its conversation up to it. nil for
	// none. For Playground only.
	ContinueFrom *uuid.UUID
	// IdempotencyKey is empty when the request has none; Fingerprint identifies the request's body.
	IdempotencyKey string
	Fingerprint    [32]byte
	// UserID is the end user; nil for none. Variables are the message's values by name.
	UserID    *string
	Variables map[string]string
	// AdmitOnly stops before the session is read, for requests that must wait or are rejected for
	// their form.
	AdmitOnly bool
	// Session is the conversation's session ID.
	Session string
	// Results are action results, sent instead of Message; nil for a message.
	Results *conversation.ActionResults
	Message string
	TurnID  uuid.UUID
	// ConversationID is the id of the conversation if the session ID is new.
	ConversationID uuid.UUID
	RequestID      string
	// Models and Prices are the catalogue's price list: Prices[i] is the price of Models[i] in
	// credits.
	Models []string
	Prices []int64
	// KnowledgePrices are those for versions with knowledge, in the same order; nil if they are the
	// same.
	KnowledgePrices []int64
	// Unavailable are the models that would refuse a call of the account now, and the versions, by
	// VersionName, that are refused.
	Unavailable []string
	// HoldFor is the time to the turn's deadline, after which the reaper fails it.
	HoldFor time.Duration
	// Background means that no caller waits for the reply: a turn that fails keeps its key.
	Background bool
	// MaxContextBytes bounds the earlier turns that are read; only whole turns are.
	MaxContextBytes int64
}

// Sender identifies the sender of a message: a caller or, without key, export and rate, an account
// in the playground. Its ids are zero for Unauthorized, NotFound and Retry.
type Sender struct {
	KeyID, AccountID, AgentID, ExportID uuid.UUID
	RatePerMinute                       int
	// RateAhead is the time from now to the theoretical arrival time of the rate (GCRA).
	RateAhead time.Duration
}

// Limit is a limit that is reached.
type Limit struct {
	Period db.Period `json:"period"`
	// Allowed is the limit, and Used how much of it is used, in whole credits or messages.
	Allowed int64 `json:"allowed"`
	Used    int64 `json:"used"`
	// Ends is the end of the period.
	Ends time.Time `json:"ends"`
}

// BeginResult is the result of a message; its fields are columns of begin_turns. Available, Price,
// Version and Model are set unless the caller is unknown; Settings, ConversationID, Number and
// History for Begun only.
type BeginResult struct {
	Outcome Outcome
	Sender  Sender `bun:"embed:"`
	// Variable is the name for VariableUnknown and VariableMissing.
	Variable string
	// ReplayOf is the turn that has the idempotency key; for Replay, KeptFailure and InProgress only.
	ReplayOf uuid.UUID
	// Limit is set for LimitReached only. If several are reached, it is the one that ends last.
	Limit *Limit
	// UnpaidWait is the time until the account regains an unpaid call; for UnpaidCallsSpent only.
	UnpaidWait time.Duration
	// Available is the account's available credits before the turn.
	Available int64
	Price     int64
	// Version is 0 for the playground's draft.
	Version  int
	Model    string
	Settings agent.Settings
	// HasKnowledge says that the version, or the draft, has knowledge; for Begun only.
	HasKnowledge bool
	// AskedBy is the session's newest answered turn, and Asked how many actions its reply asks for;
	// for ActionMismatch only.
	AskedBy uuid.UUID
	Asked   int
	// Given are the values of the message with which the chain began, and Chain its answered turns,
	// oldest first; for results that have begun only.
	Given          map[string]string
	Chain          []conversation.ChainTurn `bun:"-"`
	ConversationID uuid.UUID
	// Number is the turn's number in its conversation, from 1.
	Number int64
	// History holds the earlier answered turns, oldest first.
	History []conversation.EarlierTurn `bun:"-"`
}

// BeginTurn begins a turn and holds its price, or reports why it did not: in one call and one round
// trip, which it may share with other turns. An error leaves unknown whether the turn has begun.
func (s Store) BeginTurn(ctx context.Context, b Begin) (BeginResult, error) {
	ctx, cancel := context.WithTimeout(ctx, db.StatementDeadline)
	defer cancel()
	row, err := s.queues.begins.do(ctx, &b)
	switch {
	case db.Violated(err, db.CodeUniqueViolation, "turns_idempotency", "turns_one_pending", "turns_number", "conversations_session",
		"conversations_pkey"), db.Violated(err, db.CodeCheckViolation, "accounts_credits_cover", "limit_counters_cover"), db.IsRace(err):
		return BeginResult{Outcome: Retry}, nil
	case err != nil:
		return BeginResult{}, err
	}
	return row.decoded()
}

// InFlight counts a turn that has begun as in flight until done is called.
func (s Store) InFlight() (done func()) {
	s.queues.inFlight.Add(1)
	return func() { s.queues.inFlight.Add(-1) }
}

// beginTurns begins turns, or says of each why not. The messages must fit in one call: see canBatch.
func (s Store) beginTurns(ctx context.Context, messages []*Begin) ([]*beginRow, error) {
	last := messages[len(messages)-1]
	parameters := []parameter{
		each("key_hashes", "bytea[]", messages, func(b *Begin) []byte { return b.keyHash() }),
		each("account_ids", "uuid[]", messages, func(b *Begin) uuid.UUID { return b.AccountID }),
		each("agent_ids", "uuid[]", messages, func(b *Begin) uuid.UUID { return b.AgentID }),
		each("versions", "bigint[]", messages, func(b *Begin) *int { return b.Version }),
		each("spend_rates", "boolean[]", messages, func(b *Begin) bool { return b.SpendRate }),
		each("idempotency_keys", "text[]", messages, func(b *Begin) *string { return textOrNull(b.IdempotencyKey) }),
		each("fingerprints", "bytea[]", messages, func(b *Begin) []byte { return b.Fingerprint[:] }),
		each("user_ids", "text[]", messages, func(b *Begin) *string { return b.UserID }),
		each("variable_values", "jsonb[]", messages, func(b *Begin) *string { return jsonOrNull(b.Variables) }),
		each("session_ids", "text[]", messages, func(b *Begin) string { return b.Session }),
		each("messages", "text[]", messages, func(b *Begin) string { return b.Message }),
		each("turn_ids", "uuid[]", messages, func(b *Begin) uuid.UUID { return b.TurnID }),
		each("conversation_ids", "uuid[]", messages, func(b *Begin) uuid.UUID { return b.ConversationID }),
		each("request_ids", "text[]", messages, func(b *Begin) string { return b.RequestID }),
		each("unavailable_models", "jsonb[]", messages, func(b *Begin) *string { return jsonOrNull(b.Unavailable) }),
		each("given_models", "text[]", messages, (*Begin).givenModel),
		each("continue_from", "uuid[]", messages, (*Begin).continueFrom),
		{"from_source", "text", string(last.source())},
		{"admit_only", "boolean", last.AdmitOnly},
		{"models", "text[]", last.Models},
		{"prices", "bigint[]", last.Prices},
		{"hold_for", "interval", last.HoldFor},
		{"max_context_bytes", "bigint", last.MaxContextBytes},
		{"max_instructions", "int", agent.MaxFilledInstructions},
	}
	if slices.ContainsFunc(messages, func(b *Begin) bool { return b.Results != nil }) {
		parameters = append(parameters, each("results_for", "uuid[]", messages, (*Begin).resultsFor),
			each("result_counts", "int[]", messages, (*Begin).resultCount),
			each("results", "text[]", messages, func(b *Begin) *string { return textOrNull(b.Results.Text()) }))
	}
	if last.KnowledgePrices != nil {
		parameters = append(parameters, parameter{"knowledge_prices", "bigint[]", last.KnowledgePrices})
	}
	if last.Background {
		parameters = append(parameters, parameter{"in_background", "boolean", true})
	}
	if number := s.queues.replica.Load(); number != 0 {
		parameters = append(parameters, parameter{"from_replica", "int", number})
	}
	rows, err := call[beginRow](ctx, s.db, "begin_turns_1", len(messages), parameters...)
	begun := make([]*beginRow, len(rows))
	for i := range rows {
		begun[i] = &rows[i]
	}
	return begun, err
}

// VersionName names a version of an agent in Begin.Unavailable.
func VersionName(agentID uuid.UUID, version int) string {
	return agentID.String() + "/" + strconv.Itoa(version)
}

func (b *Begin) source() conversation.Source {
	if b.Source == "" {
		return conversation.API
	}
	return b.Source
}

// resultsFor is null for a message.
func (b *Begin) resultsFor() *string {
	if b.Results == nil {
		return nil
	}
	id := b.Results.For.String()
	return &id
}

func (b *Begin) resultCount() int {
	if b.Results == nil {
		return 0
	}
	return len(b.Results.List)
}

// givenModel is null for the API, whose callers get the version's.
func (b *Begin) givenModel() *string {
	if b.Source.IsAPI() {
		return nil
	}
	return textOrNull(b.Model)
}

// continueFrom is null for the API, whose sessions read their own turns only.
func (b *Begin) continueFrom() *string {
	if b.Source.IsAPI() || b.ContinueFrom == nil {
		return nil
	}
	id := b.ContinueFrom.String()
	return &id
}

// keyHash is null for all but the API.
func (b *Begin) keyHash() []byte {
	if !b.Source.IsAPI() {
		return nil
	}
	return b.Key[:]
}

// canBatch reports whether two messages may be in one call: parameters that apply to the whole call
// must be the same. For a moment after the catalogue was replaced there are two price lists.
func canBatch(a, b *Begin) bool {
	return a.source() == b.source() && a.AdmitOnly == b.AdmitOnly && a.HoldFor == b.HoldFor &&
		a.Background == b.Background && a.MaxContextBytes == b.MaxContextBytes &&
		slices.Equal(a.Models, b.Models) && slices.Equal(a.Prices, b.Prices) &&
		slices.Equal(a.KnowledgePrices, b.KnowledgePrices)
}

// RecentModel returns the model of the version that a message asks for, if that version was made no
// longer than within ago; "" otherwise, and for drafts.
func (s Store) RecentModel(ctx context.Context, b Begin, within time.Duration) (string, error) {
	type row struct{ Model string }
	found, err := db.All[row](ctx, s.db, `
		SELECT v.settings ->> 'model' AS model FROM agents a
		LEFT JOIN api_keys k ON k.hash = $1
		LEFT JOIN api_exports e ON e.id = k.export_id
		JOIN agent_versions v ON v.agent_id = a.id AND v.number = coalesce($4::bigint, e.version, a.published_version)
		WHERE a.id = coalesce(e.agent_id, $2::uuid) AND a.account_id = coalesce(k.account_id, $3::uuid)
			AND ($4::bigint IS NOT NULL OR k.id IS NOT NULL) AND v.created_at > clock_timestamp() - $5::interval`,
		b.Key[:], b.AgentID, b.AccountID, b.Version, within)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0].Model, nil
}

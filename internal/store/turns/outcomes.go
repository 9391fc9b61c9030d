package turns

import "agentchat/internal/fault"

// Outcome is the outcome of a message or a settlement. A rejection is named after its code in the
// public API or, where several share a code, after the reason.
type Outcome string

// The outcomes of BeginTurn.
const (
	// Admitted is AdmitOnly's success: the request may proceed.
	Admitted Outcome = "admitted"
	// Begun is BeginTurn's success: the turn is pending and its price is held.
	Begun Outcome = "begun"
	// Unauthorized is an unknown, expired or removed key, or one of a deleted agent.
	Unauthorized = Outcome(fault.Unauthorized)
	// AccountSuspended is a good key of an account that is suspended.
	AccountSuspended = Outcome(fault.AccountSuspended)
	// ExportPaused is a key of an export that its owner has paused.
	ExportPaused = Outcome(fault.ExportPaused)
	// UserBlocked is an end user whom the owner has blocked.
	UserBlocked = Outcome(fault.UserBlocked)
	// NotFound is the playground's Unauthorized: the account has no such agent.
	NotFound = Outcome(fault.NotFound)
	// RateLimited is an export over its rate.
	RateLimited = Outcome(fault.RateLimited)
	// KeyReused is an idempotency key that an earlier request used with another body.
	KeyReused = Outcome(fault.IdempotencyKeyReused)
	// ConversationDeleted is an idempotency key whose conversation was deleted.
	ConversationDeleted = Outcome(fault.ConversationDeleted)
	// InProgress is an idempotency key whose request is still being answered, by the turn ReplayOf.
	InProgress = Outcome(fault.RequestInProgress)
	// Replay is an idempotency key whose request was answered, or results that the session's newest
	// reply has answered: StoredReply returns the reply.
	Replay Outcome = "replay"
	// KeptFailure is an idempotency key whose request failed in the background: FailedTurn returns the
	// failure.
	KeptFailure Outcome = "failed"
	// Draft is an agent that was never published.
	Draft Outcome = "draft"
	// Offline is an agent that its owner has unpublished.
	Offline Outcome = "offline"
	// ModelWithdrawn means that the agent's model is no longer in the catalogue.
	ModelWithdrawn Outcome = "model_withdrawn"
	// NoVersion is a version that the agent does not have; for Playground only.
	NoVersion Outcome = "no_version"
	// NoModel is a draft in the playground that has no model yet.
	NoModel Outcome = "no_model"
	// UserMissing is a message without an end user to an export that requires one.
	UserMissing Outcome = "user_missing"
	// VariableUnknown and VariableMissing are a message whose values do not fit the version's
	// variables: see BeginResult.Variable.
	VariableUnknown Outcome = "variable_unknown"
	VariableMissing Outcome = "variable_missing"
	// InstructionsTooLong is a message whose values make the instructions longer than
	// agent.MaxFilledInstructions.
	InstructionsTooLong Outcome = "instructions_too_long"
	// OtherUser is a conversation that belongs to another end user, or to none.
	OtherUser Outcome = "other_user"
	// NoTurn is a turn to continue from that the agent does not have, or whose conversation was
	// deleted; for Playground only.
	NoTurn Outcome = "no_turn"
	// OtherTurn is a session that continues from another turn, or from none; for Playground only.
	OtherTurn Outcome = "other_turn"
	// Busy is a conversation with a pending turn.
	Busy = Outcome(fault.SessionBusy)
	// ActionMismatch is results that answer nothing that the session's newest reply asks for: see
	// BeginResult.Asked.
	ActionMismatch = Outcome(fault.ActionMismatch)
	// InsufficientCredits is an account that cannot cover the price.
	InsufficientCredits = Outcome(fault.InsufficientCredits)
	// LimitReached is an export, or an end user, that has used up a limit: see BeginResult.Limit.
	LimitReached = Outcome(fault.LimitReached)
	// UnpaidCallsSpent means that the account has used up its unpaid model calls. See
	// BeginResult.UnpaidWait.
	UnpaidCallsSpent Outcome = "unpaid_calls_spent"
	// ModelUnavailable is a model or a version in Begin.Unavailable.
	ModelUnavailable = Outcome(fault.ModelUnavailable)
	// Retry is for a message that lost a race. Nothing was decided or spent: send it again.
	Retry Outcome = "retry"
)

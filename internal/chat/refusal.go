package chat

import (
	"fmt"
	"time"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/turns"
)

// refusal returns the fault of an outcome that refuses a message. Most outcomes have the name of
// their fault.
func refusal(source conversation.Source, b *turns.BeginResult) error {
	switch b.Outcome {
	case turns.RateLimited:
		step := time.Minute / time.Duration(b.Sender.RatePerMinute)
		wait := b.Sender.RateAhead + step - step*time.Duration(b.Sender.RatePerMinute)
		return &fault.Error{Kind: fault.RateLimited, RetryAfter: max(wait, time.Millisecond)}
	case turns.InProgress:
		return &fault.Error{Kind: fault.RequestInProgress, RetryAfter: joinRetry}
	case turns.UnpaidCallsSpent:
		return &fault.Error{Kind: fault.RateLimited, RetryAfter: max(b.UnpaidWait, time.Millisecond), Message: unpaidCallsUsedUp}
	case turns.Draft, turns.Offline, turns.NoModel, turns.ModelWithdrawn:
		return &fault.Error{Kind: fault.AgentNotReady, Details: map[string]any{"reason": string(b.Outcome)}, Message: notReady[b.Outcome]}
	case turns.ActionMismatch:
		return &fault.Error{Kind: fault.ActionMismatch, Details: map[string]any{"open": conversation.ActionCallIDs(b.AskedBy, b.Asked)}}
	case turns.NoVersion:
		return agent.NoSuchVersion("version")
	case turns.NoTurn:
		return fault.New(fault.NotFound, "There is no turn to continue from: it is not of this agent, or its conversation was deleted.")
	case turns.OtherTurn:
		return fault.New(fault.Conflict,
			"This session continues from another turn, or from none: its first message decides. Start a new session.")
	case turns.UserMissing, turns.OtherUser, turns.VariableUnknown, turns.VariableMissing, turns.InstructionsTooLong:
		return fault.Invalid(fieldProblem(source, b))
	case turns.LimitReached:
		return limitReached(*b.Limit)
	case turns.InsufficientCredits:
		return &fault.Error{Kind: fault.InsufficientCredits,
			Details: map[string]any{"credits_required": b.Price, "credits_available": b.Available}}
	case turns.Unauthorized, turns.AccountSuspended, turns.ExportPaused, turns.UserBlocked, turns.NotFound, turns.KeyReused,
		turns.ConversationDeleted:
		return fault.New(fault.Kind(b.Outcome), "")
	default:
		return fault.Wrap(fault.Internal, fmt.Errorf("%q is no refusal", b.Outcome))
	}
}

const unpaidCallsUsedUp = "Too many unpaid model calls: messages of this account were blocked, timed out, deleted or broke their schema " +
	"too often. Wait for the time in Retry-After, then send this one again."

// notReady has the messages for agents that cannot answer.
var notReady = map[turns.Outcome]string{
	turns.Draft:          "The agent was never published. Its owner must publish it in the control panel.",
	turns.Offline:        "The agent is offline. Its owner must publish it in the control panel.",
	turns.NoModel:        "The agent has no model yet. Choose one, then try it.",
	turns.ModelWithdrawn: "The agent's model is no longer offered. Its owner must choose another and publish it in the control panel.",
}

// fieldProblem describes an end user or a value that the export or the version does not accept.
func fieldProblem(source conversation.Source, b *turns.BeginResult) fault.Field {
	user, variable := "user_id", "variables."+b.Variable
	if !source.IsAPI() {
		user = "userId"
	}
	switch b.Outcome {
	case turns.UserMissing:
		return fault.Field{Path: user, Reason: fault.Missing,
			Message: user + " is missing. This API export needs the end user's id with every message."}
	case turns.OtherUser:
		return fault.Field{Path: user, Reason: fault.InvalidValue, Message: "The conversation belongs to another " + user +
			", or to none: its first message decides. Send what that message had, or start a new conversation."}
	case turns.VariableUnknown:
		return agent.NoSuchVariable(variable)
	case turns.VariableMissing:
		return agent.MissingVariable(variable)
	default:
		return fault.Field{Path: "variables", Reason: fault.TooLong, Limit: agent.MaxFilledInstructions,
			Message: "With these values the agent's instructions are longer than 131,072 characters. Send shorter values."}
	}
}

// limitReached returns the fault of a limit that is used up.
func limitReached(l turns.Limit) error {
	source, unit, what := "export", "credits", "The API export has reached its limit of credits per day"
	switch l.Period {
	case store.Month:
		what = "The API export has reached its limit of credits per month"
	case store.UserDay:
		source, unit, what = "user", "messages", "This end user has reached the limit of messages per day"
	}
	resets := l.Ends.UTC().Format(time.RFC3339)
	return &fault.Error{Kind: fault.LimitReached,
		Message: fmt.Sprintf("%s (%d). Send the message again when it resets, at %s.", what, l.Allowed, resets),
		Details: map[string]any{"limit_source": source, "unit": unit, "limit": l.Allowed, "used": l.Used, "resets_at": resets}}
}

package graph

import (
	"context"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/agent"
	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/conversations"
)

// testMessageOf checks a playground message by the rules of the public API, all fields at once.
// Fault: InvalidInput on message, actionResults, model, sessionId, userId, variables and
// idempotencyKey.
func (r *Resolver) testMessageOf(
	ctx context.Context,
	in model.SendTestMessageInput,
) (chat.Message, error) {
	text, results, problems := contentOf(in)
	if given := in.Model.Value(); given != nil && !r.available(*given) {
		problems = append(problems, fault.Field{Path: "model", Reason: fault.InvalidValue,
			Message: "No model with this name is offered now. Choose one that is available."})
	}
	session := in.SessionID.Value()
	if session != nil {
		if p := conversation.CheckSessionID("sessionId", *session); p != nil {
			problems = append(problems, *p)
		}
	}
	user := in.UserID.Value()
	if user != nil {
		if p := conversation.CheckUser("userId", *user); p != nil {
			problems = append(problems, *p)
		}
	}
	values, invalid := valuesOf(in.Variables.Value())
	problems = append(problems, invalid...)
	var key string
	if given := in.IdempotencyKey.Value(); given != nil {
		key = *given
		if !httpapi.IsIdempotencyKey(key) {
			problems = append(
				problems,
				fault.Field{
					Path:    "idempotencyKey",
					Reason:  fault.InvalidValue,
					Limit:   httpapi.MaxIdempotencyKey,
					Message: "An idempotency key must have 1 to 255 visible ASCII characters.",
				},
			)
		}
	}
	if len(problems) > 0 {
		return chat.Message{}, fault.Invalid(problems...)
	}
	return chat.Message{
		Source:         conversation.Playground,
		AccountID:      owner(ctx),
		AgentID:        in.AgentID,
		Text:           text,
		Results:        results,
		Version:        in.Version.Value(),
		Model:          deref(in.Model.Value()),
		ContinueFrom:   in.ContinueFrom.Value(),
		Session:        session,
		UserID:         user,
		Variables:      values,
		IdempotencyKey: key,
		RequestID:      requestOf(ctx).Access.RequestID,
		Memory:         requestOf(ctx).hold,
	}, nil
}

// valuesOf returns the values of variables by name. problems lists what is wrong with them.
func valuesOf(list []*model.VariableInput) (values map[string]string, problems []fault.Field) {
	values = map[string]string{}
	for _, v := range list {
		path := "variables." + v.Name
		_, repeated := values[v.Name]
		switch p := agent.CheckValue(path, v.Value); {
		case !agent.IsVariableName(v.Name):
			problems = append(problems, agent.NotAVariableName("variables"))
		case repeated:
			problems = append(
				problems,
				fault.Field{Path: path, Reason: fault.InvalidValue, Message: path + " is given twice."},
			)
		case p != nil:
			problems = append(problems, *p)
		}
		values[v.Name] = v.Value
	}
	return values, problems
}

// sendTest sends a playground message and reads its turn. A failed turn is not an error.
func (r *Resolver) sendTest(
	ctx context.Context,
	msg chat.Message,
) (*model.SendTestMessagePayload, error) {
	result, err := r.limitedSend(ctx, msg)
	id := result.FailedTurn
	switch {
	case result.Answer != nil:
		id = result.Answer.MessageID
	case id == uuid.Nil:
		return nil, err
	}
	// The turn continues after its client has disconnected; so does this short read.
	ctx = context.WithoutCancel(ctx)
	own := r.store.Own() // skips the fair queue of the account: the message is paid for
	turns, err := conversations.On(own).TurnsByIDs(ctx, owner(ctx), []uuid.UUID{id}, true)
	if err != nil {
		return nil, err
	}
	turn, ok := turns[id]
	if !ok && result.Answer != nil {
		return nil, fault.New(
			fault.NotFound,
			"The conversation was deleted. The reply was charged.",
		)
	}
	if !ok {
		return nil, fault.New(
			fault.NotFound,
			"The conversation was deleted. Not charged.",
		)
	}
	found, err := conversations.On(own).Conversation(ctx, owner(ctx), turn.ConversationID)
	if err != nil {
		return nil, err
	}
	out := &model.SendTestMessagePayload{Turn: &turn, Conversation: &found}
	if result.Answer != nil {
		out.CreditsRemaining = result.Answer.CreditsRemaining
		return out, nil
	}
	account, err := accounts.On(own).Account(ctx, owner(ctx))
	if err != nil {
		return nil, err
	}
	out.CreditsRemaining = account.CreditsAvailable()
	return out, nil
}

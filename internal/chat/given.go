package chat

import (
	"errors"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/store"
)

// GivenBytes is the size in bytes of what a turn's model was given beside its earlier turns: the settings, with the instructions filled in,
// the passages, and the message or, for results, the answered turns of their chain and the results.
func GivenBytes(settings agent.Settings, turn conversation.Turn, chain []conversation.Turn) (int64, error) {
	begun := &store.BeginResult{Settings: settings}
	req := llm.Request{Instructions: settings.Instructions, Message: turn.Message, Schema: schemaOf(begun), Actions: actionsOf(begun)}
	known, err := conversation.DecodeJSON[*conversation.Knowledge](turn.Knowledge)
	if err != nil {
		return 0, fault.Wrap(fault.Internal, err)
	}
	passages := int64(0)
	if known != nil {
		passages = known.Bytes
	}
	if len(chain) == 0 {
		return passages + promptBytes(req), nil
	}
	req.Message = chain[0].Message
	for _, t := range chain {
		calls, err := t.Calls()
		results, wrong := conversation.DecodeJSON[[]conversation.ActionResult](t.ActionResults)
		if err = errors.Join(err, wrong); err != nil {
			return 0, fault.Wrap(fault.Internal, err)
		}
		reply := ""
		if t.Reply != nil {
			reply = *t.Reply
		}
		begun.Chain = append(begun.Chain, conversation.ChainTurn{Reply: reply, Calls: calls, Results: results})
	}
	brought, err := conversation.DecodeJSON[[]conversation.ActionResult](turn.ActionResults)
	if err != nil {
		return 0, fault.Wrap(fault.Internal, err)
	}
	req.Steps, err = steps(begun, &conversation.ActionResults{List: brought}, "")
	return passages + promptBytes(req), err
}

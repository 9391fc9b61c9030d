package graph

import (
	"encoding/json"

	"agentchat/graph/model"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
)

// actionCalls returns the actions that a turn's reply requests.
func actionCalls(t *conversation.Turn) ([]*model.ActionCall, error) {
	calls, err := t.Calls()
	out := make([]*model.ActionCall, len(calls))
	for i, c := range calls {
		out[i] = &model.ActionCall{
			ID:        c.ID,
			Name:      c.Name,
			Arguments: string(c.Arguments),
			State:     t.CallsState,
		}
	}
	return out, err
}

// actionResults returns the results that the caller sent instead of a message.
func actionResults(t *conversation.Turn) ([]*model.ActionResult, error) {
	results, err := t.Results()
	out := make([]*model.ActionResult, len(results))
	for i, r := range results {
		out[i] = &model.ActionResult{CallID: r.ID, Name: r.Name}
		if r.Error != "" {
			out[i].Error = &r.Error
		} else {
			out[i].Result = new(string(r.Result))
		}
	}
	return out, err
}

// contentOf returns the message of a playground request, or the results of actions. problems lists
// what is wrong with them, and fields that results exclude.
func contentOf(
	in model.SendTestMessageInput,
) (message string, results *conversation.ActionResults, problems []fault.Field) {
	given, brings := in.Message.Value(), in.ActionResults.Value() != nil
	problem := func(path string, reason fault.Reason, message string) {
		problems = append(problems, fault.Field{Path: path, Reason: reason, Message: message})
	}
	switch {
	case given == nil && !brings:
		problem("message", fault.Missing,
			"message is missing. Send one, or actionResults for the actions that the last reply requested.")
	case given != nil && brings:
		problem(
			"message",
			fault.InvalidValue,
			"Send a message or actionResults, not both: results belong to the message before them.",
		)
	case given != nil:
		if p := conversation.CheckMessage("message", *given); p != nil {
			problems = append(problems, *p)
		}
	default:
		if in.SessionID.Value() == nil {
			problem(
				"sessionId",
				fault.Missing,
				"sessionId is missing. Send that of the reply that requested the actions.",
			)
		}
		if len(in.Variables.Value()) > 0 {
			problem(
				"variables",
				fault.InvalidValue,
				"Results use the variables of the message before them. Leave variables out.",
			)
		}
		list := make([]*conversation.GivenResult, len(in.ActionResults.Value()))
		for i, r := range in.ActionResults.Value() {
			list[i] = &conversation.GivenResult{ID: &r.ID, Error: r.Error.Value()}
			if text := r.Result.Value(); text != nil {
				list[i].Result = json.RawMessage(*text)
			}
		}
		var p *fault.Field
		if results, p = conversation.CheckActionResults("actionResults", list); p != nil {
			problems = append(problems, *p)
		}
	}
	return deref(given), results, problems
}

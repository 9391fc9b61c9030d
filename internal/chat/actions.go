package chat

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/schema"
	"agentchat/internal/store/turns"
)

// unknownAction is the reason of a call of an action that the version does not declare or no longer
// allows in this chain.
const unknownAction schema.Reason = "unknown_action"

// callViolation describes why the call of an action is not passed on.
type callViolation struct { //nolint:errname // like schema.Violation, which it wraps
	*schema.Violation
	// call is the call's position in the reply and action the name that the model gave; -1 and empty
	// for all calls together.
	call   int
	action string
}

// Error returns a sentence for the log, and for the model.
func (v *callViolation) Error() string {
	switch {
	case v.call < 0:
		return fmt.Sprintf("one reply can ask for %d actions at most", conversation.MaxActionCalls)
	case v.Reason == unknownAction:
		return "there is no action of this name"
	}
	return strings.Replace(v.Violation.Error(), "the reply", "arguments: the object", 1)
}

// Unwrap returns what is wrong with the arguments.
func (v *callViolation) Unwrap() error { return v.Violation }

// publicAction returns the action's name for the caller, who may learn nothing else of the reply.
func (v *callViolation) publicAction() string {
	name := []rune(clean(v.action))
	return string(name[:min(len(name), 64)])
}

// acceptCalls returns the calls of a reply with their ids, the names of their actions, and their
// arguments as compact JSON. asWritten is false if a name or arguments were read in another way. An
// error is a *callViolation.
func (s *Service) acceptCalls(t *turn, req llm.Request, calls []llm.Call,
) (out []llm.Call, asWritten bool, err error) {
	refuse := func(v *schema.Violation, call int, action string) ([]llm.Call, bool, error) {
		return nil, false, &callViolation{Violation: v, call: call, action: action}
	}
	if len(calls) > conversation.MaxActionCalls {
		return refuse(&schema.Violation{Reason: schema.Mismatch, Rule: "maxItems"}, -1, "")
	}
	out, asWritten = make([]llm.Call, len(calls)), true
	for i, call := range calls {
		action := declared(req.Actions, call.Name)
		if action == nil || req.Answered {
			return refuse(&schema.Violation{Reason: unknownAction}, i, call.Name)
		}
		parameters, err := s.schemas.Of(action.Parameters)
		if err != nil {
			err = fmt.Errorf("the stored parameters of an action: %w", err)
			return nil, false, fault.Wrap(fault.Internal, err)
		}
		out[i] = call
		out[i].ID, out[i].Name = conversation.ActionCallID(t.id, i+1), action.Name
		var reread bool
		out[i].Arguments, reread, err = readArguments(parameters, action.Name, call.Arguments)
		if err != nil {
			violation, _ := errors.AsType[*schema.Violation](err)
			return refuse(violation, i, call.Name)
		}
		asWritten = asWritten && !reread && action.Name == call.Name
	}
	return out, asWritten, nil
}

// correctionStep returns the step that tells a model what was wrong with its calls.
func correctionStep(t *turn, reply llm.Reply, violation *callViolation) llm.Step {
	step := llm.Step{Text: reply.Text, Calls: make([]llm.Call, len(reply.Calls)), ProviderState: reply.ProviderState,
		Results: make([]llm.ActionResult, len(reply.Calls))}
	for i, call := range reply.Calls {
		call.ID = fmt.Sprintf("%s_%d", t.id, i+1) // only the model sees it
		step.Calls[i] = call
		step.Results[i].Error = "It was not run, because another call of this reply was not accepted. Ask for it again."
		if i == violation.call || violation.call < 0 {
			step.Results[i].Error = "It was not run: " + violation.Error() + ". Ask again, or answer without it."
		}
	}
	return step
}

// callsText returns the text and the calls of a reply for the agent's owner, one call a line, and
// the offset of each call.
func callsText(text string, calls []llm.Call) (all string, begins []int) {
	var out strings.Builder
	out.WriteString(text)
	for _, c := range calls {
		if out.Len() > 0 {
			out.WriteByte('\n')
		}
		begins = append(begins, out.Len())
		out.WriteString(c.Name + " " + c.Arguments)
	}
	return out.String(), begins
}

// span returns the bytes that broke the rule, in the text that callsText returned with begins: a
// call's name, the part of its arguments at fault, or the start of the first call over the limit.
func (v *callViolation) span(begins []int) (start, end int) {
	switch {
	case v.call < 0:
		return begins[conversation.MaxActionCalls], begins[conversation.MaxActionCalls]
	case v.Reason == unknownAction:
		return begins[v.call], begins[v.call] + len(v.action)
	}
	arguments := begins[v.call] + len(v.action) + len(" ")
	return arguments + v.Start, arguments + v.End
}

// actionsOf returns the actions that the version's model may call.
func actionsOf(settings *agent.Settings) []llm.Action {
	out := make([]llm.Action, len(settings.Actions))
	for i, a := range settings.Actions {
		out[i] = llm.Action{Name: a.Name, Description: a.Description, Parameters: a.Parameters}
	}
	return out
}

// chainSteps returns the replies since the message that results continue, each with the results of
// its calls. Provider state is only for the model that made the calls.
func chainSteps(begun *turns.BeginResult, results *conversation.ActionResults, model string) ([]llm.Step, error) {
	out := make([]llm.Step, len(begun.Chain))
	for i, turn := range begun.Chain {
		brought := results.List
		if i+1 < len(begun.Chain) {
			brought = begun.Chain[i+1].Results
		}
		if len(brought) != len(turn.Calls) {
			return nil, fault.Wrap(fault.Internal, errors.New("a chain with results that are not those of its calls"))
		}
		step := llm.Step{Text: turn.Reply, Calls: make([]llm.Call, len(turn.Calls)), Results: make([]llm.ActionResult, len(turn.Calls))}
		var kept providerState
		if turn.Model == model && turn.Provider != "" {
			if err := json.Unmarshal([]byte(turn.Provider), &kept); err != nil {
				return nil, fault.Wrap(fault.Internal, fmt.Errorf("what an adapter kept of a reply: %w", err))
			}
		}
		step.ProviderState = kept.Reply
		for j, call := range turn.Calls {
			step.Calls[j] = llm.Call{ID: call.ID, Name: call.Name, Arguments: string(call.Arguments)}
			if j < len(kept.Calls) {
				step.Calls[j].ProviderState = kept.Calls[j]
			}
			step.Results[j] = llm.ActionResult{Result: string(brought[j].Result), Error: brought[j].Error}
		}
		out[i] = step
	}
	return out, nil
}

// providerState is the state that an adapter wants back with a reply and with each of its calls.
type providerState struct {
	Reply string   `json:"reply,omitempty"`
	Calls []string `json:"calls,omitempty"`
}

// storedCalls returns a reply's calls in their stored form, with the adapter's state as JSON; empty
// without state.
func storedCalls(reply llm.Reply) (calls []conversation.ActionCall, provider string) {
	if len(reply.Calls) == 0 {
		return nil, ""
	}
	keep, keeps := providerState{Reply: reply.ProviderState}, reply.ProviderState != ""
	for _, c := range reply.Calls {
		calls = append(calls, conversation.ActionCall{ID: c.ID, Name: c.Name, Arguments: json.RawMessage(c.Arguments)})
		keep.Calls = append(keep.Calls, c.ProviderState)
		keeps = keeps || c.ProviderState != ""
	}
	if !keeps {
		return calls, ""
	}
	return calls, conversation.EncodeJSON(keep)
}

// checkResults refuses results that are too long together with the earlier ones of their chain.
// Fault: InvalidInput.
func (t *turn) checkResults(begun *turns.BeginResult) error {
	if t.msg.Results == nil {
		return nil
	}
	size := 0
	for _, r := range t.msg.Results.List {
		size += r.Size()
	}
	for _, turn := range begun.Chain {
		for _, r := range turn.Results {
			size += r.Size()
		}
	}
	if size <= conversation.MaxChainResults {
		return nil
	}
	return fault.Invalid(fault.Field{Path: t.resultsField(), Reason: fault.TooLong, Limit: conversation.MaxChainResults,
		Message: "The results sent since the last message are larger than 96 KiB in total. Send shorter ones, or continue with a message."})
}

// resultsField returns the name of the results in the request.
func (t *turn) resultsField() string {
	if !t.msg.Source.IsAPI() {
		return "actionResults"
	}
	return "action_results"
}

// stepsText returns the steps of a chain as text, for a model call without actions.
func stepsText(steps []llm.Step) string {
	var parts []string
	for _, s := range steps {
		if s.Text != "" {
			parts = append(parts, s.Text)
		}
		for i, c := range s.Calls {
			came := "returned: " + s.Results[i].Result
			if s.Results[i].Error != "" {
				came = "failed: " + s.Results[i].Error
			}
			parts = append(parts, fmt.Sprintf("(The action %s with the arguments %s %s)", c.Name, c.Arguments, came))
		}
	}
	return strings.Join(parts, "\n\n")
}

// chainValues returns the values of the message that the turn answers or continues.
func (t *turn) chainValues(begun *turns.BeginResult) map[string]string {
	if t.msg.Results != nil {
		return begun.Given
	}
	return t.msg.Variables
}

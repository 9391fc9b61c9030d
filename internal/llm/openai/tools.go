package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/llm"
	"agentchat/internal/llm/upstream"
)

// tool declares an action (https://platform.openai.com/docs/guides/function-calling).
type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Parameters  jsontext.Value `json:"parameters"`
}

// toolsOf declares actions. Package chat still checks the keywords that are left out of their
// schemas.
func toolsOf(actions []llm.Action) []tool {
	tools := make([]tool, len(actions))
	for i, a := range actions {
		parameters := llm.ParametersOf(a, reduced)
		var members object
		// OpenAI requires properties.
		if json.Unmarshal([]byte(parameters), &members) == nil && members["properties"] == nil {
			parameters = `{"properties":{},` + parameters[1:]
		}
		tools[i] = tool{"function", function{a.Name, a.Description, jsontext.Value(parameters)}}
	}
	return tools
}

// Messages for steps.
type (
	callsMessage struct {
		Role    string     `json:"role"`
		Content *string    `json:"content"`
		Calls   []sentCall `json:"tool_calls"`
	}
	sentCall struct {
		ID       string       `json:"id"`
		Type     string       `json:"type"`
		Function sentFunction `json:"function"`
	}
	sentFunction struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	resultMessage struct {
		Role    string `json:"role"`
		Content string `json:"content"`
		CallID  string `json:"tool_call_id"`
	}
)

// stepMessages returns the messages for steps: each reply verbatim, or rebuilt if another model
// gave it, and a message for every result.
func stepMessages(steps []llm.Step) (messages []any) {
	n := 0
	for _, s := range steps {
		message := callsMessage{Role: "assistant"}
		if s.Text != "" {
			message.Content = &s.Text
		}
		var results []any
		for i, c := range s.Calls {
			n++
			id := c.ProviderState
			if s.ProviderState == "" {
				id = idOf(n)
			}
			message.Calls = append(message.Calls,
				sentCall{id, "function", sentFunction{c.Name, objectOf(c.Arguments)}})
			results = append(results, resultMessage{"tool", resultOf(s, i), id})
		}
		if s.ProviderState != "" {
			messages = append(messages, jsontext.Value(s.ProviderState))
		} else {
			messages = append(messages, message)
		}
		messages = append(messages, results...)
	}
	return messages
}

// idOf makes an id for a call that has no provider id, from its number in the request. It has nine
// letters and digits, because Mistral accepts nothing else.
func idOf(n int) string { return fmt.Sprintf("call%05d", n) }

// resultOf returns the result of a call, as text.
func resultOf(s llm.Step, call int) string {
	if call >= len(s.Results) {
		return "Error: it was not run."
	}
	if r := s.Results[call]; r.Error != "" {
		return "Error: " + r.Error
	}
	return s.Results[call].Result
}

// askWithTools sends a request with actions. The schema goes into the instructions, because servers
// confuse formats and tools. If a model refuses tools with its usual reasoning effort, the request
// is sent again without reasoning, and so are later requests with tools.
func (m *Model) askWithTools(ctx context.Context, req llm.Request) (*upstream.Answer, error) {
	req.Instructions = llm.WithRules(req)
	if req.Schema != "" {
		req.Instructions, req.Schema = llm.WithSchema(req), ""
	}
	p := m.payload(req)
	p.Tools = toolsOf(req.Actions)
	if req.Answered {
		p.ToolChoice = "none"
	}
	_, known := m.withoutReasoning.Load(req.Model)
	if known {
		p.ReasoningEffort = "none"
	}
	answer, err := m.client.Post(ctx, m.address, p, req)
	refused, ok := errors.AsType[*upstream.StatusError](err)
	if !ok || known || refused.Status != http.StatusBadRequest ||
		refused.Parameter != reasoningEffort {
		return answer, err
	}
	p.ReasoningEffort = "none"
	if answer, err = m.client.Post(ctx, m.address, p, req); err == nil {
		m.withoutReasoning.Store(req.Model, true)
	}
	return answer, err
}

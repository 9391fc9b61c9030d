package bridge

import (
	"strings"

	"agentchat/internal/httpapi"
)

// completion is a chat completion, or a chunk of one.
type completion struct {
	ID        string     `json:"id"`
	Object    string     `json:"object"`
	Created   int64      `json:"created"`
	Model     string     `json:"model"`
	Choices   []choice   `json:"choices"`
	Usage     *chatUsage `json:"usage"`
	AgentChat *extension `json:"agentchat,omitzero"`
}

type choice struct {
	Index        int       `json:"index"`
	Message      *chatText `json:"message,omitzero"`
	Delta        *delta    `json:"delta,omitzero"`
	Logprobs     *struct{} `json:"logprobs"`
	FinishReason *string   `json:"finish_reason"`
}

// chatText is the message of a whole completion.
type chatText struct {
	Role        string     `json:"role"`
	Content     *string    `json:"content"`
	Refusal     *string    `json:"refusal"`
	Annotations []any      `json:"annotations"`
	ToolCalls   []toolCall `json:"tool_calls,omitempty"`
}

// delta holds the part of the message in a chunk.
type delta struct {
	Role      string     `json:"role,omitzero"`
	Content   *string    `json:"content,omitzero"`
	ToolCalls []toolCall `json:"tool_calls,omitempty"`
}

type toolCall struct {
	Index    *int   `json:"index,omitzero"` // of a chunk
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type chatUsage struct {
	PromptTokens        int64 `json:"prompt_tokens"`
	CompletionTokens    int64 `json:"completion_tokens"`
	TotalTokens         int64 `json:"total_tokens"`
	PromptTokensDetails struct {
		CachedTokens int64 `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	CompletionTokensDetails struct {
		ReasoningTokens int64 `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

// chatFinish returns the finish reason of Chat Completions.
func chatFinish(reason string) *string {
	out := "stop"
	switch reason {
	case finishActions:
		out = "tool_calls"
	case finishLength, finishTimeout:
		out = "length"
	case finishBlocked:
		out = "content_filter"
	}
	return &out
}

func chatUsageOf(r *reply) *chatUsage {
	in, out := r.Usage.InputTokens, r.Usage.OutputTokens
	if in == nil || out == nil {
		return nil
	}
	return &chatUsage{PromptTokens: *in, CompletionTokens: *out, TotalTokens: *in + *out}
}

// toolCalls returns the calls of a reply.
func toolCalls(r *reply) (calls []toolCall) {
	for _, a := range r.Actions {
		n, _ := r.reference().numberOf(a.ID)
		call := toolCall{ID: r.reference().callID(callPrefix, n), Type: "function"}
		call.Function.Name, call.Function.Arguments = a.Name, string(a.Arguments)
		calls = append(calls, call)
	}
	return calls
}

// wholeCompletion returns the body of a reply that is not streamed.
func (in *input) wholeCompletion(r *reply) any {
	text := &chatText{Role: "assistant", Content: &r.Reply, ToolCalls: toolCalls(r)}
	if r.Reply == "" && len(text.ToolCalls) > 0 {
		text.Content = nil
	}
	return completion{
		ID:        r.reference().id(completionPrefix),
		Object:    "chat.completion",
		Created:   r.reference().createdAt(),
		Model:     in.model,
		Choices:   []choice{{Message: text, FinishReason: chatFinish(r.FinishReason)}},
		Usage:     chatUsageOf(r),
		AgentChat: r.extension(),
	}
}

// chatStream writes the chunks of Chat Completions.
type chatStream struct {
	in  *input
	ref reference
}

func (s *chatStream) chunk(choices ...choice) completion {
	return completion{
		ID:      s.ref.id(completionPrefix),
		Object:  "chat.completion.chunk",
		Created: s.ref.createdAt(),
		Model:   s.in.model,
		Choices: choices,
	}
}

func write(chunk any) string { return "data: " + string(httpapi.Encode(chunk)) + "\n\n" }

func (s *chatStream) start(r reference) string {
	s.ref = r
	empty := ""
	return write(s.chunk(choice{Delta: &delta{Role: "assistant", Content: &empty}}))
}

func (s *chatStream) text(piece string) string {
	return write(s.chunk(choice{Delta: &delta{Content: &piece}}))
}

func (s *chatStream) end(r *reply) string {
	var out strings.Builder
	for i, call := range toolCalls(r) {
		call.Index = &i
		out.WriteString(write(s.chunk(choice{Delta: &delta{ToolCalls: []toolCall{call}}})))
	}
	last := s.chunk(choice{Delta: &delta{}, FinishReason: chatFinish(r.FinishReason)})
	if s.in.includeUsage {
		out.WriteString(write(last))
		last = s.chunk()
		last.Usage = chatUsageOf(r)
	}
	last.AgentChat = r.extension()
	return out.String() + write(last) + doneEvent
}

func (s *chatStream) fail(refused *refusal) string {
	return write(errorBody{refused.object()}) + doneEvent
}

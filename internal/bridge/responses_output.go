package bridge

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// response is the response object of Responses, with every field that Open Responses requires.
type response struct {
	ID                 string             `json:"id"`
	Object             string             `json:"object"`
	CreatedAt          int64              `json:"created_at"`
	CompletedAt        *int64             `json:"completed_at"`
	Status             string             `json:"status"`
	IncompleteDetails  *incompleteDetails `json:"incomplete_details"`
	Model              string             `json:"model"`
	PreviousResponseID *string            `json:"previous_response_id"`
	Conversation       conversation       `json:"conversation"`
	Instructions       *string            `json:"instructions"`
	Output             []outputItem       `json:"output"`
	Error              *responseError     `json:"error"`
	Tools              []tool             `json:"tools"`
	ToolChoice         jsontext.Value     `json:"tool_choice"`
	Truncation         string             `json:"truncation"`
	ParallelToolCalls  bool               `json:"parallel_tool_calls"`
	Text               textConfig         `json:"text"`
	TopP               float64            `json:"top_p"`
	PresencePenalty    float64            `json:"presence_penalty"`
	FrequencyPenalty   float64            `json:"frequency_penalty"`
	TopLogprobs        int                `json:"top_logprobs"`
	Temperature        float64            `json:"temperature"`
	Reasoning          reasoning          `json:"reasoning"`
	Usage              *responseUsage     `json:"usage"`
	MaxOutputTokens    *int64             `json:"max_output_tokens"`
	MaxToolCalls       *int64             `json:"max_tool_calls"`
	Store              bool               `json:"store"`
	Background         bool               `json:"background"`
	ServiceTier        string             `json:"service_tier"`
	Metadata           jsontext.Value     `json:"metadata"`
	SafetyIdentifier   *string            `json:"safety_identifier"`
	PromptCacheKey     *string            `json:"prompt_cache_key"`
	AgentChat          *extension         `json:"agentchat,omitzero"`
}

type incompleteDetails struct {
	Reason string `json:"reason"`
}

type conversation struct {
	ID string `json:"id"`
}

type responseError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

type textConfig struct {
	Format struct {
		Type string `json:"type"`
	} `json:"format"`
}

type reasoning struct {
	Effort  *string `json:"effort"`
	Summary *string `json:"summary"`
}

type responseUsage struct {
	InputTokens        int64 `json:"input_tokens"`
	InputTokensDetails struct {
		CachedTokens int64 `json:"cached_tokens"`
	} `json:"input_tokens_details"`
	OutputTokens        int64 `json:"output_tokens"`
	OutputTokensDetails struct {
		ReasoningTokens int64 `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
	TotalTokens int64 `json:"total_tokens"`
}

// outputItem is a message or a function call.
type outputItem struct {
	Type      string        `json:"type"`
	ID        string        `json:"id"`
	Status    string        `json:"status"`
	Role      string        `json:"role,omitzero"`
	Content   *[]outputText `json:"content,omitzero"`
	CallID    string        `json:"call_id,omitzero"`
	Name      string        `json:"name,omitzero"`
	Arguments *string       `json:"arguments,omitzero"`
}

type outputText struct {
	Type        string `json:"type"`
	Text        string `json:"text"`
	Annotations []any  `json:"annotations"`
	Logprobs    []any  `json:"logprobs"`
}

// The states of responses and items.
const (
	inProgress = "in_progress"
	completed  = "completed"
	incomplete = "incomplete"
	failed     = "failed"
)

// newResponse returns a response in progress.
func (in *input) newResponse(r reference) *response {
	out := &response{
		ID:                 r.id(responsePrefix),
		Object:             "response",
		CreatedAt:          r.createdAt(),
		Status:             inProgress,
		Model:              in.model,
		PreviousResponseID: in.previousID,
		Conversation:       conversation{r.session},
		Instructions:       in.instructions,
		Tools:              in.tools,
		ToolChoice:         in.toolChoice.echo,
		Truncation:         "auto",
		ParallelToolCalls:  true,
		TopP:               1,
		Temperature:        1,
		Store:              true,
		ServiceTier:        "default",
		Metadata:           in.metadata,
	}
	out.Text.Format.Type = "text"
	if out.ToolChoice == nil {
		out.ToolChoice = jsontext.Value(`"auto"`)
	}
	if out.Metadata == nil {
		out.Metadata = jsontext.Value("{}")
	}
	return out
}

// messageItem returns the item of the text.
func messageItem(r reference, status, text string) outputItem {
	content := []outputText{}
	if status != inProgress {
		content = append(content, textPart(text))
	}
	return outputItem{Type: "message", ID: r.id(messagePrefix), Status: status, Role: "assistant", Content: &content}
}

func textPart(text string) outputText { return outputText{Type: "output_text", Text: text} }

// callItem returns the item of an action. The service has sent its number.
func callItem(r reference, a action, status, arguments string) outputItem {
	n, _ := r.numberOf(a.ID)
	return outputItem{
		Type:      "function_call",
		ID:        r.callID(itemPrefix, n),
		Status:    status,
		CallID:    r.callID(callPrefix, n),
		Name:      a.Name,
		Arguments: &arguments,
	}
}

// finish sets the status and the totals of a response whose output is complete.
func (out *response) finish(in *input, r *reply) {
	now := time.Now().Unix()
	out.Status, out.CompletedAt, out.AgentChat = completed, &now, r.extension()
	if reason := incompleteReason(r.FinishReason); reason != "" {
		out.Status, out.IncompleteDetails = incomplete, &incompleteDetails{reason}
	} else if !in.toolChoice.isMet(r.Actions) {
		out.Status, out.IncompleteDetails = incomplete, &incompleteDetails{"tool_choice_not_met"}
	}
	if out.Status == incomplete {
		out.CompletedAt = nil
	}
	if read, written := r.Usage.InputTokens, r.Usage.OutputTokens; read != nil && written != nil {
		out.Usage = &responseUsage{InputTokens: *read, OutputTokens: *written, TotalTokens: *read + *written}
	}
}

// incompleteReason returns why a reply was cut; empty for a complete one.
func incompleteReason(finish string) string {
	switch finish {
	case finishLength, finishTimeout:
		return "max_output_tokens"
	case finishBlocked:
		return "content_filter"
	}
	return ""
}

// itemStatus returns the status of the item of the text.
func itemStatus(r *reply) string {
	if incompleteReason(r.FinishReason) != "" {
		return incomplete
	}
	return completed
}

// wholeResponse returns the body of a reply that is not streamed.
func (in *input) wholeResponse(r *reply) any {
	out := in.newResponse(r.reference())
	if r.Reply != "" {
		out.Output = append(out.Output, messageItem(r.reference(), itemStatus(r), r.Reply))
	}
	for _, a := range r.Actions {
		out.Output = append(out.Output, callItem(r.reference(), a, completed, string(a.Arguments)))
	}
	out.finish(in, r)
	return out
}

package chat

import (
	"math"
	"slices"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store/turns"
)

// The token count of a text is the model's where it reported one. All other text is estimated by
// the bytes per token of the newest turn whose input the model reported, or by a fixed estimate.
const (
	// defaultBytesPerToken is cautious: English has about four, most other scripts three.
	defaultBytesPerToken = 3.0
	// minBytesPerToken and maxBytesPerToken bound the bytes per token of any text. A count outside of
	// them is ignored, so that no report can make the context larger or smaller than these bounds
	// allow.
	minBytesPerToken, maxBytesPerToken = 1.0, 6.0
	// defaultOutputTokens is reserved for the reply if neither the agent nor the catalogue limits it;
	// at most a quarter of the window.
	defaultOutputTokens = 4096
	// A token count above maxThinkingFactor times the estimate is assumed to include thinking tokens.
	maxThinkingFactor = 2.0
	// windowMargin is the share of a window that stays free for tokens that no count includes, such as
	// role markers, and for denser text.
	windowMargin = 1.0 / 16
)

// prompt returns the model's prompt: the instructions, the passages and the message in full, with
// the calls and results that followed it, and as much of the history as fits. Faults:
// InvalidInput if the calls and results do not fit, Unavailable without memory for the rules.
func (t *turn) prompt(entry catalogue.Entry, begun *turns.BeginResult) (llm.Request, error) {
	req := llm.Request{
		Model: entry.UpstreamName, Instructions: begun.Settings.Instructions, Message: t.msg.Text, TurnNumber: begun.Number,
		Temperature: begun.Settings.Temperature, Schema: schemaOf(&begun.Settings),
		Actions: actionsOf(&begun.Settings), Knowledge: t.promptKnowledge, CacheKey: cacheKey(begun),
	}
	req.Rules = llm.Rules(entry.Model, req)
	if err := t.msg.Memory.Grow(int64(len(req.Rules))); err != nil {
		return req, err
	}
	if t.msg.Results != nil {
		var err error
		if req.Steps, err = chainSteps(begun, t.msg.Results, entry.Name); err != nil {
			return req, err
		}
		req.Message, req.Answered = begun.Chain[0].Message, len(begun.Chain) == conversation.MaxRounds
	}
	fixed := promptBytes(req)
	if len(req.Steps) > 0 && tokensLeft(entry, begun, fixed) < 0 {
		return req, fault.Invalid(fault.Field{Path: t.resultsField(), Reason: fault.TooLong,
			Message: "The message and its results do not fit the model's context window. Send shorter results, or " +
				"continue with a message.",
		})
	}
	req.History = historyWithin(begun, fixed, entry)
	req.MaxOutputTokens = outputLimit(begun, entry, promptBytes(req))
	return req, nil
}

// InstructionsOf returns the instructions that a model gets: those of the settings, and the rules
// of their schemas that its formats do not state.
func InstructionsOf(model llm.Model, settings *agent.Settings) string {
	req := llm.Request{
		Instructions: settings.Instructions,
		Schema:       schemaOf(settings),
		Actions:      actionsOf(settings),
	}
	req.Rules = llm.Rules(model, req)
	return llm.WithRules(req)
}

// schemaOf returns the schema of a structured reply; empty for a reply of text.
func schemaOf(settings *agent.Settings) string {
	if settings.ReplySchema == nil {
		return ""
	}
	return *settings.ReplySchema
}

// promptBytes returns the size of all text in a prompt.
func promptBytes(req llm.Request) int64 {
	n := len(req.Instructions) + len(req.Message) + len(req.Schema) + len(req.Rules)
	if req.Knowledge != nil {
		n += len(req.Knowledge.Block)
	}
	for _, e := range req.History {
		n += len(e.User) + len(e.Assistant)
	}
	for _, a := range req.Actions {
		n += len(a.Name) + len(a.Description) + len(a.Parameters)
	}
	for _, s := range req.Steps {
		n += len(s.Text)
		for i, c := range s.Calls {
			n += len(c.Name) + len(c.Arguments) + len(s.Results[i].Result) + len(s.Results[i].Error)
		}
	}
	return int64(n)
}

// outputLimit returns the agent's limit of tokens for the reply, reduced to what the model can
// write and to the room that the prompt leaves in its window: providers refuse a request for more.
func outputLimit(begun *turns.BeginResult, entry catalogue.Entry, inputBytes int64) *int {
	if begun.Settings.MaxOutputTokens == nil {
		return nil
	}
	limit := *begun.Settings.MaxOutputTokens
	if entry.MaxOutputTokens > 0 {
		limit = min(limit, entry.MaxOutputTokens)
	}
	if window := float64(entry.ContextWindow); window > 0 {
		if left := window - windowMargin*window - float64(inputBytes)/bytesPerToken(begun.History); left >= 1 {
			limit = min(limit, int(left))
		}
	}
	return &limit
}

// historyWithin returns the newest earlier turns, oldest first, that fit the model's window along
// with the reply and the rest of the prompt, which has fixed bytes. The store has already bounded
// their number and bytes.
func historyWithin(begun *turns.BeginResult, fixed int64, entry catalogue.Entry) []llm.EarlierTurn {
	room, rate := tokensLeft(entry, begun, fixed), bytesPerToken(begun.History)
	first := len(begun.History)
	for first > 0 {
		e := begun.History[first-1]
		room -= float64(len(e.Message))/rate + replyTokens(e, rate)
		if room < 0 {
			break
		}
		first--
	}
	history := make([]llm.EarlierTurn, 0, len(begun.History)-first)
	for _, e := range begun.History[first:] {
		history = append(history, llm.EarlierTurn{User: e.Message, Assistant: e.Reply})
	}
	return history
}

// tokensLeft returns the tokens of a window that the reply and that many bytes of the prompt leave.
func tokensLeft(entry catalogue.Entry, begun *turns.BeginResult, fixed int64) float64 {
	if entry.ContextWindow == 0 {
		return math.Inf(1)
	}
	return promptTokens(entry, begun.Settings.MaxOutputTokens) - float64(fixed)/bytesPerToken(begun.History)
}

// promptTokens returns the most tokens of a window that the prompt may have. The reply's limit may
// be as large as the window, but it reserves half of the window at most.
func promptTokens(entry catalogue.Entry, limit *int) float64 {
	window := float64(entry.ContextWindow)
	output := min(defaultOutputTokens, window/4)
	switch {
	case limit != nil:
		output = float64(*limit)
	case entry.MaxOutputTokens > 0:
		output = float64(entry.MaxOutputTokens)
	}
	return window - min(output, window/2) - windowMargin*window
}

// bytesPerToken returns the ratio of the newest turn whose prompt has both a known size and a
// plausible token count. It holds for any length of that prompt's history and for any instructions.
func bytesPerToken(history []conversation.EarlierTurn) float64 {
	for _, e := range slices.Backward(history) {
		if e.InputTokens != nil && e.InputBytes != nil && plausibleCount(*e.InputBytes, *e.InputTokens) {
			return float64(*e.InputBytes) / float64(*e.InputTokens)
		}
	}
	return defaultBytesPerToken
}

// replyTokens returns the tokens of a reply in the context: the model's count, unless that seems to
// include thinking tokens.
func replyTokens(e conversation.EarlierTurn, rate float64) float64 {
	bytes := int64(len(e.Reply))
	usual := float64(bytes) / rate
	if e.OutputTokens == nil || !plausibleCount(bytes, *e.OutputTokens) || float64(*e.OutputTokens) > maxThinkingFactor*usual {
		return usual
	}
	return float64(*e.OutputTokens)
}

// plausibleCount reports whether a text of that many bytes can have that many tokens.
func plausibleCount(bytes, tokens int64) bool {
	return tokens > 0 && float64(bytes) >= minBytesPerToken*float64(tokens) && float64(bytes) <= maxBytesPerToken*float64(tokens)
}

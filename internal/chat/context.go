package chat

import (
	"math"

	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store"
)

// What is known of tokens. A text's own count is the model's, where it reported one; every other text is taken at what the
// model's newest report says that a byte costs, and where there is none, at the estimate.
const (
	// estimate is how many bytes make a token: cautious, for English has about four and most other scripts three.
	estimate = 3.0
	// fewest and most bound what text can have. A count beyond them is nonsense and is not believed, so that no report makes
	// the context larger than at most bytes a token, or smaller than at fewest.
	fewest, most = 1.0, 6.0
	// unknownOutput is kept for the reply where neither the agent nor the catalogue bounds it; at most a quarter of the window.
	unknownOutput = 4096
	// withThinking is how many times more tokens than usual a reply's count cannot have from its text alone.
	withThinking = 2.0
	// margin is the part of a window that is left free, for what counts do not tell: marks of roles, or a text that is denser
	// than those before it.
	margin = 1.0 / 16
)

// requestTo is what the model is given: the instructions and the message whole, and of the conversation what fits.
func (t *turn) requestTo(entry catalogue.Entry, begun store.Begun) llm.Request {
	req := llm.Request{
		Model: entry.UpstreamName, Instructions: begun.Instructions, Message: t.req.Message, TurnNumber: begun.Number,
		History: contextOf(begun, t.req.Message, entry), Temperature: begun.Temperature,
	}
	t.given = int64(len(req.Instructions) + len(req.Message))
	for _, turn := range req.History {
		t.given += int64(len(turn.User) + len(turn.Assistant))
	}
	req.MaxOutputTokens = outputLimit(begun, entry, t.given)
	return req
}

// outputLimit is the most tokens that the model is asked for: the agent's limit, as far as the model writes so many and its window
// has room for them beside what it is given. Providers refuse a request for more, so that an agent with a generous limit would
// have no reply at all.
func outputLimit(begun store.Begun, entry catalogue.Entry, given int64) *int {
	if begun.MaxOutputTokens == nil {
		return nil
	}
	limit := *begun.MaxOutputTokens
	if entry.MaxOutputTokens > 0 {
		limit = min(limit, entry.MaxOutputTokens)
	}
	if window := float64(entry.ContextWindow); window > 0 {
		if left := window - margin*window - float64(given)/bytesPerToken(begun); left >= 1 {
			limit = min(limit, int(left))
		}
	}
	return &limit
}

// contextOf chooses the earlier turns that the model is given: whole turns, the newest that fit its window beside the
// instructions, the message and the reply, oldest first. The store has bounded their number and bytes already.
func contextOf(begun store.Begun, message string, entry catalogue.Entry) []llm.Exchange {
	room := math.Inf(1)
	rate := bytesPerToken(begun)
	if entry.ContextWindow > 0 {
		room = roomFor(entry, begun.MaxOutputTokens) - float64(len(begun.Instructions)+len(message))/rate
	}
	first := len(begun.Messages)
	for first > 0 {
		i := first - 1
		room -= float64(len(begun.Messages[i]))/rate + replyTokens(begun, i, rate)
		if room < 0 {
			break
		}
		first = i
	}
	history := make([]llm.Exchange, 0, len(begun.Messages)-first)
	for i := first; i < len(begun.Messages); i++ {
		history = append(history, llm.Exchange{User: begun.Messages[i], Assistant: begun.Replies[i]})
	}
	return history
}

// roomFor is how many tokens of a window are for what the model is given. A reply's limit may be as large as the window; it
// never pushes out more than half of it.
func roomFor(entry catalogue.Entry, limit *int) float64 {
	window := float64(entry.ContextWindow)
	output := min(unknownOutput, window/4)
	switch {
	case limit != nil:
		output = float64(*limit)
	case entry.MaxOutputTokens > 0:
		output = float64(entry.MaxOutputTokens)
	}
	return window - min(output, window/2) - margin*window
}

// bytesPerToken is what a token holds of what this conversation says, by the newest turn that tells both how much the model was
// given and how many tokens it took that for. It is right for whatever the context was then, whole or cut, and under whichever
// instructions.
func bytesPerToken(begun store.Begun) float64 {
	for i := len(begun.InputTokens) - 1; i >= 0; i-- {
		if tokens, bytes := begun.InputTokens[i], begun.InputBytes[i]; tokens != nil && bytes != nil && believable(*bytes, *tokens) {
			return float64(*bytes) / float64(*tokens)
		}
	}
	return estimate
}

// replyTokens is what a reply costs as context: what the model counted when it wrote it. A model that counts its thinking too
// tells far more than the text has, and is not believed then.
func replyTokens(begun store.Begun, i int, rate float64) float64 {
	bytes := int64(len(begun.Replies[i]))
	usual := float64(bytes) / rate
	if i >= len(begun.OutputTokens) || begun.OutputTokens[i] == nil {
		return usual
	}
	counted := *begun.OutputTokens[i]
	if !believable(bytes, counted) || float64(counted) > withThinking*usual {
		return usual
	}
	return float64(counted)
}

// believable reports whether a text can have so many tokens.
func believable(bytes, tokens int64) bool {
	return tokens > 0 && float64(bytes) >= fewest*float64(tokens) && float64(bytes) <= most*float64(tokens)
}

// plausible drops token counts that no model can mean; the price never depends on them.
func plausible(tokens *int64) *int64 {
	if tokens == nil || *tokens < 0 || *tokens > math.MaxInt32 {
		return nil
	}
	return tokens
}

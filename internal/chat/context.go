package chat

import (
	"math"

	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store"
)

// bytesPerToken is a cautious estimate, from below: English has about four bytes a token, most other scripts three.
const bytesPerToken = 3

// contextOf chooses the earlier turns that the model is given: whole turns, the newest that fit its window beside the
// instructions, the message and the reply, oldest first.
func contextOf(begun store.Begun, message string, entry catalogue.Entry) []llm.Exchange {
	room := math.MaxInt
	if entry.ContextWindow > 0 {
		output := entry.MaxOutputTokens
		if begun.MaxOutputTokens != nil {
			output = *begun.MaxOutputTokens
		}
		// A reply's limit may be as large as the window; it never pushes out more than half of it.
		tokens := entry.ContextWindow - min(output, entry.ContextWindow/2)
		room = tokens*bytesPerToken - len(begun.Instructions) - len(message)
	}
	first := len(begun.Messages)
	for first > 0 {
		room -= len(begun.Messages[first-1]) + len(begun.Replies[first-1])
		if room < 0 {
			break
		}
		first--
	}
	history := make([]llm.Exchange, 0, len(begun.Messages)-first)
	for i := first; i < len(begun.Messages); i++ {
		history = append(history, llm.Exchange{User: begun.Messages[i], Assistant: begun.Replies[i]})
	}
	return history
}

// plausible drops token counts that no model can mean; the price never depends on them.
func plausible(tokens *int64) *int64 {
	if tokens == nil || *tokens < 0 || *tokens > math.MaxInt32 {
		return nil
	}
	return tokens
}

package gemini

import (
	"time"

	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/upstream"
)

// NewQuick is New with a wait for the first byte, and short ones before the retry and for the body of a refusal.
func NewQuick(config catalogue.ProviderConfig, firstByte time.Duration) (llm.Model, error) {
	limits := upstream.DefaultLimits
	limits.FirstByte, limits.Refusal, limits.Pause = firstByte, 200*time.Millisecond, 10*time.Millisecond
	return NewWithLimits(config, limits)
}

package gemini

import (
	"time"

	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/upstream"
)

// NewQuick is New with short limits. firstByte bounds the wait for the first byte.
func NewQuick(config catalogue.ProviderConfig, firstByte time.Duration) (llm.Model, error) {
	limits := upstream.DefaultLimits
	limits.FirstByte, limits.Refusal, limits.Pause = firstByte, 200*time.Millisecond, 10*time.Millisecond
	return NewWithLimits(config, limits)
}

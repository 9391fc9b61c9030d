package gemini

import (
	"time"

	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
)

// NewQuick is New with a wait for the first byte, and short ones before the retry and for the body of a refusal.
func NewQuick(config catalogue.ProviderConfig, firstByte time.Duration) (llm.Model, error) {
	return build(config, limits{
		connect: defaultLimits.connect, firstByte: firstByte, refusal: 200 * time.Millisecond, pause: 10 * time.Millisecond,
	})
}

// RetryAfter reads a Retry-After header.
var RetryAfter = retryAfter

// Redact takes the key out of a text.
var Redact = redact

package openai

import (
	"encoding/json"

	"agentchat/internal/llm"
)

// IsOpenAI reports whether an adapter treats its provider as OpenAI itself.
func IsOpenAI(m llm.Model) bool { return m.(*Model).isOpenAI }

// Payload returns the body of the request that an adapter would send.
func Payload(m llm.Model, req llm.Request) ([]byte, error) {
	return json.Marshal(m.(*Model).payload(req))
}

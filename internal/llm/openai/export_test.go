package openai

import "agentchat/internal/llm"

// IsItself reports whether an adapter takes its provider for OpenAI.
func IsItself(m llm.Model) bool { return m.(*Model).itself }

// Params returns the request that an adapter would send, in JSON.
func Params(m llm.Model, req llm.Request) ([]byte, error) {
	return m.(*Model).params(req).MarshalJSON()
}

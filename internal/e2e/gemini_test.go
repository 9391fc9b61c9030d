package e2e_test

import (
	"testing"

	"agentchat/internal/llm/llmtest"
)

const (
	geminiKey   = "AIza-a-key-that-must-stay-secret-0123456789"
	geminiModel = "gemini/gemini-2.5-flash"
)

// newGeminiReplica starts a replica with a model's server that speaks Gemini's wire format.
func newGeminiReplica(t testing.TB, env ...string) *modelReplica {
	t.Helper()
	server := llmtest.NewGemini(t)
	return newModelReplica(t, server, geminiKey, "X-Goog-Api-Key", geminiModel,
		append([]string{"GEMINI_API_KEY=" + geminiKey, "GEMINI_BASE_URL=" + server.URL}, env...)...)
}

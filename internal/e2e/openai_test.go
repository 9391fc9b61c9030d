package e2e_test

import (
	"testing"

	"agentchat/internal/llm/llmtest"
)

const (
	openAIKey   = "sk-a-key-that-must-stay-secret-0123456789"
	openAIModel = "openai/gpt-5-mini"
)

// libraryVariables are environment variables of OpenAI's own library. The service must ignore them.
func libraryVariables() []string {
	return []string{"OPENAI_ORG_ID=org-stray", "OPENAI_PROJECT_ID=proj-stray", "OPENAI_ADMIN_KEY=sk-admin-stray",
		"OPENAI_CUSTOM_HEADERS=X-Custom: stray"}
}

// newOpenAIReplica starts a replica with a model's server that speaks OpenAI's wire format.
func newOpenAIReplica(t testing.TB, env ...string) *modelReplica {
	t.Helper()
	server := llmtest.NewOpenAI(t, openAIKey)
	t.Cleanup(func() {
		if server.Holds("stray", "") {
			t.Error("a value from the environment went to the provider")
		}
	})
	env = append(env, libraryVariables()...)
	return newModelReplica(t, server, openAIKey, "Authorization", openAIModel,
		append([]string{"OPENAI_API_KEY=" + openAIKey, "OPENAI_BASE_URL=" + server.URL + "/v1"}, env...)...)
}

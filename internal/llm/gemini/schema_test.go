package gemini_test

import (
	"testing"

	"agentchat/internal/llm/llmtest"
)

// TestSchema shows that the schema is sent in Gemini's own form, without undocumented keywords,
// along with the fields that the library writes. A retry sends it again.
func TestSchema(t *testing.T) {
	t.Parallel()
	const keywords = `{"type":"object","properties":{"b":{"type":"string","pattern":"^x",` +
		`"enum":["x"]},"a":{"const":12345678901234567890}},"required":["b"],"$id":"https://example.com","not":{}}`
	const notes = `{"type":"object","title":"t","description":"d","default":{},"examples":[{}]}`
	for schema, want := range map[string]string{
		notes: `{"type":"object","title":"t","description":"d"}`,
		keywords: `{"type":"object","properties":{"b":{"type":"string","enum":["x"]},"a":{}},` +
			`"required":["b"]}`,
		"": "",
	} {
		s := llmtest.NewGemini(t)
		s.Next(llmtest.Status(503))
		req := request()
		warm, most := 0.5, 100
		req.Temperature, req.MaxOutputTokens, req.Schema = &warm, &most, schema
		if _, err := ask(t, newModel(t, s.URL), req); err != nil || len(s.Requests()) != 2 {
			t.Fatalf("%d requests, %v", len(s.Requests()), err)
		}
		for _, r := range s.Requests() {
			sent := r.Gemini(t)
			config := sent.GenerationConfig
			if string(config.ResponseJSONSchema) != want || config.Temperature == nil ||
				(config.ResponseMIMEType == "application/json") != (want != "") ||
				*config.MaxOutputTokens != 100 || sent.SystemInstruction.Text() != req.Instructions ||
				len(sent.Contents) != 1 || sent.Contents[0].Text() != prompt {
				t.Errorf("sent %s", r.Body)
			}
		}
	}
}

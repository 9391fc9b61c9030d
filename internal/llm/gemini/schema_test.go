package gemini_test

import (
	"testing"

	"agentchat/internal/llm/llmtest"
)

// TestSchema shows that the schema is sent in Gemini's own form, without undocumented keywords,
// along with the fields that the library writes.
func TestSchema(t *testing.T) {
	t.Parallel()
	server := llmtest.NewGemini(t)
	server.Next(llmtest.Status(503)) // the retry sends it again
	server.Always(llmtest.Text(`{"b":`, `"x"}`))
	req := request()
	warm, most := 0.5, 100
	req.Temperature, req.MaxOutputTokens = &warm, &most
	req.Schema = `{"type":"object","properties":{"b":{"type":"string","pattern":"^x","enum":["x"]},"a":{"const":12345678901234567890}},"required":["b"],"$id":"https://example.com","not":{}}`
	reply, err := ask(t, newModel(t, server.URL), req)
	if err != nil || reply.Text != `{"b":"x"}` || reply.InputTokens == nil {
		t.Fatalf("%+v %v", reply, err)
	}
	for _, r := range server.Requests() {
		sent := r.Gemini(t)
		config := sent.GenerationConfig
		const want = `{"type":"object","properties":{"b":{"type":"string","enum":["x"]},"a":{}},"required":["b"]}`
		if config.ResponseMIMEType != "application/json" || string(config.ResponseJSONSchema) != want ||
			config.Temperature == nil || *config.MaxOutputTokens != 100 {
			t.Errorf("sent %+v with %s", config, config.ResponseJSONSchema)
		}
		if sent.SystemInstruction.Text() != req.Instructions || len(sent.Contents) != 1 ||
			sent.Contents[0].Text() != prompt {
			t.Errorf("sent %+v", sent)
		}
	}
	req.Schema = `{"type":"object","title":"t","description":"d","default":{},"format":"x","examples":[{}]}`
	const notes = `{"type":"object","title":"t","description":"d"}`
	_, err = ask(t, newModel(t, server.URL), req)
	if got := server.Last(t).Gemini(t).GenerationConfig.ResponseJSONSchema; err != nil ||
		string(got) != notes {
		t.Errorf("notes: sent %s, want %s (%v)", got, notes, err)
	}
	req.Schema, req.Temperature, req.MaxOutputTokens = `{"type":"object"}`, nil, nil
	if _, err := ask(t, newModel(t, server.URL), req); err != nil ||
		string(server.Last(t).Gemini(t).GenerationConfig.ResponseJSONSchema) != req.Schema {
		t.Errorf("a schema alone: %v, %+v", err, server.Last(t).Gemini(t))
	}
	req.Schema = ""
	if _, err := ask(t, newModel(t, server.URL), req); err != nil ||
		server.Last(t).Gemini(t).GenerationConfig.ResponseMIMEType != "" {
		t.Errorf("without a schema: %v", err)
	}
}

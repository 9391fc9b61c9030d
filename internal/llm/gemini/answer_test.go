package gemini_test

import (
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/gemini"
	"agentchat/internal/llm/llmtest"
)

func TestBaseURLs(t *testing.T) {
	t.Parallel()
	for _, suffix := range []string{"", "/", "/v1beta", "/v1beta/"} {
		s := llmtest.NewGemini(t)
		if _, err := ask(t, newModel(t, s.URL+suffix), request()); err != nil {
			t.Errorf("base URL with %q: %v", suffix, err)
		}
	}
	if _, err := gemini.New(catalogue.ProviderConfig{APIKey: testKey}); err != nil {
		t.Errorf("the public address: %v", err)
	}
	var _ catalogue.Factory = gemini.New
}

func TestFinishReasons(t *testing.T) {
	t.Parallel()
	chunks, whole := llmtest.GeminiChunks, llmtest.GeminiChunk("yes", "1", "")
	const secret, nonsense = `"` + testKey + prompt + `"`, `{"functionCall":7},{"text":"yes"}`
	for name, tc := range map[string]struct {
		reply  llmtest.Reply
		finish llm.FinishReason
		kind   fault.Kind
	}{
		"stop":                         {reply: chunks(whole), finish: llm.FinishStop},
		"stop by name":                 {reply: chunks(llmtest.GeminiChunk("yes", `"STOP"`, "")), finish: llm.FinishStop},
		"stop in a chunk of its own":   {reply: chunks(chunk("yes"), ended("1")), finish: llm.FinishStop},
		"usage after the end":          {reply: chunks(whole, `{"usageMetadata":{}}`), finish: llm.FinishStop},
		"cut":                          {reply: llmtest.Cut("yes"), finish: llm.FinishLength},
		"cut by name":                  {reply: chunks(chunk("yes"), ended(`"MAX_TOKENS"`)), finish: llm.FinishLength},
		"a part without text":          {reply: chunks(parts(`{"text":"yes"},{"thoughtSignature":"c2ln"}`)), finish: llm.FinishStop},
		"a call of a function":         {reply: chunks(parts(`{"functionResponse":{"name":"f"}},{"text":"yes"}`)), finish: llm.FinishStop},
		"a thought":                    {reply: chunks(parts(`{"text":"hm","thought":true},{"text":"yes"}`)), finish: llm.FinishStop},
		"cut before any text":          {reply: chunks(ended("2")), kind: fault.ModelError},
		"nothing said":                 {reply: chunks(ended("1")), kind: fault.ModelError},
		"only parts without text":      {reply: chunks(parts(`{"functionCall":{"name":"f"}}`)), kind: fault.ModelError},
		"no candidates":                {reply: chunks(`{"candidates":[]}`), kind: fault.ModelError},
		"an empty chunk":               {reply: chunks(`{}`), kind: fault.ModelError},
		"no chunk":                     {reply: chunks(), kind: fault.ModelError},
		"no finish reason":             {reply: chunks(chunk("yes")), finish: llm.FinishStop},
		"no end either":                {reply: llmtest.EndAfter("yes"), finish: llm.FinishStop},
		"no end after a comma":         {reply: llmtest.Body("application/json", "["+chunk("yes")+", "), finish: llm.FinishStop},
		"finish reason of nonsense":    {reply: chunks(chunk("yes"), ended(`{"a":1}`)), finish: llm.FinishStop},
		"finish reason not known":      {reply: chunks(chunk("yes"), ended(`"TIRED"`)), finish: llm.FinishStop},
		"unspecified by name":          {reply: chunks(chunk("yes"), ended(`"FINISH_REASON_UNSPECIFIED"`)), finish: llm.FinishStop},
		"other":                        {reply: llmtest.GeminiBlockedReply("yes", "5"), finish: llm.FinishStop},
		"malformed call of a function": {reply: llmtest.GeminiBlockedReply("yes", "10"), finish: llm.FinishStop},
		"safety":                       {reply: llmtest.GeminiBlockedReply("yes", "3"), finish: llm.FinishBlocked},
		"safety with the text":         {reply: chunks(llmtest.GeminiChunk("yes", "3", "")), finish: llm.FinishBlocked},
		"safety at once":               {reply: chunks(`{"candidates":[{"finishReason":3}]}`), kind: fault.ContentBlocked},
		"recitation by number":         {reply: llmtest.GeminiBlockedReply("yes", "4"), finish: llm.FinishBlocked},
		"blocklist by name":            {reply: llmtest.GeminiBlockedReply("yes", `"BLOCKLIST"`), finish: llm.FinishBlocked},
		"personal data by name":        {reply: llmtest.GeminiBlockedReply("yes", `"SPII"`), finish: llm.FinishBlocked},
		"image safety":                 {reply: llmtest.GeminiBlockedReply("yes", "11"), finish: llm.FinishBlocked},
		"image safety by name":         {reply: llmtest.GeminiBlockedReply("yes", `"IMAGE_SAFETY"`), finish: llm.FinishBlocked},
		"cut by number":                {reply: chunks(chunk("yes"), ended("2")), finish: llm.FinishLength},
		"an unexpected call":           {reply: chunks(chunk("yes"), ended("12")), finish: llm.FinishStop},
		"a number not known":           {reply: chunks(chunk("yes"), ended("-1")), finish: llm.FinishStop},
		"a number too large":           {reply: chunks(chunk("yes"), ended("1e99")), finish: llm.FinishStop},
		"no whole number":              {reply: chunks(chunk("yes"), ended("1.5")), finish: llm.FinishStop},
		"recitation":                   {reply: llmtest.GeminiBlockedReply("yes", `"RECITATION"`), finish: llm.FinishBlocked},
		"blocklist":                    {reply: llmtest.GeminiBlockedReply("yes", "7"), finish: llm.FinishBlocked},
		"prohibited content":           {reply: llmtest.GeminiBlockedReply("yes", "8"), finish: llm.FinishBlocked},
		"prohibited content by name":   {reply: llmtest.GeminiBlockedReply("yes", `"PROHIBITED_CONTENT"`), finish: llm.FinishBlocked},
		"personal data":                {reply: llmtest.GeminiBlockedReply("yes", "9"), finish: llm.FinishBlocked},
		"prompt blocked after a text":  {reply: chunks(chunk("yes"), `{"promptFeedback":{"blockReason":"OTHER"}}`), finish: llm.FinishBlocked},
		"prompt blocked":               {reply: llmtest.GeminiBlockedPrompt("1"), kind: fault.ContentBlocked},
		"prompt blocked, newer number": {reply: llmtest.GeminiBlockedPrompt("4"), kind: fault.ContentBlocked},
		"prompt blocked, newer name":   {reply: llmtest.GeminiBlockedPrompt(`"BLOCKLIST"`), kind: fault.ContentBlocked},
		"prompt blocked, secret name":  {reply: llmtest.GeminiBlockedPrompt(secret), kind: fault.ContentBlocked},
		"secret reason":                {reply: chunks(ended(secret)), kind: fault.ModelError},
		"a call of nonsense":           {reply: chunks(parts(nonsense)), finish: llm.FinishStop},
		"feedback that blocks nothing": {reply: chunks(`{"promptFeedback":{"blockReason":0}}`, whole), finish: llm.FinishStop},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.NewGemini(t)
			s.Next(tc.reply)
			reply, err := ask(t, newModel(t, s.URL), request())
			if tc.kind != "" {
				if !fault.Is(err, tc.kind) || reply.Text != "" {
					t.Errorf("reply %+v, error %v, want %s", reply, err, tc.kind)
				}
				return
			}
			if err != nil || reply.Text != "yes" || reply.Finish != tc.finish {
				t.Errorf("reply %+v, error %v", reply, err)
			}
		})
	}
}

// chunk returns a chunk with a text and without a finish reason.
func chunk(text string) string { return llmtest.GeminiChunk(text, "", "") }

// ended returns a chunk with a finish reason and without content.
func ended(reason string) string { return `{"candidates":[{"finishReason":` + reason + `}]}` }

// parts returns a complete answer with parts in JSON.
func parts(json string) string {
	return `{"candidates":[{"content":{"parts":[` + json + `]},"finishReason":1}]}`
}

// TestUsage shows that usage never fails a reply, and that impossible counts are left out.
func TestUsage(t *testing.T) {
	t.Parallel()
	s := llmtest.NewGemini(t)
	m := newModel(t, s.URL)
	for usageJSON, want := range map[string]string{
		"": "- - -", "null": "- - -", "{}": "- - -", `"12"`: "- - -",
		`{"promptTokenCount":31,"candidatesTokenCount":9}`:                                    "31 - 9",
		`{"promptTokenCount":31,"candidatesTokenCount":9,"thoughtsTokenCount":5}`:             "31 - 14",
		`{"promptTokenCount":31,"candidatesTokenCount":9,"thoughtsTokenCount":-5}`:            "31 - 9",
		`{"promptTokenCount":9223372036854775807,"candidatesTokenCount":9223372036854775807}`: "- - -",
		`{"promptTokenCount":31}`: "31 - -",
		`{"promptTokenCount":31,"cachedContentTokenCount":30,"candidatesTokenCount":9}`: "31 30 9",
		`{"promptTokenCount":31,"cachedContentTokenCount":-1,"candidatesTokenCount":9}`: "31 - 9",
	} {
		s.Next(llmtest.GeminiChunks(llmtest.GeminiChunk("yes", "1", usageJSON)))
		reply, err := ask(t, m, request())
		if err != nil || reply.Text != "yes" || usage(reply) != want {
			t.Errorf("usage %s: %s, want %s (%v)", usageJSON, usage(reply), want, err)
		}
	}
	s.Next(llmtest.GeminiChunks(llmtest.GeminiChunk("a", "",
		`{"promptTokenCount":5,"candidatesTokenCount":1}`),
		chunk("b"), llmtest.GeminiChunk("c", "1", `{"promptTokenCount":5,"candidatesTokenCount":3}`)))
	if reply, err := ask(t, m, request()); err != nil || usage(reply) != "5 - 3" || reply.Text != "abc" {
		t.Errorf("usage in several chunks: %s (%v)", usage(reply), err)
	}
}

// TestUsageOfABrokenAnswer tests that the counts so far come with the error, except the count of the
// unfinished reply.
func TestUsageOfABrokenAnswer(t *testing.T) {
	t.Parallel()
	const used = `{"promptTokenCount":31,"cachedContentTokenCount":30,"candidatesTokenCount":9}`
	begun := llmtest.GeminiChunk("yes", "", used)
	calls := strings.Repeat(`{"functionCall":{"name":"f","args":{}}},`, 65) + `{"text":"yes"}`
	for name, answer := range map[string]llmtest.Reply{
		"cut off":        llmtest.Body("application/json", "["+begun+",{"),
		"an error":       llmtest.GeminiChunks(begun, `{"error":{"code":500}}`),
		"too many calls": llmtest.GeminiChunks(begun, parts(calls)),
	} {
		s := llmtest.NewGemini(t)
		s.Next(answer)
		req := request()
		req.Actions = []llm.Action{{Name: "f", Parameters: `{"type":"object"}`}}
		reply, err := ask(t, newModel(t, s.URL), req)
		if (err == nil) != (name == "too many calls") || !reply.Accepted || usage(reply) != "31 30 -" {
			t.Errorf("%s: %+v, usage %s, %v", name, reply, usage(reply), err)
		}
	}
}

// usage returns the input, cached and output tokens as text, with - for a missing one.
func usage(r llm.Reply) string {
	var text [3]string
	for i, n := range []*int64{r.InputTokens, r.CachedTokens, r.OutputTokens} {
		if text[i] = "-"; n != nil {
			text[i] = fmt.Sprint(*n)
		}
	}
	return strings.Join(text[:], " ")
}

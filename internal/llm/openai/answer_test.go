package openai_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/llm/openai"
)

func TestRequestAndReply(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.Next(llmtest.Text("The parcel ", "left on ", "Monday."))
	temperature, limit := 0.7, 256
	req := llm.Request{
		Model:        "gpt-5-mini",
		Instructions: "You are Ada's helper.\n\nAnswer in \"French\" — <b>always</b>. 😀",
		History: []llm.EarlierTurn{
			{User: "Where is it?", Assistant: "Which order?"},
			{User: "Number 42 \\u0000", Assistant: "  I am looking.\n"},
		},
		Message:         " order-42\tplease ",
		Temperature:     &temperature,
		MaxOutputTokens: &limit,
	}
	reply, err := ask(t, newModel(t, s), req)
	if err != nil || reply.Text != "The parcel left on Monday." || reply.Finish != llm.FinishStop ||
		usage(reply) != "11 - 3" {
		t.Errorf("reply %+v, usage %s, %v", reply, usage(reply), err)
	}
	got := s.Last(t)
	names := slices.Sorted(maps.Keys(got.Header))
	usual := []string{
		"Accept", "Accept-Encoding", "Authorization", "Content-Length", "Content-Type", "User-Agent",
	}
	if !slices.Equal(names, usual) || got.Header.Get("Authorization") != "Bearer "+testKey ||
		got.Header.Get("Content-Type") != "application/json" {
		t.Errorf("headers %v", got.Header)
	}
	body := got.OpenAI(t)
	want := []string{
		"system: " + req.Instructions, "user: Where is it?", "assistant: Which order?",
		"user: Number 42 \\u0000", "assistant:   I am looking.\n", "user:  order-42\tplease ",
	}
	if !slices.Equal(body.Conversation(), want) || body.Model != "gpt-5-mini" || !body.Stream ||
		!body.StreamOptions.IncludeUsage || *body.Temperature != 0.7 ||
		body.MaxTokens == nil || *body.MaxTokens != 256 || body.MaxCompletionTokens != nil {
		t.Errorf("sent %s", got.Body)
	}
}

// TestOptionalFields shows that nothing is sent that was not configured, not even a key from the
// environment.
func TestOptionalFields(t *testing.T) {
	t.Parallel()
	s := llmtest.NewOpenAI(t, "")
	m, err := openai.New(catalogue.ProviderConfig{Name: "ollama", BaseURL: s.URL + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := ask(t, m, llm.Request{Model: "llama", Message: "hi"})
	if err != nil || reply.Text != "Hello." {
		t.Fatalf("%+v, %v", reply, err)
	}
	got := s.Last(t)
	body := got.OpenAI(t)
	if _, sent := got.Header["Authorization"]; sent || s.Holds(fromEnvironment, "") ||
		body.Temperature != nil || body.MaxTokens != nil || body.MaxCompletionTokens != nil ||
		len(body.Messages) != 1 {
		t.Errorf("headers %v, sent %s", got.Header, got.Body)
	}
}

// TestOutputLimit tests the name of the output limit for OpenAI itself and for compatible servers,
// which get no cache key.
func TestOutputLimit(t *testing.T) {
	t.Parallel()
	limit := 0
	for base, isOpenAI := range map[string]bool{
		"": true, "https://api.openai.com/v1": true, "https://API.openai.com/v1/": true, "https://eu.api.openai.com/v1": true,
		"http://localhost:11434/v1": false, "https://api.openai.com.example.org/v1": false, "https://notapi.openai.com/v1": false,
	} {
		m, err := openai.New(catalogue.ProviderConfig{APIKey: testKey, BaseURL: base})
		if err != nil {
			t.Fatalf("%s: %v", base, err)
		}
		body, err := openai.Payload(m,
			llm.Request{Model: "m", Message: "x", MaxOutputTokens: &limit, CacheKey: "k"})
		if err != nil {
			t.Fatal(err)
		}
		newer, older := strings.Contains(string(body), `"max_completion_tokens":1`),
			strings.Contains(string(body), `"max_tokens":1`)
		key := strings.Contains(string(body), `"prompt_cache_key":"k"`)
		if openai.IsOpenAI(m) != isOpenAI || newer != isOpenAI || older == isOpenAI || key != isOpenAI {
			t.Errorf("%s: %s", base, body)
		}
	}
}

func TestBaseURLs(t *testing.T) {
	t.Parallel()
	for _, suffix := range []string{"/v1", "/v1/", "/v1/chat/completions", "/v1/chat/completions/"} {
		s := newServer(t)
		m := quickModel(t, s.URL+suffix)
		if _, err := ask(t, m, request()); err != nil {
			t.Errorf("base URL with %q: %v", suffix, err)
		}
	}
	var _ catalogue.Factory = openai.New
}

func TestFinishReasons(t *testing.T) {
	t.Parallel()
	chunks, delta, yes := llmtest.OpenAIChunks, llmtest.OpenAIDelta, llmtest.OpenAIChunk("yes", "")
	ended := func(reason string) string { return delta("{}", reason) }
	const stop, blocked, failed, refused = llm.FinishStop, llm.FinishBlocked, fault.ModelError, fault.ContentBlocked
	for name, tc := range map[string]struct {
		reply  llmtest.Reply
		finish llm.FinishReason
		kind   fault.Kind
	}{
		"stop":                      {reply: chunks(yes, ended(`"stop"`)), finish: stop},
		"stop with the text":        {reply: chunks(llmtest.OpenAIChunk("yes", "stop")), finish: stop},
		"stop, said twice":          {reply: chunks(yes, ended(`"stop"`), ended(`"stop"`)), finish: stop},
		"eos_token":                 {reply: chunks(yes, ended(`"eos_token"`)), finish: stop},
		"an empty reason each time": {reply: chunks(delta(`{"content":"yes"}`, `""`), ended(`"stop"`)), finish: stop},
		"no reason but the end":     {reply: chunks(yes), finish: stop},
		"length":                    {reply: chunks(yes, ended(`"length"`)), finish: llm.FinishLength},
		"model_length":              {reply: chunks(yes, ended(`"model_length"`)), finish: llm.FinishLength},
		"max_tokens":                {reply: chunks(yes, ended(`"max_tokens"`)), finish: llm.FinishLength},
		"whole, max_tokens":         {reply: llmtest.OpenAIWhole(`{"content":"yes"}`, `"max_tokens"`), finish: llm.FinishLength},
		"usage before the end":      {reply: chunks(llmtest.OpenAIUsage(`{}`), yes, ended(`"stop"`)), finish: stop},
		"thoughts":                  {reply: chunks(delta(`{"reasoning_content":"hm","reasoning":"hm"}`, "null"), yes), finish: stop},
		"a null delta":              {reply: chunks(delta("null", "null"), yes), finish: stop},
		"a null content":            {reply: chunks(delta(`{"role":"assistant","content":null,"refusal":null}`, "null"), yes), finish: stop},
		"content in parts": {reply: chunks(delta(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},`+
			`{"type":"text","text":"ye"},{"type":"text","text":"s"}]}`, "null")), finish: stop},
		"another choice": {reply: chunks(`{"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"content":"yes"}}]}`), finish: stop},
		"filter results first": {reply: chunks(`{"id":"","model":"","choices":[],"prompt_filter_results":[{"prompt_index":0}]}`,
			yes, ended(`"stop"`)), finish: stop},
		"the barest chunks":       {reply: chunks(`{"choices":[{"delta":{"content":"yes"}}]}`), finish: stop},
		"odd fields":              {reply: chunks(`{"id":7,"created":"now","model":null,"choices":[{"index":null,"delta":{"content":"yes","role":3}}]}`), finish: stop},
		"a null error":            {reply: chunks(`{"error":null,"choices":[{"delta":{"content":"yes"}}]}`), finish: stop},
		"nothing said":            {reply: chunks(ended(`"stop"`)), kind: failed},
		"cut before any text":     {reply: chunks(ended(`"length"`)), kind: failed},
		"the end alone":           {reply: chunks(), kind: failed},
		"only thoughts":           {reply: chunks(delta(`{"reasoning_content":"hm"}`, `"stop"`)), kind: failed},
		"tool_calls":              {reply: chunks(delta(`{"tool_calls":[{"index":0}]}`, "null"), ended(`"tool_calls"`)), kind: failed},
		"calls after a text":      {reply: chunks(yes, ended(`"tool_calls"`)), finish: stop},
		"function_call":           {reply: chunks(yes, ended(`"function_call"`)), finish: stop},
		"an unknown reason":       {reply: chunks(yes, ended(`"`+testKey+`"`)), finish: stop},
		"unknown, nothing said":   {reply: chunks(ended(`"` + testKey + `"`)), kind: failed},
		"a reason of nonsense":    {reply: chunks(yes, ended(`{"a":1}`)), finish: stop},
		"a number for a reason":   {reply: chunks(yes, ended("1")), finish: stop},
		"no end either":           {reply: llmtest.EndAfter("yes"), finish: stop},
		"content_filter":          {reply: chunks(yes, ended(`"content_filter"`)), finish: blocked},
		"content_filter earlier":  {reply: chunks(yes, ended(`"content_filter"`), ended(`"stop"`)), finish: blocked},
		"content_filter later":    {reply: chunks(yes, ended(`"stop"`), ended(`"content_filter"`)), finish: blocked},
		"content_filter at once":  {reply: chunks(ended(`"content_filter"`)), kind: refused},
		"a refusal":               {reply: chunks(delta(`{"refusal":"`+prompt+`"}`, "null"), delta(`{"refusal":"do that"}`, `"stop"`)), kind: refused},
		"a refusal after a text":  {reply: chunks(yes, delta(`{"refusal":"`+prompt+`"}`, "null")), finish: blocked},
		"an empty refusal":        {reply: chunks(delta(`{"content":"yes","refusal":""}`, `"stop"`)), finish: stop},
		"whole":                   {reply: llmtest.OpenAIWhole(`{"role":"assistant","content":"yes","refusal":null}`, `"stop"`), finish: stop},
		"whole, no reason":        {reply: llmtest.OpenAIWhole(`{"content":"yes"}`, "null"), finish: stop},
		"whole, cut":              {reply: llmtest.OpenAIWhole(`{"content":"yes"}`, `"length"`), finish: llm.FinishLength},
		"whole, a refusal":        {reply: llmtest.OpenAIWhole(`{"content":null,"refusal":"no"}`, `"stop"`), kind: refused},
		"whole, content_filter":   {reply: llmtest.OpenAIWhole(`{"content":"yes"}`, `"content_filter"`), finish: blocked},
		"whole, nothing said":     {reply: llmtest.OpenAIWhole(`{"content":""}`, `"stop"`), kind: failed},
		"whole, calls":            {reply: llmtest.OpenAIWhole(`{"content":null,"tool_calls":[]}`, `"tool_calls"`), kind: failed},
		"whole, as event-stream":  {reply: llmtest.Body("text/event-stream", ` {"choices":[{"message":{"content":"yes"}}]}`), finish: stop},
		"whole, without a choice": {reply: llmtest.Body("application/json", `{"choices":[]}`), kind: failed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			s.Next(tc.reply)
			reply, err := ask(t, newModel(t, s), request())
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

// TestUsage shows that usage never fails a reply, and that impossible counts are left out.
func TestUsage(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	m := newModel(t, s)
	for usageJSON, want := range map[string]string{
		"null": "- - -", "{}": "- - -", `"12"`: "- - -", "[1]": "- - -", "7": "- - -",
		`{"prompt_tokens":31,"completion_tokens":9,"total_tokens":40}`:                                    "31 - 9",
		`{"prompt_tokens":31,"completion_tokens":9,"completion_tokens_details":{"reasoning_tokens":"x"}}`: "31 - 9",
		`{"prompt_tokens":0,"completion_tokens":0}`:                                                       "0 - 0",
		`{"prompt_tokens":-1,"completion_tokens":-1}`:                                                     "- - -",
		`{"prompt_tokens":9223372036854775807,"completion_tokens":9223372036854775807,"total_tokens":-2}`: "- - -",
		`{"prompt_tokens":9223372036854775808,"completion_tokens":-9223372036854775809}`:                  "- - -",
		`{"prompt_tokens":1e308,"completion_tokens":1e308,"total_tokens":1e999}`:                          "- - -",
		`{"prompt_tokens":"31","completion_tokens":"many"}`:                                               "- - -",
		`{"prompt_tokens":2.5,"completion_tokens":9}`:                                                     "- - 9",
		`{"prompt_tokens":31}`: "31 - -",
		`{"prompt_tokens":31,"prompt_tokens_details":{"cached_tokens":30},"completion_tokens":9}`:      "31 30 9",
		`{"prompt_tokens":31,"prompt_tokens_details":{"cached_tokens":0},"prompt_cache_hit_tokens":4}`: "31 0 -",
		`{"prompt_tokens":31,"prompt_tokens_details":{"cached_tokens":-1},"completion_tokens":9}`:      "31 - 9",
		`{"prompt_tokens":31,"prompt_cache_hit_tokens":16,"completion_tokens":9}`:                      "31 16 9",
		`{"prompt_tokens":{},"completion_tokens":[],"prompt_tokens_details":"x"}`:                      "- - -",
	} {
		s.Next(llmtest.OpenAIChunks(llmtest.OpenAIChunk("yes", "stop"), llmtest.OpenAIUsage(usageJSON)))
		reply, err := ask(t, m, request())
		if err != nil || reply.Text != "yes" || usage(reply) != want {
			t.Errorf("usage %s: %s, want %s (%v)", usageJSON, usage(reply), want, err)
		}
	}
	s.Next(llmtest.OpenAIChunks(llmtest.OpenAIChunk("yes", "stop")))
	if reply, err := ask(t, m, request()); err != nil || usage(reply) != "- - -" {
		t.Errorf("no usage: %s (%v)", usage(reply), err)
	}
}

// TestVendorTokens shows that the counts in Groq's and llama.cpp's own fields are used if there is
// no usage.
func TestVendorTokens(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	m := newModel(t, s)
	const (
		usageNull = `"usage":null`
		own       = `"usage":{"prompt_tokens":5,"completion_tokens":2}`
		groq      = `"x_groq":{"id":"req_01","usage":{"queue_time":0.02,"prompt_tokens":18,"prompt_time":0.01,` +
			`"completion_tokens":439,"completion_time":0.8,"total_tokens":457,"total_time":0.81}}`
		llama = `"timings":{"cache_n":236,"prompt_n":1,"prompt_ms":30.958,"prompt_per_token_ms":30.958,` +
			`"prompt_per_second":32.3,"predicted_n":35,"predicted_ms":661.064,"predicted_per_second":52.9}`
	)
	for _, tc := range []struct{ middle, last, want string }{
		{usageNull, groq, "18 - 439"},
		{`"x_groq":{"id":"req_01"}`, groq, "18 - 439"},
		{usageNull, llama, "237 236 35"},
		{`"timings":{"cache_n":236,"prompt_n":1,"predicted_n":1}`, llama, "237 236 35"},
		{usageNull, `"timings":{"prompt_n":12,"predicted_n":3}`, "12 - 3"},
		{groq, own, "5 - 2"},
		{own, groq, "5 - 2"},
		{own + "," + llama, usageNull, "5 - 2"},
		{`"usage":{"prompt_tokens":"many"},` + groq, usageNull, "18 - 439"},
		{usageNull, `"x_groq":"req_01"`, "- - -"},
		{`"x_groq":{"usage":[1]}`, `"timings":[]`, "- - -"},
		{usageNull, `"timings":{"cache_n":-1,"prompt_n":-1,"predicted_n":-1}`, "- - -"},
	} {
		var chunks []string
		for _, fields := range []string{tc.middle, tc.last} {
			chunks = append(chunks, `{"object":"chat.completion.chunk","choices":[],`+fields+`}`)
		}
		s.Next(llmtest.OpenAIChunks(append([]string{llmtest.OpenAIChunk("yes", "stop")}, chunks...)...))
		reply, err := ask(t, m, request())
		if err != nil || reply.Text != "yes" || usage(reply) != tc.want {
			t.Errorf("%s, then %s: %s, want %s (%v)", tc.middle, tc.last, usage(reply), tc.want, err)
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

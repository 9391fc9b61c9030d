package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/llm"
)

// NewOpenAI starts a server that speaks OpenAI's chat completions API: it answers POST
// /v1/chat/completions with a stream of events. It stops with the test. It answers any other path
// or method with 404, and a request without the key with 401, and does not record such requests.
// With an empty key, it accepts all requests, as local servers do.
func NewOpenAI(t testing.TB, key string) *Server {
	t.Helper()
	return newServer(t, openAIFormat{key: key})
}

// OpenAIRequest is the body of a request to an OpenAI-compatible server, with the fields that the
// service sends.
type OpenAIRequest struct {
	Model         string          `json:"model"`
	Messages      []OpenAIMessage `json:"messages"`
	Stream        bool            `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Temperature         *float64 `json:"temperature"`
	MaxTokens           *int     `json:"max_tokens"`
	MaxCompletionTokens *int     `json:"max_completion_tokens"`
	ResponseFormat      *struct {
		Type       string `json:"type"`
		JSONSchema struct {
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"schema"`
			Strict bool            `json:"strict"`
		} `json:"json_schema"`
	} `json:"response_format"`
	// Tools are the actions. ToolChoice is "none" if the model must not call them.
	Tools []struct {
		Type     string `json:"type"`
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	ToolChoice      string `json:"tool_choice"`
	ReasoningEffort string `json:"reasoning_effort"`
}

// OpenAIMessage is one message. Content is empty for null.
type OpenAIMessage struct {
	Role      string `json:"role"`
	Content   string `json:"content"`
	ToolCalls []struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
	ToolCallID string `json:"tool_call_id"`
}

// Conversation returns the messages as "role: text".
func (r OpenAIRequest) Conversation() []string {
	all := make([]string, len(r.Messages))
	for i, m := range r.Messages {
		all[i] = m.Role + ": " + m.Content
	}
	return all
}

// OpenAI parses the body of a request to an OpenAI-compatible server, or fails the test.
func (r Request) OpenAI(t testing.TB) OpenAIRequest {
	t.Helper()
	var request OpenAIRequest
	if err := json.Unmarshal(r.Body, &request); err != nil {
		t.Fatalf("the model server received a body that is not in OpenAI's format: %v", err)
	}
	return request
}

// OpenAIDelta returns a chunk with a delta and a finish reason, both in JSON.
func OpenAIDelta(delta, finish string) string {
	return `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1767225600,"model":"gpt-test","system_fingerprint":"fp_1",` +
		`"choices":[{"index":0,"delta":` + delta + `,"logprobs":null,"finish_reason":` + finish + `}],"usage":null}`
}

// OpenAIChunk returns a chunk with a text. finish is the finish reason, "" for none.
func OpenAIChunk(text, finish string) string {
	reason := "null"
	if finish != "" {
		reason = quote(finish)
	}
	return OpenAIDelta(`{"content":`+quote(text)+`}`, reason)
}

// OpenAIUsage returns the last chunk, which has no choices, only the usage, in JSON.
func OpenAIUsage(usage string) string {
	return `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1767225600,"model":"gpt-test","choices":[],"usage":` + usage + `}`
}

// OpenAIChunks answers with a stream of chunks and its end.
func OpenAIChunks(chunks ...string) Reply {
	return Body(eventStream, append(frames(chunks), "data: [DONE]\n\n")...)
}

// OpenAIWhole answers like a server that does not stream, with a message and a finish reason, both
// in JSON.
func OpenAIWhole(message, finish string) Reply {
	return Body("application/json",
		`{"id":"chatcmpl-1","object":"chat.completion","created":1767225600,"model":"gpt-test",`+
			`"choices":[{"index":0,"message":`+message+`,"finish_reason":`+finish+`}],`+
			`"usage":{"prompt_tokens":11,"completion_tokens":3,"total_tokens":14}}`)
}

// OpenAIError refuses like OpenAI. kind, code and param are in JSON.
func OpenAIError(status int, kind, code, param, message string) Reply {
	return StatusBody(status, openAIError(kind, code, param, message))
}

const eventStream = "text/event-stream; charset=utf-8"

// openAIFormat is OpenAI's format.
type openAIFormat struct{ key string }

func (f openAIFormat) check(r *http.Request) int {
	switch {
	case r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions":
		return http.StatusNotFound
	case f.key != "" && r.Header.Get("Authorization") != "Bearer "+f.key:
		return http.StatusUnauthorized
	}
	return 0
}

func (f openAIFormat) answer(pieces []string) (contentType string, body []string) {
	return f.stream(pieces, "stop")
}

// stream returns a text. The finish reason, the usage and [DONE] come with the last piece.
func (openAIFormat) stream(pieces []string, finish string) (contentType string, body []string) {
	chunks := make([]string, len(pieces))
	for i, piece := range pieces {
		chunks[i] = OpenAIChunk(piece, "")
	}
	body = frames(chunks)
	if len(body) > 0 {
		end := frames([]string{
			OpenAIDelta("{}", quote(finish)),
			OpenAIUsage(`{"prompt_tokens":11,"completion_tokens":3,"total_tokens":14}`),
			"[DONE]",
		})
		body[0] = frames([]string{OpenAIDelta(`{"role":"assistant","content":"","refusal":null}`,
			"null")})[0] + body[0]
		body[len(body)-1] += strings.Join(end, "")
	}
	return eventStream, body
}

// calls returns the text, if any, and then the calls as OpenAI streams them: the name first, then
// the arguments in pieces.
func (openAIFormat) calls(text string, calls []llm.Call) (string, []string) {
	chunks := []string{OpenAIDelta(`{"role":"assistant","content":null,"refusal":null}`, "null")}
	if text != "" {
		chunks = append(chunks, OpenAIChunk(text, ""))
	}
	for i, c := range calls {
		half := len(c.Arguments) / 2
		first := fmt.Sprintf(`"id":"call_%d","type":"function","function":{"name":%s,"arguments":""}`,
			i+1, quote(c.Name))
		then := `"function":{"arguments":`
		for _, part := range []string{first, then + quote(c.Arguments[:half]) + "}",
			then + quote(c.Arguments[half:]) + "}"} {
			chunks = append(chunks,
				OpenAIDelta(fmt.Sprintf(`{"tool_calls":[{"index":%d,%s}]}`, i, part), "null"))
		}
	}
	return eventStream, frames(append(chunks, OpenAIDelta("{}", `"tool_calls"`),
		OpenAIUsage(`{"prompt_tokens":11,"completion_tokens":3,"total_tokens":14}`), "[DONE]"))
}

func (openAIFormat) interruption() string {
	return "data: " + openAIError(`"server_error"`, "null", "null",
		"The server failed in the middle.") + "\n\n"
}

func (f openAIFormat) blocked(text string) (string, []string) {
	return f.stream([]string{text}, "content_filter")
}

func (f openAIFormat) cut(text string) (string, []string) {
	return f.stream([]string{text}, "length")
}

var openAICodes = map[int]string{
	401: `"invalid_api_key"`, 404: `"model_not_found"`, 429: `"rate_limit_exceeded"`, 500: `"server_error"`,
}

func (openAIFormat) failure(status int) string {
	code, ok := openAICodes[status]
	if !ok {
		code = "null"
	}
	return openAIError(`"invalid_request_error"`, code, "null",
		"The server refused: "+http.StatusText(status))
}

func openAIError(kind, code, param, message string) string {
	return fmt.Sprintf(`{"error":{"message":%s,"type":%s,"param":%s,"code":%s}}`, quote(message), kind,
		param, code)
}

// frames returns each data as an event.
func frames(data []string) []string {
	events := make([]string, len(data))
	for i, d := range data {
		events[i] = "data: " + d + "\n\n"
	}
	return events
}

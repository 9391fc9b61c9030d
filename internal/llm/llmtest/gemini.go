package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/llm"
)

// NewGemini starts a server that speaks Gemini's format: it answers POST
// /v1beta/models/{model}:streamGenerateContent with a JSON array of chunks. It stops with the test.
// Like Google, it answers any other path or method with 404 and a request without the header
// x-goog-api-key with 403, and does not record such requests.
func NewGemini(t testing.TB) *Server {
	t.Helper()
	return newServer(t, geminiFormat{})
}

// GeminiRequest is the body of a request to Gemini, with the fields that the service sends.
type GeminiRequest struct {
	SystemInstruction *GeminiContent  `json:"systemInstruction"`
	Contents          []GeminiContent `json:"contents"`
	GenerationConfig  struct {
		Temperature     *float64 `json:"temperature"`
		MaxOutputTokens *int     `json:"maxOutputTokens"`
		// ResponseMIMEType and ResponseJSONSchema request a structured reply.
		ResponseMIMEType   string          `json:"responseMimeType"`
		ResponseJSONSchema json.RawMessage `json:"responseJsonSchema"`
	} `json:"generationConfig"`
	// Tools are the actions. The mode "NONE" forbids the model to call them.
	Tools []struct {
		FunctionDeclarations []struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parametersJsonSchema"`
		} `json:"functionDeclarations"`
	} `json:"tools"`
	ToolConfig struct {
		FunctionCallingConfig struct {
			Mode string `json:"mode"`
		} `json:"functionCallingConfig"`
	} `json:"toolConfig"`
}

// GeminiContent is one message.
type GeminiContent struct {
	Role  string       `json:"role"`
	Parts []GeminiPart `json:"parts"`
}

// GeminiPart is a text, a call or a call's result.
type GeminiPart struct {
	Text             string `json:"text"`
	ThoughtSignature string `json:"thoughtSignature"`
	FunctionCall     *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
	FunctionResponse *struct {
		ID       string          `json:"id"`
		Name     string          `json:"name"`
		Response json.RawMessage `json:"response"`
	} `json:"functionResponse"`
}

// Text returns the message's parts as one text.
func (c GeminiContent) Text() string {
	var text strings.Builder
	for _, part := range c.Parts {
		text.WriteString(part.Text)
	}
	return text.String()
}

// Gemini parses the body of a request to Gemini, or fails the test.
func (r Request) Gemini(t testing.TB) GeminiRequest {
	t.Helper()
	var request GeminiRequest
	if err := json.Unmarshal(r.Body, &request); err != nil {
		t.Fatalf("the model server received a body that is not in Gemini's format: %v", err)
	}
	return request
}

// GeminiChunk returns a chunk with a text. finish is the finish reason, a number or a quoted name;
// usage is JSON. "" leaves either out.
func GeminiChunk(text, finish, usage string) string {
	chunk := fmt.Sprintf(`{"candidates":[{"content":{"role":"model","parts":[{"text":%s}]},"index":0`,
		quote(text))
	if finish != "" {
		chunk += `,"finishReason":` + finish
	}
	chunk += "}]"
	if usage != "" {
		chunk += `,"usageMetadata":` + usage
	}
	return chunk + `,"modelVersion":"gemini-test","responseId":"r-1"}`
}

// GeminiChunks answers with chunks.
func GeminiChunks(chunks ...string) Reply {
	return Body(geminiType, array(chunks)...)
}

// GeminiBlockedPrompt answers like Gemini to a blocked message: without a candidate. reason is the
// block reason, a number or a quoted name.
func GeminiBlockedPrompt(reason string) Reply {
	return GeminiChunks(`{"promptFeedback":{"blockReason":` + reason +
		`},"usageMetadata":{"promptTokenCount":7}}`)
}

// GeminiBlockedReply answers with a text, then with a candidate without content. reason is its
// finish reason, a number or a quoted name.
func GeminiBlockedReply(text, reason string) Reply {
	return Body(geminiType, geminiBlocked(text, reason)...)
}

func geminiBlocked(text, reason string) []string {
	return array([]string{GeminiChunk(text, "", ""),
		`{"candidates":[{"finishReason":` + reason + `,"index":0}]}`})
}

// GeminiError refuses like Gemini, with details in JSON.
func GeminiError(status int, word, message string, details ...string) Reply {
	return StatusBody(status, geminiError(status, word, message, details...))
}

const geminiType = "application/json; charset=UTF-8"

// geminiFormat is Gemini's format.
type geminiFormat struct{}

func (geminiFormat) check(r *http.Request) int {
	switch {
	case r.Method != http.MethodPost || !strings.HasPrefix(r.URL.Path, "/v1beta/models/") ||
		!strings.HasSuffix(r.URL.Path, ":streamGenerateContent"):
		return http.StatusNotFound
	case r.Header.Get("X-Goog-Api-Key") == "":
		return http.StatusForbidden
	}
	return 0
}

func (geminiFormat) answer(pieces []string) (contentType string, body []string) {
	chunks := make([]string, len(pieces))
	for i, piece := range pieces {
		finish, usage := "", ""
		if i == len(pieces)-1 {
			finish, usage = "1", `{"promptTokenCount":11,"candidatesTokenCount":3,"totalTokenCount":14}`
		}
		chunks[i] = GeminiChunk(piece, finish, usage)
	}
	return geminiType, array(chunks)
}

// calls returns the text, if any, and then the calls, each in its own chunk. The first one has a
// signature.
func (geminiFormat) calls(text string, calls []llm.Call) (string, []string) {
	var chunks []string
	if text != "" {
		chunks = append(chunks, GeminiChunk(text, "", ""))
	}
	for i, c := range calls {
		signature := ""
		if i == 0 {
			signature = `,"thoughtSignature":"c2lnbmF0dXJl"`
		}
		part := fmt.Sprintf(`{"functionCall":{"id":"call-%d","name":%s,"args":%s}%s}`, i+1, quote(c.Name),
			c.Arguments, signature)
		chunks = append(chunks,
			`{"candidates":[{"content":{"role":"model","parts":[`+part+`]},"index":0}]}`)
	}
	return geminiType, array(append(chunks,
		GeminiChunk("", "1", `{"promptTokenCount":11,"candidatesTokenCount":3}`)))
}

func (geminiFormat) interruption() string {
	return ",\r\n" + strings.TrimPrefix(geminiError(500, "INTERNAL",
		"The server failed in the middle."), "[")
}

func (geminiFormat) blocked(text string) (string, []string) {
	return geminiType, geminiBlocked(text, "3")
}

func (geminiFormat) cut(text string) (string, []string) {
	return geminiType, array([]string{GeminiChunk(text, "2",
		`{"promptTokenCount":11,"candidatesTokenCount":3}`)})
}

var geminiWords = map[int]string{
	400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED",
	500: "INTERNAL", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
}

func (geminiFormat) failure(status int) string {
	return geminiError(status, geminiWords[status], "The server refused: "+http.StatusText(status))
}

// geminiError returns an error of a streaming method: an array with one element.
func geminiError(status int, word, message string, details ...string) string {
	return fmt.Sprintf(`[{"error":{"code":%d,"message":%s,"status":%s,"details":[%s]}}]`,
		status, quote(message), quote(word), strings.Join(details, ","))
}

// array returns chunks as the pieces of a JSON array.
func array(chunks []string) []string {
	pieces := make([]string, len(chunks))
	for i, chunk := range chunks {
		before := ",\r\n"
		if i == 0 {
			before = "["
		}
		pieces[i] = before + chunk
	}
	if len(pieces) == 0 {
		return []string{"[]"}
	}
	pieces[len(pieces)-1] += "\n]"
	return pieces
}

func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return string(quoted)
}

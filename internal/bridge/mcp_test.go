package bridge_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/internal/store/storetest"
)

// mcpSession connects an MCP client to the bridge. Each progress notification is sent on progress.
func (b *bench) mcpSession(headers ...string) (session *mcp.ClientSession, progress chan float64) {
	b.t.Helper()
	progress = make(chan float64, 100)
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { progress <- r.Params.Progress },
	})
	session, err := client.Connect(b.t.Context(), &mcp.StreamableClientTransport{Endpoint: b.bridge + "/mcp",
		HTTPClient: &http.Client{Transport: withHeaders(append(headers, "Authorization: Bearer "+b.fixture.Key.Reveal()))}}, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = session.Close() })
	return session, progress
}

// withHeaders adds headers to each request.
type withHeaders []string

func (w withHeaders) RoundTrip(r *http.Request) (*http.Response, error) {
	for _, line := range w {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// call calls the tool, and returns its structured result and its text.
func call(t *testing.T, session *mcp.ClientSession, arguments map[string]any) (out struct {
	Reply, Conversation string
	Credits             int
}, text string, isError bool) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask", Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	structured, _ := json.Marshal(result.StructuredContent)
	if err := json.Unmarshal(structured, &out); err != nil {
		t.Fatal(err)
	}
	return out, result.Content[0].(*mcp.TextContent).Text, result.IsError
}

// TestMCP: two turns of a conversation, and calls that fail.
func TestMCP(t *testing.T) {
	t.Parallel()
	b := newBench(t, weather(), nil)
	session, _ := b.mcpSession("X-User-Id: ada")
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 1 || tools.Tools[0].Name != "ask" ||
		tools.Tools[0].Description != "Asks the AI agent behind this connection and returns its reply. To continue, send the conversation of its last answer." {
		t.Errorf("%+v (%v)", tools, err)
	}
	first, text, isError := call(t, session, map[string]any{"message": "My name is Ada."})
	if isError || text != first.Reply || !strings.Contains(text, "turn 1") || first.Credits != 1 {
		t.Errorf("%+v, %q", first, text)
	}
	second, text, isError := call(t, session, map[string]any{"message": "What is my name?", "conversation": first.Conversation})
	if isError || second.Conversation != first.Conversation || !strings.Contains(text, "turn 2") || !strings.Contains(text, "Ada") {
		t.Errorf("%+v, %q", second, text)
	}
	for message, say := range map[string]string{
		"Hello":                          "conversation is not one that ask returned. Leave it out.",
		"[[sandbox action=get_weather]]": "The agent asked for get_weather, which this connection cannot run.",
		"[[sandbox fail=error]]":         "The model failed to answer. Nothing was charged. Try again.",
	} {
		arguments := map[string]any{"message": message}
		if message == "Hello" {
			arguments["conversation"] = "one"
		}
		if _, text, isError := call(t, session, arguments); !isError || text != say {
			t.Errorf("%s: %q", message, text)
		}
	}
	b.expectCharges(3) // the agent's request for an action is a reply
	if n := storetest.CountRows(t, b.store, `SELECT count(*) FROM conversations WHERE user_id = 'ada' AND session_id LIKE 'br\_%'`); n != 3 {
		t.Errorf("%d conversations", n)
	}
	if log := b.log.String(); strings.Count(log, `"route":"/mcp","status":200`) < 5 || strings.Count(log, `"code":"model_error"`) != 1 {
		t.Errorf("log: %s", log)
	}
	b.send("/mcp", "").refused(t, 405, "method_not_allowed")
	b.send("/mcp", `{"method": "`+strings.Repeat("x", 256<<10)+`"}`).refused(t, 413, "payload_too_large")
	b.send("/mcp", `[{}]`).refused(t, 400, "invalid_json")
	b.send("/mcp", `{}`, "Authorization: Bearer no").refused(t, 401, "unauthorized")
}

// TestMCPProgress: a long call reports its progress, and one whose request the client closes ends the
// request to the service.
func TestMCPProgress(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{}, 1)
	b := newBench(t, storetest.Options{}, func(http.Handler) http.Handler {
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // net/http watches the connection only afterwards
			<-r.Context().Done()
			ended <- struct{}{}
		})
	})
	session, progress := b.mcpSession()
	ctx, cancel := context.WithCancel(t.Context())
	params := &mcp.CallToolParams{Name: "ask", Arguments: map[string]any{"message": "Hello"}}
	params.SetProgressToken("token")
	failed := make(chan error)
	go func() {
		_, err := session.CallTool(ctx, params)
		failed <- err
	}()
	for want := 1.0; want <= 2; want++ {
		if got := <-progress; got != want {
			t.Errorf("progress %v, want %v", got, want)
		}
	}
	cancel()
	if err := <-failed; err == nil {
		t.Error("the call was answered")
	}
	<-ended
}

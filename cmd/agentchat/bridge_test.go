package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/internal/store/storetest"
)

// TestBridge tests that a stream which has begun is finished after a signal, while /readyz answers
// 503.
func TestBridge(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	f := storetest.Seed(t, storetest.Open(t, url), storetest.Options{})
	s := startService(t, onDatabase(t, url, "TRUSTED_PROXIES=127.0.0.0/8"))
	service, _, _ := strings.Cut(s.Chat, "/v1/")
	b := startCommand(t, []string{"AGENTCHAT_URL=" + service, "BRIDGE_ADDR=127.0.0.1:0", "BRIDGE_OPS_ADDR=127.0.0.1:0"},
		"bridge", "--json")
	var where struct{ Bridge string }
	if err := json.Unmarshal([]byte(b.stdout.String()), &where); err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, where.Bridge+"/v1/responses",
		strings.NewReader(`{"input": "[[sandbox words=40 pace=50ms]]", "stream": true}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+f.Key.Reveal())
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	lines, last := bufio.NewScanner(response.Body), ""
	for lines.Scan() && !strings.Contains(lines.Text(), "output_text.delta") {
	}
	b.cancel()
	until(t, "the bridge drains", func() bool { return status(t, b.Ops+"/readyz") == http.StatusServiceUnavailable })
	for lines.Scan() {
		if lines.Text() != "" {
			last = lines.Text()
		}
	}
	if last != "data: [DONE]" {
		t.Errorf("the stream ended with %q (%v)", last, lines.Err())
	}
	if code := b.stop(t); code != exitOK {
		t.Errorf("exit code %d: %s", code, b.stderr.String())
	}
	if log := b.stderr.String(); strings.Contains(log, "sandbox") || strings.Contains(log, f.Key.Reveal()[4:]) {
		t.Errorf("the log contains a text or a key: %s", log)
	}
}

// TestBridgeSettings tests which settings of the bridge are refused.
func TestBridgeSettings(t *testing.T) {
	t.Parallel()
	for setting, say := range map[string]string{
		"AGENTCHAT_URL=":                             "is required",
		"AGENTCHAT_URL=http://chat.example.com":      "https://",
		"AGENTCHAT_URL=http://8.8.8.8":               "https://",
		"AGENTCHAT_URL=https://chat.example.com/a":   "path",
		"AGENTCHAT_URL=https://a:b@chat.example.com": "password",
		"BRIDGE_TIMEOUT=9s":                          "10s to 15m",
		"BRIDGE_ADDR=127.0.0.1:9091":                 "BRIDGE_OPS_ADDR",
	} {
		name, _, _ := strings.Cut(setting, "=")
		env := []string{setting}
		if name != "AGENTCHAT_URL" {
			env = append(env, "AGENTCHAT_URL=http://localhost:8080")
		}
		invoke(t, env, "", "bridge").expectLine(t, exitUsage, name, say)
	}
	for host, want := range map[string]bool{"127.0.0.1": true, "10.1.2.3": true, "fd00::1": true, "agentchat": true,
		"localhost": true, "::ffff:10.0.0.1": true, "11.1.2.3": false, "2001:db8::1": false, "chat.example.com": false} {
		if isPrivate(host) != want {
			t.Errorf("isPrivate(%q) = %v", host, !want)
		}
	}
}

// TestMCP tests two turns over standard input and output, and a log without texts and keys.
func TestMCP(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	f := storetest.Seed(t, storetest.Open(t, url), storetest.Options{})
	s := startService(t, onDatabase(t, url))
	service, _, _ := strings.Cut(s.Chat, "/v1/")
	in, out := io.Pipe()
	answers, written := io.Pipe()
	var log safeBuffer
	ended := make(chan int)
	go func() {
		ended <- run(t.Context(), process{args: []string{"mcp", "--user-id=ada"}, stdin: in, stdout: written, stderr: &log,
			env: []string{"AGENTCHAT_URL=" + service, "AGENTCHAT_API_KEY_FILE=" + writeFile(t, f.Key.Reveal())}})
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: answers, Writer: out}, nil)
	if err != nil {
		t.Fatal(err)
	}
	say := func(arguments map[string]any) map[string]any {
		t.Helper()
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask", Arguments: arguments})
		if err != nil || result.IsError {
			t.Fatalf("%+v (%v)", result, err)
		}
		return result.StructuredContent.(map[string]any)
	}
	first := say(map[string]any{"message": "My name is Ada."})
	second := say(map[string]any{"message": "What is my name?", "conversation": first["conversation"]})
	if reply := second["reply"].(string); !strings.Contains(reply, "Ada") || !strings.Contains(reply, "turn 2") {
		t.Errorf("%v", second)
	}
	_ = session.Close()
	if code := <-ended; code != exitOK || strings.Contains(log.String(), "Ada") || strings.Contains(log.String(), f.Key.Reveal()[4:]) {
		t.Errorf("exit code %d: %s", code, log.String())
	}
	r := invoke(t, []string{"AGENTCHAT_URL=" + service}, "", "mcp")
	r.expectLine(t, exitUsage, "AGENTCHAT_API_KEY")
	invoke(t, []string{"AGENTCHAT_API_KEY=agc_hunter2"}, "", "mcp").expectLine(t, exitUsage, "AGENTCHAT_API_KEY", "agc_")
}

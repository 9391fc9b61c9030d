package e2e_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// startBridge starts a bridge to a service and returns its addresses.
func startBridge(t testing.TB, service string) (bridge, ops *url.URL) {
	t.Helper()
	c := command(t, binary, "", "bridge", "--json")
	c.Env = append(c.Env, "AGENTCHAT_URL="+service, "BRIDGE_ADDR=127.0.0.1:0", "BRIDGE_OPS_ADDR=127.0.0.1:0")
	log := new(lockedBuffer)
	c.Stderr = log
	stdout, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	var where struct{ Bridge, Ops string }
	err = json.NewDecoder(stdout).Decode(&where)
	if err == nil {
		bridge, err = url.Parse(where.Bridge)
	}
	if err == nil {
		ops, err = url.Parse(where.Ops)
	}
	if err != nil {
		t.Fatalf("the bridge did not start: %v\n%s", err, log.String())
	}
	return bridge, ops
}

// TestBridgeOverACrash: the service is killed while it streams to a bridge, and restarted. A client
// whose retry would have the same key gets the text once, for one charge.
func TestBridgeOverACrash(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	f := storetest.Seed(t, s, storetest.Options{Credits: 2})
	first := start(t, url)
	bridge, _ := startBridge(t, first.base())
	response, err := post(t.Context(), client(t), bridge.String()+"/v1/responses", f.Key.Reveal(),
		map[string]any{"input": "[[sandbox history pace=20ms]]" + strings.Repeat(" word", 400), "stream": true}, "Idempotency-Key", "once")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	lines := bufio.NewReader(response.Body)
	var text strings.Builder
	var whole string
	for killed := false; ; {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v after %q", err, text.String())
		}
		var event struct {
			Delta    string
			Response struct {
				Output []struct{ Content []struct{ Text string } }
			}
		}
		if data, found := strings.CutPrefix(line, "data: {"); found {
			if err := json.Unmarshal([]byte("{"+data), &event); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
		for _, item := range event.Response.Output {
			whole = item.Content[0].Text
		}
		if text.WriteString(event.Delta); !killed && strings.Count(text.String(), " ") > 50 {
			killed = true
			first.kill()
			start(t, url, "LISTEN_ADDR="+strings.TrimPrefix(first.base(), "http://"))
		}
	}
	if text.String() != whole || strings.Count(whole, " word") != 400 {
		t.Errorf("the client got %q, and at the end %q", text.String(), whole)
	}
	if charged, answered := chargesOf(t, s, f); charged != 1 || answered != 1 {
		t.Errorf("%d charges, %d turns answered", charged, answered)
	}
	expectNoHold(t, s, f)
	storetest.Audit(t, s)
}

// bridgedAgent is an agent with what the programs of internal/bridge/clients use.
var bridgedAgent = storetest.Options{
	Credits: 1000,
	Actions: []agent.Action{{Name: "get_weather", Description: "The weather of a place.",
		Parameters: `{"type": "object", "properties": {"location": {"type": "string"}}, "required": ["location"]}`}},
	Instructions: "{{instructions}}",
	Variables:    []agent.Variable{{Name: "instructions"}},
}

// TestBridgeClients runs SDKs of OpenAI and others, and the MCP inspector, with their defaults.
func TestBridgeClients(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	f := storetest.Seed(t, s, bridgedAgent)
	r := start(t, url, "TRUSTED_PROXIES=127.0.0.0/8")
	bridge, _ := startBridge(t, r.base())
	for _, line := range []string{"npm ci --no-audit --no-fund --prefer-offline", "npm test", "go test -count=1 ./..."} {
		words := strings.Fields(line)
		command := exec.CommandContext(t.Context(), words[0], words[1:]...)
		command.Dir = filepath.FromSlash("../bridge/clients")
		command.Env = append(os.Environ(), "BRIDGE_URL="+bridge.String(), "AGENTCHAT_API_KEY="+f.Key.Reveal(),
			"AGENTCHAT="+binary, "AGENTCHAT_URL="+r.base())
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	expectNoHold(t, s, f)
	storetest.Audit(t, s)
}

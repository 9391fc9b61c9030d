package e2e_test

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
)

// proxies are the programs that deploy has a configuration for. Only the addresses and the
// certificate in it are changed.
var proxies = map[string]func(t *testing.T, p *proxied) *exec.Cmd{
	"nginx": func(t *testing.T, p *proxied) *exec.Cmd {
		t.Helper()
		site := p.write(t, "agentchat.conf", "nginx/agentchat.conf",
			"server 127.0.0.1:8080;", "server "+p.upstream.Host+";",
			"server 127.0.0.1:8081;", "server "+p.bridge.Host+";",
			"listen 443 ssl http2", "listen "+p.address+" ssl http2",
			"/etc/ssl/chat.example.com.pem", p.certificate,
			"/etc/ssl/chat.example.com.key", p.key,
			"/var/log/nginx/access.log", "/dev/stderr",
			"/var/log/nginx/error.log", "stderr")
		main := filepath.Join(p.dir, "nginx.conf")
		text := fmt.Sprintf("pid %[1]s/pid; daemon off; error_log stderr; events {}\n"+
			"http { access_log off; client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; "+
			"fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s; include %s; }\n",
			p.dir, site)
		if err := os.WriteFile(main, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p.check(t, "nginx", "-t", "-q", "-c", main)
		return exec.Command("nginx", "-c", main)
	},
	"caddy": func(t *testing.T, p *proxied) *exec.Cmd {
		t.Helper()
		site := p.write(t, "Caddyfile", "caddy/Caddyfile",
			"127.0.0.1:8080", p.upstream.Host,
			"127.0.0.1:8081", p.bridge.Host,
			"chat.example.com {", "https://"+p.address+" {\n\ttls "+p.certificate+" "+p.key,
			"\tlog default {", "\tadmin off\n\tauto_https disable_redirects\n\tlog default {")
		p.check(t, "caddy", "validate", "--config", site)
		return exec.Command("caddy", "run", "--config", site)
	},
	"haproxy": func(t *testing.T, p *proxied) *exec.Cmd {
		t.Helper()
		ops, err := url.Parse(p.r.Ops)
		if err != nil {
			t.Fatal(err)
		}
		site := p.write(t, "haproxy.cfg", "haproxy/haproxy.cfg",
			"127.0.0.1:8080 port 9090", p.upstream.Host+" port "+ops.Port(),
			"127.0.0.1:8081 port 9091", p.bridge.Host+" port "+p.bridgeOps.Port(),
			"bind :443", "bind "+p.address,
			"/etc/ssl/chat.example.com.pem", p.both)
		p.check(t, "haproxy", "-c", "-q", "-f", site)
		return exec.Command("haproxy", "-db", "-f", site)
	},
}

// proxied is a replica behind a proxy that speaks TLS, with a model's server of the test.
type proxied struct {
	r        *replica
	model    *llmtest.Server
	fixture  storetest.Fixture
	upstream *url.URL
	// bridge and bridgeOps are the addresses of a bridge to the replica.
	bridge, bridgeOps *url.URL
	dir               string
	// address is the proxy's. certificate, key and both are files.
	address, certificate, key, both string
	// direct is a client of the replica, and http one of the proxy.
	direct, http *http.Client
}

// chat returns the address of the chat API behind the proxy.
func (p *proxied) chat() string { return "https://" + p.address + "/v1/agent/chat" }

// write copies a configuration, and replaces texts that it must contain. replace holds pairs of an
// old and a new text.
func (p *proxied) write(t *testing.T, name, from string, replace ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "deploy", filepath.FromSlash(from)))
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(text, replace[i]) {
			t.Fatalf("%s does not contain %q", from, replace[i])
		}
		text = strings.ReplaceAll(text, replace[i], replace[i+1])
	}
	path := filepath.Join(p.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// check runs a program that checks its configuration.
func (p *proxied) check(t *testing.T, name string, args ...string) {
	t.Helper()
	command := exec.Command(name, args...)
	command.Env = append(os.Environ(), "HOME="+p.dir)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command.Args, " "), err, out)
	}
}

// certify writes the certificate of a test server and makes the client that trusts it.
func (p *proxied) certify(t *testing.T) {
	t.Helper()
	server := httptest.NewTLSServer(http.NotFoundHandler())
	server.Close()
	own := server.TLS.Certificates[0]
	secret, err := x509.MarshalPKCS8PrivateKey(own.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.Certificate[0]})
	private := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
	for path, content := range map[*string][]byte{
		&p.certificate: public,
		&p.key:         private,
		&p.both:        slices.Concat(public, private),
	} {
		file, err := os.CreateTemp(p.dir, "*.pem")
		if err == nil {
			*path = file.Name()
			_, err = file.Write(content)
			_ = file.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	transport := server.Client().Transport.(*http.Transport)
	transport.ForceAttemptHTTP2 = true
	t.Cleanup(transport.CloseIdleConnections)
	p.http = &http.Client{Transport: transport}
}

// TestProxies runs each configuration of deploy: streams arrive piece by piece, however long they
// take, errors of the service arrive unchanged, the service knows the client's address and not the
// one that the client claims, and no log contains a query string.
func TestProxies(t *testing.T) {
	if os.Getenv("AGENTCHAT_TEST_DEPLOY") == "" {
		t.Skip("make test-deploy runs it")
	}
	t.Parallel()
	for name, prepare := range proxies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &proxied{model: llmtest.NewOpenAI(t, openAIKey), direct: client(t)}
			c := newCluster(t, 1, "OPENAI_API_KEY="+openAIKey, "OPENAI_BASE_URL="+p.model.URL+"/v1",
				behindProxy, "MODEL_TIMEOUT=110s")
			p.r = c.replicas[0]
			p.fixture = storetest.Seed(t, c.store, storetest.Options{Model: openAIModel})
			p.dir, p.address = traversableDir(t), freeAddress(t, "127.0.0.1")
			var err error
			if p.upstream, err = url.Parse(p.r.base()); err != nil {
				t.Fatal(err)
			}
			p.bridge, p.bridgeOps = startBridge(t, p.r.base())
			p.certify(t)
			command := prepare(t, p)
			command.Env = append(os.Environ(), "HOME="+p.dir)
			var log lockedBuffer
			command.Stdout, command.Stderr = &log, &log
			command.WaitDelay = 5 * time.Second // nginx's workers outlive a killed master
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				_ = command.Process.Signal(syscall.SIGTERM)
				_ = command.Wait()
				if t.Failed() {
					t.Logf("%s", log.String())
				}
			})
			eventually(t, "the proxy forwards requests", func() bool {
				resp, err := p.http.Get("https://" + p.address + "/openapi.yaml")
				if err != nil {
					return false
				}
				_ = resp.Body.Close()
				return resp.StatusCode == http.StatusOK
			})
			p.expectErrors(t)
			p.expectBridge(t)
			p.expectAddress(t)
			p.expectStream(t, 90*time.Second)
			p.expectLateReply(t, 100*time.Second)
			p.expectNoQuery(t, log.String)
		})
	}
}

// send sends a body, and returns the status, the type and the body of the response.
func (p *proxied) send(t *testing.T, c *http.Client, url, key, requestID, body string) string {
	t.Helper()
	resp, err := post(t.Context(), c, url, key, json.RawMessage(body), "X-Request-Id", requestID,
		"X-Forwarded-For", "203.0.113.9", "X-Real-IP", "203.0.113.9", "Forwarded", "for=203.0.113.9")
	if err != nil {
		return err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	got, err := io.ReadAll(resp.Body)
	kind := resp.Header.Get("Content-Type")
	return fmt.Sprintf("%d %s %s %v", resp.StatusCode, kind, got, err)
}

// expectErrors expects the service's errors unchanged.
func (p *proxied) expectErrors(t *testing.T) {
	t.Helper()
	const hello = `{"message":"Hello","session_id":"errors"}`
	key := p.fixture.Key.Reveal()
	text := func(length int) string { return `{"message":"` + strings.Repeat("x", length) + `"}` }
	for name, row := range map[string]struct{ path, key, body string }{
		"wrong-key":     {"/v1/agent/chat", "ac_wrong", hello},
		"no-such-path":  {"/v1/agent/none", key, hello},
		"not-an-object": {"/v1/agent/chat", key, `"nonsense"`},
		"large-body":    {"/v1/agent/chat", key, text(300 << 10)},
		"larger-body":   {"/v1/agent/chat", key, text(4 << 20)},
	} {
		direct := p.send(t, p.direct, p.r.base()+row.path, row.key, name, row.body)
		through := p.send(t, p.http, "https://"+p.address+row.path, row.key, name, row.body)
		if through != direct || !strings.Contains(direct, "application/json") {
			t.Errorf("%s: %.300s through the proxy, %.300s without it", name, through, direct)
		}
	}
}

// expectBridge expects the bridge at its four paths: its errors differ from the service's.
func (p *proxied) expectBridge(t *testing.T) {
	t.Helper()
	p.http.CloseIdleConnections() // nginx has closed one after the large body
	for _, path := range []string{"/v1/responses", "/v1/chat/completions", "/v1/models", "/mcp"} {
		if got := p.send(t, p.http, "https://"+p.address+path, "ac_wrong", "bridge", "{}"); !strings.Contains(got, `"type":"`) {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// expectAddress expects the address of the proxy's client in the service's log, not the claimed
// one.
func (p *proxied) expectAddress(t *testing.T) {
	t.Helper()
	transport := p.http.Transport.(*http.Transport).Clone()
	local := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}
	transport.DialContext = (&net.Dialer{LocalAddr: local}).DialContext
	defer transport.CloseIdleConnections()
	elsewhere := &http.Client{Transport: transport}
	p.send(t, elsewhere, p.chat(), "ac_wrong", "address-1", `{"message":"Hello"}`)
	eventually(t, "the request is logged with the client's address", func() bool {
		for line := range strings.Lines(p.r.log.String()) {
			if strings.Contains(line, `"msg":"request"`) && strings.Contains(line, `"address-1"`) {
				return strings.Contains(line, `"client":"127.0.0.2"`)
			}
		}
		return false
	})
}

// expectStream makes the model write for some time. Each text must arrive before the next one is
// sent.
func (p *proxied) expectStream(t *testing.T, length time.Duration) {
	t.Helper()
	const pieces = 20
	sent := make(chan time.Time, pieces)
	texts := make([]string, pieces)
	for i := range texts {
		texts[i] = fmt.Sprintf("piece %d. ", i)
	}
	p.model.Next(llmtest.TextObserved(func(int) {
		<-time.After(length / pieces)
		sent <- time.Now()
	}, texts...))
	ctx, cancel := context.WithTimeout(t.Context(), length+20*time.Second)
	defer cancel()
	resp, lines, err := openStream(ctx, p.http, p.chat(), p.fixture.Key.Reveal(), "Hello")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var delays []time.Duration
	for range pieces {
		if err := until(lines, "delta", 1); err != nil {
			t.Fatalf("after %d of %d texts: %v", len(delays), pieces, err)
		}
		delays = append(delays, time.Since(<-sent))
	}
	if err := until(lines, "end", 1); err != nil {
		t.Errorf("the stream has no end: %v", err)
	}
	slowest := slices.Max(delays)
	if slowest > length/pieces {
		t.Errorf("a text arrived %s after it was sent, when the next one was due", slowest)
	}
	t.Logf("a stream of %s: the first text %s after it was sent, the slowest %s, with HTTP/%d", length,
		delays[0].Round(100*time.Microsecond), slowest.Round(100*time.Microsecond), resp.ProtoMajor)
}

// expectLateReply expects a whole reply that takes some time, during which nothing is sent.
func (p *proxied) expectLateReply(t *testing.T, wait time.Duration) {
	t.Helper()
	pause := func(int) { <-time.After(wait / 5) }
	p.model.Next(llmtest.TextObserved(pause, "This ", "is ", "a ", "late ", "reply."))
	got := p.send(t, p.http, p.chat(), p.fixture.Key.Reveal(), "late", `{"message":"Hello"}`)
	if !strings.HasPrefix(got, "200 ") {
		t.Errorf("after %s: %s", wait, got)
	}
}

// expectNoQuery expects no query string in the proxy's log, not even of a request that fails
// because the service is gone.
func (p *proxied) expectNoQuery(t *testing.T, log func() string) {
	t.Helper()
	const marker = "words-of-a-search"
	search := func(size int) int {
		url := "https://" + p.address + "/graphql?query={__typename}&a=" + marker
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
			url+strings.Repeat("x", size), nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Referer", "https://"+p.address+"/graphql?"+marker)
		resp, err := p.http.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	if status := search(8 << 10); status != http.StatusRequestURITooLong {
		t.Errorf("a long search is %d", status)
	}
	if status := search(0); status != http.StatusOK {
		t.Errorf("a search is %d", status)
	}
	p.r.kill()
	gone := []int{http.StatusBadGateway, http.StatusServiceUnavailable}
	if status := search(0); !slices.Contains(gone, status) {
		t.Errorf("a search without the service is %d", status)
	}
	eventually(t, "the proxy logs the paths", func() bool {
		return strings.Count(log(), "/graphql") >= 3
	})
	if strings.Contains(log(), marker) {
		t.Error("the proxy's log contains a search")
	}
}

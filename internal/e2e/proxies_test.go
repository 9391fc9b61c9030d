package e2e_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
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
)

// proxies are the programs for which deploy has a configuration. Each is changed only in its addresses and its certificate.
var proxies = map[string]func(t *testing.T, p *proxied) *exec.Cmd{
	"nginx": func(t *testing.T, p *proxied) *exec.Cmd {
		t.Helper()
		site := p.write(t, "agentchat.conf", "nginx/agentchat.conf", "server 127.0.0.1:8080;", "server "+p.upstream.Host+";",
			"listen 443 ssl http2", "listen "+p.address+" ssl http2",
			"/etc/ssl/chat.example.com.pem", p.certificate, "/etc/ssl/chat.example.com.key", p.key,
			"/var/log/nginx/access.log", "/dev/stderr", "/var/log/nginx/error.log", "stderr")
		main := filepath.Join(p.dir, "nginx.conf")
		text := fmt.Sprintf("pid %[1]s/pid; daemon off; error_log stderr; events {}\nhttp { access_log off; client_body_temp_path %[1]s/body; "+
			"proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s; include %s; }\n", p.dir, site)
		if err := os.WriteFile(main, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p.check(t, "nginx", "-t", "-q", "-c", main)
		return exec.Command("nginx", "-c", main)
	},
	"caddy": func(t *testing.T, p *proxied) *exec.Cmd {
		t.Helper()
		site := p.write(t, "Caddyfile", "caddy/Caddyfile", "127.0.0.1:8080", p.upstream.Host,
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
		site := p.write(t, "haproxy.cfg", "haproxy/haproxy.cfg", "127.0.0.1:8080 port 9090", p.upstream.Host+" port "+ops.Port(),
			"bind :443", "bind "+p.address, "/etc/ssl/chat.example.com.pem", p.both)
		p.check(t, "haproxy", "-c", "-q", "-f", site)
		return exec.Command("haproxy", "-db", "-f", site)
	},
}

// proxied is a replica behind a proxy that speaks TLS.
type proxied struct {
	r        *replica
	upstream *url.URL
	dir      string
	// address is the proxy's. certificate, key and both are files.
	address, certificate, key, both string
	http                            *http.Client
}

// write copies a configuration with other addresses. Each must be there.
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

// check has the program check its configuration.
func (p *proxied) check(t *testing.T, name string, args ...string) {
	t.Helper()
	command := exec.Command(name, args...)
	command.Env = append(os.Environ(), "HOME="+p.dir)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command.Args, " "), err, out)
	}
}

// certify makes a certificate for 127.0.0.1 and the client that trusts it.
func (p *proxied) certify(t *testing.T) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	public, private := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
	for path, content := range map[*string][]byte{&p.certificate: public, &p.key: private, &p.both: append(public, private...)} {
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
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(public)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	p.http = &http.Client{Transport: transport}
}

// TestProxies runs each configuration of deploy as it is, but for its addresses: streams leave as they come, however long they take, our
// errors are left alone, the service knows the client's address, not the one that a client claims, and no log has a query string.
func TestProxies(t *testing.T) {
	if os.Getenv("AGENTCHAT_TEST_DEPLOY") == "" {
		t.Skip("make test-deploy runs it")
	}
	t.Parallel()
	for name, prepare := range proxies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.NewOpenAI(t, openAIKey)
			h := newModelReplica(t, server, openAIKey, "Authorization", openAIModel, "OPENAI_API_KEY="+openAIKey,
				"OPENAI_BASE_URL="+server.URL+"/v1", "TRUSTED_PROXIES=127.0.0.0/8", "MODEL_TIMEOUT=110s")
			p := &proxied{r: h.r, dir: traversableDir(t), address: freeAddress(t, "127.0.0.1")}
			var err error
			if p.upstream, err = url.Parse(h.r.base()); err != nil {
				t.Fatal(err)
			}
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
			p.ready(t)
			p.passesErrors(t, h)
			p.passesAddresses(t, h)
			p.streams(t, h, 90*time.Second)
			p.waits(t, h, 100*time.Second)
			p.logsNoQuery(t, log.String)
		})
	}
}

// ready waits until the proxy passes requests on.
func (p *proxied) ready(t *testing.T) {
	t.Helper()
	eventually(t, "the proxy passes requests on", func() bool {
		resp, err := p.http.Get("https://" + p.address + "/openapi.yaml")
		if err != nil {
			return false
		}
		_ = resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
}

// postThrough sends a body, and returns the status, the type and the body of the answer.
func postThrough(t *testing.T, c *http.Client, address, key, requestID, body string, header ...string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Request-Id", requestID)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := c.Do(req)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	got, err := io.ReadAll(resp.Body)
	return fmt.Sprintf("%d %s %s %v", resp.StatusCode, resp.Header.Get("Content-Type"), got, err)
}

// passesErrors: what the service answers comes through as it is.
func (p *proxied) passesErrors(t *testing.T, h *modelReplica) {
	t.Helper()
	key, hello := h.fixture.Key.Reveal(), `{"message":"Hello","session_id":"errors"}`
	for what, c := range map[string]struct{ path, key, body string }{
		"a wrong key":   {"/v1/agent/chat", "ac_wrong", hello},
		"no such path":  {"/v1/agent/none", key, hello},
		"not JSON":      {"/v1/agent/chat", key, "nonsense"},
		"a large body":  {"/v1/agent/chat", key, `{"message":"` + strings.Repeat("x", 300<<10) + `"}`},
		"a larger body": {"/v1/agent/chat", key, `{"message":"` + strings.Repeat("x", 4<<20) + `"}`},
	} {
		id := "errors-" + strings.ReplaceAll(what, " ", "-")
		direct := postThrough(t, h.http, h.r.base()+c.path, c.key, id, c.body)
		if through := postThrough(t, p.http, "https://"+p.address+c.path, c.key, id, c.body); through != direct ||
			!strings.Contains(direct, "application/json") {
			t.Errorf("%s: %.300s through the proxy, and %.300s without", what, through, direct)
		}
	}
}

// passesAddresses: the service sees where the proxy's client is, whatever that claims.
func (p *proxied) passesAddresses(t *testing.T, h *modelReplica) {
	t.Helper()
	transport := p.http.Transport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}).DialContext
	defer transport.CloseIdleConnections()
	postThrough(t, &http.Client{Transport: transport}, "https://"+p.address+"/v1/agent/chat", "ac_wrong", "address-1", `{"message":"Hello"}`,
		"X-Forwarded-For", "203.0.113.9", "X-Real-IP", "203.0.113.9", "Forwarded", "for=203.0.113.9")
	eventually(t, "the request is logged with the client's address", func() bool {
		for line := range strings.Lines(h.r.log.String()) {
			if strings.Contains(line, `"msg":"request"`) && strings.Contains(line, `"address-1"`) {
				return strings.Contains(line, `"client":"127.0.0.2"`)
			}
		}
		return false
	})
}

// streams has the model write for some time. Each text has to be here before the next one is sent.
func (p *proxied) streams(t *testing.T, h *modelReplica, length time.Duration) {
	t.Helper()
	const pieces = 20
	sent := make(chan time.Time, pieces)
	texts := make([]string, pieces)
	for i := range texts {
		texts[i] = fmt.Sprintf("piece %d. ", i)
	}
	h.server.Next(llmtest.TextObserved(func(int) {
		<-time.After(length / pieces)
		sent <- time.Now()
	}, texts...))
	ctx, cancel := context.WithTimeout(t.Context(), length+20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+p.address+"/v1/agent/chat",
		strings.NewReader(`{"message":"Hello","session_id":"stream","stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+h.fixture.Key.Reveal())
	req.Header.Set("Content-Type", "application/json")
	resp, err := p.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var delays []time.Duration
	ended := false
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		switch {
		case strings.HasPrefix(lines.Text(), "event: delta"):
			delays = append(delays, time.Since(<-sent))
		case strings.HasPrefix(lines.Text(), "event: end"):
			ended = true
		}
	}
	if len(delays) != pieces || !ended {
		t.Fatalf("%d of %d texts, the end: %t", len(delays), pieces, ended)
	}
	for i, delay := range delays {
		if delay > length/pieces {
			t.Errorf("text %d came %s after it was sent, when the next one was due", i, delay)
		}
	}
	t.Logf("a stream of %s: the first text %s after it was sent, the slowest %s, with HTTP/%d", length,
		delays[0].Round(100*time.Microsecond), slices.Max(delays).Round(100*time.Microsecond), resp.ProtoMajor)
}

// waits has the model take its time for a whole reply, of which the caller sees nothing before.
func (p *proxied) waits(t *testing.T, h *modelReplica, wait time.Duration) {
	t.Helper()
	h.server.Next(llmtest.TextObserved(func(int) { <-time.After(wait / 5) }, "This ", "is ", "a ", "late ", "reply."))
	got := postThrough(t, p.http, "https://"+p.address+"/v1/agent/chat", h.fixture.Key.Reveal(), "late", `{"message":"Hello","session_id":"late"}`)
	if !strings.HasPrefix(got, "200 ") {
		t.Errorf("after %s: %s", wait, got)
	}
}

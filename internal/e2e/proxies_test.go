package e2e_test

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
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

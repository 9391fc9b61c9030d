package main

import (
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"agentchat/internal/kubetest"
	"agentchat/internal/server"
)

// stopsWithin returns the longest time from SIGTERM to the end of the process according to
// docs/operating.md.
func (c *serveCmd) stopsWithin() time.Duration {
	const closing = 5 * time.Second // after the last turn
	return c.ShutdownDelay + c.drainTimeout() + closing
}

// TestKubernetes tests that the settings of deploy/kubernetes are valid and that its times fit the
// service's own.
func TestKubernetes(t *testing.T) {
	t.Parallel()
	pod, _, settings := kubetest.Read(t, "../../deploy/kubernetes")
	main := pod.Containers[0]
	secrets := []string{"DATABASE_URL=postgres://db.example.com/agentchat", "JWT_SECRET=" + testSecret}
	serve, err := parseServe(append(settings, secrets...), main.Args[1:]...)
	if err != nil {
		t.Fatal(err)
	}
	seconds := func(n int) time.Duration { return time.Duration(n) * time.Second }

	preStop, readiness := seconds(main.Lifecycle.PreStop.Sleep.Seconds), main.Readiness
	if needed := preStop + serve.stopsWithin(); preStop == 0 || seconds(pod.Grace) < needed {
		t.Errorf("a replica has %d s to stop, preStop included, and needs %s", pod.Grace, needed)
	}
	seen := seconds(readiness.FailureThreshold*readiness.PeriodSeconds + readiness.TimeoutSeconds)
	if seen > serve.ShutdownDelay {
		t.Errorf("probes take %s to see that a replica stops, which serves for %s", seen, serve.ShutdownDelay)
	}
	if seconds(readiness.TimeoutSeconds) <= server.ReadyTimeout {
		t.Errorf("the probe waits %d s, and /readyz %s for the database", readiness.TimeoutSeconds,
			server.ReadyTimeout)
	}
	if main.Startup.Get.Path != "/livez" || main.Liveness.Get.Path != "/livez" ||
		readiness.Get.Path != "/readyz" {
		t.Errorf("a database that is away would restart replicas: %+v", main)
	}
	if serve.Migrate || serve.Demo || serve.AdminAddr != "" || serve.embedded() {
		t.Errorf("%v with %v starts more than it should", main.Args, settings)
	}
	for i, address := range []listenAddress{serve.ListenAddr, serve.OpsAddr} {
		if port := ":" + strconv.Itoa(main.Ports[i].Number); string(address) != port {
			t.Errorf("%s is %s, and the service listens on %s", main.Ports[i].Name, port, address)
		}
	}
}

// named returns the number that the pattern finds in a file of the repository, as seconds.
func named(t *testing.T, path, pattern string) time.Duration {
	t.Helper()
	content, err := os.ReadFile("../../" + path)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(pattern).FindSubmatch(content)
	if found == nil {
		t.Fatalf("%s does not match %s", path, pattern)
	}
	n, _ := strconv.Atoi(string(found[1]))
	return time.Duration(n) * time.Second
}

// TestTimeToStop tests that systemd and Compose wait until the service has stopped, even with the
// delay advised behind a load balancer.
func TestTimeToStop(t *testing.T) {
	t.Parallel()
	serve := configOf(t, "SHUTDOWN_DELAY=10s")
	for path, waits := range map[string]time.Duration{
		"systemd": named(t, "deploy/package/agentchat.service", `TimeoutStopSec=(\d+)\n`),
		"Compose": 60 * named(t, "deploy/container/compose.yaml", `stop_grace_period: (\d+)m\n`),
		"the guide, besides SHUTDOWN_DELAY": serve.ShutdownDelay +
			named(t, "docs/operating.md", `with the default settings, (\d+) s`),
	} {
		if needed := serve.stopsWithin(); waits < needed {
			t.Errorf("%s waits %s; the service may take %s", path, waits, needed)
		}
	}
	var grammar cli
	parser, err := newParser(&grammar, environment{"SHUTDOWN_DELAY": "10s"}, process{}, new(bool))
	if err == nil {
		_, err = parser.Parse([]string{"bridge"})
	}
	needed := grammar.Bridge.ShutdownDelay + grammar.Bridge.drainTimeout() + 5*time.Second
	for path, pattern := range map[string]string{
		"deploy/package/agentchat-bridge.service": `TimeoutStopSec=(\d+)\n`,
		"deploy/container/compose.yaml":           `stop_grace_period: (\d+)s\n`,
	} {
		if waits := named(t, path, pattern); err != nil || waits < needed {
			t.Errorf("%s waits %s; the bridge may take %s (%v)", path, waits, needed, err)
		}
	}
}

// TestProxyTimeouts checks that the proxies of deploy/ wait longer than the service takes for a
// request, and that the documents name that time.
func TestProxyTimeouts(t *testing.T) {
	t.Parallel()
	serve := configOf(t)
	for path, pattern := range map[string]string{
		"deploy/nginx/agentchat.conf": `proxy_read_timeout (\d+)s;`,
		"deploy/haproxy/haproxy.cfg":  `timeout server (\d+)s\n`,
	} {
		if waits := named(t, path, pattern); waits <= serve.responseTimeout() {
			t.Errorf("%s waits %s; a request may take %s", path, waits, serve.responseTimeout())
		}
	}
	for _, path := range []string{"docs/proxy.md", "deploy/nginx/agentchat.conf", "deploy/haproxy/haproxy.cfg"} {
		says := named(t, path, `(\d+) s after .?MODEL_TIMEOUT`)
		if want := serve.responseTimeout() - serve.ModelTimeout; says != want {
			t.Errorf("%s names %s after MODEL_TIMEOUT; a request may take %s", path, says, want)
		}
	}
}

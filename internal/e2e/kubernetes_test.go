package e2e_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"agentchat/internal/kubetest"
	"agentchat/internal/store/storetest"
)

// kubernetes runs the service with the arguments, settings, times and user of deploy/kubernetes, on
// a file system with nothing but the program and a directory for data.
type kubernetes struct {
	t        *testing.T
	database string
	pod, job kubetest.Pod
	settings []string
	root     string
	load     *balancedLoad
}

func newKubernetes(t *testing.T) *kubernetes {
	t.Helper()
	k := &kubernetes{t: t, database: storetest.EmptyURL(t), root: traversableDir(t)}
	k.pod, k.job, k.settings = kubetest.Read(t, "../../deploy/kubernetes")
	if err := os.Link(binary, filepath.Join(k.root, "agentchat")); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(k.root, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(data, 0o777); err != nil { // as an emptyDir
		t.Fatal(err)
	}
	return k
}

// command returns the process of a pod.
func (k *kubernetes) command(pod kubetest.Pod, env ...string) *exec.Cmd {
	command := exec.Command("/agentchat", pod.Containers[0].Args...)
	command.Dir = "/"
	command.Env = append([]string{"DATABASE_URL=" + k.database}, env...)
	command.SysProcAttr = &syscall.SysProcAttr{
		Chroot: k.root,
		Credential: &syscall.Credential{
			Uid: k.pod.SecurityContext.User,
			Gid: k.pod.SecurityContext.Group,
		},
	}
	return command
}

// migrate runs the job.
func (k *kubernetes) migrate() {
	if out, err := k.command(k.job).CombinedOutput(); err != nil {
		k.t.Fatalf("the migration: %v\n%s", err, out)
	}
}

// start starts a replica on an address of its own, with the ports of the pod, and waits until the
// balancer uses it.
func (k *kubernetes) start() *replica {
	t := k.t
	t.Helper()
	host := privateLoopback()
	var env []string
	for _, setting := range k.settings {
		env = append(env, strings.Replace(setting, "_ADDR=:", "_ADDR="+host+":", 1))
	}
	ports := k.pod.Containers[0].Ports
	r := &replica{
		t:       t,
		command: k.command(k.pod, append(env, "JWT_SECRET="+testJWTSecret)...),
		exited:  make(chan struct{}),
		Chat:    fmt.Sprintf("http://%s:%d/v1/agent/chat", host, ports[0].Number),
		Ops:     fmt.Sprintf("http://%s:%d", host, ports[1].Number),
	}
	r.command.Stderr = &r.log
	if err := r.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.kill)
	go func() {
		_ = r.command.Wait()
		close(r.exited)
	}()
	k.load.use(t, r)
	return r
}

// delete stops a replica as the node does, and returns how long that took. The balancer learns it
// only from its probes, later than it would from Kubernetes.
func (k *kubernetes) delete(r *replica) time.Duration {
	t := k.t
	t.Helper()
	began := time.Now()
	killed := time.After(time.Duration(k.pod.Grace) * time.Second)
	preStop := k.pod.Containers[0].Lifecycle.PreStop.Sleep.Seconds
	<-time.After(time.Duration(preStop) * time.Second)
	r.terminate()
	select {
	case <-r.exited:
	case <-killed:
		t.Fatalf("a replica was still running after %d s\n%s", k.pod.Grace, r.log.String())
	}
	if code := r.command.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d\n%s", code, r.log.String())
	}
	return time.Since(began)
}

// TestKubernetesRolls replaces two replicas with the settings and times of deploy/kubernetes, under
// a load of fast messages and of messages that take longer than SHUTDOWN_DELAY. No request is lost.
func TestKubernetesRolls(t *testing.T) {
	if os.Getenv("AGENTCHAT_TEST_DEPLOY") == "" {
		t.Skip("make test-deploy runs it")
	}
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("it needs root on Linux, for another user and file system")
	}
	t.Parallel()
	k := newKubernetes(t)
	k.migrate()
	s := storetest.Open(t, k.database)
	auditing(t, s)
	k.load = newBalancedLoad(t, s)
	ctx, stop := context.WithCancel(t.Context())
	var probes sync.WaitGroup
	defer func() { stop(); probes.Wait() }()
	readiness := k.pod.Containers[0].Readiness
	period := time.Duration(readiness.PeriodSeconds) * time.Second
	probes.Go(func() { k.load.probe(ctx, period, readiness.FailureThreshold) })
	old := []*replica{k.start(), k.start()}
	for i := range 4 {
		k.load.begin(t, fmt.Sprint("quick ", i), "[[sandbox delay=20ms]]")
	}
	for i := range 8 {
		k.load.begin(t, fmt.Sprint("slow ", i), fmt.Sprintf("[[sandbox delay=%ds]]", 11+i))
	}
	for _, r := range old {
		k.start() // maxSurge
		before := k.load.answered.Load()
		took := k.delete(r).Round(100 * time.Millisecond)
		answered := k.load.answered.Load() - before
		t.Logf("a replica stopped in %s, while %d calls were answered", took, answered)
	}
	k.load.end(t)
	t.Logf("%d calls", k.load.answered.Load())
}

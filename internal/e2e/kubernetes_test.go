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

// kubernetes runs the service with the arguments, settings, times and user of deploy/kubernetes, on a file system with
// nothing but the program and a directory for data.
type kubernetes struct {
	t        *testing.T
	database string
	pod, job kubetest.Pod
	settings []string
	root     string
	balancer *balancer
}

func newKubernetes(t *testing.T) *kubernetes {
	t.Helper()
	k := &kubernetes{t: t, database: storetest.EmptyURL(t), root: traversableDir(t), balancer: &balancer{}}
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
		Chroot:     k.root,
		Credential: &syscall.Credential{Uid: k.pod.SecurityContext.User, Gid: k.pod.SecurityContext.Group},
	}
	return command
}

// migrate runs the job.
func (k *kubernetes) migrate() {
	if out, err := k.command(k.job).CombinedOutput(); err != nil {
		k.t.Fatalf("the migration: %v\n%s", err, out)
	}
}

// start starts a replica on an address of its own, with the ports of the pod, and waits until the balancer uses it.
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
	number := k.balancer.add(r)
	eventually(t, "the balancer uses the replica", func() bool {
		select {
		case <-r.exited:
			t.Fatalf("the replica did not start\n%s", r.log.String())
		default:
		}
		return k.balancer.isReady(number)
	})
	return r
}

// delete stops a replica as the node does, and returns the time that took. The balancer finds out by its probes alone,
// later than it would from Kubernetes.
func (k *kubernetes) delete(r *replica) time.Duration {
	t := k.t
	t.Helper()
	began := time.Now()
	killed := time.After(time.Duration(k.pod.Grace) * time.Second)
	<-time.After(time.Duration(k.pod.Containers[0].Lifecycle.PreStop.Sleep.Seconds) * time.Second)
	r.terminate()
	select {
	case <-r.exited:
	case <-killed:
		t.Fatalf("a replica was still there after %d s\n%s", k.pod.Grace, r.log.String())
	}
	if code := r.command.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d\n%s", code, r.log.String())
	}
	return time.Since(began)
}

// TestKubernetesRolls replaces two replicas with the settings and times of deploy/kubernetes, under a load of quick
// messages and of messages that take longer than SHUTDOWN_DELAY. No call is lost.
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
	d := &deployment{url: k.database, client: client(t), store: storetest.Open(t, k.database), faults: map[string]bool{}}
	auditing(t, d.store)
	ctx, stop := context.WithCancel(t.Context())
	var background sync.WaitGroup
	defer func() { stop(); background.Wait() }()
	readiness := k.pod.Containers[0].Readiness
	background.Go(func() {
		k.balancer.probe(ctx, time.Duration(readiness.PeriodSeconds)*time.Second, readiness.FailureThreshold)
	})
	d.replicas = []*replica{k.start(), k.start()}
	defer d.finish(t)

	l := &balancedLoad{d: d, balancer: k.balancer, caller: d.newCaller(t, storetest.Options{Credits: 1_000_000})}
	for i := range 4 {
		l.begin(t, fmt.Sprint("quick ", i), "[[sandbox delay=20ms]]")
	}
	for i := range 8 {
		l.begin(t, fmt.Sprint("slow ", i), fmt.Sprintf("[[sandbox delay=%ds]]", 11+i))
	}
	for _, old := range d.replicas[:2] {
		d.replicas = append(d.replicas, k.start()) // maxSurge
		before := l.answered.Load()
		took := k.delete(old).Round(100 * time.Millisecond)
		t.Logf("a replica stopped in %s, while %d calls were answered", took, l.answered.Load()-before)
	}
	l.end(t)
	t.Logf("%d calls", l.answered.Load())
}

package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
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

// start starts a replica on an address of its own, with the ports of the pod.
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
	eventually(t, "ready", func() bool { return r.ready() == http.StatusOK })
	return r
}

// TestKubernetesPods runs the job and a replica with the arguments, settings and user of
// deploy/kubernetes. Within the pod's grace period, the replica answers a message that takes longer
// than SHUTDOWN_DELAY. TestKubernetes compares the times, and TestRollingRestart replaces replicas
// under load.
func TestKubernetesPods(t *testing.T) {
	if os.Getenv("AGENTCHAT_TEST_DEPLOY") == "" {
		t.Skip("make test-deploy runs it")
	}
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("it needs root on Linux, for another user and file system")
	}
	t.Parallel()
	k := newKubernetes(t)
	if out, err := k.command(k.job).CombinedOutput(); err != nil {
		t.Fatalf("the migration: %v\n%s", err, out)
	}
	f := storetest.Seed(t, storetest.Open(t, k.database), storetest.Options{})
	r, answered := k.start(), make(chan string, 1)
	go func() {
		answered <- outcomeOf(ask(t.Context(), client(t), r.Chat, f.Key.Reveal(), "s",
			"[[sandbox delay=12s]]"))
	}()
	eventually(t, "the message is in flight", func() bool {
		values, err := r.metric("agentchat_turns_in_flight")
		return err == nil && values["agentchat_turns_in_flight"] == 1
	})
	grace := time.After(time.Duration(k.pod.Grace) * time.Second)
	r.terminate()
	select {
	case <-r.exited:
	case <-grace:
		t.Fatalf("a replica was still running after %d s\n%s", k.pod.Grace, r.log.String())
	}
	if code, outcome := r.command.ProcessState.ExitCode(), <-answered; code != 0 || outcome != "200" {
		t.Errorf("exit code %d, the message got %s\n%s", code, outcome, r.log.String())
	}
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// build builds the program of the source tree in dir.
func build(ctx context.Context, dir, path string) error {
	return run(ctx, dir, "go", "build", "-o", path, "./cmd/agentchat")
}

// buildBase builds the program of a commit next to the working tree, and returns the commit's own
// seed.
func buildBase(ctx context.Context, commit, dir, path string) (seedSQL string, err error) {
	tree := filepath.Join(dir, "base-source")
	if err := run(ctx, ".", "git", "worktree", "add", "--detach", tree, commit); err != nil {
		return "", err
	}
	defer func() {
		_ = run(context.WithoutCancel(ctx), ".", "git", "worktree", "remove", "--force", tree)
	}()
	text, err := os.ReadFile(filepath.Join(tree, "internal/bench/seed.sql"))
	return string(text), errors.Join(err, build(ctx, tree, path))
}

// run runs a command to its end. An error contains its output.
func run(ctx context.Context, dir, name string, args ...string) error {
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
	return nil
}

// program is a build of the service and its database.
type program struct{ path, dir, databaseURL string }

func (p program) command(ctx context.Context, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, p.path, args...)
	command.Dir = p.dir
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir,
		"DATABASE_URL=" + p.databaseURL}
	return command
}

// do runs one of the program's commands, such as migrate.
func (p program) do(ctx context.Context, args ...string) error {
	if out, err := p.command(ctx, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(p.path), strings.Join(args, " "), err, out)
	}
	return nil
}

// replica is a running service.
type replica struct {
	command *exec.Cmd
	chat    string // the URL for chats
}

// serve starts the program with its own defaults, a model server besides the sandbox, and other
// variables. Its log is discarded.
func (p program) serve(ctx context.Context, modelURL string,
	variables ...string) (*replica, error) {
	r := &replica{command: p.command(ctx, "serve", "--json")}
	r.command.Env = append(r.command.Env, "LISTEN_ADDR=127.0.0.1:0", "OPS_ADDR=127.0.0.1:0",
		"LOG_FORMAT=json",
		"JWT_SECRET=0123456789abcdef0123456789abcdef", "OPENAI_API_KEY=sk-bench-bench-bench", "OPENAI_BASE_URL="+modelURL)
	r.command.Env = append(r.command.Env, variables...)
	stdout, err := r.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := r.command.Start(); err != nil {
		return nil, err
	}
	var where struct{ Chat, Ops string }
	lines := bufio.NewReader(stdout)
	line, err := lines.ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &where) != nil {
		r.stop()
		return nil, fmt.Errorf("%s did not start: %w", filepath.Base(p.path),
			errors.Join(err, p.do(ctx, "verify")))
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	r.chat = where.Chat
	return r, untilReady(ctx, where.Ops+"/readyz")
}

func untilReady(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		if resp, err := http.DefaultClient.Do(req); err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return fmt.Errorf("the service is not ready: %w", ctx.Err())
		}
	}
}

func (r *replica) stop() {
	_ = r.command.Process.Kill()
	_ = r.command.Wait()
}

// process is a process in /proc: its parent, and the CPU time in ms of itself and of its ended
// children.
type process struct {
	parent            int
	used, usedByEnded float64
}

// ticksPerSecond is USER_HZ, which is 100 on every Linux.
const ticksPerSecond = 100

func readProcess(pid int) (process, error) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return process{}, err
	}
	// The name, in brackets, may contain anything; it is followed by the state, the parent, and ten
	// fields before the times.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	number := func(i int) float64 {
		n, _ := strconv.ParseFloat(fields[i], 64)
		return n
	}
	const ms = 1000.0 / ticksPerSecond
	return process{int(number(1)), (number(11) + number(12)) * ms, (number(13) + number(14)) * ms}, nil
}

// cpu returns the CPU time in ms that PostgreSQL has used, including ended backends.
func (s *server) cpu() float64 {
	own, err := readProcess(s.postmaster)
	if err != nil {
		return 0
	}
	total := own.used + own.usedByEnded
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", s.postmaster, s.postmaster))
	for pid := range strings.FieldsSeq(string(children)) {
		if n, err := strconv.Atoi(pid); err == nil {
			child, _ := readProcess(n)
			total += child.used + child.usedByEnded
		}
	}
	return total
}

// cpuOf returns the CPU time in ms that replicas have used.
func cpuOf(replicas []*replica) float64 {
	total := 0.0
	for _, r := range replicas {
		own, _ := readProcess(r.command.Process.Pid)
		total += own.used
	}
	return total
}

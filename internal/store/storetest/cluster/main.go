// Cluster runs a command with AGENTCHAT_TEST_DATABASE_URL set to a private PostgreSQL that stops
// afterwards:
//
//	go run ./internal/store/storetest/cluster go test ./...
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"agentchat/internal/embeddedpg"
	"agentchat/internal/store/storetest"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: cluster COMMAND [ARGUMENT ...]")
		os.Exit(2)
	}
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
	}
	os.Exit(code)
}

// run runs the command and returns its exit code.
func run(command []string) (code int, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := storetest.NewDir()
	if err != nil {
		return 1, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	server, err := embeddedpg.Start(ctx, storetest.ClusterConfig(dir))
	if err != nil {
		return 1, err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		err = errors.Join(err, server.Stop(ctx))
	}()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), storetest.ServerVariable+"="+server.AdminURL())
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // make passes it on
	if err := cmd.Run(); err != nil {
		if ended, ok := errors.AsType[*exec.ExitError](err); ok {
			return max(ended.ExitCode(), 1), nil
		}
		return 1, err
	}
	return 0, nil
}

// Command agentchat runs the Agent Chat service and its operator commands. `agentchat --help` lists
// them.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	// for systems without certificate authorities, such as an empty container
	_ "golang.org/x/crypto/x509roots/fallback"

	"agentchat/internal/foreign"
	"agentchat/internal/knowledge/reading"
)

const (
	// exitInterrupted is the exit code of shells for a process that SIGINT ended.
	exitInterrupted = 130
	// sameSignal is the interval within which two signals count as one: timeout(1) and some
	// supervisors signal the process and then its whole group.
	sameSignal = 100 * time.Millisecond
	// garbagePercent is the growth of the heap that starts a garbage collection, in percent of the
	// memory in use. With Go's default of 100, the process takes a quarter more memory when thousands
	// of messages arrive at once.
	garbagePercent = 85
)

func main() {
	if code, ok := childProcess(os.Args); ok { // before anything else is opened
		os.Exit(code)
	}
	if os.Getenv("GOGC") == "" { // otherwise the Go runtime has applied GOGC
		debug.SetGCPercent(garbagePercent)
	}
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals // the first starts an orderly shutdown
		cancel()
		exitOnSecond(signals, time.Now())
	}()
	code := run(ctx, process{
		args: os.Args[1:], env: os.Environ(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
	})
	os.Exit(code)
}

// childProcess runs a process that reads one hostile file. ok is false for all other arguments.
func childProcess(args []string) (code int, ok bool) {
	if len(args) < 2 {
		return 0, false
	}
	switch args[1] {
	case reading.Command:
		return reading.Child(args[2:], os.Stdin, os.Stdout), true
	case foreign.Command:
		return foreign.Child(args[2:], os.Stdin, os.Stdout), true
	}
	return 0, false
}

// exitOnSecond ends the process at once on a second signal.
func exitOnSecond(signals <-chan os.Signal, first time.Time) {
	for range signals {
		if time.Since(first) > sameSignal {
			os.Exit(exitInterrupted)
		}
	}
}

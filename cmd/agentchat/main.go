// Command agentchat runs the Agent Chat service and its operator's commands. `agentchat --help` lists them.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"
)

const (
	// exitInterrupted is what shells use for a process that a SIGINT ended.
	exitInterrupted = 130
	// sameSignal is how close two signals are that count as one: timeout(1) and some supervisors send theirs to the process
	// and then to its whole group.
	sameSignal = 100 * time.Millisecond
	// garbagePercent is how much memory may come to lie unused before it is collected, in percent of what is in use. Go's own
	// 100 costs a third more memory where thousands of streams come at one moment, and is no faster beside a database.
	garbagePercent = 50
)

func main() {
	if os.Getenv("GOGC") == "" { // which the Go runtime has read already
		debug.SetGCPercent(garbagePercent)
	}
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals // the first asks for an orderly end
		cancel()
		exitOnSecond(signals, time.Now())
	}()
	code := run(ctx, process{
		args: os.Args[1:], env: os.Environ(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
	})
	os.Exit(code)
}

// exitOnSecond ends the process at once when another signal comes: whoever sends it does not want to wait.
func exitOnSecond(signals <-chan os.Signal, first time.Time) {
	for range signals {
		if time.Since(first) > sameSignal {
			os.Exit(exitInterrupted)
		}
	}
}

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"agentchat/internal/knowledge/reading"
)

// TestReadFile tests that the program reads a file before it reads any setting.
func TestReadFile(t *testing.T) {
	t.Parallel()
	command := exec.CommandContext(t.Context(), os.Args[0], reading.Command, "")
	command.Env = []string{execVariable + "=1", "AGENTCHAT_NONSENSE=1"}
	command.Stdin = strings.NewReader("a.txt\n\nRückgabe")
	out, err := command.Output()
	if want := "ready\n{\"pages\":0,\"encoding\":\"utf-8\",\"size\":9}\nRückgabe"; err != nil || string(out) != want {
		t.Errorf("%q, %v, want %q", out, err, want)
	}
}

package embeddedpg_test

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"agentchat/internal/embeddedpg"
	"agentchat/internal/testlong"
)

// A process that starts while a program is copied would keep the copy open for writing, and the copy could not be run.
func TestACopyRunsWhileProcessesStart(t *testing.T) {
	t.Parallel()
	testlong.Only(t)
	from, to := openDir(t), openDir(t)
	writeProgram(t, filepath.Join(from, "program"), []byte("#!/bin/sh\n"))
	var starting sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		starting.Go(func() {
			for !isClosed(done) {
				_ = exec.Command("true").Run()
			}
		})
	}
	for i := range 100 {
		dir := filepath.Join(to, strconv.Itoa(i))
		if err := embeddedpg.CopyTree(from, dir); err != nil {
			t.Error(err)
		} else if err := exec.Command(filepath.Join(dir, "program")).Run(); err != nil {
			t.Error(err)
		}
	}
	close(done)
	starting.Wait()
}

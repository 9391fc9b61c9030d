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

// TestACopyRunsWhileProcessesStart shows that a copied program can be run at once. A process that
// starts during the copy could keep it open for writing, and then it could not be run.
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

package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// guideProgram runs the JavaScript of a guide as it is printed, but for a change, until the test ends. It returns what the program writes,
// which is a line already.
func guideProgram(t *testing.T, guide string, change *strings.Replacer, env ...string) *lockedBuffer {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", guide))
	if err != nil {
		t.Fatal(err)
	}
	packages, err := filepath.Abs(filepath.Join("..", "..", "frontend", "node_modules"))
	if err == nil {
		_, err = os.Stat(packages)
	}
	dir := t.TempDir()
	if err == nil {
		err = os.Symlink(packages, filepath.Join(dir, "node_modules"))
	}
	if err != nil {
		t.Fatalf("the programs of guides need the panel's packages (make panel-packages): %v", err)
	}
	file := filepath.Join(dir, "program.mjs")
	programs := 0
	for _, block := range codeBlock.FindAllStringSubmatch(string(text), -1) {
		if block[1] != "javascript" {
			continue
		}
		programs++
		if err := os.WriteFile(file, []byte(change.Replace(block[2])), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if programs != 1 {
		t.Fatalf("%s has %d programs in JavaScript, want one", guide, programs)
	}
	written := &lockedBuffer{}
	command := exec.Command("node", file)
	command.Env = append([]string{"PATH=" + os.Getenv("PATH"), "NODE_NO_WARNINGS=1"}, env...) // its first line is its address
	command.Stdout, command.Stderr = written, written
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	eventually(t, guide+" writes a line", func() bool { return strings.Contains(written.String(), "\n") })
	return written
}

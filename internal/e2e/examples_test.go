package e2e_test

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// interpreter runs the programs of a language.
type interpreter struct {
	command []string
	// probe fails where the language is not installed. The project itself needs those without one.
	probe []string
}

// interpreters are the languages of examples/, by file extension.
var interpreters = map[string]interpreter{
	".sh":   {command: []string{"bash"}},
	".js":   {command: []string{"node"}},
	".mjs":  {command: []string{"node"}},
	".go":   {command: []string{"go", "run", "."}}, // under the language version of go.mod
	".py":   {command: []string{"python3"}, probe: []string{"python3", "--version"}},
	".php":  {command: []string{"php"}, probe: []string{"php", "-r", "curl_init();"}},
	".java": {command: []string{"java"}, probe: []string{"javac", "-version"}},
}

// exampleFile returns the path of a file of examples/.
func exampleFile(file string) string {
	return filepath.Join("..", "..", "examples", filepath.FromSlash(file))
}

// readExample returns the text of a file of examples/.
func readExample(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(exampleFile(file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// example returns a command that runs a program of examples/ against the service at an address. The
// program can import the panel's packages. If its language is not installed, the test is skipped.
func example(t *testing.T, file, service string, env ...string) *exec.Cmd {
	t.Helper()
	folder, name := path.Split(file)
	files, err := os.ReadDir(exampleFile(folder))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, f := range files { // go.mod, too
		texts[f.Name()] = strings.ReplaceAll(readExample(t, folder+f.Name()), exampleAddress, service)
	}
	return program(t, name, texts, env...)
}

// exampleAddress is the service's address in examples/.
const exampleAddress = "http://127.0.0.1:8080"

// program returns a command that runs one of some files.
func program(t *testing.T, file string, texts map[string]string, env ...string) *exec.Cmd {
	t.Helper()
	language := interpreters[filepath.Ext(file)]
	if probe := language.probe; probe != nil {
		if err := exec.CommandContext(t.Context(), probe[0], probe[1:]...).Run(); err != nil {
			t.Skipf("%s is not run: %s: %v", file, strings.Join(probe, " "), err)
		}
	}
	dir := t.TempDir()
	packages, err := filepath.Abs(filepath.Join("..", "..", "frontend", "node_modules"))
	if err == nil {
		err = os.Symlink(packages, filepath.Join(dir, "node_modules"))
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := slices.Concat(language.command[1:], []string{file})
	command := exec.CommandContext(t.Context(), language.command[0], args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "NODE_NO_WARNINGS=1")
	command.Env = append(command.Env, env...)
	return command
}

// runExample runs a program of examples/ to its end and returns its output.
func runExample(t *testing.T, file, service string, env ...string) string {
	t.Helper()
	out, err := example(t, file, service, env...).CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", file, err, out)
	}
	return string(out)
}

// serveExample starts a program of examples/ that serves HTTP and stops it when the test ends. It
// returns the program's address, which is its first line of output, and its log.
func serveExample(t *testing.T, file string, env ...string) (address string, log *lockedBuffer) {
	t.Helper()
	if _, err := os.Stat(filepath.Join("..", "..", "frontend", "node_modules")); err != nil {
		t.Fatalf("%s needs the panel's packages (make panel-packages): %v", file, err)
	}
	log = &lockedBuffer{}
	command := example(t, file, "", append(env, "PORT=0")...)
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	eventually(t, file+" prints its address", func() bool {
		return strings.Contains(log.String(), "\n")
	})
	address, _, _ = strings.Cut(log.String(), "\n")
	return address, log
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal returns the two ends of a pseudo-terminal: the one for typing and the one that the
// program reads.
func openTerminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { _ = person.Close() })
	fd := int(person.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { _ = program.Close() })
	return person, program
}

func echoes(t *testing.T, terminal *os.File) bool {
	t.Helper()
	state, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return state.Lflag&unix.ECHO != 0
}

type typed struct {
	password string
	err      error
}

// prompt runs readPassword on a terminal; prompts contains its questions.
func prompt(ctx context.Context, program *os.File) (answer <-chan typed, prompts *safeBuffer) {
	done, prompts := make(chan typed, 1), &safeBuffer{}
	go func() {
		password, err := readPassword(ctx, program, prompts)
		done <- typed{password, err}
	}()
	return done, prompts
}

// enter types a line once the program has asked for it without echo.
func enter(t *testing.T, person, program *os.File, prompts *safeBuffer, question, line string) {
	t.Helper()
	until(t, "the question "+question,
		func() bool { return strings.Contains(prompts.String(), question) && !echoes(t, program) })
	if _, err := io.WriteString(person, line); err != nil {
		t.Fatal(err)
	}
}

func TestPasswordPrompt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, first, second, password, err string }{
		{"the same twice", " a good one \n", " a good one \n", " a good one ", ""},
		{"two that differ", "a good one\n", "another one\n", "", "differ"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			person, program := openTerminal(t)
			done, prompts := prompt(t.Context(), program)
			enter(t, person, program, prompts, "New password: ", c.first)
			enter(t, person, program, prompts, "again: ", c.second)
			got := <-done
			if got.password != c.password || (got.err == nil) != (c.err == "") {
				t.Errorf("got %q, %v", got.password, got.err)
			}
			if got.err != nil && !strings.Contains(got.err.Error(), c.err) {
				t.Errorf("the error %v does not say %q", got.err, c.err)
			}
			if strings.Contains(prompts.String(), "good") || !echoes(t, program) {
				t.Errorf("the terminal shows %q, echo afterwards: %v", prompts.String(), echoes(t, program))
			}
		})
	}
}

// TestPasswordPromptInterrupted tests that an interrupt restores the terminal's echo.
func TestPasswordPromptInterrupted(t *testing.T) {
	t.Parallel()
	person, program := openTerminal(t)
	ctx, cancel := context.WithCancel(t.Context())
	done, prompts := prompt(ctx, program)
	until(t, "the question",
		func() bool {
			return strings.Contains(prompts.String(), "New password: ") &&
				!echoes(t, program)
		})
	cancel()
	if got := <-done; !errors.Is(got.err, errInterrupted) {
		t.Errorf("got %v", got.err)
	}
	if !echoes(t, program) {
		t.Error("the terminal still hides what is typed")
	}
	// The abandoned read sets echo once more when it ends. By then, its descriptor could belong to
	// another test's terminal.
	_ = person.Close()
	until(t, "the end of the read",
		func() bool { return strings.Count(prompts.String(), "\n") == 2 })
}

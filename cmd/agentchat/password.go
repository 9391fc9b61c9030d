package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// maxPasswordInput is the most input that is read, in bytes. A password has at most 256 characters.
const maxPasswordInput = 4 << 10

// readPassword reads a new password. On a terminal it asks twice without echo. Otherwise the whole
// input must be one line. It removes only the line break.
func readPassword(ctx context.Context, stdin io.Reader, prompt io.Writer) (string, error) {
	if file, ok := stdin.(*os.File); ok && isTerminal(file) {
		return promptPassword(ctx, file, prompt)
	}
	content, err := io.ReadAll(io.LimitReader(stdin, maxPasswordInput+1))
	if err != nil {
		return "", fmt.Errorf("cannot read the password from standard input: %w", err)
	}
	password := string(bytes.TrimSuffix(bytes.TrimSuffix(content, []byte("\n")), []byte("\r")))
	switch {
	case len(content) > maxPasswordInput:
		return "", usagef("standard input is too long for a password")
	case password == "":
		return "",
			usagef("standard input has no password: write one line to it, or run the command on a terminal")
	case strings.ContainsAny(password, "\r\n"):
		return "", usagef("standard input must be the password alone, on one line")
	}
	return password, nil
}

// promptPassword asks on the terminal. If ctx ends meanwhile, it restores the terminal's echo.
func promptPassword(ctx context.Context, terminal *os.File, prompt io.Writer) (string, error) {
	fd := int(terminal.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return "", fmt.Errorf("cannot use the terminal: %w", err)
	}
	type answer struct {
		password string
		err      error
	}
	answers := make(chan answer, 1)
	go func() { // if ctx ends first, this read blocks until the process ends
		password, err := askTwice(fd, prompt)
		answers <- answer{password, err}
	}()
	select {
	case a := <-answers:
		return a.password, a.err
	case <-ctx.Done():
		_ = term.Restore(fd, before)
		_, _ = fmt.Fprintln(prompt)
		return "", errInterrupted
	}
}

func askTwice(fd int, prompt io.Writer) (string, error) {
	first, err := ask(fd, prompt, "New password: ")
	if err != nil {
		return "", err
	}
	second, err := ask(fd, prompt, "The same again: ")
	if err != nil {
		return "", err
	}
	if first != second {
		return "", usagef("the two passwords differ; nothing was changed")
	}
	return first, nil
}

func ask(fd int, prompt io.Writer, question string) (string, error) {
	_, _ = fmt.Fprint(prompt, question)
	line, err := term.ReadPassword(fd)
	_, _ = fmt.Fprintln(prompt)
	if errors.Is(err, io.EOF) {
		return "", usagef("no password was given")
	}
	if err != nil {
		return "", fmt.Errorf("cannot read the password from the terminal: %w", err)
	}
	return string(line), nil
}

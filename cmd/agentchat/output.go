package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"agentchat/internal/fault"
)

// output is where a command's result and its error go.
type output struct {
	stdout io.Writer
	stderr io.Writer
	json   bool
	// secrets are replaced in every error line, but for those that are shorter than minRedacted.
	secrets []string
}

// result prints a command's outcome: the text for people, or the object as one line of JSON.
func (o *output) result(text string, object any) error {
	var err error
	if o.json {
		encoder := json.NewEncoder(o.stdout)
		encoder.SetEscapeHTML(false)
		err = encoder.Encode(object)
	} else {
		_, err = fmt.Fprintln(o.stdout, text)
	}
	if err != nil {
		return fmt.Errorf("cannot write to standard output: %w", err)
	}
	return nil
}

// progress tells how far a long command is: a line on standard error, or an object in one.
func (o *output) progress(what string, n int) {
	if o.json {
		_, _ = fmt.Fprintf(o.stderr, "{\"progress\":{%q:%d}}\n", what, n)
		return
	}
	_, _ = fmt.Fprintf(o.stderr, "%d %s so far\n", n, what)
}

// note tells something beside the result: a line on standard error, or an object in one.
func (o *output) note(text string) {
	if !o.json {
		_, _ = fmt.Fprintln(o.stderr, "agentchat: "+text)
		return
	}
	encoder := json.NewEncoder(o.stderr)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(map[string]string{"note": text})
}

// fail prints an error as one line.
func (o *output) fail(err error) {
	line := o.line(operatorText(err))
	if !o.json {
		_, _ = fmt.Fprintln(o.stderr, "agentchat: "+line)
		return
	}
	var body struct {
		Error struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	body.Error.Code, body.Error.Message = errorCode(err), line
	encoder := json.NewEncoder(o.stderr)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(body) // two strings always encode, and without standard error there is nowhere to report to
}

// minRedacted is the length in characters from which on a secret is replaced. A shorter one protects nothing, and is a part of many a word.
const minRedacted = 6

// line turns a text into one line without secrets.
func (o *output) line(text string) string {
	var pairs []string
	for _, secret := range o.secrets {
		if utf8.RuneCountInString(secret) >= minRedacted {
			pairs = append(pairs, secret, "[redacted]")
		}
	}
	text = strings.NewReplacer(pairs...).Replace(text) // in one go: what replaces a secret may contain another
	return strings.Join(strings.Fields(text), " ")
}

// operatorText is the text of an error for an operator: a fault's own text, and its cause where the operator has to fix the cause.
func operatorText(err error) string {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return err.Error()
	}
	text := fault.ClientMessage(f)
	if f.Err != nil && (f.Kind == fault.Internal || f.Kind == fault.Unavailable) {
		text = strings.TrimSuffix(text, ".") + ": " + f.Err.Error()
	}
	return text
}

// errorCode is the code of an error under --json: "usage" for exit code 2, a fault's kind, or "failed".
func errorCode(err error) string {
	if _, ok := errors.AsType[*usageError](err); ok || isInvalidInput(err) {
		return "usage"
	}
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return string(f.Kind)
	}
	return "failed"
}

func isInvalidInput(err error) bool { return fault.Is(err, fault.InvalidInput) }

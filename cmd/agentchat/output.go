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

// output prints a command's result and its error.
type output struct {
	stdout io.Writer
	stderr io.Writer
	json   bool
	// secrets are redacted in every error line, unless they are shorter than minRedacted.
	secrets []string
}

// result prints a command's result: the text for people, or the object as one line of JSON.
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

// progress reports the progress of a long command on standard error, as text or JSON.
func (o *output) progress(what string, n int) {
	if o.json {
		_, _ = fmt.Fprintf(o.stderr, "{\"progress\":{%q:%d}}\n", what, n)
		return
	}
	_, _ = fmt.Fprintf(o.stderr, "%d %s so far\n", n, what)
}

// note prints a remark on standard error, as text or JSON.
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
	_ = encoder.Encode(body) // a failure of standard error cannot be reported
}

// minRedacted is the length of the shortest secret to redact, in characters. A shorter one protects
// nothing and may be a part of ordinary words.
const minRedacted = 6

// line returns the text as one line without secrets.
func (o *output) line(text string) string {
	var pairs []string
	for _, secret := range o.secrets {
		if utf8.RuneCountInString(secret) >= minRedacted {
			pairs = append(pairs, secret, "[redacted]")
		}
	}
	// all at once: a replacement may contain another secret
	text = strings.NewReplacer(pairs...).Replace(text)
	return strings.Join(strings.Fields(text), " ")
}

// operatorText returns an error's text for operators. It includes the cause of internal and
// unavailable faults, which the operator must fix.
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

// errorCode returns an error's code under --json: "usage" for exit code 2, a fault's kind, or
// "failed".
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

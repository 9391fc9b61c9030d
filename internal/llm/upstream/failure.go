package upstream

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"agentchat/internal/fault"
)

// StatusError is a refusal by the provider. It keeps nothing of the provider's text.
type StatusError struct {
	// Status is the HTTP status, or the one that an error in the middle of an answer names; 0 for an error there without one.
	Status int
	// Word is one of the words that the provider documents, or "".
	Word string
	// BadKey says that the key is what was refused.
	BadKey bool
	// Blocked says that the provider's safety rules refused the message.
	Blocked bool
	// RetryAfter is the wait that was asked for, 0 for none.
	RetryAfter time.Duration
}

// Error returns the refusal in words of ours.
func (e *StatusError) Error() string {
	text := "it answered " + strconv.Itoa(e.Status)
	if e.Status == 0 {
		text = "it answered with an error"
	}
	if e.Word != "" {
		text += " " + e.Word
	}
	if e.BadKey {
		text += ", the API key was refused; set a valid one"
	}
	return text
}

// kind returns the fault that a status means. A refused key is the operator's to mend and the caller can only come back
// later, so the model counts as away.
func (e *StatusError) kind() fault.Kind {
	switch {
	case e.Blocked:
		return fault.ContentBlocked
	case e.BadKey:
		return fault.ModelUnavailable
	case e.Status == http.StatusTooManyRequests, e.Status == http.StatusBadGateway,
		e.Status == http.StatusServiceUnavailable, e.Status == http.StatusGatewayTimeout:
		return fault.ModelUnavailable
	}
	return fault.ModelError
}

// InnerStatus returns the status that an error in the middle of an answer names, 0 when it names none.
func InnerStatus(code int) int {
	if code < http.StatusBadRequest || code > 599 {
		return 0
	}
	return code
}

// LongestRetryAfter is the longest wait that is passed on; what is longer is no help to a caller.
const LongestRetryAfter = time.Hour

// retryAfter reads the header of RFC 9110, section 10.2.3: seconds or a date. 0 when it is absent or not sane.
func retryAfter(value string, now time.Time) time.Duration {
	var wait time.Duration
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		wait = at.Sub(now)
	}
	if wait < 0 || wait > LongestRetryAfter {
		return 0
	}
	return wait
}

// isOutage reports whether an attempt failed because the provider was not there: no connection, a status of 5xx, or no answer
// in time. Refusals, blocked prompts and nonsense are answers.
func isOutage(ctx context.Context, err error) bool {
	if refused, ok := errors.AsType[*StatusError](err); ok {
		return refused.Status >= http.StatusInternalServerError
	}
	if _, ok := errors.AsType[*fault.Error](err); ok { // an adapter's judgement of an answer
		return false
	}
	if _, ok := errors.AsType[*unreachedError](err); ok {
		return true
	}
	return errors.Is(ctx.Err(), context.DeadlineExceeded) || isTimeout(err)
}

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout()
}

// fault gives an error of the library or the transport its kind, and a cause that holds neither key nor provider text.
func (p Provider) fault(ctx context.Context, err error) error {
	wrap := func(kind fault.Kind, text string) *fault.Error {
		return fault.Wrap(kind, errors.New(p.Name+": "+redact(p.Key, text)))
	}
	if refused, ok := errors.AsType[*StatusError](err); ok {
		f := wrap(refused.kind(), refused.Error())
		if f.Kind == fault.ModelUnavailable {
			f.RetryAfter = refused.RetryAfter
		}
		return f
	}
	if judged, ok := errors.AsType[*fault.Error](err); ok {
		return wrap(judged.Kind, judged.Err.Error())
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return wrap(fault.ModelTimeout, "it did not answer before the deadline")
	case ctx.Err() != nil:
		return wrap(fault.ModelUnavailable, "the call was given up")
	case errors.Is(err, errTooLarge):
		return wrap(fault.ModelError, errTooLarge.Error())
	case errors.Is(err, ErrNotReply):
		return wrap(fault.ModelError, ErrNotReply.Error())
	case errors.Is(err, io.ErrUnexpectedEOF):
		return wrap(fault.ModelError, "the answer ended too early")
	}
	if _, ok := errors.AsType[*unreachedError](err); ok {
		return wrap(fault.ModelUnavailable, unreachedText(err))
	}
	if isTimeout(err) {
		return wrap(fault.ModelTimeout, "it did not begin to answer in time")
	}
	return wrap(fault.ModelError, fmt.Sprintf("the connection broke or the answer could not be read (%T)", unwrapURL(err)))
}

// unreachedText says why no connection was made, in the operating system's, the resolver's or the verifier's words. What a proxy
// wrote is left out.
func unreachedText(err error) string {
	if unverified, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "its certificate is not accepted: " + short(unverified)
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return "it cannot be reached: " + short(op)
	}
	return fmt.Sprintf("it cannot be reached (%T)", errors.Unwrap(unwrapURL(err)))
}

func short(err error) string {
	text := []rune(err.Error())
	return string(text[:min(len(text), 200)])
}

// unwrapURL takes off the layer in which net/http puts the address.
func unwrapURL(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}

var keyParameter = regexp.MustCompile(`(?i)\b(key=)[^&\s"']+`)

// redact takes the key out of a text, in whichever form.
func redact(key, text string) string {
	for _, form := range []string{key, url.QueryEscape(key), url.PathEscape(key)} {
		if form != "" {
			text = strings.ReplaceAll(text, form, "REDACTED")
		}
	}
	return keyParameter.ReplaceAllString(text, "${1}REDACTED")
}

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
	"agentchat/internal/llm"
)

// StatusError is a refusal by the provider.
type StatusError struct {
	// Status is the HTTP status, or the status of an error in the middle of an answer; 0 if it has
	// none.
	Status int
	// Word is an error code that the provider documents, or "".
	Word string
	// Parameter is the request parameter that caused the refusal, if the adapter knows it, or "".
	Parameter string
	// BadKey means that the provider refused the key.
	BadKey bool
	// Blocked means that the provider's safety rules refused the message.
	Blocked bool
	// RetryAfter is the wait that the provider asked for, 0 for none.
	RetryAfter time.Duration
	// Detail is the provider's own text, which may quote the key and the message. No error has it.
	Detail string
}

// Error describes the refusal without the provider's own text.
func (e *StatusError) Error() string {
	if e.BadKey {
		return e.status() + ", " + llm.ErrKeyRefused.Error()
	}
	return e.status()
}

func (e *StatusError) status() string {
	text := "it answered " + strconv.Itoa(e.Status)
	if e.Status == 0 {
		text = "it answered with an error"
	}
	if e.Word != "" {
		text += " " + e.Word
	}
	if e.Parameter != "" {
		text += " (" + e.Parameter + ")"
	}
	return text
}

// kind returns the fault for a status. A refused key counts as an unavailable model: only the
// operator can fix it, so the caller can only try again later.
func (e *StatusError) kind() fault.Kind {
	switch {
	case e.Blocked:
		return fault.ContentBlocked
	case e.BadKey:
		return fault.ModelUnavailable
	case e.isTransient(), e.Status == http.StatusBadGateway, e.Status == http.StatusGatewayTimeout:
		return fault.ModelUnavailable
	}
	return fault.ModelError
}

// statusOverloaded is a nonstandard status that several providers send when they are overloaded.
const statusOverloaded = 529

// isTransient reports whether the provider is only overloaded, so that a retry may succeed.
func (e *StatusError) isTransient() bool {
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable, statusOverloaded:
		return true
	}
	return false
}

// isForMessage reports whether the provider refused the message. Other refusals are the provider's
// or the operator's problem: a bad key, an unknown model name, no credit.
func (e *StatusError) isForMessage() bool {
	switch e.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return !e.BadKey
	}
	return e.Blocked
}

// InnerStatus returns the HTTP status for an error code in the middle of an answer, 0 for none.
func InnerStatus(code int) int {
	if code < http.StatusBadRequest || code > 599 {
		return 0
	}
	return code
}

// LongestRetryAfter is the longest wait that is passed on to the caller. A longer one is ignored.
const LongestRetryAfter = time.Hour

// retryAfter parses a Retry-After header (RFC 9110, section 10.2.3): seconds or a date. It returns
// 0 if the value is unusable.
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

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout()
}

// classify is the only function that classifies a failure. attempt is what it shows about the
// provider. own means that the provider or the operator caused it, so that the call is free. After
// the response header, time limits, long replies, refusals and early ends are not own, because a
// message can cause them.
func classify(ctx context.Context, err error) (attempt llm.Attempt, own bool) {
	lost, unanswered := errors.AsType[*unansweredError](err)
	refused, isRefused := errors.AsType[*StatusError](err)
	_, judged := errors.AsType[*fault.Error](err) // the adapter has classified the answer
	switch {
	case isRefused && unanswered:
		attempt.Outage = refused.Status >= http.StatusInternalServerError
		attempt.Busy = refused.Status == http.StatusTooManyRequests
		return attempt, !refused.isForMessage()
	case isRefused:
		return attempt, refused.Status != 0 &&
			(refused.Status < http.StatusBadRequest || refused.Status >= http.StatusInternalServerError)
	case unanswered &&
		(lost.unreached || errors.Is(ctx.Err(), context.DeadlineExceeded) || isTimeout(lost)):
		return llm.Attempt{Outage: true}, true
	}
	return attempt, !judged && ctx.Err() == nil && !errors.Is(err, llm.ErrTooLong)
}

// fault returns the fault for an error of a model. Its text contains neither the key nor text of
// the provider. A refusal has an llm.ProviderError in its chain.
func (p Provider) fault(ctx context.Context, model string, err error) error {
	f := p.kindOf(ctx, err)
	if refused, ok := errors.AsType[*StatusError](err); ok {
		f.Err = p.explained(model, refused, f.Err)
	}
	if _, own := classify(ctx, err); own {
		f.Err = fmt.Errorf("%w: %w", f.Err, llm.ErrProvider)
	}
	return f
}

func (p Provider) kindOf(ctx context.Context, err error) *fault.Error {
	wrap := func(kind fault.Kind, text string) *fault.Error {
		return fault.Wrap(kind, errors.New(p.Name+": "+redact(p.Key, text)))
	}
	if refused, ok := errors.AsType[*StatusError](err); ok {
		f := wrap(refused.kind(), refused.Error())
		if refused.BadKey {
			f.Err = fmt.Errorf("%s: %s, %w", p.Name, redact(p.Key, refused.status()), llm.ErrKeyRefused)
		}
		if f.Kind == fault.ModelUnavailable {
			f.RetryAfter = refused.RetryAfter
		}
		return f
	}
	if judged, ok := errors.AsType[*fault.Error](err); ok {
		return wrap(judged.Kind, judged.Err.Error())
	}
	// A library may have wrapped the error of Send.
	lost, unanswered := errors.AsType[*unansweredError](err)
	if unanswered {
		err = lost.err
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return wrap(fault.ModelTimeout, "it did not answer before the deadline")
	case ctx.Err() != nil:
		return wrap(fault.ModelUnavailable, "the caller gave up")
	case errors.Is(err, errTooLarge):
		return fault.Wrap(fault.ModelError, fmt.Errorf("%s: %w", p.Name, errTooLarge))
	case errors.Is(err, ErrFormat):
		return wrap(fault.ModelError, ErrFormat.Error())
	case errors.Is(err, io.ErrUnexpectedEOF):
		return wrap(fault.ModelError, "the answer ended too early")
	case unanswered && lost.unreached:
		return wrap(fault.ModelUnavailable, unreachedText(err))
	case isTimeout(err):
		return wrap(fault.ModelTimeout, "it did not answer in time")
	}
	return wrap(fault.ModelError,
		fmt.Sprintf("the connection broke or the answer could not be read (%T)", err))
}

// unreachedText says why no connection was made, in the words of the operating system, the resolver
// or the certificate check. It leaves out a proxy's text.
func unreachedText(err error) string {
	if unverified, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "its certificate is not accepted: " + short(unverified)
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return "it cannot be reached: " + short(op)
	}
	return fmt.Sprintf("it cannot be reached (%T)", err)
}

func short(err error) string {
	text := []rune(err.Error())
	return string(text[:min(len(text), 200)])
}

var keyParameter = regexp.MustCompile(`(?i)\b(key=)[^&\s"']+`)

// redact removes the key, and any other in a URL, from a text for the log.
func redact(key, text string) string {
	return keyParameter.ReplaceAllString(withoutKey(key, text, "REDACTED"), "${1}REDACTED")
}

// withoutKey replaces the key in a text, plain or escaped.
func withoutKey(key, text, by string) string {
	for _, form := range []string{key, url.QueryEscape(key), url.PathEscape(key)} {
		if form != "" {
			text = strings.ReplaceAll(text, form, by)
		}
	}
	return text
}

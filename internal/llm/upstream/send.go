package upstream

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/llm"
	"agentchat/internal/memory"
)

const (
	// maxRefusal is the largest part of a refusal that is read, in bytes.
	maxRefusal = 64 << 10
	// longestPause is the longest wait before the retry. If the provider asks for a longer one, there
	// is no retry.
	longestPause = 2 * time.Second
	// attemptTime is the least time that must be left for the retry.
	attemptTime = time.Second
)

// unansweredError is the error of an attempt that got no response with status 200.
type unansweredError struct {
	err error
	// unreached means that no connection was made, so the provider cannot have received the request.
	unreached bool
	// sent means that a connection was made, so the provider may have received the request.
	sent bool
}

// Error returns the text of the cause.
func (e *unansweredError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *unansweredError) Unwrap() error { return e.err }

// MayBill reports whether a request for which Send got no answer may be billed: it was sent and got
// no response.
func MayBill(err error) bool {
	lost, ok := errors.AsType[*unansweredError](err)
	return ok && lost.sent
}

// Post sends a payload, the request in the provider's format, as JSON in a POST request; see Send.
// It encodes the payload once, for the retry too, and without HTML escapes, which would make some
// texts six times as long.
func (c *Client) Post(ctx context.Context, address string, payload any,
	asked llm.Request) (*Answer, error) {
	size := asked.EncodedSize()
	if err := asked.Memory.Grow(size); err != nil {
		return nil, err
	}
	body := bytes.NewBuffer(make([]byte, 0, size))
	if err := json.MarshalWrite(body, payload, jsontext.AllowInvalidUTF8(true),
		jsontext.AllowDuplicateNames(true)); err != nil {
		return nil, fmt.Errorf("encoding the request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address,
		bytes.NewReader(body.Bytes()))
	if err != nil {
		return nil, fmt.Errorf("making the request: %w", err)
	}
	req.Header = c.header.Clone()
	return c.Send(req, asked.Memory)
}

// Send sends a request with the provider's key. It retries once if no connection was made or the
// provider was busy (429, 503 or 529). It returns an answer of status 200, which takes memory from
// hold. The caller must close it. Any other status is a *StatusError in the chain of the error.
// Pass the error to Finish.
func (c *Client) Send(req *http.Request, hold *memory.Hold) (*Answer, error) {
	if req.Body != nil {
		defer func() { _ = req.Body.Close() }()
	}
	if c.provider.Key != "" {
		req.Header.Set(c.provider.KeyHeader, c.provider.KeyPrefix+c.provider.Key)
	}
	ctx := req.Context()
	answer, failed := c.attempt(req, hold)
	if failed == nil {
		return answer, nil
	}
	wait, again := c.retryIn(ctx, failed)
	if !again {
		return nil, failed
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return nil, &unansweredError{err: ctx.Err()}
	case <-timer.C:
	}
	if answer, failed = c.attempt(req, hold); failed != nil {
		return nil, failed
	}
	return answer, nil
}

// retryIn reports whether to retry a failed attempt, and the wait before that. The wait has jitter,
// so that callers that failed together do not retry together.
func (c *Client) retryIn(ctx context.Context,
	failed *unansweredError) (wait time.Duration, again bool) {
	wait = c.provider.Limits.Pause/2 + rand.N(c.provider.Limits.Pause)
	if refused, ok := errors.AsType[*StatusError](failed); ok {
		if !refused.isTransient() {
			return 0, false
		}
		wait = max(wait, refused.RetryAfter)
	} else if _, untrusted := errors.AsType[*tls.CertificateVerificationError](failed); untrusted ||
		!failed.unreached {
		return 0, false
	}
	deadline, ok := ctx.Deadline()
	return wait, wait <= longestPause && ctx.Err() == nil &&
		(!ok || time.Until(deadline) > wait+attemptTime)
}

// attempt sends the request once, and reports the attempt unless its caller canceled it.
func (c *Client) attempt(req *http.Request, hold *memory.Hold) (*Answer, *unansweredError) {
	ctx, cancel := context.WithTimeout(req.Context(), LongestCall)
	resp, failed := c.roundTrip(ctx, req)
	if failed == nil && resp.StatusCode != http.StatusOK {
		failed = &unansweredError{err: c.refusal(resp, cancel)}
	}
	if failed == nil || !errors.Is(req.Context().Err(), context.Canceled) {
		report := llm.Attempt{Answered: true}
		if failed != nil {
			report, _ = classify(req.Context(), failed)
			_, report.Answered = errors.AsType[*StatusError](failed)
		}
		llm.ReportAttempt(req.Context(), report)
	}
	if failed != nil {
		cancel()
		return nil, failed
	}
	return &Answer{body: resp.Body, cancel: cancel, left: maxAnswer, hold: hold}, nil
}

// roundTrip sends a copy of the request.
func (c *Client) roundTrip(ctx context.Context,
	req *http.Request) (*http.Response, *unansweredError) {
	reached := false
	out := req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		// net/http retries by itself when an idle connection turns out to be dead. The provider was not
		// reached then.
		GetConn: func(string) { reached = false },
		GotConn: func(httptrace.GotConnInfo) { reached = true },
	}))
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, &unansweredError{err: err}
		}
		out.Body = body
	}
	resp, err := c.transport.RoundTrip(out)
	if err != nil {
		return nil, &unansweredError{err: err, unreached: !reached && ctx.Err() == nil, sent: reached}
	}
	return resp, nil
}

// refusal reads and closes a response whose status is not 200. It reads only the beginning of a
// slow or long body. cancel ends the request.
func (c *Client) refusal(resp *http.Response, cancel context.CancelFunc) *StatusError {
	timer := time.AfterFunc(c.provider.Limits.Refusal, cancel)
	defer timer.Stop()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal)) // a part is enough
	_ = resp.Body.Close()
	refused := c.provider.Refusal(resp.StatusCode, body)
	if after := retryAfter(resp.Header.Get("Retry-After"), time.Now()); after > 0 {
		refused.RetryAfter = after
	}
	return refused
}

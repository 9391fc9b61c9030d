package bridge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"agentchat/internal/apikey"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
)

// sender sends the messages of one caller.
type sender struct {
	client *client
	key    apikey.Key
	// requestID and address are sent on; empty for none.
	requestID, address string
	// answered is called with the header of each answer.
	answered func(http.Header)
}

// ask sends a message and returns its whole reply.
func (s *sender) ask(ctx context.Context, out *outgoing) (got *reply, err error) {
	err = s.send(ctx, out, func(response *http.Response) (err error) {
		got, err = readReply(response)
		return err
	})
	return got, err
}

// send sends a message until it is answered. It repeats an attempt whose outcome is unknown, and one
// that the service could not answer now, with the same idempotency key. receive reads an answer of
// status 200; it may be called again after a *lost error. Errors: *refusal, errGone, errDiffers.
func (s *sender) send(ctx context.Context, out *outgoing, receive func(*http.Response) error) error {
	pauses := s.client.pauses
	for n := 0; ; n++ {
		err := s.attempt(ctx, out, receive)
		if err == nil {
			return nil
		}
		reason, wait := out.repeatable(err, pauses[min(n, len(pauses)-1)])
		again := ctx.Err() == nil && reason != "" && n < len(pauses) && pause(ctx, wait)
		switch {
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			return gatewayTimeout()
		case ctx.Err() != nil:
			return errGone
		case reason == "":
			return err
		case !again:
			return out.givenUp(err)
		}
		s.client.repeated(reason)
	}
}

// repeatable returns why a message is repeated, and the wait before that, by default usual; empty if
// it is not. After a failure, the key is free, and a repeat can be charged for another text. If a text
// has begun to arrive, that one cannot be sent: only a retry of the client with the same key gets it.
func (out *outgoing) repeatable(err error, usual time.Duration) (reason string, wait time.Duration) {
	if l, ok := errors.AsType[*lost](err); ok {
		return l.reason, usual
	}
	refused, ok := errors.AsType[*refusal](err)
	if !ok {
		return "", 0
	}
	switch refused.code {
	case string(fault.RequestInProgress):
	case string(fault.Internal), string(fault.Unavailable):
		if out.begun && out.random {
			return "", 0
		}
	default:
		return "", 0
	}
	if named, err := strconv.Atoi(refused.retryAfter); err == nil {
		usual = time.Duration(named) * time.Second
	}
	return refused.code, usual
}

// givenUp returns the error of a message that was repeated in vain.
func (out *outgoing) givenUp(err error) error {
	refused, ok := errors.AsType[*refusal](err)
	if !ok {
		refused = unavailable("Agent Chat cannot be reached. Try again shortly.")
		refused.cause = err
	}
	refused.final = out.random
	return refused
}

// attempt sends the message once.
func (s *sender) attempt(ctx context.Context, out *outgoing, receive func(*http.Response) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	request, err := s.request(ctx, out)
	if err != nil {
		return err
	}
	response, err := s.client.transport.RoundTrip(request)
	if err != nil {
		return &lost{lostConnection, err}
	}
	quiet := time.AfterFunc(s.client.silence, func() { cancel(errSilent) })
	defer quiet.Stop()
	if mediaType(response) != mediaTypeEvents {
		quiet.Stop()
	}
	response.Body = &watched{ReadCloser: response.Body, quiet: quiet, silence: s.client.silence, left: maxAnswer}
	defer func() { _ = response.Body.Close() }()
	s.answered(response.Header)
	if response.StatusCode == http.StatusOK {
		err = receive(response)
	} else {
		err = out.refused(response)
	}
	if l, ok := errors.AsType[*lost](err); ok && errors.Is(context.Cause(ctx), errSilent) {
		l.err = errSilent
	}
	return err
}

func (s *sender) request(ctx context.Context, out *outgoing) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.client.url, bytes.NewReader(httpapi.Encode(out.message)))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"Authorization":   "Bearer " + s.key.Reveal(),
		"Content-Type":    mediaTypeJSON,
		"Idempotency-Key": out.key,
		"User-Agent":      "agentchat-bridge",
		"X-Request-Id":    s.requestID,
		"X-Forwarded-For": s.address,
	} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	return r, nil
}

// refused reads an error of the service.
func (out *outgoing) refused(response *http.Response) error {
	var body struct {
		Error serviceError `json:"error"`
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxRefusal))
	if response.StatusCode < http.StatusBadRequest || mediaType(response) != mediaTypeJSON ||
		err == nil && (json.Unmarshal(text, &body) != nil || body.Error.Code == "") {
		return badGateway(fmt.Sprintf("an answer with status %d is no error of the chat API", response.StatusCode))
	}
	if err != nil {
		return &lost{lostConnection, err}
	}
	if out.derived && body.Error.Code == string(fault.IdempotencyKeyReused) {
		return &refusal{status: http.StatusConflict, code: codeBranched, final: true,
			message: "This response was already continued with other input. Continue from the session's newest response."}
	}
	return body.Error.refusalOf(response.StatusCode, response.Header.Get("Retry-After"), out.paths)
}

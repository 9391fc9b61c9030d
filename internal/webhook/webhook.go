// Package webhook notifies the operator of events, in the format of Standard Webhooks
// (https://www.standardwebhooks.com): it signs the events in the outbox and posts them to one URL.
package webhook

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/baseurl"
	"agentchat/internal/outbox"
	"agentchat/internal/store"
	"agentchat/internal/store/notifications"
)

const (
	// sendWithin is the time limit of one request, including the connection.
	sendWithin = 15 * time.Second
	// maxAnswer is the most of a response that is read and discarded, so that the connection can be
	// reused.
	maxAnswer = 64 << 10
	// leastSecret is the least length of a secret, in bytes.
	leastSecret = 32
	prefix      = "whsec_"
)

// Config configures a worker.
type Config struct {
	Store *store.DB
	// URL must pass ParseURL. Secret is a result of ParseSecret.
	URL    string
	Secret []byte
	Logger *slog.Logger
	// LookEvery is the interval for polling new events; 0 means 5 s. SendWithin is the time limit of
	// one request; 0 means 15 s.
	LookEvery, SendWithin time.Duration
}

// ParseURL checks the receiver's URL: https, or http on this machine. The error completes a
// sentence that begins with the setting's name. It does not quote the URL, which may contain a
// password or a token.
func ParseURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Opaque != "" || strings.ContainsAny(text, " \t\r\n#") {
		return errors.New("is not a valid URL: write it like https://shop.example.com/webhooks")
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !baseurl.IsLoopback(u.Hostname())) {
		return errors.New("must begin with https://; http:// is only for this machine, as in http://localhost:3000/webhooks")
	}
	return nil
}

// ParseSecret parses a secret: whsec_ and base64, or any other text, whose bytes are used. The
// error completes a sentence that begins with the setting's name. It does not quote the secret.
func ParseSecret(text string) ([]byte, error) {
	secret := []byte(text)
	if encoded, found := strings.CutPrefix(text, prefix); found {
		var err error
		if secret, err = base64.StdEncoding.DecodeString(encoded); err != nil {
			return nil, errors.New("must be base64 after whsec_")
		}
	}
	if len(secret) < leastSecret {
		return nil, fmt.Errorf("must be at least %d bytes, for instance from: openssl rand -hex 32",
			leastSecret)
	}
	return secret, nil
}

// payload is the body of a request.
type payload struct {
	Type notifications.Event `json:"type"`
	// Timestamp is the time of the event, in RFC 3339.
	Timestamp time.Time       `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

// Body returns the JSON that is posted for an event.
func Body(e notifications.Event, at time.Time, data string) ([]byte, error) {
	return json.Marshal(payload{Type: e, Timestamp: at.UTC(), Data: json.RawMessage(data)})
}

type sender struct {
	Config
	client *http.Client
}

// NewWorker returns a worker that posts the events of the outbox, one at a time.
func NewWorker(cfg Config) *outbox.Worker {
	s := &sender{Config: cfg, client: &http.Client{
		Timeout:       cmp.Or(cfg.SendWithin, sendWithin),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	return outbox.NewWorker(outbox.Config{
		Store:     cfg.Store,
		Kind:      notifications.WebhookKind,
		Send:      s.send,
		Logger:    cfg.Logger,
		LookEvery: cfg.LookEvery,
	})
}

// send posts an event. Only a 410 is final; any other failure may be fixed before the last attempt.
func (s *sender) send(ctx context.Context, m notifications.Outgoing) error {
	body, err := Body(notifications.Event(m.Message), m.CreatedAt, m.Data)
	if err != nil {
		return &outbox.RefusedError{Err: err}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, bytes.NewReader(body))
	if err != nil {
		return withoutURL(err)
	}
	request.Header = header(m.ID, body, s.Secret)
	response, err := s.client.Do(request)
	if err != nil {
		return withoutURL(err)
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.CopyN(io.Discard, response.Body, maxAnswer)
	switch code := response.StatusCode; {
	case code >= 200 && code < 300:
		return nil
	case code == http.StatusGone:
		return &outbox.RefusedError{Err: errors.New("the receiver answered 410, which is final")}
	default:
		return fmt.Errorf("the receiver answered %d", code)
	}
}

// header returns the header of a request for an event, signed with each secret.
func header(id uuid.UUID, body []byte, secrets ...[]byte) http.Header {
	at := time.Now()
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		signatures[i] = Sign(secret, id.String(), at, body)
	}
	return http.Header{
		"Content-Type":      {"application/json"},
		"User-Agent":        {"agentchat"},
		"Webhook-Id":        {id.String()},
		"Webhook-Timestamp": {strconv.FormatInt(at.Unix(), 10)},
		"Webhook-Signature": {strings.Join(signatures, " ")},
	}
}

// Sign returns the signature of an event with an id that is posted at a time.
func Sign(secret []byte, id string, at time.Time, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	_, _ = fmt.Fprintf(mac, "%s.%d.%s", id, at.Unix(), body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// withoutURL returns the cause of a failed request without the URL, which may contain a password or
// a token.
func withoutURL(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return errors.New("the address cannot be used")
}

package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
)

// answer is a response of the chat API.
type answer struct {
	Status  int `json:"-"`
	Header  http.Header
	Body    []byte
	Session string `json:"session_id"`
	Message string `json:"message_id"`
	Reply   string `json:"reply"`
	Model   string `json:"model"`
	Version int    `json:"agent_version"`
	Usage   struct {
		Credits          int64
		CreditsRemaining int64 `json:"credits_remaining"`
	} `json:"usage"`
	Error struct {
		Code    string         `json:"code"`
		Message string         `json:"message"`
		Details map[string]any `json:"details"`
	} `json:"error"`
}

// outcome returns the error's code, or the status if there is no error.
func (a answer) outcome() string {
	if a.Error.Code != "" {
		return a.Error.Code
	}
	return strconv.Itoa(a.Status)
}

// outcomeOf returns the outcome of a request that may have failed without a response.
func outcomeOf(got answer, err error) string {
	if err != nil {
		return err.Error()
	}
	return got.outcome()
}

// client returns an HTTP client that keeps enough connections for the workers of a test.
func client(t testing.TB) *http.Client {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 128}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 2 * time.Minute}
}

// ask sends one message. An empty session leaves session_id out; header holds pairs of names and
// values.
func ask(
	ctx context.Context, c *http.Client, chat, key, session, message string, header ...string,
) (answer, error) {
	body := map[string]any{"message": message}
	if session != "" {
		body["session_id"] = session
	}
	return askWith(ctx, c, chat, key, body, header...)
}

// askWith sends one message with any fields.
func askWith(
	ctx context.Context, c *http.Client, chat, key string, body map[string]any, header ...string,
) (answer, error) {
	resp, err := post(ctx, c, chat, key, body, header...)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	out := answer{Status: resp.StatusCode, Header: resp.Header}
	if out.Body, err = io.ReadAll(resp.Body); err != nil {
		return out, err
	}
	return out, json.Unmarshal(out.Body, &out)
}

// post sends a JSON body with a bearer token. The caller closes the response's body.
func post(
	ctx context.Context, c *http.Client, url, token string, body any, header ...string,
) (*http.Response, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return c.Do(req)
}

// openStream sends a message in a new session and returns the lines of its stream. Canceling the
// context disconnects the client.
func openStream(
	ctx context.Context, c *http.Client, chat, key, message string, header ...string,
) (*http.Response, *bufio.Reader, error) {
	body := map[string]any{"message": message, "session_id": uuid.NewString(), "stream": true}
	resp, err := post(ctx, c, chat, key, body, header...)
	if err != nil {
		return nil, nil, err
	}
	return resp, bufio.NewReader(resp.Body), nil
}

// until reads lines until the n-th of an event. It fails if the stream ends first.
func until(lines *bufio.Reader, event string, n int) error {
	for n > 0 {
		line, err := lines.ReadString('\n')
		if err != nil {
			return err
		}
		if line == "event: "+event+"\n" {
			n--
		}
	}
	return nil
}

package e2e_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/google/uuid"
)

// openStream sends a message and returns the lines of its stream. Canceling the context disconnects the client.
func openStream(ctx context.Context, c *http.Client, chat, key, message string, header ...string) (*http.Response, *bufio.Reader, error) {
	body, err := json.Marshal(map[string]any{"message": message, "session_id": uuid.NewString(), "stream": true})
	if err != nil {
		return nil, nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, chat, strings.NewReader(string(body)))
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := c.Do(req)
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

package e2e_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/faults"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
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

// TestClientsLeaveStreams: clients that disconnect before the first chunk, in the middle, and at the end leave no reply without its
// charge, no charge without its reply, and no request in progress.
func TestClientsLeaveStreams(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "F3")
	m := newGeminiReplica(tt)
	t.audit(m.store)
	n := faults.Times(200, 1000)
	if _, err := m.store.DB().ExecContext(t.Context(), `UPDATE api_exports SET rate_per_minute = 1000000`); err != nil {
		t.Fatal(err)
	}
	fixture := storetest.Seed(t, m.store, storetest.Options{Model: geminiModel, Credits: int64(2 * n), RatePerMinute: 1_000_000})
	pieces := make([]string, 8)
	for i := range pieces {
		pieces[i] = fmt.Sprintf("piece %d ", i)
	}
	m.server.Always(llmtest.Text(pieces...))
	at := []int{0, 1, len(pieces) / 2, len(pieces)}
	got := parallel(8, n, func(i int) string {
		ctx, disconnect := context.WithCancel(t.Context())
		defer disconnect()
		resp, lines, err := openStream(ctx, m.http, m.r.Chat, fixture.Key.Reveal(), "tell me, "+privateText)
		if err != nil {
			return err.Error()
		}
		defer func() { _ = resp.Body.Close() }()
		if err := until(lines, "delta", at[i%len(at)]); err != nil {
			return err.Error()
		}
		return strconv.Itoa(at[i%len(at)])
	})
	for _, chunk := range at {
		if got[strconv.Itoa(chunk)] < n/len(at) {
			t.Errorf("disconnected after chunks: %v", got)
			break
		}
	}
	var answered, charges, pending int
	eventually(t, "all turns are settled", func() bool {
		err := m.store.DB().QueryRowContext(t.Context(), `SELECT count(*) FILTER (WHERE state = 'ANSWERED' AND reply IS NOT NULL),
			count(*) FILTER (WHERE state = 'PENDING'), (SELECT count(*) FROM credit_entries WHERE account_id = $1 AND kind = 'CHARGE')
			FROM turns WHERE account_id = $1`, fixture.Account.ID).Scan(&answered, &pending, &charges)
		return err == nil && pending == 0 && answered == n
	})
	if answered != charges {
		t.Errorf("%d stored replies, %d charges", answered, charges)
	}
	eventually(t, "no request to the model is in progress", func() bool { return m.server.UnderWay() == 0 })
	storetest.Audit(t, m.store)
	t.ran(n)
	t.measured("clients disconnected after 0, 1, half, and all chunks: %d stored replies, %d charges, 0 model requests in progress", answered, charges)
}

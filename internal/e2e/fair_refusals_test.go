package e2e_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	limit "golang.org/x/time/rate"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestQuietTenantBesideRefusals: recording a thousand refused requests a second costs a quiet tenant's chats next to nothing beside what
// refusing them costs when nothing is recorded, loses none that it does not count, and keeps the process small.
func TestQuietTenantBesideRefusals(t *testing.T) {
	testlong.Only(t)
	n := newTenants(t)
	dir := t.TempDir()
	for i := range n.replicas {
		n.replicas[i] = startProgram(t, failing(), n.url, behindProxy, "FAILPOINTS_DIR="+dir)
	}
	noisy := storetest.Seed(t, n.store, storetest.Options{})
	pace := limit.NewLimiter(1_000, 100)
	var sent atomic.Int64
	refused := noise{conns: 16, want: []string{"invalid_request"}, send: func(ctx context.Context, replica int) string {
		if err := pace.Wait(ctx); err != nil {
			return "invalid_request"
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, n.chat(replica), strings.NewReader(`{}`))
		if err != nil {
			return err.Error()
		}
		req.Header.Set("Authorization", "Bearer "+noisy.Key.Reveal())
		req.Header.Set("Content-Type", "application/json")
		resp, err := n.http.Do(req)
		if err != nil {
			return err.Error()
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusBadRequest {
			return resp.Status
		}
		sent.Add(1)
		return "invalid_request"
	}}
	// The same refusals, of which none can be written down.
	beside := func(recorded bool) []time.Duration {
		if path := filepath.Join(dir, "requestlog.record"); !recorded {
			arm(t, dir, "requestlog.record", "always")
			defer func() { _ = os.Remove(path) }()
		}
		var took []time.Duration
		refused.check(t, n.beside(refused, func() { took = n.chats(0, time.Second) }))
		return took
	}
	n.chats(0, time.Second)
	took := map[bool][]time.Duration{}
	for round := range 12 {
		for slice := range 6 { // short ones, in turns, so that both see the machine alike when it gets slower for a while
			recorded := (round+slice)%2 == 0
			took[recorded] = append(took[recorded], beside(recorded)...)
		}
	}
	eventually(t, "every refused request is in the usage or counted as dropped", func() bool {
		values, err := n.replicas[0].metric("agentchat_turnless_requests_dropped_total", "process_resident_memory_bytes")
		if err != nil {
			t.Fatal(err)
		}
		dropped := values["agentchat_turnless_requests_dropped_total"]
		if values["process_resident_memory_bytes"] > 256<<20 {
			t.Errorf("the process has %v bytes", values["process_resident_memory_bytes"])
		}
		var found int64
		err = n.store.SQL().QueryRowContext(t.Context(), `SELECT coalesce(sum(refused), 0) FROM usage_rollups
			WHERE account_id = $1 AND minutes = 15`, noisy.Account.ID).Scan(&found) // past a limit they are not listed
		return err == nil && float64(found)+dropped >= float64(sent.Load())
	})
	storetest.Audit(t, n.store)
	w, r := percentile(took[false], 95), percentile(took[true], 95)
	if r > w*11/10 {
		t.Errorf("the p95 is %v beside recorded refusals and %v beside others, want at most 1.1 times that", r, w)
	}
}

package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/faults"
	"agentchat/internal/store/storetest"
)

// fillTexts gives an account so many turns of 128 KiB, 24 in each conversation.
func (n *tenants) fillTexts(account, agent uuid.UUID, turns int) {
	n.t.Helper()
	_, err := n.store.DB().ExecContext(n.t.Context(), `
		WITH c AS (
			INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count, last_turn_at)
			SELECT gen_random_uuid(), $1, $2, 'API', 'long ' || n, 24, now() - n * interval '1 minute' FROM generate_series(1, $3::int / 24) n
			RETURNING id
		)
		INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price, request_id,
			deadline, settled_at, error_code)
		SELECT gen_random_uuid(), $1, $2, c.id, 'API', n, 'FAILED', repeat('m', 131072), NULL, 'sandbox/free', 0, 'r', now(), now(), 'model_error'
		FROM c, generate_series(1, 24) n`, account, agent, turns)
	if err != nil {
		n.t.Fatal(err)
	}
}

// post sends a query of the noisy tenant to a replica and returns how long the answer is, and its code.
func (n *tenants) post(ctx context.Context, replica int, query string) (length int, code string) {
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		return 0, err.Error()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, n.replicas[replica].base()+"/graphql", bytes.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	req.Header.Set("Authorization", "Bearer "+n.token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := n.http.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error()
	}
	var answer panelAnswer
	if err := json.Unmarshal(raw, &answer); err != nil {
		return 0, err.Error()
	}
	if answer.code() == "RATE_LIMITED" && answer.Errors[0].Extensions.RetryAfterSeconds < 1 {
		return 0, "RATE_LIMITED without a time"
	}
	return len(raw), answer.code()
}

// Queries for the same 2,400 turns: for their ids only, and for their texts.
const (
	turnIDs   = `{ viewer { conversations(first: 100) { nodes { turns(first: 24) { nodes { id } } } } } }`
	turnTexts = `{ viewer { conversations(first: 100) { nodes { turns(first: 24) { nodes { id message } } } } } }`
)

// TestLongTextsAreNotRead: 40 queries at once for the ids of turns with long texts take little memory, and such for the texts
// themselves are refused.
func TestLongTextsAreNotRead(tt *testing.T) {
	tt.Parallel()
	faults.Heavy(tt)
	t := newRow(tt, "N5")
	const turns, atOnce, most = 2400, 40, 300 << 20
	n := newTenants(tt, t)
	id := n.noisyID(tt)
	n.fillTexts(id, storetest.SeedAgent(n.t, n.store, id, storetest.Options{}).ID, turns)
	for range faults.Times(1, 10) {
		got := parallel(atOnce, atOnce, func(int) string {
			length, code := n.post(t.Context(), 0, turnIDs)
			if code == "ok" && length < turns*36 {
				return "too short"
			}
			return code
		})
		if got["ok"] == 0 || got["ok"]+got["RATE_LIMITED"] != atOnce {
			t.Errorf("for ids: %v", got)
		}
		t.ran(atOnce)
	}
	peak := n.replicas[0].peakMemory(tt)
	if peak > most {
		t.Errorf("%d MiB resident, want under %d", peak>>20, most>>20)
	}
	got := parallel(atOnce, atOnce, func(int) string {
		_, code := n.post(t.Context(), 0, turnTexts)
		return code
	})
	if got["LIMIT_EXCEEDED"] == 0 || got["LIMIT_EXCEEDED"]+got["RATE_LIMITED"] != atOnce {
		t.Errorf("for texts: %v", got)
	}
	t.auditOnce(n.store)
	t.measured("at most %d MiB resident after %d queries at once for ids, %d MiB after as many for texts: %v", peak>>20, atOnce,
		n.replicas[0].peakMemory(tt)>>20, got)
}

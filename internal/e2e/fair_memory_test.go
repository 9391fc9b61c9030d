package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// fillTexts gives an account turns of 128 KiB, 24 in each conversation.
func (n *tenants) fillTexts(account, agent uuid.UUID, turns int) {
	n.t.Helper()
	_, err := n.store.SQL().ExecContext(n.t.Context(), `
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

// post sends a query of the noisy tenant to a replica and returns its code.
func (n *tenants) post(ctx context.Context, replica int, query string) string {
	return n.postAs(ctx, replica, n.token, query)
}

func (n *tenants) postAs(ctx context.Context, replica int, token, query string) string {
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		return err.Error()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, n.replicas[replica].base()+"/graphql", bytes.NewReader(body))
	if err != nil {
		return err.Error()
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := n.http.Do(req)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return err.Error()
	}
	var answer panelAnswer
	if err := json.Unmarshal(raw, &answer); err != nil {
		return err.Error()
	}
	if answer.code() == "RATE_LIMITED" && answer.Errors[0].Extensions.RetryAfterSeconds < 1 {
		return "RATE_LIMITED without a time"
	}
	return answer.code()
}

// Queries for the same 2,400 turns: for their ids only, and for their texts.
const (
	turnIDs   = `{ viewer { conversations(first: 100) { nodes { turns(first: 24) { nodes { id } } } } } }`
	turnTexts = `{ viewer { conversations(first: 100) { nodes { turns(first: 24) { nodes { id message } } } } } }`
)

// somePages are pages with texts that an answer can hold.
const somePages = `{ viewer { conversations(first: 1) { nodes { turns(first: 24) { nodes { id message } } } } } }`

// memoryGroup returns a program that is the service in a control group with so much memory, and the group's directory. It skips the
// test where this process may not make one.
func memoryGroup(t *testing.T, bytes int) (program, group string) {
	t.Helper()
	limit := "memory.limit_in_bytes" // version 1
	group = fmt.Sprintf("/sys/fs/cgroup/memory/agentchat-%s", uuid.NewString())
	if _, err := os.Stat("/sys/fs/cgroup/cgroup.controllers"); err == nil {
		limit, group = "memory.max", "/sys/fs/cgroup/"+filepath.Base(group)
	}
	if err := os.Mkdir(group, 0o755); err != nil {
		t.Skipf("no control group can be made here: %v", err)
	}
	t.Cleanup(func() { _ = os.Remove(group) })
	if err := os.WriteFile(filepath.Join(group, limit), []byte(fmt.Sprint(bytes)), 0o600); err != nil {
		t.Skipf("no control group's memory can be limited here: %v", err)
	}
	program = filepath.Join(t.TempDir(), "with-less-memory")
	script := fmt.Sprintf("#!/bin/sh\necho $$ >%s/cgroup.procs && exec %s \"$@\"\n", group, binary)
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return program, group
}

// TestLittleMemory: a process with 512 MiB lives through queries for long texts, announced bodies and streams, all at once. What does
// not fit is refused, and the ledger stays exact.
func TestLittleMemory(t *testing.T) {
	testlong.Only(t)
	const limit, streams, texts, bodies = 512 << 20, 100, 40, 500
	const length = 30 * time.Second
	program, _ := memoryGroup(t, limit)
	n := newTenants(t)
	id := n.noisyID()
	n.fillTexts(id, storetest.SeedAgent(t, n.store, id, storetest.Options{}).ID, 2400)
	r := startProgram(t, program, n.url, behindProxy)
	n.replicas[0].kill()
	n.replicas[0] = r
	stop := auditing(t, n.store)
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	var mu sync.Mutex
	outcomes := map[string]int{}
	var all sync.WaitGroup
	repeat := func(connections int, send func(i int) string) {
		for i := range connections {
			all.Go(func() {
				for ctx.Err() == nil {
					outcome := send(i)
					mu.Lock()
					outcomes[outcome]++
					mu.Unlock()
				}
			})
		}
	}
	repeat(texts, func(i int) string {
		return n.post(t.Context(), 0, []string{turnIDs, turnTexts, somePages}[i%3])
	})
	repeat(streams, func(int) string {
		resp, lines, err := openStream(t.Context(), n.http, r.Chat, n.quiet.Key.Reveal(), "[[sandbox words=200 pace=10ms]]")
		if err != nil {
			return err.Error()
		}
		defer func() { _ = resp.Body.Close() }()
		if resp.StatusCode != http.StatusOK {
			return fmt.Sprint(resp.StatusCode)
		}
		if err := until(lines, "end", 1); err != nil {
			return err.Error()
		}
		return "end"
	})
	body := openBody{header: announced("/v1/agent/chat", n.quiet.Key.Reveal(), 256<<10), sent: strings.Repeat(" ", 200<<10)}
	for ctx.Err() == nil {
		for status, count := range body.send(t, hostOf(t, r.Chat), bodies) {
			mu.Lock()
			outcomes["body "+status] += count
			mu.Unlock()
		}
	}
	all.Wait()
	stop()
	for outcome := range outcomes {
		if !slices.Contains([]string{"ok", "end", "RATE_LIMITED", "LIMIT_EXCEEDED", "UNAVAILABLE", "429", "503", "body 408", "body 503",
			"body 429", "body closed"}, outcome) {
			t.Errorf("%v", outcomes)
		}
	}
	if outcomes["end"] == 0 || outcomes["ok"] == 0 || r.ready() != http.StatusOK {
		t.Errorf("%v, /readyz answers %d", outcomes, r.ready())
	}
	eventually(t, "no message is under way", func() bool { _, held := n.credits(t, n.quiet); return held == 0 })
	if balance, _ := n.credits(t, n.quiet); 1<<40-balance != int64(outcomes["end"]) {
		t.Errorf("%d credits charged, and %d streams ended", 1<<40-balance, outcomes["end"])
	}
	storetest.Audit(t, n.store)
}

// TestManyMessagesOfOneSession: of 2,000 messages of one session at once, as many are answered as may wait; the others are told to come
// again, and none of it takes much memory.
func TestManyMessagesOfOneSession(t *testing.T) {
	testlong.Only(t) // it weighs the process
	t.Parallel()
	const messages, most = 2000, 200 << 20
	url := storetest.URL(t)
	s, r := storetest.Open(t, url), start(t, url)
	c := client(t)
	for range 10 {
		f := storetest.Seed(t, s, storetest.Options{Credits: 1 << 20, RatePerMinute: 1_000_000})
		got := parallel(messages, messages, func(int) string {
			got, err := ask(t.Context(), c, r.Chat, f.Key.Reveal(), "one", "hello")
			if err != nil {
				return err.Error()
			}
			return got.outcome()
		})
		if got["200"] < 65 || got["200"]+got["session_busy"] != messages {
			t.Errorf("%v, want at least 65 replies, and session_busy for the others", got)
		}
	}
	storetest.Audit(t, s)
	if peak := r.peakMemory(t); peak > most {
		t.Errorf("%d MiB of memory, want at most %d MiB", peak>>20, most>>20)
	}
}

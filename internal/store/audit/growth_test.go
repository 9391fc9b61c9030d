package audit_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/versions"
)

// TestChangesOfAnAccountAreBounded: past MaxChanges within a day, members and tokens can only
// remove, stop, pause and block. The limit does not apply to the operator or to other accounts.
func TestChangesOfAnAccountAreBounded(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, other := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	entries := func(n int, ago time.Duration, actor audit.ActorKind) {
		ids, first := make([]string, n), time.Now().Add(-ago)
		for i := range ids {
			ids[i] = conversation.FirstID(first.Add(time.Duration(i) * time.Millisecond)).String()
		}
		storetest.Exec(t, s,
			`INSERT INTO audit_entries (id, account_id, actor, action, subject, fields, at)
			SELECT unnest($1::uuid[]), $2, $3, 'createAgent', 'x', '{}', $4`,
			ids, f.Account.ID, string(actor), first)
	}
	entries(audit.MaxChanges-1, audit.ChangesWindow-time.Hour, audit.ByUser)
	entries(10, audit.ChangesWindow+time.Hour, audit.ByToken)
	entries(10, time.Hour, audit.ByOperator)
	for _, c := range []struct {
		account uuid.UUID
		by      audit.Entry
		want    fault.Kind
	}{
		{f.Account.ID, does(audit.ByUser, "createAgent"), ""}, // the last one
		{f.Account.ID, does(audit.ByUser, "createAgent"), fault.RateLimited},
		{f.Account.ID, does(audit.ByToken, "resumeApiExport"), fault.RateLimited},
		{f.Account.ID, does(audit.ByUser, "removeAccountToken"), ""},
		{f.Account.ID, does(audit.ByOperator, "export resume"), ""},
		{other.Account.ID, does(audit.ByUser, "createAgent"), ""},
	} {
		err := audit.On(s).RecordRead(audit.Acting(t.Context(), c.by), c.account, "x")
		if err != nil && !fault.Is(err, c.want) || err == nil && c.want != "" {
			t.Errorf("%s %s: %v, want %q", c.by.Actor, c.by.Action, err, c.want)
		}
		if refusal, ok := errors.AsType[*fault.Error](err); ok && refusal.RetryAfter.Round(time.Hour) != time.Hour {
			t.Errorf("%s %s: retry after %s", c.by.Actor, c.by.Action, refusal.RetryAfter)
		}
	}
	if n := storetest.CountRows(t, s,
		`SELECT count(*) FROM audit_entries`); n != audit.MaxChanges+20+3 {
		t.Errorf("%d entries", n)
	}
}

// TestRowsOfAnAccountAreBounded fills accounts up to one row below their limits. Of two concurrent
// calls one succeeds, and rows that are given up make room.
func TestRowsOfAnAccountAreBounded(t *testing.T) {
	t.Parallel()
	s, holder := storetest.Replicas(t)
	ctx := t.Context()
	// of has the keys and the rules, full the agents and the exports.
	of, full := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	other := storetest.SeedAgent(t, s, of.Account.ID, storetest.Options{})
	removed, _, _ := storetest.SeedExport(t, s, of.Account.ID, other.ID, 1)
	if _, err := exports.On(s).RemoveExport(ctx, of.Account.ID, removed.ID); err != nil {
		t.Fatal(err)
	}
	for table, constraint := range map[string]string{ // checking each row would take seconds
		"api_keys":  "api_keys_account_id_fkey, DROP CONSTRAINT api_keys_export_id_fkey",
		"end_users": "end_users_account_id_fkey",
	} {
		storetest.Exec(t, s, `ALTER TABLE `+table+` DROP CONSTRAINT `+constraint)
	}
	storetest.Bulk(t, s, `INSERT INTO api_keys (id, account_id, export_id, hash, hint)
		SELECT gen_random_uuid(), $1, $2, sha256(int4send(n)), '' FROM generate_series(1, $3) n`,
		of.Account.ID, removed.ID, agent.MaxKeys-3)
	storetest.Bulk(t, s, `INSERT INTO end_users (account_id, user_hash, user_id, blocked_at)
		SELECT $1, CASE n WHEN 1 THEN end_user_hash_1('1') ELSE sha256(int4send(n)) END, n::text, now()
		FROM generate_series(1, $2) n`, of.Account.ID, conversations.MaxEndUserRules-1)
	storetest.Bulk(t, s, `INSERT INTO agents (id, account_id, name, state, published_version)
		SELECT gen_random_uuid(), $1, 'n', 'LIVE', 1 FROM generate_series(1, $2)`,
		full.Account.ID, agent.MaxAgents-2)
	storetest.Bulk(t, s, `INSERT INTO api_exports (id, account_id, agent_id, name)
		SELECT gen_random_uuid(), $1, $2, 'e' FROM generate_series(1, $3)`,
		full.Account.ID, full.Agent.ID, agent.MaxExports-2)
	list, err := agents.On(s).Agents(ctx, full.Account.ID)
	if err != nil {
		t.Fatal(err)
	}
	export := func(account, of uuid.UUID) error {
		_, err := exports.On(s).CreateExport(ctx, account, storetest.NewExport(of), apikey.Mint())
		return err
	}
	block := func(user string, on bool) error {
		return storetest.ErrOnly(conversations.On(s).BlockEndUser(ctx, of.Account.ID, user, on))
	}
	var n atomic.Int64
	for _, c := range []struct {
		what       string
		account    uuid.UUID
		more, room func() error
	}{
		{
			"keys", of.Account.ID,
			func() error {
				if n.Add(1)%2 == 0 {
					return export(of.Account.ID, of.Agent.ID)
				}
				_, err := exports.On(s).ReplaceKey(ctx, of.Account.ID, of.Export.ID, nil, apikey.Mint(), nil)
				return err
			},
			func() error { return erasure.On(s).DeleteAgent(ctx, of.Account.ID, other.ID) },
		},
		{
			"rules", of.Account.ID,
			func() error { return block(fmt.Sprint("new ", n.Add(1)), true) },
			func() error { return block("1", false) },
		},
		{
			"exports", full.Account.ID, // each of another agent, whose own lock does not hold up the other
			func() error { return export(full.Account.ID, list[n.Add(1)].ID) },
			func() error {
				return storetest.ErrOnly(exports.On(s).RemoveExport(ctx, full.Account.ID, full.Export.ID))
			},
		},
		{
			"agents", full.Account.ID,
			func() error {
				_, err := agents.On(s).CreateAgent(ctx, full.Account.ID, agent.Agent{Name: "one more"})
				return err
			},
			func() error { return erasure.On(s).DeleteAgent(ctx, full.Account.ID, full.Agent.ID) },
		},
	} {
		// A lock holds both until both have started, so that neither counts first.
		tx, err := holder.SQL().BeginTx(ctx, nil)
		if err == nil {
			_, err = tx.ExecContext(ctx, `SELECT id FROM accounts WHERE id = $1 FOR UPDATE`, c.account)
		}
		if err != nil {
			t.Fatal(err)
		}
		fitted := make(chan int, 1)
		go func() { fitted <- storetest.AtOnce(t, 2, fault.Conflict, c.more) }()
		storetest.WaitForLocks(t, holder, 2)
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if n := <-fitted; n != 1 {
			t.Errorf("%s: %d fitted, want 1", c.what, n)
		}
		if err := c.room(); err != nil {
			t.Fatal(err)
		}
		if err := c.more(); err != nil {
			t.Errorf("%s: with room again: %v", c.what, err)
		}
	}
}

// TestEveryTableHasALimit: a table is either one that only credits, the operator or the schema make
// grow, or docs/operating.md says what limits it.
func TestEveryTableHasALimit(t *testing.T) {
	t.Parallel()
	bounded := []string{"bound_references", "credit_check_cursors", "end_users_key", "goose_db_version", "readiness", "replicas", "seen_addresses_key"}
	page, err := os.ReadFile("../../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## What can grow without being paid for\n")
	var tables string
	err = storetest.New(t).SQL().QueryRowContext(t.Context(),
		`SELECT string_agg(tablename, ' ') FROM pg_tables
		WHERE schemaname = 'public'`).Scan(&tables)
	if err != nil {
		t.Fatal(err)
	}
	for table := range strings.FieldsSeq(tables) {
		if strings.Contains(section, "`"+table+"`") == slices.Contains(bounded, table) {
			t.Errorf("%s: say in docs/operating.md what limits it, or here that only credits or the operator make it grow", table)
		}
	}
}

// TestVersionsOfAnAccountAreBounded: what publishing stores counts over all agents of the account
// and over replicas, and deleted agents leave room.
func TestVersionsOfAnAccountAreBounded(t *testing.T) {
	t.Parallel()
	const each, fits = 20_000, 4
	url := storetest.URL(t)
	first := storetest.Open(t, url)
	f := storetest.Seed(t, first, storetest.Options{})
	s, err := store.Open(t.Context(), store.Config{URL: url, VersionBytes: fits*each + each/2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	random := rand.NewChaCha8([32]byte{})
	publish := func(a agent.Agent) error {
		text := make([]byte, each/2)
		_, _ = random.Read(text)
		storetest.Edit(t, s, a, agent.Changes{Instructions: storetest.SetTo(hex.EncodeToString(text))})
		_, _, err := versions.On(s).PublishAgent(t.Context(), f.Account.ID, a.ID, versions.Publication{},
			storetest.OnlySandbox)
		return err
	}
	other, err := agents.On(s).CreateAgent(t.Context(), f.Account.ID,
		agent.New(agent.Changes{Name: storetest.SetTo("n"),
			Model: storetest.SetTo(storetest.SandboxModel)}))
	if err != nil {
		t.Fatal(err)
	}
	published := 0
	for i := range 2 * fits {
		if err := publish([]agent.Agent{f.Agent, other}[i%2]); err == nil {
			published++
		} else {
			storetest.RefusedWith(t, "the versions", err, "0 MB together")
		}
	}
	if n := storetest.CountRows(t, s,
		`SELECT count(*) FROM agent_versions WHERE length(settings::text) > 10000`); published != fits || n != fits {
		t.Errorf("%d published, %d stored, want %d", published, n, fits)
	}
	if err := erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, other.ID); err != nil {
		t.Fatal(err)
	}
	if err := publish(f.Agent); err != nil {
		t.Errorf("after an agent was deleted: %v", err)
	}
}

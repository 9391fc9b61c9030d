package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"agentchat/internal/embeddedpg"
	"agentchat/internal/store"
)

// planned are the statements of a chat, by the names in their first lines: alone and in batches. The gate is the first part of beginning.
var planned = []string{"gate", "finish", "begin_batch", "finish_batch"}

// intended are the indexes that they may use: each finds the rows of one chat, however long the tables are.
var intended = []string{"api_keys_hash", "api_exports_pkey", "agents_pkey", "accounts_pkey", "agent_versions_pkey", "conversations_label",
	"conversations_pkey", "turns_pkey", "turns_number", "turns_idempotency"}

// states are what a database is like when a connection plans the statements of a chat, one after the other.
var states = []struct{ name, prepare string }{
	{"new", ""},
	{"right after a bulk load, without statistics", "load"},
	{"analyzed", "VACUUM (ANALYZE)"},
	{"each conversation with an old version that autovacuum has not removed", "UPDATE conversations SET contended_until = now()"},
}

// plans describes which indexes the plans of a chat's statements use in each state, as Markdown. Autovacuum is off, so that a state stays.
func (b *bench) plans(ctx context.Context, postgres *embeddedpg.Server, program program) (string, error) {
	texts, err := b.texts(ctx)
	if err != nil {
		return "", err
	}
	if program.databaseURL, err = createDatabase(ctx, postgres, "plans"); err != nil {
		return "", err
	}
	if err := program.do(ctx, "migrate"); err != nil {
		return "", err
	}
	conn, err := pgx.Connect(ctx, program.databaseURL)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, table := range []string{"accounts", "agents", "agent_versions", "api_exports", "api_keys", "conversations", "turns"} {
		if _, err := conn.Exec(ctx, "ALTER TABLE "+table+" SET (autovacuum_enabled = off)"); err != nil {
			return "", err
		}
	}
	if _, err := conn.Exec(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1", pgx.QueryExecModeSimpleProtocol); err != nil {
		return "", err // from here on no old version goes
	}
	lines := make([]string, len(planned))
	for i, name := range planned {
		lines[i] = "| " + name + " |"
	}
	head1, head2, first := "| statement |", "|---|", []string(nil)
	for _, state := range states {
		b.say("plans: %s", state.name)
		if err := b.reach(ctx, program.databaseURL, state.prepare); err != nil {
			return "", err
		}
		used, err := explainAll(ctx, program.databaseURL, texts)
		if err != nil {
			return "", err
		}
		head1, head2 = head1+" "+state.name+" |", head2+"---|"
		for i := range used {
			cell := used[i]
			if first != nil && cell == first[i] {
				cell = "the same"
			}
			lines[i] += " " + cell + " |"
		}
		if first == nil {
			first = used
		}
	}
	return fmt.Sprintf("Indexes in the plans of a chat's statements; %d turns once they are loaded.\n\n%s\n%s\n%s\n", b.turns, head1, head2,
		strings.Join(lines, "\n")), nil
}

// reach brings a database into its next state.
func (b *bench) reach(ctx context.Context, databaseURL, prepare string) error {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	if prepare == "load" {
		const accounts, turns = 1000, 10
		_, err = seedGroup(ctx, conn, seedSQL, group{accounts, 1, sandboxModel, 40, max(1, b.turns/accounts/turns), turns})
	} else {
		_, err = conn.Exec(ctx, prepare, pgx.QueryExecModeSimpleProtocol)
	}
	return err
}

// texts are the statements of a chat, as the store sends them when messages come alone and together.
func (b *bench) texts(ctx context.Context) (map[string]string, error) {
	seen := &seenTexts{texts: map[string]string{}}
	s, err := store.Open(ctx, store.Config{URL: b.sides[0].program.databaseURL, Tracer: seen})
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }()
	var chats sync.WaitGroup
	for _, from := range b.sides[0].speakers["many"][:64] {
		chats.Go(func() { _ = throughStore(ctx, s, from, newID().String()) })
	}
	chats.Wait()
	for _, name := range planned {
		if seen.texts[name] == "" {
			return nil, fmt.Errorf("the statement %s was not sent", name)
		}
	}
	return seen.texts, nil
}

// seenTexts keeps the statements that have a name.
type seenTexts struct {
	mu    sync.Mutex
	texts map[string]string
}

var nameOf = regexp.MustCompile(`^-- (\w+): `)

func (s *seenTexts) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name := nameOf.FindStringSubmatch(data.SQL); name != nil {
		s.texts[name[1]] = data.SQL
	}
	return ctx
}

func (s *seenTexts) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// explainAll returns the indexes of each statement, planned on a new connection with the service's settings.
func explainAll(ctx context.Context, databaseURL string, texts map[string]string) (all []string, err error) {
	s, err := store.Open(ctx, store.Config{URL: databaseURL})
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }()
	conn, err := s.DB().Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	for _, name := range planned {
		used, err := explain(ctx, conn, name, texts[name])
		if err != nil {
			return nil, fmt.Errorf("explain %s: %w", name, err)
		}
		for i, index := range used {
			if !slices.Contains(intended, index) {
				used[i] = "**" + index + "**, which is not intended"
			}
		}
		all = append(all, strings.Join(used, ", "))
	}
	return all, nil
}

var parameter = regexp.MustCompile(`\$\d+`)

// explain returns the indexes of a statement's generic plan, and the tables that it reads from end to end.
func explain(ctx context.Context, conn *sql.Conn, name, text string) ([]string, error) {
	if _, err := conn.ExecContext(ctx, "PREPARE "+name+" AS "+text, pgx.QueryExecModeSimpleProtocol); err != nil {
		return nil, err
	}
	parameters := map[string]bool{}
	for _, p := range parameter.FindAllString(text, -1) {
		parameters[p] = true
	}
	nulls := strings.TrimSuffix(strings.Repeat("NULL, ", len(parameters)), ", ")
	var plan string
	err := conn.QueryRowContext(ctx, "EXPLAIN (FORMAT JSON) EXECUTE "+name+"("+nulls+")", pgx.QueryExecModeSimpleProtocol).Scan(&plan)
	if err != nil {
		return nil, err
	}
	var top []struct{ Plan planNode }
	if err := json.Unmarshal([]byte(plan), &top); err != nil {
		return nil, err
	}
	used := top[0].Plan.used(nil)
	slices.Sort(used)
	return slices.Compact(used), nil
}

type planNode struct {
	Type  string `json:"Node Type"`
	Table string `json:"Relation Name"`
	Index string `json:"Index Name"`
	Plans []planNode
}

func (n planNode) used(names []string) []string {
	switch {
	case n.Index != "":
		names = append(names, n.Index)
	case n.Type == "Seq Scan":
		names = append(names, n.Table)
	}
	for _, part := range n.Plans {
		names = part.used(names)
	}
	return names
}

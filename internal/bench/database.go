package main

import (
	"context"
	_ "embed" // the SQL is in files of its own
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"agentchat/internal/apikey"
	"agentchat/internal/embeddedpg"
)

//go:embed seed.sql
var seedSQL string

// statements splits a file of SQL.
func statements(text string) []string {
	var all []string
	for part := range strings.SplitSeq(text, ";\n") {
		if strings.TrimSpace(part) != "" {
			all = append(all, part)
		}
	}
	return all
}

// startPostgres starts the benchmark's own PostgreSQL. It writes to disk like any other, but
// without a checkpoint during the measurements: after one, the log would contain whole pages, for
// whichever side writes first.
func startPostgres(ctx context.Context, dir string) (*embeddedpg.Server, error) {
	return embeddedpg.Start(ctx, embeddedpg.Config{
		DataDir: dir,
		BinDir:  os.Getenv("AGENTCHAT_POSTGRES_BIN"),
		Settings: map[string]string{
			"max_connections": "300", "shared_buffers": "512MB", "checkpoint_timeout": "1h", "max_wal_size": "32GB",
		},
	})
}

// createDatabase makes an empty database and returns its URL.
func createDatabase(ctx context.Context, server *embeddedpg.Server, name string) (string, error) {
	conn, err := pgx.Connect(ctx, server.URL())
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		return "", err
	}
	u, err := url.Parse(server.URL())
	if err != nil {
		return "", err
	}
	u.Path = "/" + name
	return u.String(), nil
}

// group describes accounts of one kind.
type group struct {
	accounts, exports int // exports per account
	model             string
	context           int // turns of history
	conversations     int // per account
	turns             int // per conversation
}

const sandboxModel, slowModel = "sandbox/assistant", "openai/gpt-5-mini"

// groups are the accounts of a side, by name.
var groups = map[string]group{
	"many": {1000, 1, sandboxModel, 40, 4, 5},
	// Enough exports to stay below the rate of each.
	"one":  {1, 16, sandboxModel, 40, 4, 5},
	"slow": {256, 1, slowModel, 40, 1, 1},
	// Conversations that reach 1,000 turns.
	"grown": {64, 1, sandboxModel, 40, 1, 500},
	// Both return the same ten turns.
	"short": {1, 1, sandboxModel, 10, 1000, 10},
	"long":  {1, 1, sandboxModel, 10, 10, 10_000},
}

// ask is the message of all chats. The length of its reply does not depend on the conversation.
const ask = "[[sandbox words=40]]"

// speaker is an account's key, with the ids that statements need without a service.
type speaker struct {
	key                    apikey.Key
	account, agent, export uuid.UUID
}

// seed fills a side's database with the statements of a seed.sql and returns the speakers of each
// group. It ends with fresh statistics.
func seed(ctx context.Context, databaseURL, text string) (map[string][]speaker, error) {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(ctx) }()
	all := map[string][]speaker{}
	for name, g := range groups {
		if all[name], err = seedGroup(ctx, conn, text, g); err != nil {
			return nil, fmt.Errorf("seed %s: %w", name, err)
		}
	}
	return all, tidy(ctx, databaseURL)
}

func seedGroup(ctx context.Context, conn *pgx.Conn, text string, g group) ([]speaker, error) {
	var accounts, agents, owners, agentsOf, exports, keys []uuid.UUID
	var hashes [][]byte
	var speakers []speaker
	for range g.accounts {
		account, agent := newID(), newID()
		accounts, agents = append(accounts, account), append(agents, agent)
		for range g.exports {
			s := speaker{apikey.Mint(), account, agent, newID()}
			hash := s.key.Hash()
			owners, agentsOf, exports = append(owners, account), append(agentsOf, agent),
				append(exports, s.export)
			keys, hashes, speakers = append(keys, newID()), append(hashes, hash[:]), append(speakers, s)
		}
	}
	args := pgx.NamedArgs{
		"accounts": accounts, "agents": agents, "owners": owners, "speakers": agentsOf, "exports": exports, "keys": keys, "hashes": hashes,
		"model": g.model, "context": g.context, "conversations": g.conversations, "turns": g.turns,
		"message": ask, "reply": strings.Repeat("reply ", 40),
	}
	for _, statement := range statements(text) {
		if _, err := conn.Exec(ctx, statement, args); err != nil {
			return nil, err
		}
	}
	return speakers, nil
}

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// tidy removes dead rows from a database and updates its statistics.
func tidy(ctx context.Context, databaseURL string) error {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, "VACUUM (ANALYZE)", pgx.QueryExecModeSimpleProtocol)
	return err
}

var roleSetting = regexp.MustCompile(`(?m)^ALTER ROLE agentchat IN DATABASE agentchat SET (\w+ = '\w+');$`)

// setForPooler applies the settings of the service's role in roles.sql to a database.
func setForPooler(ctx context.Context, databaseURL string) error {
	text, err := os.ReadFile("deploy/postgres/roles.sql")
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, setting := range roleSetting.FindAllSubmatch(text, -1) {
		if _, err := conn.Exec(ctx,
			fmt.Sprintf("ALTER DATABASE %s SET %s", conn.Config().Database, setting[1])); err != nil {
			return err
		}
	}
	return nil
}

// server is the PostgreSQL that is measured: its log and its processes.
type server struct {
	conn *pgx.Conn
	// postmaster is the parent of all its processes.
	postmaster int
}

func inspect(ctx context.Context, adminURL string) (*server, error) {
	conn, err := pgx.Connect(ctx, adminURL)
	if err != nil {
		return nil, err
	}
	var backend int
	if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&backend); err != nil {
		return nil, err
	}
	own, err := readProcess(backend)
	return &server{conn, own.parent}, err
}

// wal returns the number of bytes of log written so far.
func (s *server) wal(ctx context.Context) (bytes float64, err error) {
	err = s.conn.QueryRow(ctx,
		"SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8").Scan(&bytes)
	return bytes, err
}

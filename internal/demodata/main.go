// Command demodata backdates what frontend/scripts/working-day.mjs has just done in an account,
// over the last month. It reads {"account", "steps"} from standard input, and finds the database in
// the same way as the service.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5"

	"agentchat/internal/embeddedpg"
)

//go:embed move.sql
var moveSQL string

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "demodata:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	var in struct {
		Account string
		Steps   json.RawMessage
	}
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		return err
	}
	address := os.Getenv("DATABASE_URL")
	if address == "" {
		dir := "data"
		if os.Geteuid() == 0 {
			dir = "/var/lib/agentchat"
		}
		server, err := embeddedpg.Attach(ctx, embeddedpg.Config{
			DataDir: cmp.Or(os.Getenv("AGENTCHAT_DATA_DIR"), dir),
			BinDir:  os.Getenv("AGENTCHAT_POSTGRES_BIN"),
		})
		if err != nil {
			return err
		}
		defer func() { _ = server.Stop(ctx) }()
		address = server.URL()
	}
	return move(ctx, address, in.Account, in.Steps)
}

// move backdates the actions of an account in each step. steps is a JSON array of {since, ago}: the
// start of the step, and the distance to move it into the past, in milliseconds.
func move(ctx context.Context, address, account string, steps json.RawMessage) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, `SELECT set_config('working.account', $1, false), set_config('working.steps', $2, false)`,
		account, string(steps))
	if err == nil {
		_, err = conn.PgConn().Exec(ctx, moveSQL).ReadAll()
	}
	return err
}

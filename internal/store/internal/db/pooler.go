package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// answerSettings decide the meaning of a statement and the form of its result. A role or a database
// may set other values for other programs. Poolers also accept these at a connection's start, and
// keep them for each client.
var answerSettings = map[string]string{
	"client_encoding":             "UTF8",
	"DateStyle":                   "ISO, MDY",
	"TimeZone":                    "UTC",
	"standard_conforming_strings": "on",
}

// sessionSettings hold the other settings that every connection needs. They are sent at the
// connection's start. A pooler accepts no such start, so behind one the role must have them.
var sessionSettings = map[string]string{
	"statement_timeout":                   milliseconds(statementTimeout),
	"lock_timeout":                        milliseconds(lockTimeout),
	"idle_in_transaction_session_timeout": milliseconds(2 * statementTimeout),
	// The plans of a chat's statements do not depend on their arguments; planning them each time cost
	// 20 % of a chat.
	"plan_cache_mode": "force_generic_plan",
	// A page is read in the order of its index. With the default of 4, meant for spinning disks, the
	// planner would at some table sizes collect and sort everything that a filter matches instead,
	// however long that list is for one account.
	"random_page_cost": "1",
	// Every statement finds its rows by an index. A table of one page is faster to scan, but the
	// server keeps that plan until it analyzes the table again. Meanwhile updates of an account's row
	// leave many pages of old versions.
	"enable_seqscan": "off",
	// A table that can only be scanned then has such a high cost that the server would compile each of
	// its statements again: 40 ms for the hash of an end user's id, which takes 0.05 ms.
	"jit": "off",
	// Locks decide who is first. A stricter isolation would refuse who waited.
	"default_transaction_isolation": "read committed",
	// Chats write, and idle connections are there for the next one.
	"default_transaction_read_only": "off",
	"idle_session_timeout":          "0",
	// The rest are the server's defaults, which answers rely on. A URL may name another search_path: a
	// schema for the tables.
	"search_path":        "public",
	"array_nulls":        "on",
	"bytea_output":       "hex",
	"extra_float_digits": "1",
	"IntervalStyle":      "postgres",
}

// setSettings adds the settings to a connection's parameters. They replace those of the URL and the
// environment, in any letter case.
func setSettings(params, settings map[string]string) {
	for name, value := range settings {
		for given, text := range params {
			if strings.EqualFold(given, name) {
				delete(params, given)
				if name == "search_path" {
					value = text
				}
			}
		}
		params[name] = value
	}
}

// errPooled is a connection that was not given the settings it asked for.
var errPooled = errors.New("connections do not get the settings that they ask for, as behind a pooler: " +
	"set DATABASE_POOLER=transaction, or name PostgreSQL itself in DATABASE_URL")

// checkSettings checks that the settings reach the server. Without a configured pooler, statements
// are not prepared by name here: an unannounced pooler would confuse them with those of other
// clients.
func checkSettings(ctx context.Context, pool *sql.DB, conf *pgx.ConnConfig, pooled bool) error {
	wanted := maps.Clone(sessionSettings)
	maps.Copy(wanted, answerSettings)
	for name := range wanted {
		if sent, ok := conf.RuntimeParams[name]; ok {
			wanted[name] = sent
		}
	}
	rows, err := pool.QueryContext(ctx, `SELECT name, setting, current_user::text, current_database()::text FROM pg_settings
		WHERE name = ANY($1::text[])`, pgx.QueryExecModeExec, slices.Collect(maps.Keys(wanted)))
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	var wrong []string
	for rows.Next() {
		var name, value, role, database string
		if err := rows.Scan(&name, &value, &role, &database); err != nil {
			return err
		}
		if value != wanted[name] {
			wrong = append(wrong, fmt.Sprintf("ALTER ROLE %s IN DATABASE %s SET %s = '%s';", pgx.Identifier{role}.Sanitize(),
				pgx.Identifier{database}.Sanitize(), name, wanted[name]))
		}
	}
	switch err := rows.Err(); {
	case err != nil || len(wrong) == 0:
		return err
	case !pooled:
		return errPooled
	}
	slices.Sort(wrong)
	return fmt.Errorf("the role lacks settings that cannot be sent through a pooler. Run this SQL, then RECONNECT in the pooler's "+
		"console: %s", strings.Join(wrong, " "))
}

// poolerRefusal replaces a pooler's refusal of the settings by a remedy. A parameter that only the
// URL has is not the service's concern.
func poolerRefusal(err error) error {
	_, rest, refused := strings.Cut(err.Error(), "unsupported startup parameter: ")
	for name := range sessionSettings {
		if refused && strings.HasPrefix(rest, name) {
			return errPooled
		}
	}
	return err
}

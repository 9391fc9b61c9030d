package db

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Diagnosis is the result of the operator's check of a database.
type Diagnosis struct {
	// ServerVersion is PostgreSQL's, like 150018.
	ServerVersion int
	// MaxConnections is the server's limit of connections for ordinary roles, and UsedConnections the
	// number in use.
	MaxConnections, UsedConnections int
	// RoleLimit and DatabaseLimit are the connection limits of the role and the database; -1 for no
	// limit.
	RoleLimit, DatabaseLimit int
	// Role and Database are their names.
	Role, Database string
	// Now is the database's time.
	Now time.Time
	// ReadOnly says that it is a standby, or that writing is off.
	ReadOnly bool
}

// Diagnose reads it in one statement.
func (s *DB) Diagnose(ctx context.Context) (Diagnosis, error) {
	return One[Diagnosis](ctx, s, `
		SELECT current_setting('server_version_num')::int AS server_version,
			current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
				- coalesce(current_setting('reserved_connections', true), '0')::int AS max_connections,
			(SELECT sum(numbackends) FROM pg_stat_database)::int AS used_connections,
			CASE WHEN r.rolsuper THEN -1 ELSE r.rolconnlimit END AS role_limit,
			CASE WHEN r.rolsuper THEN -1 ELSE d.datconnlimit END AS database_limit, r.rolname::text AS role, d.datname::text AS database,
			clock_timestamp() AS now, pg_is_in_recovery() OR current_setting('transaction_read_only')::bool AS read_only
		FROM pg_roles r, pg_database d WHERE r.rolname = session_user AND d.datname = current_database()`)
}

// CheckConnections returns an error, one line for the operator, if the limits on connections are
// too low for a replica.
func (s *DB) CheckConnections(ctx context.Context) error {
	d, err := s.Diagnose(ctx)
	if err != nil {
		return err
	}
	own := s.Connections()
	least := min(own, leastConnections)
	for _, limit := range []struct {
		connections  int
		of, name, do string
	}{
		{d.RoleLimit, "the role", d.Role, "ALTER ROLE %s CONNECTION LIMIT %d;"},
		{d.DatabaseLimit, "the database", d.Database, "ALTER DATABASE %s CONNECTION LIMIT %d;"},
	} {
		if n := limit.connections; n >= 0 && n < least {
			return fmt.Errorf("%s %s may have only %d connections, and a replica needs at least %d: "+limit.do,
				limit.of, limit.name, n, least, pgx.Identifier{limit.name}.Sanitize(), own+leastConnections)
		}
	}
	if d.MaxConnections < least {
		return fmt.Errorf("PostgreSQL has only %d connections for ordinary roles, and a replica needs at least %d: raise max_connections",
			d.MaxConnections, least)
	}
	return nil
}

package storetest

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"agentchat/internal/store"
	"agentchat/internal/store/internal/db"
)

// HistoryRows is the length of long lists.
const HistoryRows = 100_000

// Bulk runs a statement without the statement timeout.
func Bulk(t testing.TB, s *store.DB, query string, args ...any) {
	t.Helper()
	ctx := db.WithoutDeadline(t.Context())
	conn, err := s.SQL().Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	for _, step := range []struct {
		query string
		args  []any
	}{{`SET statement_timeout = 0`, nil}, {query, args}, {`RESET statement_timeout`, nil}} {
		if _, err := conn.ExecContext(ctx, step.query, step.args...); err != nil {
			t.Fatal(err)
		}
	}
}

// LongHistory fills an account's history with charges a minute apart, from 2026-01-01 on. Odd
// charges are of the fixture's agent, even ones of another. Every thousand entries have one grant
// and one adjustment. The oldest ten charges are of a rare agent and export. It returns the other
// agent, and the rare agent with its export. The account has no entries before.
func LongHistory(
	t testing.TB, s *store.DB, f Fixture, rows int,
) (other, rare, rareExport uuid.UUID) {
	t.Helper()
	other, rare, rareExport = uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
	Bulk(t, s, `INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after,
		agent_id, agent_name, export_id, turn_id,
			created_at)
		SELECT gen_random_uuid(), $1, a.entry_count + n, k.kind,
			CASE k.kind WHEN 'CHARGE' THEN -1 ELSE 999 END, 0,
			CASE WHEN k.kind <> 'CHARGE' THEN NULL WHEN n <= 10 THEN $4::uuid WHEN n % 2 = 1 THEN $2::uuid ELSE $3::uuid END, 'Assistant',
			CASE WHEN k.kind <> 'CHARGE' THEN NULL WHEN n <= 10 THEN $5::uuid WHEN n % 2 = 1 THEN $6::uuid ELSE $3::uuid END,
			CASE WHEN k.kind = 'CHARGE' THEN gen_random_uuid() END, timestamptz '2026-01-01' + n * interval '1 minute'
		FROM accounts a, generate_series(1, $7) n,
			LATERAL (SELECT
				CASE n % 1000 WHEN 0 THEN 'GRANT' WHEN 500 THEN 'ADJUSTMENT' ELSE 'CHARGE' END) k(kind)
		WHERE a.id = $1`, f.Account.ID, f.Agent.ID, other, rare, rareExport, f.Export.ID, rows)
	Exec(t, s, `UPDATE accounts SET entry_count = entry_count + $2 WHERE id = $1`, f.Account.ID, rows)
	return other, rare, rareExport
}

// Captured is a tracer that keeps the last statement.
type Captured struct {
	mu   sync.Mutex
	sql  string
	args []any
}

// TraceQueryStart records the statement.
func (c *Captured) TraceQueryStart(
	ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryStartData,
) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sql, c.args = d.SQL, d.Args
	return ctx
}

// Statement returns the last statement with its arguments.
func (c *Captured) Statement() (string, []any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sql, slices.DeleteFunc(slices.Clone(c.args), func(arg any) bool {
		_, formats := arg.(pgx.QueryResultFormatsByOID)
		return formats
	})
}

// TraceQueryEnd does nothing.
func (c *Captured) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// Plan is the cost of a statement.
type Plan struct {
	// Blocks is the number of 8 KiB pages that were read, which does not depend on the machine.
	Blocks float64
	// Scanned lists the tables that were read in full.
	Scanned []string
}

// Planner returns a store, and a function that returns the cost of the last statement of a call. It
// runs the statement again under EXPLAIN with the generic plan, which the service uses.
func Planner(t testing.TB, url string) (*store.DB, func(call func() error) Plan) {
	t.Helper()
	last := &Captured{}
	s, err := store.Open(t.Context(), store.Config{URL: url, Tracer: last})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, func(call func() error) Plan {
		t.Helper()
		if err := call(); err != nil {
			t.Fatal(err)
		}
		query, args := last.sql, []string{}
		for _, arg := range last.args {
			switch arg.(type) {
			case pgx.QueryResultFormatsByOID, pgx.QueryExecMode: // not values but the driver's options
			default:
				args = append(args, literal(t, arg))
			}
		}
		execute := `EXECUTE page`
		if len(args) > 0 {
			execute += `(` + strings.Join(args, ", ") + `)`
		}
		conn, err := s.SQL().Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		var text string
		if _, err := conn.ExecContext(t.Context(), `PREPARE page AS `+query); err != nil {
			t.Fatal(err)
		}
		if err := conn.QueryRowContext(t.Context(),
			`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) `+execute).Scan(&text); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.ExecContext(t.Context(), `DEALLOCATE page`); err != nil {
			t.Fatal(err)
		}
		var top []struct{ Plan PlanNode }
		if err := json.Unmarshal([]byte(text), &top); err != nil {
			t.Fatal(err)
		}
		out := Plan{Blocks: top[0].Plan.Hit + top[0].Plan.Read}
		top[0].Plan.walk(func(n PlanNode) {
			if n.Type == "Seq Scan" {
				out.Scanned = append(out.Scanned, n.Table)
			}
		})
		if testing.Verbose() {
			t.Log(strings.TrimSpace(text))
		}
		return out
	}
}

// literal formats a parameter as SQL.
func literal(t testing.TB, arg any) string {
	t.Helper()
	switch arg := arg.(type) {
	case bool:
		return strconv.FormatBool(arg)
	case float64:
		return strconv.FormatFloat(arg, 'f', -1, 64)
	case int64:
		return strconv.FormatInt(arg, 10)
	case int:
		return strconv.Itoa(arg)
	case string:
		return "'" + arg + "'"
	case uuid.UUID:
		return "'" + arg.String() + "'"
	case time.Time:
		return "'" + arg.Format(time.RFC3339Nano) + "'"
	case []string:
		return "'{" + strings.Join(arg, ",") + "}'"
	}
	t.Fatalf("a parameter of type %T", arg)
	return ""
}

// PlanNode is a step of a plan.
type PlanNode struct {
	Type  string  `json:"Node Type"`
	Table string  `json:"Relation Name"`
	Hit   float64 `json:"Shared Hit Blocks"`
	Read  float64 `json:"Shared Read Blocks"`
	Plans []PlanNode
}

func (n PlanNode) walk(visit func(PlanNode)) {
	visit(n)
	for _, child := range n.Plans {
		child.walk(visit)
	}
}

// PagesRead runs a statement twice more and rolls back. It returns the number of pages that the
// second run has read, with cached plans.
func PagesRead(t *testing.T, s *store.DB, query string, args []any) float64 {
	t.Helper()
	tx, err := s.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	for _, step := range []string{`DELETE FROM turns WHERE state = 'FAILED'`, `SAVEPOINT before`} {
		if _, err := tx.ExecContext(t.Context(), step); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tx.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(t.Context(), `ROLLBACK TO before`); err != nil {
		t.Fatal(err)
	}
	var text string
	if err := tx.QueryRowContext(t.Context(), `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) `+query,
		args...).Scan(&text); err != nil {
		t.Fatal(err)
	}
	var top []struct{ Plan PlanNode }
	if err := json.Unmarshal([]byte(text), &top); err != nil {
		t.Fatal(err)
	}
	return top[0].Plan.Hit + top[0].Plan.Read
}

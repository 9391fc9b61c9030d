package db

import (
	"context"
	"database/sql/driver"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/stdlib"
	pgxuuid "github.com/vgarvardt/pgx-google-uuid/v5"
)

// A network may lose an answer and keep the connection, so that a wait would never end. The client
// therefore ends every statement soon after the server's own timeout, which has the better error.
// Together with connectTimeout this decides how soon the service recovers after the network does.
const (
	answerWithin = statementTimeout + 500*time.Millisecond
	// A connection idle for longer than pingAfter is pinged, and must answer within pingWithin. A
	// request meets at most two dead connections, then it gets a new one.
	pingAfter  = time.Second
	pingWithin = time.Second
)

// withDeadline is a tracer that gives every statement a deadline.
type withDeadline struct {
	next   pgx.QueryTracer
	within time.Duration
}

type (
	noDeadlineKey struct{}
	cancelKey     struct{}
)

// WithoutDeadline marks a context whose statements may take as long as it lasts.
func WithoutDeadline(ctx context.Context) context.Context {
	return context.WithValue(ctx, noDeadlineKey{}, true)
}

// TraceQueryStart returns the context that the statement runs on.
func (i withDeadline) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if i.next != nil {
		ctx = i.next.TraceQueryStart(ctx, conn, data)
	}
	if ctx.Value(noDeadlineKey{}) != nil {
		return ctx
	}
	ctx, cancel := context.WithTimeout(ctx, i.within)
	return context.WithValue(ctx, cancelKey{}, cancel)
}

// TraceQueryEnd is called when the statement's last row was read.
func (i withDeadline) TraceQueryEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryEndData) {
	if cancel, ok := ctx.Value(cancelKey{}).(context.CancelFunc); ok {
		cancel()
	}
	if i.next != nil {
		i.next.TraceQueryEnd(ctx, conn, data)
	}
}

// poolOptions make a pool that gives out no dead connection: the driver's own check has no
// deadline. It reads times as UTC, as the APIs show them.
func poolOptions() []stdlib.OptionOpenDB {
	return []stdlib.OptionOpenDB{
		stdlib.OptionAfterConnect(func(_ context.Context, conn *pgx.Conn) error {
			conn.TypeMap().RegisterType(&pgtype.Type{Name: "timestamptz", OID: pgtype.TimestamptzOID,
				Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC}})
			pgxuuid.Register(conn.TypeMap()) // otherwise the driver writes and parses text for each id
			// Without prepared statements the server does not report a parameter's type, and the driver does
			// not know this one.
			conn.TypeMap().RegisterDefaultPgType([]uuid.UUID{}, "_uuid")
			return nil
		}),
		stdlib.OptionShouldPing(func(ctx context.Context, p stdlib.ShouldPingParams) bool {
			if p.IdleDuration > pingAfter {
				ctx, cancel := context.WithTimeout(ctx, pingWithin)
				defer cancel()
				_ = p.Conn.Ping(ctx) // one that fails closes the connection
			}
			return false
		}),
		stdlib.OptionResetSession(func(_ context.Context, conn *pgx.Conn) error {
			if conn.IsClosed() {
				return driver.ErrBadConn
			}
			return nil
		}),
	}
}

// StatementDeadline bounds a statement that a chat waits for, including the wait for a connection.
const StatementDeadline = 10 * time.Second

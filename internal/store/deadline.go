package store

import (
	"context"
	"database/sql/driver"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// A network may lose an answer and keep the connection: nothing would ever end the wait for it. So every statement is ended from
// this side soon after the server's own timeout, which gives the truer error, should have. With connectTimeout this decides how
// soon the service is itself again once the network is well.
const (
	answerWithin = statementTimeout + 500*time.Millisecond
	// pingAfter is how long a connection may have been idle to be used without a question whether it is still there, and
	// pingWithin how long the answer may take. A request meets at most two connections that are not, then it gets a new one.
	pingAfter  = time.Second
	pingWithin = time.Second
)

// impatient is a tracer that gives every statement a deadline.
type impatient struct{ next pgx.QueryTracer }

type (
	patientKey struct{}
	cancelKey  struct{}
)

// patiently marks a context whose statements may take as long as it lasts.
func patiently(ctx context.Context) context.Context {
	return context.WithValue(ctx, patientKey{}, true)
}

// TraceQueryStart returns the context that the statement runs on.
func (i impatient) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if i.next != nil {
		ctx = i.next.TraceQueryStart(ctx, conn, data)
	}
	if ctx.Value(patientKey{}) != nil {
		return ctx
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	return context.WithValue(ctx, cancelKey{}, cancel)
}

// TraceQueryEnd is called when the statement's last row was read.
func (i impatient) TraceQueryEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryEndData) {
	if cancel, ok := ctx.Value(cancelKey{}).(context.CancelFunc); ok {
		cancel()
	}
	if i.next != nil {
		i.next.TraceQueryEnd(ctx, conn, data)
	}
}

// checked are the options of a pool that gives out no connection that has quietly died. The driver's own check has no deadline.
func checked() []stdlib.OptionOpenDB {
	return []stdlib.OptionOpenDB{
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

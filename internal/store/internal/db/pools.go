package db

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"agentchat/internal/fair"
	"agentchat/internal/fault"
)

// poolSizes holds the number of connections of each part of the service. A busy part cannot use
// another's.
type poolSizes struct {
	// chats is for the statements of turns.
	chats int
	// panel is for the panel's queries and changes: reading long lists may take seconds.
	panel int
	// own is for sign-ins and for background work, and probe for readiness alone.
	own, probe int
}

// Chats hold no connection while they wait for a model, so few are enough: one or two per core
// measured best.
const minChats = 4

// leastConnections is the minimum that the parts of a service need, one connection each.
const leastConnections = 4

// poolSizesOf divides the connections; 0 is as many as the cores need. Too few for all parts are
// not divided: all have them.
func poolSizesOf(connections int) poolSizes {
	switch cores := runtime.NumCPU(); {
	case connections == 0:
		return poolSizes{chats: max(minChats, 2*cores), panel: max(2, cores), own: 2, probe: 1}
	case connections < leastConnections:
		return poolSizes{chats: connections}
	}
	s := poolSizes{panel: max(1, connections/4), own: max(1, connections/8), probe: 1}
	s.chats = connections - s.panel - s.own - s.probe
	return s
}

func (s poolSizes) divided() bool { return s.probe > 0 }

// panelWait bounds a statement's wait for its account's turn at the panel's connections. Only an
// account with very many concurrent reads reaches it.
const panelWait = 10 * time.Second

// When an account has more than panelPauseAbove statements waiting for the panel's connections, it
// pauses after each. A page of the panel needs at most a dozen. Without the pause, an account that
// reads constantly would occupy one of the database's processors.
const panelPauseAbove = 50

// pool holds the connections of one part of the service.
type pool struct {
	*sql.DB
	size int
	// queue lets accounts take turns at the connections; nil for none.
	queue *fair.Queue
	// wait bounds the wait for the account's turn; 0 leaves that to the context.
	wait time.Duration
	// all are the pools of the service, which give way while this one has no connection and the server
	// has none left.
	all []*pool
	// parts are the store that this is a part of; nil inside a transaction.
	parts *parts
}

func newPool(conf pgx.ConnConfig, size int) *pool {
	p := &pool{DB: stdlib.OpenDB(conf, poolOptions()...), size: size}
	p.resize(size)
	p.SetConnMaxLifetime(maxConnLifetime)
	return p
}

type accountKey struct{}

// ForAccount returns a context whose statements run when it is the account's turn: accounts take
// turns at the connections of chats and of the panel, so that one with many statements waits for
// itself. Statements without an account wait as if they were all of one.
func ForAccount(ctx context.Context, id uuid.UUID) context.Context {
	return context.WithValue(ctx, accountKey{}, id)
}

// AccountOf returns the account of ForAccount, uuid.Nil for none.
func AccountOf(ctx context.Context) uuid.UUID {
	account, _ := ctx.Value(accountKey{}).(uuid.UUID)
	return account
}

// enter waits for the account's turn. Faults: RateLimited when it does not come within the pool's
// bound, Unavailable when the context ends first.
func (p *pool) enter(ctx context.Context) (leave func(), err error) {
	if p.queue == nil {
		return func() {}, nil
	}
	waiting := ctx
	if p.wait > 0 {
		var cancel context.CancelFunc
		waiting, cancel = context.WithTimeout(ctx, p.wait)
		defer cancel()
	}
	leave, err = p.queue.Enter(waiting, AccountOf(ctx))
	if err != nil && ctx.Err() == nil {
		return nil, &fault.Error{Kind: fault.RateLimited, RetryAfter: p.wait,
			Message: "This account reads too much at the same time. Wait, then send fewer requests at once."}
	}
	return leave, Translate(err)
}

func (p *pool) resize(size int) {
	p.SetMaxOpenConns(size)
	p.SetMaxIdleConns(size)
	if p.queue != nil {
		p.queue.Resize(size, size-1)
	}
}

// codeTooManyConnections is a server, a database or a role with no connection left.
const codeTooManyConnections = "53300"

// growAfter is the time after which a shrunk pool may grow again.
const growAfter = time.Minute

// maxShrinks bounds the retries of a statement while the server is out of connections, with
// shrinkPause after each.
const (
	maxShrinks  = 10
	shrinkPause = 20 * time.Millisecond
)

// fit runs a statement. If the server is out of connections, the statement has not begun: fit
// shrinks the pool to its open connections and waits for one of them.
func (p *pool) fit(ctx context.Context, run func() error) error {
	for pause := shrinkPause; pause <= maxShrinks*shrinkPause; pause += shrinkPause {
		err := p.run(ctx, run)
		refused, ok := errors.AsType[*pgconn.ConnectError](err)
		if !ok || !ViolatedCode(refused, codeTooManyConnections) {
			return err
		}
		p.shrink()
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
	}
	return p.run(ctx, run)
}

// shrink limits the pool to its open connections. If it has none, each other pool gives one back.
func (p *pool) shrink() {
	if open := p.Stats().OpenConnections; open > 0 {
		p.short(open)
		return
	}
	for _, other := range p.all {
		other.short(other.Stats().OpenConnections - 1)
	}
}

// short bounds the pool for a while. With none to give back it keeps its connection no longer than
// a statement takes: with fewer connections than parts, the parts take turns.
func (p *pool) short(size int) {
	p.resize(max(1, size))
	if size < 1 {
		p.SetMaxIdleConns(0)
	}
	time.AfterFunc(growAfter, func() { p.resize(p.size) })
}

// QueryContext runs a statement that returns rows.
func (p *pool) QueryContext(ctx context.Context, text string, args ...any) (rows *sql.Rows, err error) {
	err = p.outlast(ctx, func() error {
		rows, err = p.DB.QueryContext(ctx, text, args...) //nolint:rowserrcheck,sqlclosecheck // the caller reads them
		return err
	})
	return rows, err
}

// ExecContext runs a statement that returns no rows.
func (p *pool) ExecContext(ctx context.Context, text string, args ...any) (result sql.Result, err error) {
	err = p.outlast(ctx, func() error {
		result, err = p.DB.ExecContext(ctx, text, args...)
		return err
	})
	return result, err
}

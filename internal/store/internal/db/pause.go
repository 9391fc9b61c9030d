package db

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// pauseWithin bounds the wait for the statements in flight, which normally end sooner.
	pauseWithin = answerWithin + time.Second
	// A pause acquires everyStatement of a gate, and a statement acquires one.
	everyStatement = math.MaxInt64
)

// Pause makes new statements wait until resume is called. It returns when no statement is in flight
// and every connection is closed, or after pauseWithin. The operation that needs the pause then
// cuts off the remaining statements.
func (s *DB) Pause(ctx context.Context) (resume func()) {
	within, cancel := context.WithTimeout(ctx, pauseWithin)
	defer cancel()
	// The wait for the gate outlives that timeout: until it ends, new statements wait behind it.
	closing, open := context.WithCancel(context.WithoutCancel(ctx))
	closed := make(chan bool, 1)
	go func() { closed <- s.gate.Acquire(closing, everyStatement) == nil }()
	select {
	case is := <-closed:
		closed <- is
	case <-within.Done():
	}
	pools := s.chats.pool.all
	for _, p := range pools {
		p.SetMaxIdleConns(-1)
		for p.Stats().InUse > 0 && within.Err() == nil { // rows that are still read
			<-time.After(time.Millisecond)
		}
	}
	return func() {
		for _, p := range pools {
			p.resize(p.size)
		}
		if open(); <-closed {
			s.gate.Release(everyStatement)
		}
	}
}

// codeUndefinedFile is a server without one of its own files.
const codeUndefinedFile = "58P01"

// isMissingProgram reports that the server cannot load a library of its own: its programs were
// replaced or removed while it runs.
func isMissingProgram(err error) bool {
	server, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (server.Code == codeUndefinedFile || server.File == "dfmgr.c") // where PostgreSQL loads libraries, whatever the code
}

// run runs a statement or a transaction. While the store is paused, run waits. Fault: Unavailable
// when the context ends first.
func (p *pool) run(ctx context.Context, statement func() error) error {
	if p.parts == nil { // a transaction has passed the gate already
		return statement()
	}
	if err := p.parts.gate.Acquire(ctx, 1); err != nil {
		return unavailable(err)
	}
	defer p.parts.gate.Release(1)
	err := statement()
	if isMissingProgram(err) && p.parts.notifyMissing != nil {
		p.parts.notifyMissing()
	}
	return err
}

// missingPause is the delay before a statement is sent again to a server that could not load a
// library.
const missingPause = 250 * time.Millisecond

// outlast runs a statement outside a transaction. If the server cannot run it because its programs
// were replaced, outlast sends it again until the operator restarts the server, or until the
// context or statementDeadline ends. Callers wait instead of being refused.
func (p *pool) outlast(ctx context.Context, statement func() error) error {
	for began := time.Now(); ; {
		err := p.fit(ctx, statement)
		if !isMissingProgram(err) || p.parts == nil || p.parts.notifyMissing == nil || time.Since(began) > StatementDeadline {
			return err
		}
		select {
		case <-time.After(missingPause):
		case <-ctx.Done():
			return err
		}
	}
}

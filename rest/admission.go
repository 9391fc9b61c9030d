package rest

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/fault"
)

const (
	// admitTimeout bounds the query for a request that is refused anyway.
	admitTimeout = 5 * time.Second
	// admitAtOnce is how many such queries there are at once: enough for the database, and few beside thousands of refused requests.
	admitAtOnce = 16
)

// admission calls chat.Admit at most once per request.
type admission struct {
	api  *api
	ex   *exchange
	key  apikey.Hash
	done bool
	err  error
}

// admit checks the key and spends the rate, the first time it is called.
//
// net/http cancels a request's context when its body cannot be read to the end, even while the client still waits for the
// answer, such as 408. So the query does not end with that context, but has a timeout of its own.
//
// Faults: Unauthorized, AccountSuspended, ExportPaused, RateLimited, Unavailable.
func (a *admission) admit() error {
	if a.done {
		return a.err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ex.R.Context()), admitTimeout)
	defer cancel()
	caller, err := a.query(ctx)
	a.done, a.err = true, err
	a.ex.identify(caller)
	return err
}

// query calls Admit on a goroutine of its own. A query needs a deep stack, and a connection's goroutine would keep it as long as the
// connection is open.
func (a *admission) query(ctx context.Context) (caller *chat.Caller, err error) {
	if err := a.api.admitting.Acquire(ctx, 1); err != nil {
		return nil, fault.Wrap(fault.Unavailable, err)
	}
	defer a.api.admitting.Release(1)
	answered, panicked := make(chan struct{}), ""
	go func() {
		defer close(answered)
		defer func() {
			if recovered := recover(); recovered != nil {
				panicked = fmt.Sprintf("%v\n%s", recovered, debug.Stack())
			}
		}()
		caller, err = a.api.chat.Admit(ctx, a.key)
	}()
	<-answered
	if panicked != "" {
		panic(panicked) // the exchange recovers it
	}
	return caller, err
}

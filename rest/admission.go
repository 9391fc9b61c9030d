package rest

import (
	"context"
	"time"

	"agentchat/internal/apikey"
	"agentchat/internal/httpapi"
)

// admitTimeout bounds the query for a request that is refused anyway.
const admitTimeout = 5 * time.Second

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
	caller, err := a.api.chat.Admit(ctx, a.key, a.ex.record.Client)
	a.done, a.err = true, err
	a.ex.identify(caller)
	if caller != nil {
		httpapi.MemoryOf(a.ex.R).MoveTo(caller.AccountID)
	}
	return err
}

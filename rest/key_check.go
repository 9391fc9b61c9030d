package rest

import (
	"context"
	"time"

	"agentchat/internal/apikey"
	"agentchat/internal/httpapi"
)

// keyCheckTimeout bounds the statement of a key check.
const keyCheckTimeout = 5 * time.Second

// keyCheck calls chat.CheckKey at most once per request.
type keyCheck struct {
	api  *api
	req  *request
	key  apikey.Hash
	done bool
	err  error
}

// check checks the key and counts the request against its rate limit, the first time it is called.
//
// net/http cancels a request's context when its body cannot be read to the end, even while the
// client still waits for the answer, such as 408. So the statement does not end with that context,
// but has a timeout of its own.
//
// Faults: Unauthorized, AccountSuspended, ExportPaused, RateLimited, Unavailable.
func (c *keyCheck) check() error {
	if c.done {
		return c.err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.req.R.Context()), keyCheckTimeout)
	defer cancel()
	caller, err := c.api.chat.CheckKey(ctx, c.key, c.req.record.Client)
	c.done, c.err = true, err
	c.req.identify(caller)
	if caller != nil {
		httpapi.MemoryOf(c.req.R).MoveTo(caller.AccountID)
	}
	return err
}

package graph

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/share"
	"agentchat/internal/store/throttles"
)

// Limits of an account's test messages. Each is a model call, which the operator pays for.
const (
	// maxTestsAtOnce applies in this process. It is more than a user tries at once, and too few for
	// one account to saturate a model.
	maxTestsAtOnce = 8
	// testRetry is the Retry-After of an account over maxTestsAtOnce. A reply takes seconds.
	testRetry = 5 * time.Second
	// maxTests applies across all replicas, to any testWindow.
	maxTests   = 60
	testWindow = time.Minute
)

// newTestSlots returns the slots of all accounts.
func newTestSlots() *share.Shares { return share.New(share.Limits{Slots: maxTestsAtOnce}) }

// limitedSend sends a test message within the account's limits. Faults: RateLimited and those of
// chat.Service.Send.
func (r *Resolver) limitedSend(ctx context.Context, msg chat.Message) (chat.Result, error) {
	leave, err := r.tests.Enter(ctx, msg.AccountID.String())
	if err != nil {
		return chat.Result{}, &fault.Error{Kind: fault.RateLimited, RetryAfter: testRetry, Err: err,
			Message: "8 of your test messages are being answered. Wait for one of them, then send this one again."}
	}
	defer leave()
	if err := r.countTest(ctx, msg.AccountID); err != nil {
		return chat.Result{}, err
	}
	return r.chat.Send(ctx, msg)
}

// countTest counts a message. Fault: RateLimited.
func (r *Resolver) countTest(ctx context.Context, account uuid.UUID) error {
	key := sha256.Sum256([]byte("tests\x00" + account.String()))
	a, err := throttles.On(r.store.Own()).Throttle(ctx, key, uuid.Nil, maxTests, testWindow)
	if err != nil || a.Allowed {
		return err
	}
	return &fault.Error{Kind: fault.RateLimited, RetryAfter: a.RetryAfter,
		Message: "You have sent 60 test messages within a minute. Wait before you send this one again."}
}

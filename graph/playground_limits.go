package graph

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/share"
)

// Limits of an account's test messages. Each is a call of a model, which the operator pays for.
const (
	// maxTestsAtOnce holds in this process: more than anybody tries at once, and few enough that one account cannot keep a model busy.
	maxTestsAtOnce = 8
	// testRetry is how long an account over maxTestsAtOnce is told to wait: a reply takes seconds.
	testRetry = 5 * time.Second
	// maxTests and maxFreeTests hold over all replicas, for any testWindow. A test is free if it was stopped or failed before the first
	// word. Only somebody whose model fails needs some.
	maxTests     = 60
	maxFreeTests = 10
	testWindow   = time.Minute
)

// newTestSlots returns the slots of all accounts.
func newTestSlots() *share.Shares { return share.New(share.Limits{Slots: maxTestsAtOnce}) }

// limitedSend sends a test message within the account's limits. Fault: RateLimited; else those of chat.Service.Send.
func (r *Resolver) limitedSend(ctx context.Context, msg chat.Message) (chat.Result, error) {
	leave, err := r.tests.Enter(ctx, msg.AccountID.String())
	if err != nil {
		return chat.Result{}, &fault.Error{Kind: fault.RateLimited, RetryAfter: testRetry, Err: err,
			Message: "8 of your test messages are being answered. Wait for one of them, then send this one again."}
	}
	defer leave()
	if _, err := r.countTest(ctx, "tests", msg.AccountID, maxTests,
		"You have sent 60 test messages within a minute. Wait a little, then send this one again."); err != nil {
		return chat.Result{}, err
	}
	giveBack, err := r.countTest(ctx, "free tests", msg.AccountID, maxFreeTests,
		"Too many test messages stopped or failed before the first word within a minute. Wait a little, then send this one again.")
	if err != nil {
		return chat.Result{}, err
	}
	result, err := r.chat.Send(ctx, msg)
	if !wasFree(result, err) {
		giveBack(context.WithoutCancel(ctx)) // the client may have left
	}
	return result, err
}

// wasFree reports whether a model was called for a message that costs nothing.
func wasFree(result chat.Result, err error) bool {
	return result.Answer == nil && (result.FailedTurn != uuid.Nil || fault.Is(err, fault.ConversationDeleted))
}

// countTest counts a message. giveBack takes it out of the count; if the database is away, it stays there for testWindow. Fault:
// RateLimited with the message.
func (r *Resolver) countTest(ctx context.Context, what string, account uuid.UUID, limit int, message string) (
	giveBack func(context.Context), err error,
) {
	key := sha256.Sum256([]byte(what + "\x00" + account.String()))
	a, err := r.store.Own().Throttle(ctx, key, limit, testWindow)
	if err != nil {
		return nil, err
	}
	if !a.Allowed {
		return nil, &fault.Error{Kind: fault.RateLimited, RetryAfter: a.RetryAfter, Message: message}
	}
	return func(ctx context.Context) { _ = r.store.Own().GiveBack(ctx, key, a.At) }, nil
}

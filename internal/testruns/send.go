package testruns

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store/tests"
)

// messageError is the failure of a message, which ends its attempt.
type messageError struct {
	code fault.Kind
	// turn is the failed turn; nil if no turn began.
	turn *uuid.UUID
	// willPass means that the failure is temporary.
	willPass bool
}

// Error implements error.
func (f *messageError) Error() string { return "a test message failed: " + string(f.code) }

// send sends a message of the attempt, and retries temporary failures. price returns the most that the
// message costs now. Faults: *messageError; errEnded.
func (x *exchange) send(msg chat.Message, step int, price func() int64) (*chat.Answer, error) {
	msg.Source, msg.AccountID, msg.UserID, msg.Memory = conversation.Test, x.run.AccountID, x.to.UserID, x.hold
	msg.IdempotencyKey = fmt.Sprintf("%s#%d", *msg.Session, step)
	msg.RequestID = msg.IdempotencyKey
	var failed *messageError
	for range maxTries {
		if err := x.pause(0); err != nil {
			return nil, err
		}
		result, err := x.sendOnce(msg, price)
		if err == nil {
			return result.Answer, nil
		}
		if errors.Is(err, errEnded) {
			return nil, err
		}
		refused, _ := errors.AsType[*fault.Error](err)
		failed = &messageError{code: fault.KindOf(err)}
		if result.FailedTurn != uuid.Nil {
			failed.turn = &result.FailedTurn
		}
		switch failed.code {
		case fault.ModelUnavailable:
			x.pauseAll(cmp.Or(refused.RetryAfter, usualPause)) // callers share the provider
		case fault.Unavailable, fault.SessionBusy, fault.RequestInProgress, fault.RateLimited:
			if err := x.pause(cmp.Or(refused.RetryAfter, usualPause)); err != nil {
				return nil, err
			}
		default:
			return nil, failed
		}
	}
	failed.willPass = true
	return nil, failed
}

// sendOnce sends a message if its price fits the budget. It then checks whether the run may continue,
// and stops it if not. Faults: those of chat.Service.Send; errEnded.
func (x *exchange) sendOnce(msg chat.Message, price func() int64) (chat.Result, error) {
	if late := time.Since(time.Unix(x.renewed.Load(), 0)); late > renewEvery && !x.lookAgain() { // the claim may be lost
		return chat.Result{}, errEnded
	}
	done, most, err := x.reserve(msg.IdempotencyKey, price)
	if err != nil {
		return chat.Result{}, err
	}
	msg.MaxPrice = &most
	result, err := x.await(msg)
	switch {
	case errors.Is(err, errEnded): // its turn may be charged
		return result, err
	case err == nil:
		done(result.Answer.Credits)
		x.result.Credits += result.Answer.Credits
	default:
		done(0)
	}
	if !x.lookAgain() {
		return result, errEnded
	}
	switch kind := fault.KindOf(err); {
	case err == nil:
		return result, nil
	case kind == fault.LimitReached && price() > most: // the model's price was raised
		return x.sendOnce(msg, price)
	case kind == fault.LimitReached:
		return result, x.stop(tests.OverBudget)
	case kind == fault.InsufficientCredits:
		return result, x.stop(tests.NoCredits)
	case kind == fault.NotFound, kind == fault.AgentNotReady:
		// The account is suspended, the judge or the agent was deleted, or the model is withdrawn.
		return result, x.stop(tests.NotAvailable)
	}
	return result, err
}

// lookAgain reports whether the run may continue, and stops it if not.
func (x *exchange) lookAgain() bool {
	if err := x.look(x.own); err != nil {
		x.log(x.own, "looking whether a test run may continue", err)
		x.stopFor(end{failed: true})
		return false
	}
	return !x.hasEnded()
}

// reserve reserves a message's price, once messages in flight leave enough of the budget. It stops the
// run if the budget will not be enough, or if the model is not available.
func (x *exchange) reserve(key string, price func() int64) (done func(int64), most int64, err error) {
	for {
		if most = price(); most < 0 { // the model is withdrawn
			return nil, 0, x.stop(tests.NotAvailable)
		}
		done, wait := x.ledger.reserve(key, most)
		switch {
		case done != nil:
			return done, most, nil
		case wait == nil:
			return nil, 0, x.stop(tests.OverBudget)
		}
		select {
		case <-wait:
		case <-x.ended:
			return nil, 0, errEnded
		}
	}
}

// await sends a message. If the worker is stopped, it does not wait for the turn to end: another
// replica will find the outcome. Error: errEnded.
func (x *exchange) await(msg chat.Message) (chat.Result, error) {
	type sent struct {
		chat.Result
		err error
	}
	back := make(chan sent, 1)
	go func() {
		result, err := x.cfg.Chat.Send(x.ctx, msg)
		back <- sent{result, err}
	}()
	select {
	case s := <-back:
		return x.unlessDraining(s.Result, s.err)
	case <-x.ctx.Done():
	}
	select {
	case s := <-back:
		return x.unlessDraining(s.Result, s.err)
	case <-time.After(endWithin):
		x.stopFor(end{draining: true})
		return chat.Result{}, errEnded
	}
}

// unlessDraining returns the error of a message, or errEnded if it failed because this process is
// stopping.
func (x *exchange) unlessDraining(result chat.Result, err error) (chat.Result, error) {
	if errors.Is(err, chat.ErrDraining) || err != nil && x.ctx.Err() != nil {
		x.stopFor(end{draining: true})
		err = errEnded
	}
	return result, err
}

// stop stops the run. It returns errEnded.
func (x *exchange) stop(reason tests.StopReason) error {
	x.stopFor(end{stop: reason})
	return errEnded
}

// hasEnded reports whether there is a reason to stop the run, or its claim was lost. If another claim
// continues the run, results still count.
func (x *exchange) hasEnded() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.end.stop != "" || x.end.lost
}

package rest

import (
	"fmt"
	"time"

	"agentchat/internal/chat"
)

// headerServerTiming is a header of JSON replies and a trailer of streams (W3C Server Timing).
const headerServerTiming = "Server-Timing"

// timing divides the time of one reply.
//
//   - total begins when the request's body was read and ends when chat.Send returns: its reply is then
//     stored and ready to be sent. A caller that sends or receives slowly does not lengthen it.
//   - wait is chat.Result.Waited, the time for the session or for the turn that the request joined.
//   - model is chat.Result.ModelTime, the time of all model calls: the retries of an adapter, a
//     second attempt and the fallback model included.
//   - own is the rest: checks, the database with its queues, prompts.
//
// Results of actions are a request with a reply of their own. The time in which the caller runs the
// actions is in neither. A background message has no timing while it is in progress: its calls are in
// the turn's model time, and the request that gets its reply gets a stored one.
type timing struct {
	total, wait, model time.Duration
	// stored marks the reply to an earlier request, which has no model time.
	stored bool
}

// timingOf returns the timing of a result, which Send returned after total.
func timingOf(total time.Duration, result chat.Result) timing {
	return timing{
		total:  total,
		wait:   result.Waited,
		model:  result.ModelTime,
		stored: result.Answer.Replayed,
	}
}

func (t timing) own() time.Duration { return t.total - t.wait - t.model }

// String returns the value of the header. Times are cut to tenths of milliseconds, and own is
// computed from the cut ones, so that the parts add up to the total. A stored reply has no model
// time, and a wait only if there was one.
func (t timing) String() string {
	total, wait, model := tenths(t.total), tenths(t.wait), tenths(t.model)
	rest := "own;dur=" + milliseconds(total-wait-model) + ", total;dur=" + milliseconds(total)
	if !t.stored {
		rest = "model;dur=" + milliseconds(model) + ", " + rest
	}
	if !t.stored || t.wait > 0 {
		rest = "wait;dur=" + milliseconds(wait) + ", " + rest
	}
	return rest
}

func tenths(d time.Duration) int64 { return int64(d / (time.Millisecond / 10)) }

func milliseconds(tenths int64) string { return fmt.Sprintf("%d.%d", tenths/10, tenths%10) }

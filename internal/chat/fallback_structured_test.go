package chat_test

import (
	"context"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/store/storetest"
)

// TestStructuredFallback: a first attempt that fails falls back, even after some of its text; the
// second attempt asks the model that gave the first, and its failure stays the first one's. If both
// models fail, the error and the turn are the fallback's.
func TestStructuredFallback(t *testing.T) {
	t.Parallel()
	const fits, not = `{"note":"a","count":1}`, `{"note":"b","count":0}`
	type answers = []func(context.Context) (llm.Reply, error)
	down := fails(fault.Wrap(fault.ModelError, llm.ErrProvider))
	away := fails(&fault.Error{Kind: fault.ModelUnavailable, Err: llm.ErrProvider})
	for name, tc := range map[string]struct {
		first, second answers
		want          string
		calls         [2]int
	}{
		"the first is down": {answers{down}, answers{says(fits)},
			"ANSWERED test/second true 3", [2]int{1, 1}},
		"the second fits then": {answers{down}, answers{says(not), says(fits)},
			"ANSWERED test/second true 3", [2]int{1, 2}},
		"the second never fits": {answers{down}, answers{says(not)},
			"FAILED test/second true 3 invalid_output", [2]int{1, 2}},
		"the first does not fit": {answers{says(not)}, answers{says(fits)},
			"FAILED test/first false 2 invalid_output", [2]int{2, 0}},
		"the first fits then": {answers{says(not), says(fits)}, answers{says(fits)},
			"ANSWERED test/first false 2", [2]int{2, 0}},
		"away at the second attempt": {answers{says(not), away}, answers{says(fits)},
			"FAILED test/first false 2 invalid_output", [2]int{2, 0}},
		"both are down": {answers{down}, answers{away},
			"FAILED test/second true 3 model_unavailable", [2]int{1, 1}},
		"the second is blocked": {answers{away},
			answers{fails(fault.New(fault.ContentBlocked, ""))}, "FAILED test/second true 3 content_blocked",
			[2]int{1, 1}},
		"away after the first violation": {answers{down}, answers{says(not), away},
			"FAILED test/second true 3 invalid_output", [2]int{1, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := &scripted{answers: tc.first}
			b := newWithFallback(t, first, nil)
			b.second.answers = tc.second
			f := b.agent(t, storetest.Options{ReplySchema: orderSchema})
			msg := newMessage(f, "s", "hello")
			got, err := b.replicas[0].Send(t.Context(), msg)
			if stored := endOf(t, b.store, msg.RequestID); stored != tc.want ||
				[2]int{len(first.asked), len(b.second.asked)} != tc.calls {
				t.Errorf("%s after %d and %d calls, %v; want %s after %v", stored, len(first.asked),
					len(b.second.asked), err, tc.want, tc.calls)
			}
			if err == nil &&
				(got.Answer.Reply != fits ||
					*got.Answer.InputTokens != int64(1000*(tc.calls[0]+tc.calls[1]-btoi(got.Answer.Model == "test/second")))) {
				t.Errorf("%+v", got.Answer)
			}
			storetest.Audit(t, b.store)
		})
	}
}

func btoi(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

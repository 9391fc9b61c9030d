package chat_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/memory"
	"agentchat/internal/store/storetest"
)

// TestTurnsTakeTheirSize tests that a message whose instructions, values or history do not fit is
// refused before its model is called, and leaves nothing.
func TestTurnsTakeTheirSize(t *testing.T) {
	t.Parallel()
	const half = 512 << 10 // what an account gets of the budget
	m := script(says("Aye."))
	b := newSetup(t, 1, offering(m))
	plain := storetest.Options{Model: testModel}
	filled, instructed := plain, plain
	filled.Instructions, filled.Variables = strings.Repeat("{{v}}", 32), []agent.Variable{{Name: "v"}}
	instructed.Instructions = strings.Repeat("😀", agent.MaxInstructions)
	for name, c := range map[string]struct {
		options storetest.Options
		letter  string // of a value
		earlier int
		fits    bool
	}{
		"small":                           {plain, "", 0, true},
		"filled":                          {filled, "v", 0, true},
		"filled with more":                {filled, "😀", 0, false},
		"a history":                       {plain, "", 2, true},
		"with instructions":               {instructed, "", 0, true},
		"with instructions and a history": {instructed, "", 3, false},
	} {
		f := storetest.Seed(t, b.store, c.options)
		msg := newMessage(f, "s", strings.Repeat("h", 32_000))
		for range c.earlier {
			send(t, b.replicas[0], msg)
		}
		if c.letter != "" {
			msg.Variables = map[string]string{"v": strings.Repeat(c.letter, agent.MaxVariableValue)}
		}
		budget, calls := memory.Bytes(2*half), len(m.asked)
		msg.Memory = budget.Hold(uuid.Nil)
		if !c.fits {
			if b.leavesNothing(t, name, f, msg, fault.Unavailable); len(m.asked) > calls {
				t.Errorf("%s: the model was called", name)
			}
			continue
		}
		send(t, b.replicas[0], msg)
		if budget.Hold(f.Account.ID).Grow(half-budget.Used()/2) == nil {
			t.Errorf("%s: what the turn took is not its account's", name)
		}
	}
}

// TestRepliesTakeMemory tests that a reply ends when it grows over the remaining memory. A streamed
// one is charged up to there, like one that is too long. Another one fails and takes an unpaid
// call: the model has worked.
func TestRepliesTakeMemory(t *testing.T) {
	t.Parallel()
	const length = 100 << 10
	b := newSetup(t, 1, offering(script(says(strings.Repeat("x", length)))))
	for _, c := range []struct {
		budget   int64
		streamed bool
		finish   llm.FinishReason // "" if it fails
	}{
		{18 * length, false, llm.FinishStop},
		{10 * length, false, ""}, // enough for one of two pieces
		{10 * length, true, llm.FinishLength},
	} {
		f := storetest.Seed(t, b.store, storetest.Options{Model: testModel})
		msg, l := newMessage(f, "s", "hello"), newListener()
		if msg.Memory = memory.Bytes(c.budget).Hold(f.Account.ID); c.streamed {
			msg.Stream = l
		}
		useUnpaidCalls(t, b.store, f, 30)
		before := unpaidTAT(t, b.store, f)
		if c.finish == "" {
			wantFault(t, b.replicas[0], msg, fault.Unavailable)
			if n := spent(t, b.store, f, before); n != 1 {
				t.Errorf("with %d bytes: %g unpaid calls", c.budget, n)
			}
			wantCredits(t, b.store, f, 100)
		} else {
			got := send(t, b.replicas[0], msg)
			if got.FinishReason != c.finish || (len(got.Reply) == length) == c.streamed || got.Reply == "" ||
				c.streamed && l.text.String() != got.Reply {
				t.Errorf("with %d bytes: %s after %d bytes, sent %d", c.budget, got.FinishReason,
					len(got.Reply), l.text.Len())
			}
			wantCredits(t, b.store, f, 99)
		}
	}
}

// TestReplaysTakeMemory tests that a stored reply that does not fit into memory is refused, and
// replayed later. The arguments of actions count as well.
func TestReplaysTakeMemory(t *testing.T) {
	t.Parallel()
	const size = 100 << 10
	long := strings.Repeat("x", size)
	for name, reply := range map[string]answer{
		"text":    says(long),
		"actions": asksFor("", llm.FinishStop, "order_status", `{"order":"`+long+`"}`),
	} {
		b := newSetup(t, 1, offering(script(reply)))
		f := storetest.Seed(t, b.store, storetest.Options{Model: testModel, Actions: desk})
		msg := newMessage(f, "s", "hello")
		msg.IdempotencyKey = "k"
		first := send(t, b.replicas[0], msg)
		msg.Memory = memory.Bytes(size).Hold(f.Account.ID)
		wantFault(t, b.replicas[0], msg, fault.Unavailable)
		msg.Memory = nil
		if got := send(t, b.replicas[0], msg); !got.Replayed || got.Reply != first.Reply ||
			len(got.Actions) != len(first.Actions) {
			t.Errorf("%s: replayed %v with %d bytes and %d actions", name, got.Replayed, len(got.Reply),
				len(got.Actions))
		}
	}
}

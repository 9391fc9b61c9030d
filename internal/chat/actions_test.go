package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store/storetest"
)

// desk are the actions of an order desk.
var desk = []agent.Action{
	{Name: "order_status", Description: "Looks up an order.",
		Parameters: `{"type":"object","properties":{"order":{"type":"string"}},"required":["order"]}`},
	{Name: "wait", Description: "Waits.", Parameters: `{"type":"object","additionalProperties":false}`},
}

// bring is a request with results for all actions that an answer asks for; each is result.
func bring(f storetest.Fixture, session string, asked *chat.Answer, result string) chat.Message {
	list := make([]conversation.ActionResult, len(asked.Actions))
	for i, call := range asked.Actions {
		list[i] = conversation.ActionResult{ID: call.ID, Result: json.RawMessage(result)}
	}
	msg := newMessage(f, session, "")
	msg.Results = conversation.NewActionResults(list)
	return msg
}

// TestActions tests that a reply asks for actions and that their results continue it. Each reply
// has the price of its model and can be replayed, from both sources, whole and streamed.
func TestActions(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 2)
	for _, schema := range []string{"", orderSchema} {
		for _, source := range []conversation.Source{conversation.API, conversation.Playground} {
			for _, streamed := range []bool{false, true} {
				name := fmt.Sprintf("schema %t, %s, streamed %t", schema != "", source, streamed)
				f := storetest.Seed(t, b.store, storetest.Options{Actions: desk, ReplySchema: schema})
				ask := func(msg chat.Message) *chat.Answer {
					if source == conversation.Playground {
						msg.Source, msg.AccountID, msg.AgentID = source, f.Account.ID, f.Agent.ID
					}
					msg.IdempotencyKey = uuid.NewString()
					l := newListener()
					if streamed {
						msg.Stream = l
					}
					got := send(t, b.replicas[0], msg)
					if streamed && l.text.String() != got.Reply {
						t.Errorf("%s: sent %q of %q", name, l.text.String(), got.Reply)
					}
					again := send(t, b.replicas[1], msg)
					if !again.Replayed || again.Reply != got.Reply || again.Structured != got.Structured ||
						again.FinishReason != got.FinishReason || len(again.Actions) != len(got.Actions) {
						t.Errorf("%s: replayed %+v of %+v", name, again, got)
					}
					return got
				}
				first := ask(newMessage(f, "s",
					`Where is it? [[sandbox action=order_status {"order": "A-1"} action=wait]]`))
				if first.Reply != "Let me look." || first.FinishReason != llm.FinishActions ||
					first.Structured || len(first.Actions) != 2 {
					t.Fatalf("%s: %+v", name, first)
				}
				if a := first.Actions[0]; a.ID != conversation.ActionCallID(first.MessageID, 1) ||
					a.Name != "order_status" || string(a.Arguments) != `{"order":"A-1"}` {
					t.Errorf("%s: %+v", name, a)
				}
				last := ask(bring(f, "s", first, `{"state":"shipped"}`))
				if last.FinishReason != llm.FinishStop || last.Structured != (schema != "") ||
					len(last.Actions) != 0 ||
					schema == "" && !strings.Contains(last.Reply, `order_status returned: {"state":"shipped"}`) {
					t.Errorf("%s: %+v", name, last)
				}
				wantCredits(t, b.store, f, 98)
			}
		}
	}
}

// TestLostAnswer tests that answered results get the same answer again without an idempotency key,
// at no cost.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 2)
	f := storetest.Seed(t, b.store, storetest.Options{Actions: desk})
	asked := send(t, b.replicas[0], newMessage(f, "s", "[[sandbox action=wait]]"))
	first := send(t, b.replicas[0], bring(f, "s", asked, `1`))
	again := send(t, b.replicas[1], bring(f, "s", asked, `1`))
	if !again.Replayed || again.MessageID != first.MessageID || again.Reply != first.Reply {
		t.Errorf("again: %+v", again)
	}
	wantCredits(t, b.store, f, 98)
}

// TestRoundsEnd tests that the reply to the eighth results asks for nothing.
func TestRoundsEnd(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	f := storetest.Seed(t, b.store, storetest.Options{Actions: desk})
	answer := send(t, b.replicas[0], newMessage(f, "s", "[[sandbox action=wait action=again]]"))
	for round := range conversation.MaxRounds {
		if len(answer.Actions) != 1 {
			t.Fatalf("round %d: %+v", round, answer)
		}
		answer = send(t, b.replicas[0], bring(f, "s", answer, fmt.Sprint(round)))
	}
	if answer.FinishReason != llm.FinishStop ||
		strings.Count(answer.Reply, "returned") != conversation.MaxRounds {
		t.Errorf("%+v", answer)
	}
}

// asksFor is an answer with calls, each a name and its arguments.
func asksFor(text string, finish llm.FinishReason, calls ...string) answer {
	return func(ctx context.Context) (llm.Reply, error) {
		reply, err := endsAs(text, finish)(ctx)
		reply.ProviderState = "whole"
		for i := 0; i < len(calls); i += 2 {
			reply.Calls = append(reply.Calls, llm.Call{Name: calls[i], Arguments: calls[i+1],
				ProviderState: "one"})
		}
		return reply, err
	}
}

// waits is an answer with n calls of the action wait.
func waits(n int) answer {
	return asksFor("", llm.FinishStop, slices.Repeat([]string{"wait", "{}"}, n)...)
}

// TestCallsThatDoNotFit tests that the model gets one more attempt, with a result for each call.
// After that the reply is free, or the sent text is the reply.
func TestCallsThatDoNotFit(t *testing.T) {
	t.Parallel()
	const (
		stop, length = llm.FinishStop, llm.FinishLength
		noString     = "map[action:order_status path:/order reason:mismatch rule:type]"
		note         = `{"count":1,"note":"a"}`
	)
	bad := asksFor("Look.", stop, "wait", "{}", "order_status", `{"order":5}`)
	cut := asksFor("Look.", length, "wait", "{")
	for _, tc := range []struct {
		name     string
		answers  []answer
		hurried  bool
		schema   string
		details  string // of the refusal
		reply    string
		streamed string // the reply where that is another
		actions  int
		calls    int
	}{
		{name: "fits", answers: []answer{waits(1)}, actions: 1, calls: 1},
		{name: "fits then", answers: []answer{bad, waits(1)}, streamed: "Look.", actions: 1, calls: 2},
		{name: "fits then, with text", answers: []answer{bad, asksFor("Now.", stop, "wait", "{}")},
			reply: "Now.", streamed: "Look.\n\nNow.", actions: 1, calls: 2},
		{name: "answers then", answers: []answer{bad, says("Never mind.")},
			reply: "Never mind.", streamed: "Look.\n\nNever mind.", calls: 2},
		{name: "never fits", answers: []answer{bad}, streamed: "Look.", details: noString, calls: 2},
		{name: "never fits, without text", answers: []answer{asksFor("", stop, "order_status", "{}")},
			details: "map[action:order_status path: reason:mismatch rule:required]", calls: 2},
		{name: "no JSON", answers: []answer{asksFor("", stop, "wait", "{}", "wait", "{")},
			details: "map[action:wait reason:not_json]", calls: 2},
		{name: "a name that is not declared", answers: []answer{asksFor("", stop, "rm\x00", "{}")},
			details: "map[action:rm reason:unknown_action]", calls: 2},
		{name: "nine", answers: []answer{waits(9)}, details: "map[path: reason:mismatch rule:maxItems]",
			calls: 2},
		{name: "then away", answers: []answer{bad, fails(byProvider(fault.ModelUnavailable))},
			streamed: "Look.", details: noString, calls: 2},
		{name: "no time", answers: []answer{bad}, hurried: true, streamed: "Look.", details: noString,
			calls: 1},
		{name: "cut", answers: []answer{asksFor("", length, "wait", "{")}, details: "map[reason:length]",
			calls: 1},
		{name: "cut after text", answers: []answer{cut}, reply: "Look.", calls: 1},
		{name: "blocked", answers: []answer{asksFor("Look.", llm.FinishBlocked, "wait", "{}")},
			reply: "Look.", calls: 1},
		{name: "neither text nor calls", answers: []answer{says("")}, details: "map[]", calls: 1},
		{name: "under a schema", schema: orderSchema, answers: []answer{asksFor("Look.", stop, "wait", "{}")},
			reply: "Look.", actions: 1, calls: 1},
		{name: "fits then under a schema", schema: orderSchema, answers: []answer{bad, waits(1)},
			actions: 1, calls: 2},
		{name: "prose under a schema", schema: orderSchema, answers: []answer{says("Look."), says(note)},
			reply: note, calls: 2},
		{name: "cut under a schema", schema: orderSchema, answers: []answer{cut},
			details: "map[reason:length]", calls: 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := script(tc.answers...)
			b := newSetup(t, 1, offering(m), func(c *chat.Config) {
				if tc.hurried {
					c.ModelTimeout = 9 * time.Second
				}
			})
			for _, streamed := range []bool{false, true} {
				m.asked = nil
				f := storetest.Seed(t, b.store, storetest.Options{Model: testModel, Actions: desk,
					ReplySchema: tc.schema})
				msg, l := newMessage(f, "s", "How many?"), newListener()
				want, details := tc.reply, tc.details
				if streamed {
					msg.Stream = l
					if tc.streamed != "" {
						want, details = tc.streamed, ""
					}
				}
				got, err := b.replicas[0].Send(t.Context(), msg)
				if len(m.asked) != tc.calls {
					t.Errorf("streamed %t: %d calls, want %d", streamed, len(m.asked), tc.calls)
				}
				if len(m.asked) == 2 && tc.schema == "" {
					wantCorrection(t, m.asked[1])
				}
				if details != "" {
					failed, _ := errors.AsType[*fault.Error](err)
					if failed == nil || fmt.Sprint(failed.Details) != details || l.text.Len() > 0 {
						t.Fatalf("streamed %t: %v, %+v, sent %q", streamed, err, failed, l.text.String())
					}
					wantCredits(t, b.store, f, 100)
					continue
				}
				if err != nil || got.Answer.Reply != want || len(got.Answer.Actions) != tc.actions ||
					streamed && l.text.String() != want {
					t.Fatalf("streamed %t: %v, %+v, sent %q, want %q", streamed, err, got.Answer, l.text.String(),
						want)
				}
				wantCredits(t, b.store, f, 99)
			}
		})
	}
}

// wantCorrection checks a second request: it says that each call of the first was not run.
func wantCorrection(t *testing.T, again llm.Request) {
	t.Helper()
	step := again.Steps[0]
	if again.Attempt != 2 || again.Message != "How many?" || len(again.Steps) != 1 ||
		step.ProviderState != "whole" || len(step.Results) != len(step.Calls) {
		t.Errorf("asked again: %+v", again)
	}
	for _, result := range step.Results {
		if !strings.HasPrefix(result.Error, "It was not run") {
			t.Errorf("told %q", result.Error)
		}
	}
}

// TestOpenChainIsWhole tests that the model gets its calls and results unchanged, its adapter's
// state, and the earlier turns.
func TestOpenChainIsWhole(t *testing.T) {
	t.Parallel()
	m := script(says("Hi."), asksFor("Look.", llm.FinishStop, "wait", " { } "), waits(2), says("Done."))
	b := newSetup(t, 1, offering(m))
	f := storetest.Seed(t, b.store, storetest.Options{Model: testModel, Actions: desk})
	send(t, b.replicas[0], newMessage(f, "s", "Hello"))
	first := send(t, b.replicas[0], newMessage(f, "s", "Where?"))
	second := send(t, b.replicas[0], bring(f, "s", first, `1`))
	failed := bring(f, "s", second, `2`)
	failed.Results.List[1] = conversation.ActionResult{ID: second.Actions[1].ID, Error: "It is broken."}
	send(t, b.replicas[0], failed)
	call := func(asked *chat.Answer, i int) llm.Call {
		return llm.Call{ID: asked.Actions[i].ID, Name: "wait", Arguments: "{}", ProviderState: "one"}
	}
	want := []llm.Step{
		{
			Text:          "Look.",
			ProviderState: "whole",
			Calls:         []llm.Call{call(first, 0)},
			Results:       []llm.ActionResult{{Result: "1"}},
		},
		{
			ProviderState: "whole",
			Calls:         []llm.Call{call(second, 0), call(second, 1)},
			Results:       []llm.ActionResult{{Result: "2"}, {Error: "It is broken."}},
		},
	}
	if got := m.last(); fmt.Sprintf("%+v", got.Steps) != fmt.Sprintf("%+v", want) ||
		got.Message != "Where?" ||
		len(got.History) != 1 || len(got.Actions) != 2 {
		t.Errorf("got %+v", got)
	}
	send(t, b.replicas[0], newMessage(f, "s", "And now?"))
	if h := m.last().History; len(h) != 2 ||
		h[1] != (llm.EarlierTurn{User: "Where?", Assistant: "Look.\n\nDone."}) {
		t.Errorf("later: %+v", h)
	}
}

// TestChainsThatAreTooLong tests that results over the limit or the model's window are refused and
// leave nothing. Their actions stay open.
func TestChainsThatAreTooLong(t *testing.T) {
	t.Parallel()
	m := script(waits(8))
	b := newSetup(t, 1, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/wide", CreditsPerMessage: 1, Model: m},
			catalogue.Entry{Name: "test/narrow", CreditsPerMessage: 1, Model: m, ContextWindow: 4000})
	})
	const most = conversation.MaxChainResults / 16
	for model, sizes := range map[string]struct{ fits, not int }{
		"test/wide":   {most, most + 1},
		"test/narrow": {100, 1000},
	} {
		f := storetest.Seed(t, b.store, storetest.Options{Model: model, Actions: desk})
		of := func(size int) string { return `"` + strings.Repeat("x", size-2) + `"` }
		first := send(t, b.replicas[0], newMessage(f, "s", "Where?"))
		second := send(t, b.replicas[0], bring(f, "s", first, of(sizes.fits)))
		calls := len(m.asked)
		refused := b.leavesNothing(t, model, f, bring(f, "s", second, of(sizes.not)), fault.InvalidInput)
		if refused.Fields[0].Path != "action_results" || len(m.asked) != calls {
			t.Errorf("%s: %+v", model, refused)
		}
		send(t, b.replicas[0], bring(f, "s", second, of(sizes.fits)))
	}
}

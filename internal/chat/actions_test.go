package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	b := newSetup(t, 2, nil)
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
					listening := newListener()
					if streamed {
						msg.Stream = listening
					}
					got, err := b.replicas[0].Send(t.Context(), msg)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					if streamed && listening.text.String() != got.Answer.Reply {
						t.Errorf("%s: sent %q of %q", name, listening.text.String(), got.Answer.Reply)
					}
					again, err := b.replicas[1].Send(t.Context(), msg)
					if err != nil || !again.Answer.Replayed || again.Answer.Reply != got.Answer.Reply ||
						len(again.Answer.Actions) != len(got.Answer.Actions) ||
						again.Answer.Structured != got.Answer.Structured || again.Answer.FinishReason != got.Answer.FinishReason {
						t.Errorf("%s: replayed %+v of %+v: %v", name, again.Answer, got.Answer, err)
					}
					return got.Answer
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
					len(last.Actions) != 0 || schema == "" &&
					!strings.Contains(last.Reply, `The action order_status returned: {"state":"shipped"}`) {
					t.Errorf("%s: %+v", name, last)
				}
				if left, held := balance(t, b.store, f); left != 98 || held != 0 {
					t.Errorf("%s: %d credits left, %d held", name, left, held)
				}
			}
		}
	}
	storetest.Audit(t, b.store)
}

// TestLostAnswer tests that answered results get the same answer again without an idempotency key,
// at no cost. After a message no action is open.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 2, nil)
	f := storetest.Seed(t, b.store, storetest.Options{Actions: desk})
	asked := send(t, b.replicas[0], newMessage(f, "s", "[[sandbox action=wait]]"))
	msg := bring(f, "s", asked, `1`)
	first := send(t, b.replicas[0], msg)
	if again := send(t, b.replicas[1], msg); !again.Replayed || again.MessageID != first.MessageID ||
		again.Reply != first.Reply {
		t.Errorf("again: %+v", again)
	}
	send(t, b.replicas[0], newMessage(f, "s", "[[sandbox action=wait]]"))
	_, err := b.replicas[0].Send(t.Context(), msg)
	refused, _ := errors.AsType[*fault.Error](err)
	if refused == nil || refused.Kind != fault.ActionMismatch || len(refused.Details["open"].([]string)) != 1 {
		t.Errorf("%v", err)
	}
	closed := send(t, b.replicas[0], newMessage(f, "s", "[[sandbox history]]"))
	if n := strings.Count(closed.Reply, "were not run"); n != 1 {
		t.Errorf("%d calls were closed: %s", n, closed.Reply)
	}
	_, err = b.replicas[0].Send(t.Context(), msg)
	if refused, _ = errors.AsType[*fault.Error](err); refused == nil ||
		len(refused.Details["open"].([]string)) != 0 {
		t.Errorf("%v", err)
	}
	if left, _ := balance(t, b.store, f); left != 96 {
		t.Errorf("%d credits left, want 96", left)
	}
	storetest.Audit(t, b.store)
}

// TestRoundsEnd tests that the reply to the eighth results asks for nothing.
func TestRoundsEnd(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	f := storetest.Seed(t, b.store, storetest.Options{Actions: desk})
	answer := send(t, b.replicas[0], newMessage(f, "s", "[[sandbox action=wait action=again]]"))
	for round := range conversation.MaxRounds {
		if len(answer.Actions) != 1 {
			t.Fatalf("round %d: %+v", round, answer)
		}
		answer = send(t, b.replicas[0], bring(f, "s", answer, fmt.Sprint(round)))
	}
	if answer.FinishReason != llm.FinishStop || strings.Count(answer.Reply, "returned") != conversation.MaxRounds {
		t.Errorf("%+v", answer)
	}
	storetest.Audit(t, b.store)
}

// asksFor is an answer with calls, each a name and its arguments.
func asksFor(text string, finish llm.FinishReason, calls ...string) func(context.Context) (llm.Reply, error) {
	return func(ctx context.Context) (llm.Reply, error) {
		reply, err := says(text)(ctx)
		reply.Finish, reply.ProviderState = finish, "whole"
		for i := 0; i < len(calls); i += 2 {
			reply.Calls = append(reply.Calls, llm.Call{Name: calls[i], Arguments: calls[i+1], ProviderState: "one"})
		}
		return reply, err
	}
}

// TestCallsThatDoNotFit tests that the model gets one more attempt, with a result for each call.
// After that the reply is free, or the sent text is the reply.
func TestCallsThatDoNotFit(t *testing.T) {
	t.Parallel()
	const stop, length = llm.FinishStop, llm.FinishLength
	good, bad := asksFor("", stop, "wait", "{}"), asksFor("Look.", stop, "wait", "{}", "order_status",
		`{"order":5}`)
	away := fails(&fault.Error{Kind: fault.ModelUnavailable, Err: llm.ErrProvider})
	nine := asksFor("", stop, strings.Split(strings.Repeat(",wait,{}", 9)[1:], ",")...)
	cases := []struct {
		name     string
		answers  []func(context.Context) (llm.Reply, error)
		hurried  bool
		schema   string
		details  string // of the refusal
		reply    string
		streamed string // the reply where that is another
		actions  int
		calls    int
	}{
		{name: "fits", answers: []func(context.Context) (llm.Reply, error){good}, actions: 1, calls: 1},
		{name: "fits then", answers: []func(context.Context) (llm.Reply, error){bad, good}, reply: "",
			streamed: "Look.", actions: 1, calls: 2},
		{name: "fits then, with text",
			answers: []func(context.Context) (llm.Reply, error){bad, asksFor("Now.", stop, "wait", "{}")},
			reply:   "Now.", streamed: "Look.\n\nNow.", actions: 1, calls: 2},
		{name: "answers then",
			answers: []func(context.Context) (llm.Reply, error){bad, says("Never mind.")},
			reply:   "Never mind.", streamed: "Look.\n\nNever mind.", calls: 2},
		{name: "never fits", answers: []func(context.Context) (llm.Reply, error){bad, bad}, calls: 2,
			streamed: "Look.",
			details:  "map[action:order_status path:/order reason:mismatch rule:type]"},
		{name: "never fits, without text",
			answers: []func(context.Context) (llm.Reply, error){asksFor("", stop, "order_status", "{}")},
			calls:   2,
			details: "map[action:order_status path: reason:mismatch rule:required]"},
		{name: "no JSON",
			answers: []func(context.Context) (llm.Reply, error){asksFor("", stop, "wait", "{}", "wait",
				"{")}, calls: 2, details: "map[action:wait reason:not_json]"},
		{name: "a name that is not declared",
			answers: []func(context.Context) (llm.Reply, error){asksFor("", stop, "rm\x00", "{}")}, calls: 2,
			details: "map[action:rm reason:unknown_action]"},
		{name: "nine", answers: []func(context.Context) (llm.Reply, error){nine}, calls: 2,
			details: "map[path: reason:mismatch rule:maxItems]"},
		{name: "then away", answers: []func(context.Context) (llm.Reply, error){bad, away}, calls: 2,
			streamed: "Look.",
			details:  "map[action:order_status path:/order reason:mismatch rule:type]"},
		{name: "no time", answers: []func(context.Context) (llm.Reply, error){bad}, hurried: true,
			calls: 1, streamed: "Look.",
			details: "map[action:order_status path:/order reason:mismatch rule:type]"},
		{name: "cut",
			answers: []func(context.Context) (llm.Reply, error){asksFor("", length, "wait", "{")}, calls: 1,
			details: "map[reason:length]"},
		{name: "cut after text",
			answers: []func(context.Context) (llm.Reply, error){asksFor("Look.", length, "wait", "{")},
			calls:   1, reply: "Look."},
		{name: "blocked",
			answers: []func(context.Context) (llm.Reply, error){asksFor("Look.", llm.FinishBlocked, "wait",
				"{}")}, calls: 1, reply: "Look."},
		{name: "neither text nor calls", answers: []func(context.Context) (llm.Reply, error){says("")},
			calls: 1, details: "map[]"},
		{name: "under a schema",
			answers: []func(context.Context) (llm.Reply, error){asksFor("Look.", stop, "wait", "{}")},
			schema:  orderSchema, reply: "Look.", actions: 1, calls: 1},
		{name: "fits then under a schema", answers: []func(context.Context) (llm.Reply, error){bad, good},
			schema: orderSchema, reply: "", actions: 1, calls: 2},
		{name: "prose under a schema",
			answers: []func(context.Context) (llm.Reply, error){says("Look."),
				says(`{"note":"a","count":1}`)}, schema: orderSchema,
			reply: `{"note":"a","count":1}`, calls: 2},
		{name: "cut under a schema",
			answers: []func(context.Context) (llm.Reply, error){asksFor("Look.", length, "wait", "{")},
			schema:  orderSchema, calls: 1,
			details: "map[reason:length]"},
	}
	var models []catalogue.Entry
	for i, tc := range cases {
		for j := range 2 {
			models = append(models,
				catalogue.Entry{Name: fmt.Sprintf("test/%d-%d", i, j), CreditsPerMessage: 1,
					Model: &scripted{answers: tc.answers}})
		}
	}
	limit := time.Minute
	b := newSetup(t, 2, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(models...)
		c.ModelTimeout, limit = limit, 9*time.Second // the second is hurried
	})
	for i, tc := range cases {
		for j, name := range []string{"whole", "streamed"} {
			t.Run(tc.name+", "+name, func(t *testing.T) {
				model := models[2*i+j]
				m := model.Model.(*scripted)
				f := storetest.Seed(t, b.store, storetest.Options{Model: model.Name, Actions: desk, ReplySchema: tc.schema})
				msg, service := newMessage(f, "s", "How many?"), b.replicas[0]
				if tc.hurried {
					service = b.replicas[1]
				}
				listening := newListener()
				want, details := tc.reply, tc.details
				streamed := j == 1
				if streamed {
					msg.Stream = listening
					if tc.streamed != "" {
						want, details = tc.streamed, ""
					}
				}
				got, err := service.Send(t.Context(), msg)
				if len(m.asked) != tc.calls {
					t.Errorf("%d calls, want %d", len(m.asked), tc.calls)
				}
				left, held := balance(t, b.store, f)
				if details != "" {
					failed, _ := errors.AsType[*fault.Error](err)
					if failed == nil || fmt.Sprint(failed.Details) != details || left != 100 || held != 0 ||
						listening.text.Len() > 0 {
						t.Fatalf("%v, %+v, %d credits left, sent %q", err, failed, left, listening.text.String())
					}
				} else if err != nil || got.Answer.Reply != want || len(got.Answer.Actions) != tc.actions ||
					left != 99 || streamed && listening.text.String() != want {
					t.Fatalf("%v, %+v, %d credits left, sent %q, want %q", err, got.Answer, left,
						listening.text.String(), want)
				}
				if len(m.asked) == 2 && tc.schema == "" {
					again := m.asked[1]
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
			})
		}
	}
	storetest.Audit(t, b.store)
}

// TestOpenChainIsWhole tests that the model gets its calls and results unchanged, its adapter's
// state, and the earlier turns. Another model gets nothing of that state.
func TestOpenChainIsWhole(t *testing.T) {
	t.Parallel()
	m := &scripted{answers: []func(context.Context) (llm.Reply, error){says("Hi."),
		asksFor("Look.", llm.FinishStop, "wait", " { } "),
		asksFor("", llm.FinishStop, "wait", "{}", "wait", "{}"), says("Done.")}}
	b := newSetup(t, 1, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/scripted", CreditsPerMessage: 1, Model: m,
			ContextWindow: 100_000})
	})
	f := storetest.Seed(t, b.store, storetest.Options{Model: "test/scripted", Actions: desk})
	send(t, b.replicas[0], newMessage(f, "s", "Hello"))
	first := send(t, b.replicas[0], newMessage(f, "s", "Where?"))
	second := send(t, b.replicas[0], bring(f, "s", first, `1`))
	failed := bring(f, "s", second, `2`)
	failed.Results.List[1] = conversation.ActionResult{ID: second.Actions[1].ID, Error: "It is broken."}
	send(t, b.replicas[0], failed)
	got := m.asked[3]
	want := []llm.Step{
		{Text: "Look.", ProviderState: "whole",
			Calls: []llm.Call{{ID: first.Actions[0].ID, Name: "wait", Arguments: "{}",
				ProviderState: "one"}},
			Results: []llm.ActionResult{{Result: "1"}}},
		{ProviderState: "whole",
			Calls: []llm.Call{{ID: second.Actions[0].ID, Name: "wait", Arguments: "{}",
				ProviderState: "one"},
				{ID: second.Actions[1].ID, Name: "wait", Arguments: "{}",
					ProviderState: "one"}}, Results: []llm.ActionResult{{Result: "2"}, {Error: "It is broken."}}},
	}
	if fmt.Sprintf("%+v", got.Steps) != fmt.Sprintf("%+v", want) || got.Message != "Where?" ||
		len(got.History) != 1 || len(got.Actions) != 2 {
		t.Errorf("got %+v", got)
	}
	next := newMessage(f, "s", "And now?")
	send(t, b.replicas[0], next)
	if h := m.asked[4].History; len(h) != 2 ||
		h[1] != (llm.EarlierTurn{User: "Where?", Assistant: "Look.\n\nDone."}) {
		t.Errorf("later: %+v", h)
	}
	storetest.Audit(t, b.store)
}

// TestChainsThatAreTooLong tests that results over the limit or the model's window are refused and
// leave nothing, in the playground, too. Their actions stay open.
func TestChainsThatAreTooLong(t *testing.T) {
	t.Parallel()
	ask := asksFor("", llm.FinishStop, strings.Split(strings.Repeat(",wait,{}", 8)[1:], ",")...)
	m := &scripted{answers: []func(context.Context) (llm.Reply, error){ask}}
	b := newSetup(t, 1, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/scripted", CreditsPerMessage: 1, Model: m},
			catalogue.Entry{Name: "test/narrow", CreditsPerMessage: 1, Model: m, ContextWindow: 4000})
	})
	for model, sizes := range map[string]struct{ fits, not int }{"test/scripted": {conversation.MaxChainResults / 16, conversation.MaxChainResults/16 + 1}, "test/narrow": {100, 1000}} {
		f := storetest.Seed(t, b.store, storetest.Options{Model: model, Actions: desk})
		of := func(size int) string { return `"` + strings.Repeat("x", size-2) + `"` }
		first := send(t, b.replicas[0], newMessage(f, "s", "Where?"))
		second := send(t, b.replicas[0], bring(f, "s", first, of(sizes.fits)))
		calls := len(m.asked)
		tooLong := bring(f, "s", second, of(sizes.not))
		b.leavesNothing(t, model, f, tooLong, fault.InvalidInput)
		_, err := b.replicas[0].Send(t.Context(), tooLong)
		refused, _ := errors.AsType[*fault.Error](err)
		if refused == nil || refused.Fields[0].Path != "action_results" || len(m.asked) != calls {
			t.Fatalf("%s: %v", model, err)
		}
		send(t, b.replicas[0], bring(f, "s", second, of(sizes.fits)))
	}
	storetest.Audit(t, b.store)
}

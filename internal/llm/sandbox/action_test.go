package sandbox_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"agentchat/internal/llm"
)

// actions are those of an agent that can look up an order.
var actions = []llm.Action{
	{Name: "order_status", Parameters: `{"type":"object","properties":{"order":{"type":"string"}},"required":["order"]}`},
	{Name: "wait", Parameters: `{"type":"object"}`},
}

// TestAsksForActions shows that a message can request up to eight actions, in order, and that other
// messages request none.
func TestAsksForActions(t *testing.T) {
	t.Parallel()
	call := func(name, arguments string) llm.Call { return llm.Call{Name: name, Arguments: arguments} }
	for message, want := range map[string]struct {
		text  string
		calls []llm.Call
	}{
		`[[sandbox action=order_status {"order":"A-1"}]]`:               {"", []llm.Call{call("order_status", `{"order":"A-1"}`)}},
		`Where is it? [[sandbox action=wait {}]]`:                       {"Let me look.", []llm.Call{call("wait", "{}")}},
		`Hi [[sandbox action=wait]]`:                                    {"Let me look.", []llm.Call{call("wait", "{}")}},
		`[[sandbox action=order_status]]`:                               {"", []llm.Call{call("order_status", `{"order":"sandbox"}`)}},
		`A-7 [[sandbox action=order_status]]`:                           {"Let me look.", []llm.Call{call("order_status", `{"order":"A-7"}`)}},
		`[[sandbox words=3 action=wait]]`:                               {"This is turn", []llm.Call{call("wait", "{}")}},
		`[[sandbox action=b {"x": 1e400,"x":2} action=a]]`:              {"", []llm.Call{call("b", `{"x": 1e400,"x":2}`), call("a", "{}")}},
		`[[sandbox action=wait {"a":[["]]"]]} tokens=1:1 action=b]] [[`: {"Let me look.", []llm.Call{call("wait", `{"a":[["]]"]]}`), call("b", "{}")}},
		`[[SANDBOX ACTION=Wait {"A":"B"}]]`:                             {"", []llm.Call{call("wait", `{"A":"B"}`)}},
		`[[sandbox` + strings.Repeat(" action=wait", 8) + `]]`: {"", []llm.Call{call("wait", "{}"), call("wait", "{}"), call("wait", "{}"),
			call("wait", "{}"), call("wait", "{}"), call("wait", "{}"), call("wait", "{}"), call("wait", "{}")}},
		`[[sandbox action=order_status bad]] [[sandbox action=wait bad]]`: {"", []llm.Call{call("order_status", "{}"), call("wait", "[]")}},
		`[[sandbox action=none bad]]`:                                     {"", []llm.Call{call("none", "[]")}},
		`order_status, please`:                                            {"-", nil},
		`[[sandbox history]] [sandbox action=wait]`:                       {"-", nil},
	} {
		reply := say(t, llm.Request{Message: message, Actions: actions, Schema: `{"type":"object"}`})
		if (reply.Text != want.text && want.text != "-") || !reflect.DeepEqual(reply.Calls, want.calls) ||
			reply.Finish != llm.FinishStop {
			t.Errorf("%s: %+v", message, reply)
		}
	}
}

// TestRoundsOfActions shows that the sandbox requests an action once, and again only after wrong
// arguments or when a directive says so.
func TestRoundsOfActions(t *testing.T) {
	t.Parallel()
	fits := func(c llm.Call) bool { return strings.Contains(c.Arguments, `"order"`) }
	for directive, asked := range map[string]struct{ second, bad, again, secondOfAgain bool }{
		`action=order_status {"order":"x"}`:    {true, false, false, false},
		`action=order_status bad`:              {true, true, false, false},
		`action=order_status bad_once`:         {true, false, false, false},
		`action=order_status action=again`:     {true, false, true, true},
		`action=again action=order_status bad`: {true, true, true, true},
	} {
		req := llm.Request{
			Message: "Look [[sandbox " + directive + "]]",
			Actions: actions,
			History: []llm.EarlierTurn{{User: "Hi", Assistant: "Ho"}},
		}
		first := say(t, req)
		if len(first.Calls) != 1 || fits(first.Calls[0]) == strings.Contains(directive, "bad") {
			t.Fatalf("%s: %+v", directive, first)
		}
		step := llm.Step{
			Text:    first.Text,
			Calls:   first.Calls,
			Results: []llm.ActionResult{{Error: "The arguments do not fit. [[sandbox fail=error]]"}},
		}
		req.Steps, req.Attempt = []llm.Step{step}, 2
		if second := say(t, req); (len(second.Calls) == 1) != asked.second ||
			fits(second.Calls[0]) == asked.bad {
			t.Errorf("%s, the second attempt: %+v", directive, second)
		}
		step.Results = []llm.ActionResult{{Result: `{"state":"shipped [[sandbox fail=error]]"}`}}
		req.Steps, req.Attempt = []llm.Step{step}, 1
		after := say(t, req)
		if (len(after.Calls) == 1) != asked.again {
			t.Errorf("%s, after a result: %+v", directive, after)
		}
		if !asked.again && !strings.Contains(after.Text,
			`The action order_status returned: {"state":"shipped [[sandbox fail=error]]"}.`) {
			t.Errorf("%s, after a result: %s", directive, after.Text)
		}
		req.Steps, req.Attempt = append(req.Steps, step), 2
		if second := say(t, req); (len(second.Calls) == 1) != asked.secondOfAgain {
			t.Errorf("%s, the second attempt after a result: %+v", directive, second)
		}
		req.Answered, req.Attempt = true, 1
		if last := say(t, req); len(last.Calls) != 0 ||
			strings.Count(last.Text, "The action order_status returned") != 2 {
			t.Errorf("%s, when no more are taken: %+v", directive, last)
		}
	}
}

// TestAfterActions shows that the reply has a sentence for each result, fits the schema, or follows
// the directives.
func TestAfterActions(t *testing.T) {
	t.Parallel()
	req := llm.Request{Message: "Look [[sandbox action=wait action=order_status]]", Actions: actions}
	req.Steps = []llm.Step{{Text: "Let me look.", Calls: []llm.Call{{ID: "act_1", Name: "wait", Arguments: "{}"}, {ID: "act_2", Name: "order_status", Arguments: `{"order":"1"}`}},
		Results: []llm.ActionResult{{Error: "It took too long."}, {Result: "12345678901234567890"}}}}
	reply := say(t, req)
	for _, want := range []string{"This is turn 1 ",
		"The action wait failed: It took too long. The action order_status returned: 12345678901234567890. You wrote: “Look”."} {
		if !strings.Contains(reply.Text, want) {
			t.Errorf("%q does not contain %q", reply.Text, want)
		}
	}
	if *reply.InputTokens != 16 {
		t.Errorf("%d tokens were given, expected the 16 words of the message and the step",
			*reply.InputTokens)
	}
	req.Schema = actions[0].Parameters
	if reply = say(t, req); reply.Text != `{"order":"The action wait failed: It took too long. The action order_status returned: 12345678901234567890."}` {
		t.Errorf("under a schema: %+v", reply)
	}
	req.Message = "[[sandbox history action=wait]]"
	var got struct{ Turns []map[string]any }
	if err := json.Unmarshal([]byte(say(t, req).Text), &got); err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{{"role": "user", "text": req.Message},
		{"role": "assistant", "text": "Let me look.", "actions": []any{
			map[string]any{"id": "act_1", "name": "wait", "arguments": "{}"}, map[string]any{"id": "act_2", "name": "order_status", "arguments": `{"order":"1"}`}}},
		{"role": "action", "id": "act_1", "text": "It took too long.", "failed": true}, {"role": "action", "id": "act_2", "text": "12345678901234567890"}}
	if !reflect.DeepEqual(got.Turns, want) {
		t.Errorf("history %v, want %v", got.Turns, want)
	}
}

// TestActionsThatAreCut shows that a cut reply contains the beginning of its last call, and that a
// reply with cut text contains no calls.
func TestActionsThatAreCut(t *testing.T) {
	t.Parallel()
	req := llm.Request{Message: `Look [[sandbox action=wait {} action=order_status {"order":"A-1"} finish=length]]`, Actions: actions}
	reply := say(t, req)
	if reply.Finish != llm.FinishLength || len(reply.Calls) != 2 || reply.Calls[0].Arguments != "{}" ||
		reply.Calls[1].Arguments != `{"order` {
		t.Errorf("%+v", reply)
	}
	req.Message, req.Schema = "[[sandbox action=wait output=cut]]", `{"type":"object"}`
	if reply := say(t, req); reply.Finish != llm.FinishStop || len(reply.Calls) != 1 {
		t.Errorf("before a reply that is cut: %+v", reply)
	}
	req.Steps = []llm.Step{{
		Calls:   []llm.Call{{Name: "wait", Arguments: "{}"}},
		Results: []llm.ActionResult{{Result: "1"}},
	}}
	if reply := say(t, req); reply.Finish != llm.FinishLength {
		t.Errorf("a reply that is cut: %+v", reply)
	}
	req.Schema, req.Steps = "", nil
	limit := 2
	req.Message, req.MaxOutputTokens = "Look [[sandbox action=wait]]", &limit
	if reply := say(t, req); reply.Text != "Let me" || reply.Finish != llm.FinishLength ||
		reply.Calls != nil {
		t.Errorf("at the output limit: %+v", reply)
	}
}

// TestWithoutActions checks the reply of an agent that has no actions.
func TestWithoutActions(t *testing.T) {
	t.Parallel()
	const directive = "Look [[sandbox action=wait]]"
	if reply := say(t, llm.Request{Message: directive}); !strings.Contains(reply.Text, "no actions") ||
		!strings.Contains(reply.Text, "You wrote: “Look”") || reply.Calls != nil {
		t.Errorf("%+v", reply)
	}
	if reply := say(t, llm.Request{Message: directive, Schema: actions[0].Parameters}); reply.Text != `{"order":"Look"}` || reply.Calls != nil {
		t.Errorf("under a schema: %+v", reply)
	}
	if reply := say(t, llm.Request{Message: directive, Actions: actions, Answered: true}); reply.Calls != nil || strings.Contains(reply.Text, "no actions") {
		t.Errorf("answered: %+v", reply)
	}
}

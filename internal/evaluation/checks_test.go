package evaluation_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"agentchat/internal/evaluation"
)

// TestVerdicts tests that each check can pass and fail, and that not inverts it.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	ms := int64(900)
	text := func(text string) evaluation.Reply { return evaluation.Reply{Text: text} }
	calls := evaluation.Reply{Actions: []evaluation.Call{
		{Name: "look", Arguments: json.RawMessage(`{"id":"A-1"}`)},
		{Name: "order", Arguments: json.RawMessage(`{"id":"A-1","count":2.0,"to":{"city":"Rome","zip":"1"},"tags":["a","b"]}`)},
	}}
	for _, c := range []struct {
		check  string
		reply  evaluation.Reply
		passes bool
	}{
		{`"type":"contains","text":"30 days"`, text("Within 30\n DAYS."), true},
		{`"type":"contains","text":"30 days"`, text("Within 31 days."), false},
		{`"type":"contains","text":["no","café"]`, text("a cafe\u0301"), true},
		{`"type":"contains","text":["no","café"]`, text("a bar"), false},
		{`"type":"contains","text":"Days","exact":true`, text("30 Days"), true},
		{`"type":"contains","text":"Days","exact":true`, text("30 days"), false},
		{`"type":"equals","text":"Yes"`, text(" Yes\n"), true},
		{`"type":"equals","text":"Yes"`, text("yes"), false},
		{`"type":"regex","pattern":"(?i)order [A-Z]-\\d+"`, text("ORDER a-12"), true},
		{`"type":"regex","pattern":"^order"`, text("An order"), false},
		{`"type":"json_equals","path":"/a/1/~1b~0","value":{"x":[1,2e1,null],"y":true}`, text(`{"a":[0,{"/b~":{"y":true,"x":[1.0,20,null]}}]}`), true},
		{`"type":"json_equals","path":"/a","value":{"x":1}`, text(`{"a":{"x":1,"y":2}}`), false},
		{`"type":"json_equals","value":9007199254740993`, text("9007199254740993.0"), true},
		{`"type":"json_equals","value":9007199254740993`, text("9007199254740992"), false},
		{`"type":"json_equals","value":-0.0`, text(" 0e5 "), true},
		{`"type":"json_equals","value":1e9999999999999999999`, text("1e9999999999999999999"), true},
		{`"type":"json_equals","path":"/01","value":1`, text("[0,1]"), false},
		{`"type":"json_equals","path":"/-","value":1`, text("[1]"), false},
		{`"type":"json_equals","path":"/a/b","value":null`, text(`{"a":null}`), false},
		{`"type":"json_equals","path":"/a","value":1`, text(`{"a":1,"a":1}`), false},
		{`"type":"json_equals","value":"a"`, text("a"), false},
		{`"type":"action","name":"look"`, calls, true},
		{`"type":"action","name":"pay"`, calls, false},
		{`"type":"action","name":"order","arguments":{"count":2,"to":{"city":"Rome"},"tags":["a","b"]}`, calls, true},
		{`"type":"action","name":"order","arguments":{"tags":["a"]}`, calls, false},
		{`"type":"action","name":"look","arguments":{"count":2}`, calls, false},
		{`"type":"cites"`, evaluation.Reply{Sources: []string{"Terms"}}, true},
		{`"type":"cites"`, text("Terms"), false},
		{`"type":"cites","source":"Terms"`, evaluation.Reply{Sources: []string{"FAQ", "Terms"}}, true},
		{`"type":"cites","source":"Terms"`, evaluation.Reply{Sources: []string{"FAQ"}}, false},
		{`"type":"max_ms","most":900`, evaluation.Reply{ModelMS: &ms}, true},
		{`"type":"max_ms","most":899`, evaluation.Reply{ModelMS: &ms}, false},
		{`"type":"max_ms","most":900`, evaluation.Reply{}, false},
	} {
		checks := []string{c.check}
		if !strings.Contains(c.check, "max_ms") {
			checks = append(checks, c.check+`,"not":true`)
		}
		for i, check := range checks {
			got := parse(t, `{"message":"m","checks":[{`+check+`}]}`).Verdicts(c.reply)
			if len(got) != 1 || got[0].Passed != (c.passes == (i == 0)) {
				t.Errorf("{%s} of %.80q, %s: %+v", check, c.reply.Text, c.reply.Actions, got)
			}
		}
	}
}

// TestPositions tests that verdicts and judge checks together cover all checks.
func TestPositions(t *testing.T) {
	t.Parallel()
	c := parse(t, example)
	verdicts, judges := c.Verdicts(evaluation.Reply{Text: "30 days"}), c.JudgeChecks()
	if len(verdicts) != 1 || verdicts[0] != (evaluation.Verdict{Check: 0, Type: "contains", Passed: true}) ||
		len(judges) != 1 || judges[0] != 1 {
		t.Errorf("%+v, %v", verdicts, judges)
	}
}

// TestLongReplies tests that patterns and lists of texts are fast even on long replies.
func TestLongReplies(t *testing.T) {
	t.Parallel()
	reply := evaluation.Reply{Text: strings.Repeat("a", 200_000) + "b"}
	for _, check := range []string{`"type":"regex","pattern":"(a+)+$"`, `"type":"regex","pattern":"(a*)*(a|aa)+c"`,
		`"type":"contains","text":["` + strings.Repeat("a", 999) + `c"]`} {
		c, start := parse(t, `{"message":"m","checks":[{`+check+`}]}`), time.Now()
		if c.Verdicts(reply)[0].Passed || time.Since(start) > time.Second {
			t.Errorf("%.40s: %s", check, time.Since(start))
		}
	}
}

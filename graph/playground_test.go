package graph_test

import (
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
)

const sendTest = `mutation($input: SendTestMessageInput!) { sendTestMessage(input: $input) { creditsRemaining
	conversation { id sessionId turnCount agent { id } }
	turn { id message reply state errorCode version model credits source requestId export { id } } } }`

func TestPlayground(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	draft := u.made(t, vars{"maxOutputTokens": nil}).text(t, "createAgent.agent.id")
	say := func(message string, more vars) answer {
		input := vars{"agentId": draft, "message": message, "sessionId": "try"}
		for k, v := range more {
			input[k] = v
		}
		return u.do(t, sendTest, vars{"input": input})
	}
	first := say("My name is Ada", vars{"idempotencyKey": "one"})
	first.wantNone(t, "a draft with a model")
	if first.text(t, "sendTestMessage.turn.state") != "ANSWERED" ||
		first.text(t, "sendTestMessage.turn.source") != "PLAYGROUND" {
		t.Errorf("%s", first.body)
	}
	second := say("What is my name?", nil)
	second.wantNone(t, "the second message")
	if reply := second.text(t, "sendTestMessage.turn.reply"); !strings.Contains(reply, "Ada") {
		t.Errorf("the second reply does not know the first: %s", reply)
	}
	again := say("My name is Ada", vars{"idempotencyKey": "one"})
	if again.text(t, "sendTestMessage.turn.id") != first.text(t, "sendTestMessage.turn.id") {
		t.Error("a retry was a new turn")
	}
	failed := say("[[sandbox fail=timeout]]", nil)
	failed.wantNone(t, "a model's failure is a turn")
	if failed.text(t, "sendTestMessage.turn.state") != "FAILED" ||
		failed.text(t, "sendTestMessage.turn.errorCode") != "model_timeout" {
		t.Errorf("%s", failed.body)
	}
	storetest.Audit(t, b.store)

	for name, c := range map[string]struct {
		message string
		more    vars
		want    []string
	}{
		"unset ids": {"hello", vars{"sessionId": "null", "userId": "${id}"}, []string{
			"sessionId invalid_value", "userId invalid_value"}},
		"unknown model":    {"hello", vars{"model": "acme/none"}, []string{"model invalid_value"}},
		"model not set up": {"hello", vars{"model": "gemini/gemini-2.5-flash"}, []string{"model invalid_value"}},
		"all of it": {"", vars{"sessionId": "a\n", "idempotencyKey": ""}, []string{
			"message blank", "sessionId invalid_character", "idempotencyKey invalid_value"}},
	} {
		say(c.message, c.more).wantFields(t, name, c.want...)
	}
	say("other", vars{"idempotencyKey": "one"}).want(t, "the key with another body", http.StatusOK, "CONFLICT")
	if _, err := b.store.SQL().ExecContext(t.Context(),
		`UPDATE agents SET settings = jsonb_set(settings, '{model}', 'null')`); err != nil {
		t.Fatal(err)
	}
	say("hello", nil).want(t, "no model", http.StatusOK, "CONFLICT")
}

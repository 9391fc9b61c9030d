package graph_test

import (
	"net/http"
	"testing"
)

const sendTest = `mutation($input: SendTestMessageInput!) { sendTestMessage(input: $input) { creditsRemaining
	conversation { id sessionId turnCount agent { id } }
	turn { id message reply state errorCode version model credits source requestId export { id } } } }`

func TestPlayground(t *testing.T) {
	t.Parallel()
	u := newTester(t, newBench(t))
	u.say(t, "hello").wantValues(t, "a draft with a model", map[string]any{
		"sendTestMessage.turn.state":       "ANSWERED",
		"sendTestMessage.turn.source":      "PLAYGROUND",
		"sendTestMessage.creditsRemaining": 99,
	})
	u.say(t, "[[sandbox fail=timeout]]").wantValues(t, "a model's failure is a turn", map[string]any{
		"sendTestMessage.turn.state":     "FAILED",
		"sendTestMessage.turn.errorCode": "model_timeout",
	})
	for name, c := range map[string]struct {
		input vars
		want  []string
	}{
		"unset ids": {vars{"message": "hello", "sessionId": "null", "userId": "${id}"},
			[]string{"sessionId invalid_value", "userId invalid_value"}},
		"unknown model": {vars{"message": "hello", "model": "acme/none"},
			[]string{"model invalid_value"}},
		"model not set up": {vars{"message": "hello", "model": "gemini/gemini-2.5-flash"},
			[]string{"model invalid_value"}},
		"all of it": {vars{"message": "", "sessionId": "a\n", "idempotencyKey": ""},
			[]string{"message blank", "sessionId invalid_character", "idempotencyKey invalid_value"}},
	} {
		c.input["agentId"] = u.draft
		u.do(t, sendTest, vars{"input": c.input}).wantFields(t, name, c.want...)
	}
	once := vars{"agentId": u.draft, "message": "hello", "idempotencyKey": "one"}
	u.do(t, sendTest, vars{"input": once}).wantNone(t, "a key")
	once["message"] = "other"
	u.do(t, sendTest, vars{"input": once}).
		want(t, "the key with another message", http.StatusOK, "CONFLICT")
	u.do(t, updateAgent, vars{"input": vars{"id": u.draft, "model": nil}}).wantNone(t, "edit")
	u.say(t, "hello").want(t, "no model", http.StatusOK, "CONFLICT")
}

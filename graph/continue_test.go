package graph_test

import (
	"net/http"
	"testing"
)

const sayContinued = `mutation($input: SendTestMessageInput!) { sendTestMessage(input: $input) {
	conversation { id userId continuesFrom { id number conversation { sessionId } } } turn { id reply } } }`

// TestContinueFrom: a test conversation names the turn that it continues from until that turn is
// deleted.
func TestContinueFrom(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	mine := u.world(t)
	say := func(session string, from any) answer {
		return u.do(t, sayContinued, vars{"input": vars{"agentId": mine["agent"], "sessionId": session,
			"message": "hello", "continueFrom": from}})
	}
	at := "sendTestMessage.conversation."
	say("plain", nil).wantValues(t, "none", map[string]any{at + "continuesFrom": nil})
	say("try", mine["turn"]).wantValues(t, "the first message", map[string]any{at + "continuesFrom.id": mine["turn"].String(),
		at + "continuesFrom.number": float64(1), at + "continuesFrom.conversation.sessionId": "customer"})
	later := say("try", nil)
	later.wantValues(t, "a later one", map[string]any{at + "continuesFrom.id": mine["turn"].String()})
	say("plain", mine["turn"]).want(t, "a session that has begun without", http.StatusOK, "CONFLICT")
	say("new", later.text(t, at+"id")).want(t, "the id of a conversation", http.StatusOK, "NOT_FOUND")
	u.do(t, `mutation($id: ID!) { deleteConversation(input: {id: $id}) { deletedConversationId } }`,
		vars{"id": mine["conversation"]}).wantNone(t, "delete")
	say("try", nil).wantValues(t, "once it is deleted", map[string]any{at + "continuesFrom": nil})
	say("new", mine["turn"]).want(t, "a turn that was deleted", http.StatusOK, "NOT_FOUND")
}

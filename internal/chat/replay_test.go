package chat_test

import (
	"reflect"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
)

// TestReplay tests that a replay has every field of the first answer, also after its source was
// deleted: the passage's text is not stored with the turn. When its conversation is deleted, there
// is nothing to replay.
func TestReplay(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 2)
	f := storetest.Seed(t, b.store, storetest.Options{})
	known := learn(t, b.store, f, returnsText)
	msg := newMessage(f, "s", "[[sandbox tokens=31:9]]")
	msg.IdempotencyKey = "k"
	first := *send(t, b.replicas[0], msg)
	forget(t, b.store, f, known[0])
	again := *send(t, b.replicas[1], msg)
	if first.Replayed || !again.Replayed || first.InputTokens == nil || *first.InputTokens != 31 ||
		len(first.Sources) != 1 || first.Sources[0].SourceID != known[0].ID {
		t.Fatalf("first %+v, then %+v", first, again)
	}
	first.Replayed = true
	if !reflect.DeepEqual(first, again) {
		t.Errorf("first %+v, then %+v", first, again)
	}
	if n := storetest.CountRows(t, b.store,
		`SELECT count(*) FROM turns WHERE knowledge LIKE '%Refunds take%' OR message LIKE '%===%'`); n > 0 {
		t.Errorf("%d turns have the passages' text", n)
	}
	if _, err := erasure.On(b.store).DeleteConversationsBySessionID(t.Context(), f.Account.ID, "s",
		nil); err != nil {
		t.Fatal(err)
	}
	wantFault(t, b.replicas[0], msg, fault.ConversationDeleted)
}

package chat_test

import (
	"reflect"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
)

// TestReplay: a replay has every field of the first answer. Afterwards its conversation is deleted,
// and there is nothing to replay.
func TestReplay(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	f := storetest.Seed(t, b.store, storetest.Options{})
	learn(t, b.store, f, returnsText)
	msg := newMessage(f, "s", "[[sandbox tokens=31:9]]")
	msg.IdempotencyKey = "k"
	first, again := *send(t, b.replicas[0], msg), *send(t, b.replicas[0], msg)
	if first.Replayed || !again.Replayed || first.InputTokens == nil || *first.InputTokens != 31 ||
		len(first.Sources) != 1 {
		t.Fatalf("first %+v, then %+v", first, again)
	}
	first.Replayed = true
	if !reflect.DeepEqual(first, again) {
		t.Errorf("first %+v, then %+v", first, again)
	}
	if _, err := erasure.On(b.store).DeleteConversationsBySessionID(t.Context(), f.Account.ID, "s",
		nil); err != nil {
		t.Fatal(err)
	}
	if _, err := b.replicas[0].Send(t.Context(), msg); !fault.Is(err, fault.ConversationDeleted) {
		t.Errorf("after its deletion: %v", err)
	}
}

package conversations_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/conversations"
	"agentchat/internal/store/storetest"
)

// BenchmarkRecordRejected writes a full batch of refused requests of one key.
func BenchmarkRecordRejected(b *testing.B) {
	s := storetest.New(b)
	f := storetest.Seed(b, s, storetest.Options{})
	batch := make([]conversations.RejectedRequest, 256)
	for b.Loop() {
		for i := range batch {
			batch[i] = conversations.RejectedRequest{Key: f.Key.Hash(), At: time.Now(), RequestID: uuid.Must(uuid.NewV7()).String(), Status: 400,
				Code: "invalid_request", Detail: "message is missing.", ClientAddress: "127.0.0.1"}
		}
		if err := conversations.On(s).RecordRejected(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
}

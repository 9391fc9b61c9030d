package share_test

import (
	"context"
	"testing"
	"time"

	"agentchat/internal/share"
)

// TestDelay: a delay ends with the context, and lasts its length otherwise.
func TestDelay(t *testing.T) {
	t.Parallel()
	const length = 50 * time.Millisecond
	began := time.Now()
	share.NewDelay(length).Wait(t.Context())
	if took := time.Since(began); took < length {
		t.Errorf("it took %v", took)
	}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	share.NewDelay(time.Hour).Wait(ctx) // or the test never ends
}

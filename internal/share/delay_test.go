package share_test

import (
	"context"
	"testing"
	"time"

	"agentchat/internal/share"
)

// TestDelay shows that a delay ends with its context, or after its length.
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
	share.NewDelay(time.Hour).Wait(ctx) // must return at once
}

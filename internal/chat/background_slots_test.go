package chat

import (
	"testing"

	"github.com/google/uuid"
)

// TestBackgroundSlotsAreShared tests that an account without slots always gets some, whatever the
// others hold, and that slots are returned.
func TestBackgroundSlotsAreShared(t *testing.T) {
	t.Parallel()
	slots, all := newBackgroundSlots(), 0
	var leave []func()
	fill := func(account uuid.UUID) (n int) {
		for ; ; n++ {
			back, ok := slots.take(account)
			if !ok {
				return n
			}
			leave = append(leave, back)
			all++
		}
	}
	for range 7 {
		if n := fill(uuid.New()); n != maxInBackgroundOfAccount {
			t.Errorf("an account got %d slots with %d taken", n, all)
		}
	}
	if n := fill(uuid.New()); n != 32 { // of 64
		t.Errorf("the eighth account got %d slots", n)
	}
	if fill(uuid.New()) == 0 {
		t.Error("nothing is left for another one")
	}
	for _, back := range leave {
		back()
	}
	if slots.free != maxInBackground || len(slots.accounts) > 0 {
		t.Errorf("%d are free at the end, %d accounts", slots.free, len(slots.accounts))
	}
}

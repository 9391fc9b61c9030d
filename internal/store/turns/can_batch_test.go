package turns

import (
	"testing"
	"time"

	"agentchat/internal/conversation"
)

// What a call has once for all its messages is the same for each of them.
func TestCanBatch(t *testing.T) {
	t.Parallel()
	message := func(change func(*Begin)) *Begin {
		b := &Begin{HoldFor: time.Minute, MaxContextBytes: 1, Models: []string{"a"}, Prices: []int64{1}}
		change(b)
		return b
	}
	for name, c := range map[string]struct {
		change func(*Begin)
		want   bool
	}{
		"another session":    {func(b *Begin) { b.Session = "s" }, true},
		"the API by default": {func(b *Begin) { b.Source = conversation.API }, true},
		"unavailable models": {func(b *Begin) { b.Unavailable = b.Models }, true},
		"the playground":     {func(b *Begin) { b.Source = conversation.Playground }, false},
		"admit only":         {func(b *Begin) { b.AdmitOnly = true }, false},
		"another deadline":   {func(b *Begin) { b.HoldFor = 0 }, false},
		"in the background":  {func(b *Begin) { b.Background = true }, false},
		"another context":    {func(b *Begin) { b.MaxContextBytes = 0 }, false},
		"other models":       {func(b *Begin) { b.Models = []string{"b"} }, false},
		"another price":      {func(b *Begin) { b.Prices = []int64{2} }, false},
	} {
		if got := canBatch(message(func(*Begin) {}), message(c.change)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

package bridge

import "time"

// Hurry shortens the waits before a message is repeated.
func (b *Bridge) Hurry() {
	b.client.pauses = []time.Duration{time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond}
}

package bridge

import "time"

// Hurry shortens the waits before a message is repeated, and the interval of progress notifications.
func (b *Bridge) Hurry() {
	b.mcp = newMCPHandler(newMCP("test", 10*time.Millisecond))
	b.client.pauses = []time.Duration{time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond}
}

// Break has a path panic.
func (b *Bridge) Break(path string) {
	broken := b.routes[path]
	broken.serve = func(*exchange) error { panic("broken") }
	b.routes[path] = broken
}

// SetSilence changes the longest silence of a stream.
func (b *Bridge) SetSilence(d time.Duration) { b.client.silence = d }

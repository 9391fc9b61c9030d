package circuit

import "time"

const (
	// span is how far back attempts count.
	span = 30 * time.Second
	// slots divide the span: a model's window has one size however busy the model is. What is older than the span never
	// counts, and what is younger than the span less one slot always does.
	slots = 300
	slot  = span / slots
)

// window counts the attempts of the last span.
type window struct {
	counts            [slots]count
	newest            int64 // the slot that was last written to, counted from the epoch of the caller's clock
	attempts, outages int
}

type count struct{ attempts, outages int }

// add counts one attempt that ended at a time since the clock's epoch. A clock that went back counts it in the newest slot.
func (w *window) add(at time.Duration, outage bool) {
	w.moveTo(int64(at / slot))
	c := &w.counts[w.newest%slots]
	c.attempts, w.attempts = c.attempts+1, w.attempts+1
	if outage {
		c.outages, w.outages = c.outages+1, w.outages+1
	}
}

// moveTo forgets what the new slot pushes out.
func (w *window) moveTo(now int64) {
	if now-w.newest >= slots {
		*w = window{newest: now}
		return
	}
	for w.newest < now {
		w.newest++
		old := &w.counts[w.newest%slots]
		w.attempts, w.outages = w.attempts-old.attempts, w.outages-old.outages
		*old = count{}
	}
}

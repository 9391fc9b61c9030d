package circuit

import "time"

const (
	// span is the length of the window.
	span = 30 * time.Second
	// buckets divide the span, so that the window of a busy model needs no more memory. An attempt
	// older than the span never counts; one younger than the span less one bucket always does.
	buckets = 300
	bucket  = span / buckets
)

// window counts the attempts of the last span.
type window struct {
	counts            [buckets]count
	newest            int64 // the latest bucket that was written to, counted from the epoch
	attempts, outages int
}

type count struct{ attempts, outages int }

// add counts an attempt that ended at a time since the epoch. If the clock went back, it counts in
// the newest bucket.
func (w *window) add(at time.Duration, outage bool) {
	w.moveTo(int64(at / bucket))
	c := &w.counts[w.newest%buckets]
	c.attempts, w.attempts = c.attempts+1, w.attempts+1
	if outage {
		c.outages, w.outages = c.outages+1, w.outages+1
	}
}

// moveTo moves the window to a bucket, and subtracts the attempts that are now too old.
func (w *window) moveTo(now int64) {
	if now-w.newest >= buckets {
		*w = window{newest: now}
		return
	}
	for w.newest < now {
		w.newest++
		old := &w.counts[w.newest%buckets]
		w.attempts, w.outages = w.attempts-old.attempts, w.outages-old.outages
		*old = count{}
	}
}

package share

import (
	"context"
	"time"
)

// maxDelayed bounds how many refusals one Delay delays at once.
const maxDelayed = 1000

// Delay slows down programs that send a refused request again at once: they would keep the processors busy. It is safe for concurrent
// use.
type Delay struct {
	length  time.Duration
	delayed chan struct{}
}

// NewDelay returns a delay of a length.
func NewDelay(length time.Duration) *Delay {
	return &Delay{length: length, delayed: make(chan struct{}, maxDelayed)}
}

// Wait returns after the delay, when the context ends, or at once if as many as may wait are waiting.
func (d *Delay) Wait(ctx context.Context) {
	select {
	case d.delayed <- struct{}{}:
	default:
		return
	}
	defer func() { <-d.delayed }()
	select {
	case <-time.After(d.length):
	case <-ctx.Done():
	}
}

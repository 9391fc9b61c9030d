package share

import (
	"context"
	"time"
)

// maxDelayed bounds the refusals that one Delay delays at once.
const maxDelayed = 1000

// Delay slows down programs that retry a refused request at once, which would keep the processors
// busy. It is safe for concurrent use.
type Delay struct {
	length  time.Duration
	delayed chan struct{}
}

// NewDelay returns a delay of the given length.
func NewDelay(length time.Duration) *Delay {
	return &Delay{length: length, delayed: make(chan struct{}, maxDelayed)}
}

// Wait returns after the delay or when the context ends, or at once if maxDelayed callers are
// waiting.
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

// Package aside keeps the stacks of goroutines small that wait for long.
//
// A stack grows to what the deepest call needs that its goroutine ever makes, and while that goroutine waits, nearly nothing of it
// is given back: thousands that wait would keep what each needed for moments. What goes deep is called aside instead.
package aside

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
)

const (
	// atHand is how many stacks that have grown are kept for the next call, and keptFor how long: growing one takes as long as
	// many a call.
	atHand  = 16
	keptFor = 100 * time.Millisecond
)

var (
	calls = make(chan *call)
	kept  atomic.Int32
)

// Do calls f on another stack, and returns when f has. A panic of f is one of the caller's, as a *PanicError.
func Do(f func()) {
	c := &call{f: f, done: make(chan struct{})}
	select {
	case calls <- c:
	default:
		go work(c)
	}
	<-c.done
	switch {
	case c.panicked != nil:
		panic(c.panicked)
	case !c.returned: // f has ended its goroutine, as tests do that fail
		runtime.Goexit()
	}
}

// work runs a call, and others for as long as they come soon.
func work(c *call) {
	soon := time.NewTimer(keptFor)
	defer soon.Stop()
	for {
		c.run()
		if c = next(soon); c == nil {
			return
		}
	}
}

func next(soon *time.Timer) *call {
	defer kept.Add(-1)
	if kept.Add(1) > atHand {
		return nil
	}
	soon.Reset(keptFor)
	select {
	case c := <-calls:
		return c
	case <-soon.C:
		return nil
	}
}

// PanicError is a panic that happened aside.
type PanicError struct {
	// Value is what f panicked with.
	Value any
	// Stack is where.
	Stack []byte
}

// Error returns the value and the stack.
func (p *PanicError) Error() string { return fmt.Sprintf("%v\n%s", p.Value, p.Stack) }

// Unwrap returns the value if it is an error.
func (p *PanicError) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

type call struct {
	f        func()
	done     chan struct{}
	returned bool
	panicked *PanicError
}

func (c *call) run() {
	defer close(c.done)
	defer func() {
		if p := recover(); p != nil {
			c.panicked = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	c.f()
	c.returned = true
}

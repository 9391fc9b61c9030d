// Package aside keeps the stacks of goroutines small that wait for long.
//
// A stack grows to what the deepest call needs that its goroutine ever makes, and while that goroutine waits, nearly nothing of it
// is given back: thousands that wait would keep what each needed for moments. What goes deep is called aside instead.
package aside

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Do calls f on another stack, which goes with it, and returns when f has. A panic of f is one of the caller's, as a *PanicError.
func Do(f func()) {
	c := &call{done: make(chan struct{})}
	go c.run(f)
	<-c.done
	switch {
	case c.panicked != nil:
		panic(c.panicked)
	case !c.returned: // f has ended its goroutine, as tests do that fail
		runtime.Goexit()
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
	done     chan struct{}
	returned bool
	panicked *PanicError
}

func (c *call) run(f func()) {
	defer close(c.done)
	defer func() {
		if p := recover(); p != nil {
			c.panicked = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	f()
	c.returned = true
}

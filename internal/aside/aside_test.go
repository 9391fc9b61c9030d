package aside_test

import (
	"errors"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"agentchat/internal/aside"
)

// TestPanics: a panic aside is one of the caller's, and can still be told from others.
func TestPanics(t *testing.T) {
	t.Parallel()
	for value, aborts := range map[any]bool{http.ErrAbortHandler: true, "a text": false} {
		func() {
			defer func() {
				p, ok := recover().(*aside.PanicError)
				if !ok || p.Value != value || !strings.Contains(p.Error(), "TestPanics") {
					t.Errorf("a panic with %v is one with %v", value, p)
				}
				if ok && errors.Is(p, http.ErrAbortHandler) != aborts {
					t.Errorf("%v: is ErrAbortHandler is not %t", value, aborts)
				}
			}()
			aside.Do(func() { panic(value) })
			t.Errorf("no panic with %v", value)
		}()
	}
}

// TestEnds: what ends its goroutine aside ends the caller's.
func TestEnds(t *testing.T) {
	t.Parallel()
	done, after := make(chan struct{}), false
	go func() {
		defer close(done)
		aside.Do(runtime.Goexit)
		after = true
	}()
	<-done
	if after {
		t.Error("the caller went on")
	}
}

// TestStack: the stack that a deep call takes is gone after it, whatever its caller does.
func TestStack(t *testing.T) {
	t.Parallel()
	var before, during, after runtime.MemStats
	runtime.ReadMemStats(&before)
	aside.Do(func() {
		deep(1 << 14)
		runtime.ReadMemStats(&during)
	})
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := during.StackInuse - before.StackInuse; grown < 1<<20 || after.StackInuse > before.StackInuse+grown/2 {
		t.Errorf("stacks: %d, aside %d, afterwards %d", before.StackInuse, during.StackInuse, after.StackInuse)
	}
}

func deep(n int) (sum int) {
	var frame [16]int
	frame[n%16] = n
	if n > 0 {
		sum = deep(n - 1)
	}
	return sum + frame[n%16]
}

package memory_test

import (
	"math"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"agentchat/internal/memory"
)

func TestBudget(t *testing.T) {
	t.Parallel()
	b := memory.Bytes(100)
	first, ok := b.TryTake(60)
	if !ok {
		t.Fatal("60 of 100 were refused")
	}
	second, ok := b.TryTake(40)
	if !ok {
		t.Fatal("the last 40 were refused")
	}
	if none, ok := b.TryTake(1); ok {
		t.Error("one more than all was given")
	} else {
		none() // gives nothing back
	}
	first()
	first()
	if _, ok := b.TryTake(61); ok {
		t.Error("61 of 60 were given")
	}
	if third, ok := b.TryTake(60); !ok {
		t.Error("what was given back is not there")
	} else {
		third()
	}
	second()
	if _, ok := b.TryTake(100); !ok {
		t.Error("not all was given back")
	}
}

func TestNoBudgetHasNoBound(t *testing.T) {
	t.Parallel()
	var none *memory.Budget
	giveBack, ok := none.TryTake(math.MaxInt64)
	if !ok {
		t.Error("refused")
	}
	giveBack()
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	const size, step = 1000, 10
	b := memory.Bytes(size)
	var held, most atomic.Int64
	var work sync.WaitGroup
	for range 50 {
		work.Go(func() {
			for range 200 {
				giveBack, ok := b.TryTake(step)
				if !ok {
					continue
				}
				now := held.Add(step)
				for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
				}
				held.Add(-step)
				giveBack()
			}
		})
	}
	work.Wait()
	if most.Load() > size {
		t.Errorf("%d of %d were held", most.Load(), size)
	}
	if _, ok := b.TryTake(size); !ok {
		t.Error("not all was given back")
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int64]int64{0: 1 << 30, 1000 << 20: 500 << 20, 64 << 20: 32 << 20} {
		if got := memory.NewBudget(limit).Size(); got < want-100 || got > want {
			t.Errorf("the budget under a limit of %d is %d, want %d", limit, got, want)
		}
	}
}

// The runtime reads GOMEMLIMIT when it starts, so this test runs itself again.
func TestTheOperatorsLimitWins(t *testing.T) {
	t.Parallel()
	const variable, limit = "AGENTCHAT_TEST_LIMIT", 300 << 20
	if os.Getenv(variable) != "" {
		if got := memory.Limit(); got != limit || debug.SetMemoryLimit(-1) != limit {
			t.Errorf("the limit is %d, and the runtime's %d; want %d", got, debug.SetMemoryLimit(-1), limit)
		}
		return
	}
	command := exec.Command(os.Args[0], "-test.run", "^TestTheOperatorsLimitWins$")
	command.Env = append(os.Environ(), variable+"=1", "GOMEMLIMIT="+strconv.Itoa(limit))
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestTheRuntimeKnowsTheLimit(t *testing.T) {
	t.Parallel()
	limit := memory.Limit()
	if runtime := debug.SetMemoryLimit(-1); limit != 0 && runtime != limit || limit == 0 && runtime != math.MaxInt64 {
		t.Errorf("the limit is %d, and the runtime's %d", limit, runtime)
	}
	if again := memory.Limit(); again != limit {
		t.Errorf("asked again, the limit is %d, not %d", again, limit)
	}
}

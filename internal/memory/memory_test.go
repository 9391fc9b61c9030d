package memory_test

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/memory"
)

// grow takes bytes for an account, and reports whether that succeeded.
func grow(t *testing.T, h *memory.Hold, n int64) bool {
	t.Helper()
	err := h.Grow(n)
	if err != nil && (!errors.Is(err, memory.ErrUsedUp) || !fault.Is(err, fault.Unavailable)) {
		t.Errorf("the error is %v", err)
	}
	return err == nil
}

func TestShares(t *testing.T) {
	t.Parallel()
	b := memory.Bytes(100)
	noisy, other, quiet := b.Hold(uuid.New()), b.Hold(uuid.New()), b.Hold(uuid.New())
	for i, step := range []struct {
		hold  *memory.Hold
		bytes int64
		want  bool
	}{
		{noisy, 51, false}, {noisy, 30, true}, {noisy, 21, false}, {noisy, 20, true}, {noisy, 1, false}, // at most half
		{other, 26, false}, {other, 25, true}, // at most half of the rest
		{quiet, 13, false}, {quiet, 12, true}, {quiet, 1, false},
		{noisy, 1, false}, {noisy, 0, true}, {noisy, -1, true}, {noisy, math.MaxInt64, false},
	} {
		if got := grow(t, step.hold, step.bytes); got != step.want {
			t.Fatalf("step %d: taking %d is %v, with %d of %d taken", i, step.bytes, got, b.Used(), b.Size())
		}
	}
	noisy.Release()
	noisy.Release()
	if b.Used() != 37 || grow(t, noisy, 1) {
		t.Errorf("%d are used after a release; it must be 37, and the hold must be closed", b.Used())
	}
	if !grow(t, quiet, 20) {
		t.Error("released bytes are not available")
	}
	other.Release()
	quiet.Release()
	if b.Used() != 0 {
		t.Errorf("%d are used at the end", b.Used())
	}
}

// TestHoldsOfOneAccount shows that an account's holds count together, and that a moved one counts
// for its new account.
func TestHoldsOfOneAccount(t *testing.T) {
	t.Parallel()
	b := memory.Bytes(100)
	account := uuid.New()
	stranger, first, second := b.Hold(uuid.Nil), b.Hold(account), b.Hold(account)
	if !grow(t, stranger, 40) || !grow(t, first, 20) || !grow(t, second, 10) || grow(t, second, 1) {
		t.Fatalf("%d are taken", b.Used())
	}
	stranger.MoveTo(account)
	stranger.MoveTo(account)
	if grow(t, second, 1) || b.Used() != 70 {
		t.Errorf("with 70 of 100, an account got more; %d are taken", b.Used())
	}
	if !grow(t, b.Hold(uuid.Nil), 15) {
		t.Error("a moved hold still counts for callers without an account")
	}
	stranger.Release()
	if !grow(t, second, 5) {
		t.Error("a moved and released hold still counts")
	}
}

// TestTake shows that Take can exceed the share of its account, counts, and is released.
func TestTake(t *testing.T) {
	t.Parallel()
	b := memory.Bytes(100)
	account := uuid.New()
	hold := b.Hold(account)
	hold.Take(70)
	if grow(t, b.Hold(account), 1) || !grow(t, b.Hold(uuid.New()), 15) || b.Used() != 85 {
		t.Errorf("%d are taken", b.Used())
	}
	hold.Release()
	hold.Take(1)
	if b.Used() != 15 {
		t.Errorf("after the release %d are taken", b.Used())
	}
}

// TestSomethingIsLeft shows that any number of accounts with full shares leave something for
// another one.
func TestSomethingIsLeft(t *testing.T) {
	t.Parallel()
	b := memory.Bytes(1 << 20)
	for i := range 200 {
		hold := b.Hold(uuid.New())
		if !grow(t, hold, 1<<10) {
			t.Fatalf("account %d got nothing: %d of %d are taken", i, b.Used(), b.Size())
		}
		for n := int64(1 << 20); n > 1<<10; n /= 2 {
			for i < 4 && grow(t, hold, n) {
			}
		}
		if i >= 4 { // quiet accounts
			hold.Release()
		}
	}
}

func TestNoBudgetHasNoBound(t *testing.T) {
	t.Parallel()
	var none *memory.Budget
	hold := none.Hold(uuid.Nil)
	hold.MoveTo(uuid.New())
	hold.Take(1)
	if !grow(t, hold, math.MaxInt64) {
		t.Error("refused")
	}
	hold.Release()
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	b := memory.Bytes(1000)
	var work sync.WaitGroup
	for range 50 {
		account := uuid.New()
		work.Go(func() {
			for range 200 {
				hold := b.Hold(uuid.Nil)
				_ = hold.Grow(10)
				hold.MoveTo(account)
				_ = hold.Grow(10)
				if used := b.Used(); used < 0 || used > b.Size() {
					t.Errorf("%d of %d are taken", used, b.Size())
				}
				hold.Release()
			}
		})
	}
	work.Wait()
	if b.Used() != 0 {
		t.Errorf("%d are used at the end", b.Used())
	}
}

// BenchmarkTurn takes the memory of a turn, piece by piece, on all processors.
func BenchmarkTurn(b *testing.B) {
	budget := memory.Bytes(1 << 40)
	accounts := make([]uuid.UUID, 100)
	for i := range accounts {
		accounts[i] = uuid.New()
	}
	b.RunParallel(func(p *testing.PB) {
		for i := 0; p.Next(); i++ {
			hold := budget.Hold(uuid.Nil)
			_ = hold.Grow(1 << 10)
			hold.MoveTo(accounts[i%len(accounts)])
			for range 100 {
				_ = hold.Grow(100)
			}
			hold.Release()
		}
	})
}

func TestJSON(t *testing.T) {
	t.Parallel()
	every := strings.Builder{}
	for r := range rune(300) {
		every.WriteRune(r)
	}
	for _, text := range []string{"", "plain", "<b>&amp;</b>", "\u2028\u2029", "ééé", "😀",
		every.String()} {
		encoded, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := memory.JSON(text); got != int64(len(encoded)) {
			t.Errorf("%q takes %d bytes, not %d", text, len(encoded), got)
		}
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

// TestTheOperatorsLimitWins runs itself again, because the runtime reads GOMEMLIMIT at its start.
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
	if runtime := debug.SetMemoryLimit(-1); limit != 0 && runtime != limit ||
		limit == 0 && runtime != math.MaxInt64 {
		t.Errorf("the limit is %d, and the runtime's %d", limit, runtime)
	}
	if again := memory.Limit(); again != limit {
		t.Errorf("the second time the limit is %d, not %d", again, limit)
	}
}

package memory

import (
	"errors"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// ErrUsedUp marks the error of a request for which no memory is left.
var ErrUsedUp = errors.New("no memory is left for the request")

// UsedUp returns the fault of a request for which no memory is left: Unavailable, over ErrUsedUp.
func UsedUp() error {
	return &fault.Error{
		Kind:       fault.Unavailable,
		RetryAfter: 2 * time.Second,
		Err:        ErrUsedUp,
		Message: "The service has no memory left for this request: too many large ones are in progress. " +
			"Try again shortly, or send less at once.",
	}
}

// Hold is the memory of one request: it grows with the request, and is released once, when the
// request has ended. A nil Hold has no bound. It is safe for concurrent use.
type Hold struct {
	budget *Budget
	// Budget.mu guards the rest.
	account  uuid.UUID
	taken    int64
	released bool
}

// Grow takes n more bytes, and never waits. If it fails, nothing was taken: refuse the request, or
// end its reply. Fault: Unavailable if the account may not take as many, or the hold was released;
// see UsedUp.
func (h *Hold) Grow(n int64) error {
	if h == nil || n <= 0 {
		return nil
	}
	b := h.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if free := b.size - b.used; h.released || n > (free-b.accounts[h.account])/2 {
		return UsedUp()
	}
	h.add(n)
	return nil
}

// Take takes n more bytes even if no memory is left: for finished small things whose result must
// not be lost. It counts towards the account's limit, so later calls of Grow may fail. After
// Release it does nothing.
func (h *Hold) Take(n int64) {
	if h == nil {
		return
	}
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	if !h.released {
		h.add(n)
	}
}

// MoveTo moves the hold to another account, once the account of the request is known. It always
// succeeds: if the account then holds too much, later calls of Grow fail.
func (h *Hold) MoveTo(account uuid.UUID) {
	if h == nil {
		return
	}
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	taken := h.taken
	h.add(-taken)
	h.account = account
	h.add(taken)
}

// Detach moves all memory to a new hold, for work that continues after the request.
func (h *Hold) Detach() *Hold {
	if h == nil {
		return nil
	}
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	own := &Hold{budget: h.budget, account: h.account, taken: h.taken}
	h.taken = 0
	return own
}

// Release returns all memory. Further calls do nothing.
func (h *Hold) Release() {
	if h == nil {
		return
	}
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	h.add(-h.taken)
	h.released = true
}

// add takes n bytes, or returns them if n is negative. The caller holds the lock.
func (h *Hold) add(n int64) {
	b := h.budget
	h.taken += n
	b.used += n
	if b.accounts[h.account] += n; b.accounts[h.account] == 0 {
		delete(b.accounts, h.account)
	}
}

// JSON returns the size of a text as a JSON string, in bytes: control characters, quotes and
// backslashes take up to six. It does not count HTML escapes, because no encoder here makes them.
func JSON(text string) int64 {
	n := len(text) + len(`""`)
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"', c == '\\', c >= '\b' && c <= '\r' && c != '\v':
			n++
		case c < ' ':
			n += len(`\u0001`) - 1
		}
	}
	return int64(n)
}

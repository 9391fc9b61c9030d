package memory

import (
	"errors"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// ErrUsedUp is in the chain of the error for a request that finds no memory left.
var ErrUsedUp = errors.New("no memory is left for the request")

// UsedUp is the fault of a request that finds no memory left: Unavailable, over ErrUsedUp.
func UsedUp() error {
	return &fault.Error{Kind: fault.Unavailable, RetryAfter: 2 * time.Second, Err: ErrUsedUp,
		Message: "The service has no memory left for this request: too many large ones are in progress. " +
			"Try again shortly, or send less at once."}
}

// Hold is the memory that one request holds: it grows with the request, and is given back once, when the request has ended. A nil Hold has
// no bound. It is safe for concurrent use.
type Hold struct {
	budget *Budget
	// Budget.mu guards the rest.
	account  uuid.UUID
	taken    int64
	released bool
}

// Grow takes n bytes more, and never waits. Refuse the request, or end its reply, when it fails: then nothing more was taken. Fault:
// Unavailable when the account may not take as many, or the hold was released; see UsedUp.
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

// Take takes n bytes more, however much is left: for small things that were done already, whose outcome must not be lost. It counts like
// all else, so that the account is refused what it wants later. After Release it does nothing.
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

// MoveTo makes the hold that of another account, once it is known whose the request is. It always succeeds: an account that holds too
// much then is refused when it wants more.
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

// Release gives all back. More calls do nothing.
func (h *Hold) Release() {
	if h == nil {
		return
	}
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	h.add(-h.taken)
	h.released = true
}

// add takes n bytes, or gives them back if n is negative. The caller holds the lock.
func (h *Hold) add(n int64) {
	b := h.budget
	h.taken += n
	b.used += n
	if b.accounts[h.account] += n; b.accounts[h.account] == 0 {
		delete(b.accounts, h.account)
	}
}

// JSON is the size of a text as a JSON string, in bytes: control characters, quotes and backslashes take up to six. What else an encoder
// escapes is not counted: all of ours escape nothing for HTML.
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

// Package memory limits the memory of a process: it determines the limit, and shares a part of it
// between requests. A process that exceeds its limit is killed, with everyone's requests in it.
package memory

import (
	"math"
	"runtime/debug"
	"sync"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/google/uuid"
)

const (
	// ofLimit is the part of the control group's limit that the runtime may use, in percent. The rest
	// is for memory that the runtime does not count, such as the kernel's buffers of the connections.
	ofLimit = 90
	// ofRequests is the part of the memory that requests may hold, in percent. The rest is for
	// connections, goroutines, pools, caches, and garbage that was not collected yet.
	ofRequests = 50
	// withoutLimit is the memory that requests may hold if the process has no limit, in bytes: far
	// more than honest use needs, and far less than a flood would take.
	withoutLimit = 1 << 30
)

// Limit returns the memory that the runtime may use, in bytes, 0 for no limit. That is GOMEMLIMIT,
// or else most of the limit of the process's control group, which it then sets as the runtime's
// limit.
func Limit() int64 {
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		return limit
	}
	group, err := memlimit.FromCgroup()
	if err != nil || group == 0 || group > math.MaxInt64/ofLimit {
		return 0 // no group, no limit, or a system without control groups
	}
	limit := int64(group) * ofLimit / 100
	debug.SetMemoryLimit(limit)
	return limit
}

// Panel returns the id under which an account's requests to the panel's API hold memory, separate
// from those of its callers: a leaked key must not keep the owner from pausing it. Unknown callers
// of the panel, who sign in, are Panel(uuid.Nil), separate from made-up keys. The flipped bit is
// set in every UUID of RFC 9562, so no account has such an id.
func Panel(account uuid.UUID) uuid.UUID {
	account[8] ^= 0x80
	return account
}

// Budget is the memory that all requests in progress may hold. It is shared by account: an account
// may take more while its total stays at or below the rest that is then free. So a single account
// gets half, several get equal parts, and there is always something left for one that holds
// nothing. All unknown callers share the account uuid.Nil; the panel's API has its own ids, see
// Panel. A nil Budget has no bound. It is safe for concurrent use.
type Budget struct {
	size int64

	mu   sync.Mutex
	used int64
	// accounts holds the accounts that hold memory.
	accounts map[uuid.UUID]int64
}

// NewBudget returns a budget for a process with a limit from Limit.
func NewBudget(limit int64) *Budget {
	if limit == 0 {
		return Bytes(withoutLimit)
	}
	return Bytes(limit / 100 * ofRequests)
}

// Bytes returns a budget of the given size.
func Bytes(size int64) *Budget { return &Budget{size: size, accounts: map[uuid.UUID]int64{}} }

// Size returns the whole budget in bytes.
func (b *Budget) Size() int64 { return b.size }

// Used returns the number of bytes taken.
func (b *Budget) Used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// Hold returns an empty hold of an account.
func (b *Budget) Hold(account uuid.UUID) *Hold {
	if b == nil {
		return nil
	}
	return &Hold{budget: b, account: account}
}

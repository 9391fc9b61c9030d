// Package memory bounds the memory of a process: it finds how much there may be, and shares out a part of it to requests. A process
// that takes more than it may is killed, with the requests of everybody in it.
package memory

import (
	"math"
	"runtime/debug"
	"sync"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/google/uuid"
)

const (
	// ofLimit is how much of the control group's limit the runtime may use, in percent. The rest is for what the runtime does
	// not count, such as the kernel's buffers of the connections.
	ofLimit = 90
	// ofRequests is the part of the memory that requests may hold, in percent: the rest is for connections, goroutines, pools, caches,
	// and garbage that was not collected yet.
	ofRequests = 50
	// withoutLimit is what requests may hold when nothing limits the process, in bytes: far more than honest use, and far less than
	// a flood would take.
	withoutLimit = 1 << 30
)

// Limit returns how many bytes the runtime may use, 0 for no limit. That is GOMEMLIMIT, or else most of what the process's control
// group may use, which it then tells the runtime.
func Limit() int64 {
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		return limit
	}
	group, err := memlimit.FromCgroup()
	if err != nil || group == 0 || group > math.MaxInt64/ofLimit {
		return 0 // no group, no limit, or a system without groups
	}
	limit := int64(group) * ofLimit / 100
	debug.SetMemoryLimit(limit)
	return limit
}

// Panel is under which id an account's requests to the panel's API hold memory, apart from those of its callers: a leaked key must not keep
// the owner from pausing it. The panel's strangers, who sign in, are Panel(uuid.Nil), apart from made-up keys. The flipped bit is set in
// every UUID of RFC 9562, so that no account has such an id.
func Panel(account uuid.UUID) uuid.UUID {
	account[8] ^= 0x80
	return account
}

// Budget is how much memory the requests in progress may hold together. It shares it out by account: an account may take more while all
// that it then holds is at most what is then free. An account alone gets half, several get equal parts, and there is always something
// left for one that holds nothing. Who is not known yet shares one account with all other strangers, uuid.Nil; the panel's API has ids of
// its own, see Panel. A nil Budget has no bound. It is safe for concurrent use.
type Budget struct {
	size int64

	mu   sync.Mutex
	used int64
	// accounts are those that hold something.
	accounts map[uuid.UUID]int64
}

// NewBudget returns a budget for a process with a limit, as Limit returns it.
func NewBudget(limit int64) *Budget {
	if limit == 0 {
		return Bytes(withoutLimit)
	}
	return Bytes(limit / 100 * ofRequests)
}

// Bytes returns a budget of a size.
func Bytes(size int64) *Budget { return &Budget{size: size, accounts: map[uuid.UUID]int64{}} }

// Size is the whole budget in bytes.
func (b *Budget) Size() int64 { return b.size }

// Used is how many bytes are taken.
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

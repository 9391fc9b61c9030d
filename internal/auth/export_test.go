package auth

import "time"

// ParseAccess calls ReadAccess and At. Fault: Unauthorized.
func (t *Tokens) ParseAccess(token string, now time.Time) (Principal, error) {
	access, err := t.ReadAccess(token)
	if err != nil {
		return Principal{}, err
	}
	return access.At(now)
}

// ConcurrentHashes is concurrentHashes.
func ConcurrentHashes(cores int) int { return concurrentHashes(cores) }

// OccupySlots takes every slot of the Hasher until release is called, like that many running
// hashes.
func OccupySlots(h *Hasher) (slots int, release func()) {
	for range cap(h.slots) {
		h.slots <- struct{}{}
	}
	return cap(h.slots), func() {
		for range cap(h.slots) {
			<-h.slots
		}
	}
}

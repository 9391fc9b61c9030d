package auth

import "time"

// ParseAccess is ReadAccess and At in one. Fault: Unauthorized.
func (t *Tokens) ParseAccess(token string, now time.Time) (Principal, error) {
	access, err := t.ReadAccess(token)
	if err != nil {
		return Principal{}, err
	}
	return access.At(now)
}

// Hashing is how many hashes are computed at once on a number of cores.
func Hashing(cores int) int { return hashing(cores) }

// OccupySlots takes every slot of the Hasher, as that many hashes under way would, until release is called.
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

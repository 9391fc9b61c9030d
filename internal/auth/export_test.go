package auth

// Hashing is how many hashes are computed at once on so many cores.
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

package circuit

// MaxCircuits is maxCircuits.
const MaxCircuits = maxCircuits

// Circuits returns the number of remembered circuits.
func (b *Breaker) Circuits() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.of)
}

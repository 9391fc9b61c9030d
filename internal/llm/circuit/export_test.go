package circuit

// MaxCircuits is maxCircuits.
const MaxCircuits = maxCircuits

// Circuits is how many accounts' circuits are remembered.
func (b *Breaker) Circuits() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.of)
}

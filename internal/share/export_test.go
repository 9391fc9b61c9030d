package share

// Keys is how many keys are remembered.
func (s *Shares) Keys() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.keys)
}

// Used is how many of a key are in or wait.
func (s *Shares) Used(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.keys[key]; p != nil {
		return p.used
	}
	return 0
}

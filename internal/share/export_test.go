package share

// Keys returns the number of remembered keys.
func (s *Shares) Keys() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.keys)
}

// Used returns the number of holders and waiters of a key.
func (s *Shares) Used(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.keys[key]; p != nil {
		return p.used
	}
	return 0
}

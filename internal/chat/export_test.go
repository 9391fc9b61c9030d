package chat

// Joined returns the number of requests that wait for the turn of an earlier one.
func (s *Service) Joined() (n int) {
	s.joins.mu.Lock()
	defer s.joins.mu.Unlock()
	for _, waiting := range s.joins.turns {
		n += waiting
	}
	return n
}

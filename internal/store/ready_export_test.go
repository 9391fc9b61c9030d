package store

// ForgetRehearsal makes the next check of readiness rehearse a chat.
func (s *Store) ForgetRehearsal() { queuesOf(s).rehearsed.Store(nil) }

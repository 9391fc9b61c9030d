package turns

// ForgetRehearsal makes the next check of readiness rehearse a chat.
func (s Store) ForgetRehearsal() { s.queues.rehearsed.Store(nil) }

package store

import (
	"context"
	"reflect"
	"time"

	"github.com/google/uuid"
)

// OnWaited has notify told how long each statement waited for its account's turn, by class: "chats" or "panel". It must not block.
// Call it before the store is used.
func (s *Store) OnWaited(notify func(class string, wait time.Duration)) { s.notifyWaited = notify }

// OnMissingProgram has notify told when the server cannot load a library of its own, because its programs were replaced while it runs. It
// must not block. Call it before the store is used.
func (s *Store) OnMissingProgram(notify func()) { s.notifyMissing = notify }

// OnMail has notify told that there is a mail to send. It must not block. Call it before the store is used.
func (s *Store) OnMail(notify func()) { s.notifyMail = notify }

// mailQueued calls the function of OnMail.
func mailQueued(s *Store) {
	if s.notifyMail != nil {
		s.notifyMail()
	}
}

// OnFile has notify told that there is a file to read. It must not block. Call it before the store is used.
func (s *Store) OnFile(notify func()) { s.notifyFile = notify }

// fileAdded calls the function of OnFile.
func fileAdded(s *Store) {
	if s.notifyFile != nil {
		s.notifyFile()
	}
}

// OnTurnsDeleted has notify called with the turns under way whose conversation, agent or account this store has deleted. Call it before
// the store is used.
func (s *Store) OnTurnsDeleted(notify func(turns []uuid.UUID)) {
	s.notifyDeleted = append(s.notifyDeleted, notify)
}

// turnsDeleted calls the functions of OnTurnsDeleted with turns that a committed deletion has marked.
func turnsDeleted(s *Store, ids []uuid.UUID) {
	for _, notify := range s.notifyDeleted {
		notify(ids)
	}
}

// waited returns the function that reports a wait of a class to OnWaited's.
func (all *parts) waited(class string) func(time.Duration) {
	return func(wait time.Duration) {
		if all.notifyWaited != nil {
			all.notifyWaited(class, wait)
		}
	}
}

// waitedAs returns the function that reports how long a statement of a class waited in a queue of its own.
func waitedAs(s *Store, class string) func(time.Duration) { return s.waited(class) }

// Waiting counts the statements of chats that wait for their account's turn.
func (s *Store) Waiting() int {
	n := s.chats.pool.queue.Waiting()
	for _, more := range s.waiting {
		n += more()
	}
	return n
}

// countWaiting adds a count to Waiting.
func countWaiting(s *Store, count func() int) { s.waiting = append(s.waiting, count) }

// rehearseWith sets what Ready tries after its own checks.
func rehearseWith(s *Store, rehearse func(context.Context) error) { s.rehearse = rehearse }

// shared returns the one T of a database, which newT makes for the first caller. All parts of the service get the same.
func shared[T any](s *Store, newT func(chats *Store) *T) *T {
	key := reflect.TypeFor[T]()
	s.sharing.Lock()
	defer s.sharing.Unlock()
	if found, ok := s.shared[key].(*T); ok {
		return found
	}
	made := newT(s.chats)
	if s.parts.shared == nil {
		s.parts.shared = map[reflect.Type]any{}
	}
	s.parts.shared[key] = made
	return made
}

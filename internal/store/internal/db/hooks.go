package db

import (
	"context"
	"reflect"
	"time"

	"github.com/google/uuid"
)

// OnWaited sets a function that receives each statement's wait in its account's queue, by class:
// "chats" or "panel". It must not block. Call OnWaited before the store is used.
func (s *DB) OnWaited(notify func(class string, wait time.Duration)) { s.notifyWaited = notify }

// OnMissingProgram sets a function that runs when the server cannot load one of its own libraries,
// because its programs were replaced while it runs. It must not block. Call OnMissingProgram before
// the store is used.
func (s *DB) OnMissingProgram(notify func()) { s.notifyMissing = notify }

// OnMail sets a function that runs when a mail is queued. It must not block. Call OnMail before the
// store is used.
func (s *DB) OnMail(notify func()) { s.notifyMail = notify }

// MailQueued calls the function of OnMail.
func MailQueued(s *DB) {
	if s.notifyMail != nil {
		s.notifyMail()
	}
}

// OnFile sets a function that runs when a file is added. It must not block. Call OnFile before the
// store is used.
func (s *DB) OnFile(notify func()) { s.notifyFile = notify }

// FileAdded calls the function of OnFile.
func FileAdded(s *DB) {
	if s.notifyFile != nil {
		s.notifyFile()
	}
}

// OnRun sets a function to call when a test run is started. The function must not block. Call OnRun before
// the store is used.
func (s *DB) OnRun(notify func()) { s.notifyRun = notify }

// RunStarted calls the function set by OnRun.
func RunStarted(s *DB) {
	if s.notifyRun != nil {
		s.notifyRun()
	}
}

// OnTurnsDeleted adds a function that receives the turns in flight when this store deletes their
// conversation, agent or account. Call OnTurnsDeleted before the store is used.
func (s *DB) OnTurnsDeleted(notify func(turns []uuid.UUID)) {
	s.notifyDeleted = append(s.notifyDeleted, notify)
}

// TurnsDeleted calls the functions of OnTurnsDeleted with turns that a committed deletion has
// marked.
func TurnsDeleted(s *DB, ids []uuid.UUID) {
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

// WaitedAs returns the function that reports how long a statement of a class waited in a queue of
// its own.
func WaitedAs(s *DB, class string) func(time.Duration) { return s.waited(class) }

// Waiting counts the statements of chats that wait for their account's turn.
func (s *DB) Waiting() int {
	s.sharing.Lock()
	defer s.sharing.Unlock()
	n := s.chats.pool.queue.Waiting()
	for _, more := range s.waiting {
		n += more()
	}
	return n
}

// CountWaiting adds a count to Waiting. Call it in newT of Shared.
func CountWaiting(s *DB, count func() int) { s.waiting = append(s.waiting, count) }

// RehearseWith sets what Ready tries after its own checks. Call it in newT of Shared.
func RehearseWith(s *DB, rehearse func(context.Context) error) { s.rehearse = rehearse }

// rehearsal returns what RehearseWith has set; nil for nothing.
func (s *DB) rehearsal() func(context.Context) error {
	s.sharing.Lock()
	defer s.sharing.Unlock()
	return s.rehearse
}

// Shared returns the one T of a database, which newT makes for the first caller. All parts of the
// service get the same.
func Shared[T any](s *DB, newT func(chats *DB) *T) *T {
	key := reflect.TypeFor[T]()
	s.sharing.Lock()
	defer s.sharing.Unlock()
	if found, ok := s.shared[key].(*T); ok {
		return found
	}
	made := newT(s.chats)
	if s.shared == nil {
		s.shared = map[reflect.Type]any{}
	}
	s.shared[key] = made
	return made
}

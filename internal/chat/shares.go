package chat

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
)

// turnWait bounds how long a statement waits for its account's turn, and its time after that.
const turnWait = 10 * time.Second

// inTurn runs a statement of a turn when it is the account's turn: accounts share the connections of chats, so that one with many
// messages waits for itself. Fault: Unavailable when its turn does not come in time.
func (s *Service) inTurn(ctx context.Context, account uuid.UUID, run func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, turnWait)
	defer cancel()
	leave, err := s.statements.Enter(ctx, account)
	if err != nil {
		return fault.Wrap(fault.Unavailable, err)
	}
	defer leave()
	return run(ctx)
}

// account returns the account in whose turn the request's statements run.
func (s *Service) account(gate store.Gate) uuid.UUID {
	if gate.Source == conversation.Playground {
		return gate.AccountID
	}
	return s.accounts.of(gate.Key)
}

// knownAccounts remembers which account a key belongs to, from earlier requests. That memory only finds the place in the queue; a key
// is accepted by the database alone.
type knownAccounts struct {
	mu    sync.Mutex
	byKey map[apikey.Hash]uuid.UUID
}

func newKnownAccounts() *knownAccounts { return &knownAccounts{byKey: map[apikey.Hash]uuid.UUID{}} }

// of returns the account of a key, uuid.Nil if it is not known: keys that are not known share one place in the queue, so that made-up
// ones cannot fill it.
func (k *knownAccounts) of(key apikey.Hash) uuid.UUID {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.byKey[key]
}

func (k *knownAccounts) record(key apikey.Hash, account uuid.UUID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.byKey) >= maxKnownKeys {
		for forgotten := range k.byKey { // any one
			delete(k.byKey, forgotten)
			break
		}
	}
	k.byKey[key] = account
}

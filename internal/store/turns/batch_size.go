package turns

import (
	"sync"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
)

// maxBatchBytes bounds the texts of a batch, those that it sends and those that it is expected to
// bring back: room for 32 messages with long histories, and for a few of the longest.
const maxBatchBytes = 4 << 20

// mostBack is the most that comes back for a message, in bytes: the earlier turns, and the settings
// in characters of four bytes.
const mostBack = conversation.MaxContextBytes +
	4*(agent.MaxInstructions+agent.MaxVariables*(agent.MaxVariableDescription+agent.MaxVariableValue)+
		agent.MaxActions*agent.MaxActionDescription) + agent.MaxSchemas

// maxAccountsBack bounds how many accounts are remembered.
const maxAccountsBack = 65_536

// backSizes remembers how much comes back for messages, by account: only the database knows it
// before. The most counts, and fades slowly as less comes back. An account that is not remembered
// counts as one with the most, and so does a sender whose account is not known yet (uuid.Nil): what
// came back for another stranger says nothing about it. It is safe for concurrent use.
type backSizes struct {
	mu        sync.Mutex
	byAccount *simplelru.LRU[uuid.UUID, int64]
}

func newBackSizes() *backSizes {
	sizes, _ := simplelru.NewLRU[uuid.UUID, int64](maxAccountsBack, nil) // it fails for a size below 1
	return &backSizes{byAccount: sizes}
}

func (s *backSizes) of(account uuid.UUID) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if size, ok := s.byAccount.Get(account); ok {
		return size
	}
	return mostBack
}

// came records what came back for a message that has begun, for the account that the database has
// found.
func (s *backSizes) came(row *beginRow) {
	if row.Outcome != Begun {
		return
	}
	account := row.Sender.AccountID
	size := int64(len(row.Texts) + row.Settings.TextBytes())
	s.mu.Lock()
	defer s.mu.Unlock()
	before, _ := s.byAccount.Peek(account)
	s.byAccount.Add(account, max(size, before*7/8))
}

// sizeOf estimates the request and response bytes of a message.
func (s *backSizes) sizeOf(account uuid.UUID, b *Begin) int64 {
	size := len(b.Message)
	for _, value := range b.Variables {
		size += len(value)
	}
	if b.AdmitOnly {
		return int64(size)
	}
	return int64(size) + s.of(account)
}

// sizeOfReply returns the request bytes of a settlement.
func sizeOfReply(_ uuid.UUID, in Settlement) int64 {
	size := int64(len(in.Knowledge))
	if text := in.text(); text != nil {
		size += int64(len(*text))
	}
	return size
}

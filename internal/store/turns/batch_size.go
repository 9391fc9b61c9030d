package turns

import (
	"sync"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
)

// maxBatchBytes bounds the request and expected response bytes of a batch: room for 32 messages with
// long histories, and for a few of the longest.
const maxBatchBytes = 4 << 20

// maxResponseBytes is the largest response to a message: the earlier turns, and the settings in
// characters of four bytes.
const maxResponseBytes = conversation.MaxContextBytes +
	4*(agent.MaxInstructions+agent.MaxVariables*(agent.MaxVariableDescription+agent.MaxVariableValue)+
		agent.MaxActions*agent.MaxActionDescription) + agent.MaxSchemas

// maxObservedAccounts bounds the accounts of a responseSizes.
const maxObservedAccounts = 65_536

// responseSizes estimates the response bytes of a message from its account's earlier responses: only
// the database knows them before. The estimate is the largest response, and fades slowly as smaller
// ones follow. It is maxResponseBytes for an account without observations and for a sender whose
// account is not known yet (uuid.Nil), because the response to another unknown sender says nothing
// about this one. It is safe for concurrent use.
type responseSizes struct {
	mu        sync.Mutex
	byAccount *simplelru.LRU[uuid.UUID, int64]
}

func newResponseSizes() *responseSizes {
	sizes, _ := simplelru.NewLRU[uuid.UUID, int64](maxObservedAccounts, nil) // it fails for a size below 1
	return &responseSizes{byAccount: sizes}
}

func (s *responseSizes) of(account uuid.UUID) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if size, ok := s.byAccount.Get(account); ok {
		return size
	}
	return maxResponseBytes
}

// observe records the response to a message that has begun, for the account that the database found.
func (s *responseSizes) observe(row *beginRow) {
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
func (s *responseSizes) sizeOf(account uuid.UUID, b *Begin) int64 {
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

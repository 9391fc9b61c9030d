package chat

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"agentchat/internal/store/turns"
)

// cacheBuckets is the number of cache keys of a version: OpenAI spreads the requests of one key over
// several machines above about 15 a minute.
const cacheBuckets = 16

// cacheKey returns the cache key of a conversation with a version, 32 hexadecimal digits; empty for
// a draft, whose instructions change.
func cacheKey(begun *turns.BeginResult) string {
	if begun.Version == 0 {
		return ""
	}
	bucket := begun.ConversationID[len(begun.ConversationID)-1] % cacheBuckets
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %d", begun.Sender.AgentID, begun.Version, bucket))
	return hex.EncodeToString(sum[:16])
}

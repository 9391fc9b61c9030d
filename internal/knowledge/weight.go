package knowledge

import (
	"crypto/sha256"
	"encoding/binary"
	"math"

	"github.com/google/uuid"
)

// The parameters of BM25: bm25K1 limits the effect of repeated terms, and bm25B sets the effect of
// a passage's length. The typical length, in terms, is a constant instead of the agent's average,
// so that a weight never changes when other passages are added or deleted.
const (
	bm25K1        = 1.2
	bm25B         = 0.75
	typicalLength = 250
)

// Key returns the key of a term for an agent: 8 bytes of the term's SHA-256, XORed with the agent's
// Salt. Except by chance, two agents have no key in common.
func Key(agentID uuid.UUID, term string) int64 { return Salt(agentID) ^ digest([]byte(term)) }

// Salt returns the value that is XORed into the keys of an agent's terms. XORing a key with the
// salts of two agents turns a key of one into a key of the other.
func Salt(agentID uuid.UUID) int64 { return digest(agentID[:]) }

func digest(of []byte) int64 {
	sum := sha256.Sum256(of)
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// Keys returns the keys of terms.
func Keys(agentID uuid.UUID, terms []string) []int64 {
	out := make([]int64, len(terms))
	for i, term := range terms {
		out[i] = Key(agentID, term)
	}
	return out
}

// Weight returns the part of a term's BM25 score that does not depend on other passages, in
// thousandths. count is the term's frequency in the passage, length the passage's number of terms.
// The weight is at least 1 and below 2,200.
func Weight(count, length int) int16 {
	tf := float64(count)
	weight := tf * (bm25K1 + 1) / (tf + bm25K1*(1-bm25B+bm25B*float64(length)/typicalLength))
	return int16(max(1, math.Round(1000*weight)))
}

package knowledge

import (
	"crypto/sha256"
	"encoding/binary"
	"math"

	"github.com/google/uuid"
)

// The parameters of BM25: how soon more of the same term says no more, and how much the length of a passage counts against it. The typical
// length, in terms, is fixed, and not the average of what the agent knows: so a weight never changes, whatever else is added or deleted.
const (
	bm25K1        = 1.2
	bm25B         = 0.75
	typicalLength = 250
)

// Key names a term of an agent: 8 bytes of a SHA-256 of the term, crossed with the agent's Salt. Two agents have no key in common, but for
// chance.
func Key(agentID uuid.UUID, term string) int64 { return Salt(agentID) ^ digest([]byte(term)) }

// Salt is what the keys of an agent's terms are crossed with (XOR): with two agents' salts, keys of the one become keys of the other.
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

// Weight is what a term says about a passage, by how often it is in it and how many terms the passage has: the part of BM25 that does not
// depend on other passages, in thousandths. It is at least 1 and below 2,200.
func Weight(count, length int) int16 {
	tf := float64(count)
	weight := tf * (bm25K1 + 1) / (tf + bm25K1*(1-bm25B+bm25B*float64(length)/typicalLength))
	return int16(max(1, math.Round(1000*weight)))
}

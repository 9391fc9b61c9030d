package knowledge

import (
	"time"

	"github.com/google/uuid"
)

// Kind says what a source was made from.
type Kind string

// The kinds of sources.
const (
	// Text is a text that was typed or pasted.
	Text Kind = "TEXT"
	// Answer is questions with their one answer.
	Answer Kind = "ANSWER"
	// File is a file whose text was read.
	File Kind = "FILE"
)

// State says how far the reading of a source has come. A text and an answer are READY at once.
type State string

// The states of a source.
const (
	// Waiting is a file whose turn has not come.
	Waiting State = "WAITING"
	// Reading is a file that is being read.
	Reading State = "READING"
	// Ready is a source with passages.
	Ready State = "READY"
	// Failed is a file that could not be read; its Reason says why.
	Failed State = "FAILED"
)

// Source is one of the texts that an agent knows. It never changes: a replacement is another source.
type Source struct {
	ID      uuid.UUID
	AgentID uuid.UUID
	Kind    Kind
	Name    string
	State   State
	// Reason says in a sentence why the source has failed; nil otherwise.
	Reason *string
	// Size is that of the file, or of the text, in bytes.
	Size int64
	// Characters and Passages are 0 until the source is READY.
	Characters int
	Passages   int
	// Pages is nil for a source without pages.
	Pages *int
	// Questions are those of an ANSWER, in the owner's order; nil for other kinds.
	Questions []string
	CreatedAt time.Time
	// InDraft says whether the agent's draft has the source, InVersions which versions do, by their numbers, in order.
	InDraft    bool
	InVersions []int
}

// Given is a passage that a model is given.
type Given struct {
	// N is the number by which the model cites it, from 1.
	N         int
	SourceID  uuid.UUID
	PassageID int64
	// Name is that of the source.
	Name string
	Passage
}

// Mode says how a model gets what an agent knows.
type Mode string

// The modes.
const (
	// None is an agent without knowledge.
	None Mode = "NONE"
	// Whole gives all passages with every message.
	Whole Mode = "WHOLE"
	// Search gives those that fit the message best.
	Search Mode = "SEARCH"
)

// ModeOf returns the mode for knowledge whose block has a size in bytes, and a model with a window in tokens, 0 for an unknown one.
func ModeOf(size, window int) Mode {
	switch {
	case size == 0:
		return None
	case size > WholeLimit(window):
		return Search
	}
	return Whole
}

// WholeLimit returns the largest size in bytes that is given whole to a model with a window in tokens, 0 for an unknown one.
func WholeLimit(window int) int {
	if window <= 0 {
		return MaxWhole
	}
	return min(MaxWhole, window/4*bytesPerToken)
}

// bytesPerToken is a cautious estimate: English has about four, most other scripts three.
const bytesPerToken = 3

// Best returns the passages that a model is given of those that a search has found, best first, and numbers them from 1: at most MaxGiven
// passages and MaxGivenCharacters. One that does not fit leaves its room to those behind it.
func Best(found []Given) []Given {
	var out []Given
	left := MaxGivenCharacters
	for _, g := range found {
		size := characters(g.Text)
		if len(out) == MaxGiven || size > left {
			continue
		}
		g.N = len(out) + 1
		out, left = append(out, g), left-size
	}
	return out
}

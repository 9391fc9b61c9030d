package knowledge

import (
	"time"

	"github.com/google/uuid"
)

// Kind is the origin of a source.
type Kind string

// The kinds of sources.
const (
	// Text is a text that was typed or pasted.
	Text Kind = "TEXT"
	// Answer is questions with their one answer.
	Answer Kind = "ANSWER"
	// File is the text of a file.
	File Kind = "FILE"
)

// State is the progress of reading a source. Texts and answers are READY at once.
type State string

// The states of a source.
const (
	// Waiting is a file in the queue.
	Waiting State = "WAITING"
	// Reading is a file that is being read.
	Reading State = "READING"
	// Ready is a source with passages.
	Ready State = "READY"
	// Failed is a file that could not be read; its Reason says why.
	Failed State = "FAILED"
)

// Source is one text of an agent's knowledge. It never changes: a replacement is another source.
type Source struct {
	ID      uuid.UUID
	AgentID uuid.UUID
	Kind    Kind
	Name    string
	State   State
	// Reason is a sentence that says why the source has failed; nil otherwise.
	Reason *string
	// Size is the size of the file or text, in bytes.
	Size int64
	// Characters and Passages are 0 until the source is READY.
	Characters int
	Passages   int
	// Pages is nil for a source without pages.
	Pages *int
	// Encoding is the encoding of a text, web page or table; nil for others.
	Encoding *string
	// Notes say what the text leaves out, or why the source has failed.
	Notes []Note
	// Questions are the questions of an ANSWER, in the owner's order; nil for other kinds.
	Questions []string
	CreatedAt time.Time
	// InDraft reports whether the agent's draft uses the source. InVersions holds the numbers of the
	// versions that use it, in order.
	InDraft    bool
	InVersions []int
}

// Given is a passage in a prompt.
type Given struct {
	// N is the number under which the model cites it, from 1.
	N         int
	SourceID  uuid.UUID
	PassageID int64
	// Name is the name of the source.
	Name string
	Passage
}

// Mode is the way in which an agent's knowledge reaches the model.
type Mode string

// The modes.
const (
	// None means that the agent has no knowledge.
	None Mode = "NONE"
	// Whole adds all passages to every message.
	Whole Mode = "WHOLE"
	// Search adds the passages that match the message best.
	Search Mode = "SEARCH"
)

// ModeOf returns the mode for a block of size bytes and a model with a context window in tokens, 0
// if unknown.
func ModeOf(size, window int) Mode {
	switch {
	case size == 0:
		return None
	case size > WholeLimit(window):
		return Search
	}
	return Whole
}

// WholeLimit returns the largest block, in bytes, for mode Whole and a model with a context window
// in tokens, 0 if unknown.
func WholeLimit(window int) int {
	if window <= 0 {
		return MaxWhole
	}
	return min(MaxWhole, window/4*bytesPerToken)
}

// bytesPerToken is a cautious estimate: English has about four, most other scripts three.
const bytesPerToken = 3

// Best returns the search results that fit into a prompt, best first, numbered from 1: at most
// MaxGiven passages and MaxGivenCharacters. A passage that does not fit is skipped, and later ones
// may take its place.
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

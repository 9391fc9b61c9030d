package conversation

import "github.com/google/uuid"

// Knowledge is the knowledge in a turn's prompt, and the reply's citations, in the form in which it
// is stored with the turn.
type Knowledge struct {
	// Given holds the passages in the order of their numbers.
	Given []GivenPassage `json:"given"`
	// Whole means that the prompt contained all of the version's knowledge.
	Whole bool `json:"whole,omitempty"`
	// Cited holds the numbers of passages that the reply cites, in the order of their first citation,
	// or all numbers for a version with a reply schema.
	Cited []int `json:"cited"`
}

// GivenPassage is a passage in a prompt. Its source may have been deleted since.
type GivenPassage struct {
	// N is the number under which the model cites it, from 1. In a chain, numbers may be missing.
	N         int       `json:"n"`
	SourceID  uuid.UUID `json:"source"`
	PassageID int64     `json:"passage"`
	Name      string    `json:"name"`
	// Heading is empty, and Page 0, for a passage without them.
	Heading string `json:"heading,omitempty"`
	Page    int    `json:"page,omitempty"`
}

// Sources returns the cited passages, in the order of Cited; nil for a turn without knowledge.
func (k *Knowledge) Sources() []GivenPassage {
	if k == nil {
		return nil
	}
	byNumber := make(map[int]GivenPassage, len(k.Given))
	for _, g := range k.Given {
		byNumber[g.N] = g
	}
	sources := []GivenPassage{}
	for _, n := range k.Cited {
		if g, ok := byNumber[n]; ok {
			sources = append(sources, g)
		}
	}
	return sources
}

package conversation

import "github.com/google/uuid"

// Knowledge is what a turn's model was given of the agent's knowledge, and what of it the reply cites, as it is stored with the turn.
type Knowledge struct {
	// Given is in the order of its numbers.
	Given []GivenPassage `json:"given"`
	// Whole says that it was all that the version knows.
	Whole bool `json:"whole,omitempty"`
	// Cited are numbers of Given: those that the reply cites, in the order of their first citation, or all for a version with a reply
	// schema.
	Cited []int `json:"cited"`
}

// GivenPassage is a passage as it was given. Its source may be gone by now.
type GivenPassage struct {
	// N is the number by which the model cites it, from 1. In a chain some may be missing.
	N         int       `json:"n"`
	SourceID  uuid.UUID `json:"source"`
	PassageID int64     `json:"passage"`
	Name      string    `json:"name"`
	// Heading is empty, and Page 0, for a passage without them.
	Heading string `json:"heading,omitempty"`
	Page    int    `json:"page,omitempty"`
}

// Sources are the cited passages, in the order of Cited; nil for a turn without knowledge.
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

package agent

import "reflect"

// Settings are all of an agent that shapes a reply, stored as one JSON document. Publishing copies it into a version.
type Settings struct {
	Instructions string `json:"instructions"`
	// Model is the catalogue's name of the model, provider/model; nil until chosen.
	Model           *string  `json:"model"`
	Temperature     *float64 `json:"temperature"`
	MaxOutputTokens *int     `json:"max_output_tokens"`
	// ContextTurns is how many earlier turns of a conversation the model gets, 0 to MaxContextTurns.
	ContextTurns int `json:"context_turns"`
	// Variables are never nil, in the owner's order.
	Variables []Variable `json:"variables"`
}

// DefaultSettings are those of a new agent.
func DefaultSettings() Settings {
	return Settings{ContextTurns: MaxContextTurns, Variables: []Variable{}}
}

// Equal reports whether two drafts or versions shape replies alike.
func (s Settings) Equal(other Settings) bool { return reflect.DeepEqual(s, other) }

// Package agent holds the agent: instructions and a model that answer messages, and its API exports.
package agent

import (
	"time"

	"github.com/google/uuid"
)

// State says whether an agent answers callers.
type State string

// The states of an agent.
const (
	// Draft is an agent that is still being written; its exports answer agent_not_ready.
	Draft State = "DRAFT"
	// Completed is an agent that answers.
	Completed State = "COMPLETED"
)

// MaxContextTurns is the maximum, and the default, of how many earlier turns of a conversation a model gets.
const MaxContextTurns = 40

// Limits of an agent's fields, texts in code points.
const (
	MaxName            = 100
	MaxDescription     = 1_000
	MaxInstructions    = 32_768
	MaxTemperature     = 2
	MaxMaxOutputTokens = 1_000_000
	// MaxSearch bounds the text that agents are searched for.
	MaxSearch = 100
)

// MaxAgents is how many agents an account may have. Deleted ones do not count.
const MaxAgents = 1_000

// Agent is an agent of an account.
type Agent struct {
	ID           uuid.UUID
	AccountID    uuid.UUID
	Name         string
	Description  string
	Instructions string
	// Model is the catalogue's name of the model, provider/model; nil until chosen.
	Model           *string
	Temperature     *float64
	MaxOutputTokens *int
	// ContextTurns is how many earlier turns of a conversation the model gets, 0 to MaxContextTurns.
	ContextTurns int
	State        State
	CreatedAt    time.Time
	// UpdatedAt is when the owner last changed the agent, in whole microseconds; every change moves it forward.
	UpdatedAt time.Time
}

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

// DefaultContextTurns is how many earlier turns a model is given unless the agent says otherwise.
const DefaultContextTurns = 40

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
	ContextTurns    int
	State           State
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

// DefaultRatePerMinute is an export's rate when none is given; MaxRatePerMinute is the highest.
const (
	DefaultRatePerMinute = 600
	MaxRatePerMinute     = 1_000_000
)

// Export is an API export: the door through which external software reaches an agent, with its keys and its rate.
type Export struct {
	ID            uuid.UUID
	AccountID     uuid.UUID
	AgentID       uuid.UUID
	Name          string
	RatePerMinute int
	CreatedAt     time.Time
	// RemovedAt is nil while the export is in use; its keys stop with the removal.
	RemovedAt *time.Time
}

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
	// Draft is an agent that was never published.
	Draft State = "DRAFT"
	// Live is an agent whose callers get its published version.
	Live State = "LIVE"
	// Offline is an agent that its owner has unpublished: its exports answer agent_not_ready until it is published again.
	Offline State = "OFFLINE"
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

// Agent is an agent of an account with its draft: the settings as its owner has edited them. Callers get a Version.
type Agent struct {
	ID        uuid.UUID
	AccountID uuid.UUID
	// Name and Description shape no reply; changing them needs no publishing.
	Name        string
	Description string
	Settings
	State State
	// PublishedVersion is the number of the version that was published last; nil until the first.
	PublishedVersion *int
	CreatedAt        time.Time
	// UpdatedAt is when the owner last changed or published the agent, in whole microseconds; every change moves it forward.
	UpdatedAt time.Time
	// SettingsAt is when the draft's settings last changed.
	SettingsAt time.Time
}

// Package agent defines the agent, its instructions, model and versions, and its API exports.
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
	// Offline is an agent that its owner has unpublished: its exports answer agent_not_ready until it
	// is published again.
	Offline State = "OFFLINE"
)

// MaxContextTurns is the maximum, and the default, of the earlier turns of a conversation that a
// model gets.
const MaxContextTurns = 40

// Limits of an agent's fields, texts in code points.
const (
	MaxName            = 100
	MaxDescription     = 1_000
	MaxInstructions    = 32_768
	MaxTemperature     = 2
	MaxMaxOutputTokens = 1_000_000
	// MaxSearch bounds the text of a search for agents.
	MaxSearch = 100
)

// MaxAgents is the most agents of an account. Deleted ones do not count.
const MaxAgents = 1_000

// Agent is an agent of an account with its draft: the settings that its owner edits. Callers get a
// Version.
type Agent struct {
	ID        uuid.UUID
	AccountID uuid.UUID
	// Name and Description do not affect replies; changing them needs no publishing.
	Name        string
	Description string
	Settings
	State State
	// PublishedVersion is the number of the latest published version; nil until the first.
	PublishedVersion *int
	CreatedAt        time.Time
	// UpdatedAt is the time of the owner's last change or publishing, in whole microseconds; every
	// change moves it forward.
	UpdatedAt time.Time
	// SettingsAt is the time of the last change to the draft's settings.
	SettingsAt time.Time
}

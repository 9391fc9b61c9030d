package agent

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// MaxNote is the longest note of a version, in code points.
const MaxNote = 500

// Version is a published copy of an agent's settings. It never changes.
type Version struct {
	ID      uuid.UUID
	AgentID uuid.UUID
	// Number counts an agent's versions from 1, without gaps.
	Number int
	// Note is the owner's note about the version; it may be empty.
	Note string
	// CreatedBy is the user who published it; nil for the service itself, which creates the demo.
	CreatedBy *uuid.UUID
	CreatedAt time.Time
	Settings
}

// ModelName returns the name of the version's model, which may no longer be offered.
func (v Version) ModelName() string {
	if v.Model == nil {
		return ""
	}
	return *v.Model
}

// FallbackModelName returns the name of the version's fallback model, which may no longer be
// offered; nil for none.
func (v Version) FallbackModelName() *string { return v.FallbackModel }

// ParseNote returns the trimmed note for a version. Fault: InvalidInput on note.
func ParseNote(text string) (string, error) {
	text = strings.TrimSpace(text)
	var found problems
	found.text("note", Change[string]{Set: true, Value: &text}, MaxNote,
		"The note is longer than 500 characters.")
	return text, found.err()
}

// NoSuchVersion returns the fault for a version number that an agent does not have. path is the
// input's field.
func NoSuchVersion(path string) error {
	return fault.Invalid(fault.Field{Path: path, Reason: fault.InvalidValue,
		Message: "The agent has no version with this number."})
}

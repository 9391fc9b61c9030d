package agent

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// DefaultRatePerMinute is an export's rate when none is given; MaxRatePerMinute is the highest.
const (
	DefaultRatePerMinute = 600
	MaxRatePerMinute     = 1_000_000
)

// DefaultExportName is an export's name when none is given.
const DefaultExportName = "API export"

// Limits of exports.
const (
	// MaxExports is how many exports an account may have in use, over all its agents. Removed ones do not count.
	MaxExports = 1_000
	// MaxListedRemoved is how many removed exports are listed under an agent, the newest; an account may remove any number.
	MaxListedRemoved = 100
)

// ExportState says whether an export's keys are accepted.
type ExportState string

// The states of an export. A removed one never comes back.
const (
	ExportActive  ExportState = "ACTIVE"
	ExportRemoved ExportState = "REMOVED"
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

// State says whether the export is in use.
func (e Export) State() ExportState {
	if e.RemovedAt != nil {
		return ExportRemoved
	}
	return ExportActive
}

// ExportChanges are the changes to an export, or the fields of a new one. Check them before ApplyExport.
type ExportChanges struct {
	Name          Change[string]
	RatePerMinute Change[int]
}

// Empty reports whether nothing is to be changed.
func (c ExportChanges) Empty() bool { return c == ExportChanges{} }

// Check checks all fields and reports every problem at once. Fault: InvalidInput on name and rateLimitPerMinute.
func (c ExportChanges) Check() error {
	var found problems
	found.name(c.Name, "An export needs a name; it cannot be cleared.")
	if v := c.RatePerMinute.Value; v != nil && (*v < 1 || *v > MaxRatePerMinute) {
		found.add("rateLimitPerMinute", fault.OutOfRange, MaxRatePerMinute,
			"The rate must be a whole number from 1 to 1,000,000 requests a minute.")
	}
	return found.err()
}

// ApplyExport returns the export with checked changes. The name loses the space around it; a cleared rate is the default one.
func ApplyExport(e Export, c ExportChanges) Export {
	if c.Name.Value != nil {
		e.Name = strings.TrimSpace(*c.Name.Value)
	}
	if c.RatePerMinute.Set {
		e.RatePerMinute = DefaultRatePerMinute
		if c.RatePerMinute.Value != nil {
			e.RatePerMinute = *c.RatePerMinute.Value
		}
	}
	return e
}

// NewExport returns the export of an agent that the fields describe, to be created by the store; null stands for the default, for
// the name too. Fault: InvalidInput on name and rateLimitPerMinute.
func NewExport(agentID uuid.UUID, c ExportChanges) (Export, error) {
	c.Name.Set = c.Name.Value != nil
	draft := Export{AgentID: agentID, Name: DefaultExportName, RatePerMinute: DefaultRatePerMinute}
	return ApplyExport(draft, c), c.Check()
}

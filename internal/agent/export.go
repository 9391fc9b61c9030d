package agent

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// DefaultRatePerMinute is the default rate of an export, in requests; MaxRatePerMinute is the
// maximum.
const (
	DefaultRatePerMinute = 600
	MaxRatePerMinute     = 1_000_000
)

// MaxCreditLimit is the maximum of an export's credit limits, which is exact in JSON;
// MaxUserDailyMessages is the maximum of its limit of messages per end user.
const (
	MaxCreditLimit       = 1<<53 - 1
	MaxUserDailyMessages = 1_000_000
)

// DefaultExportName is the default name of an export.
const DefaultExportName = "API export"

// Limits of exports.
const (
	// MaxExports is the most exports of an account in use, over all its agents. Removed ones do not
	// count.
	MaxExports = 1_000
	// MaxKeys is the most keys that an account can make within a year. Expired keys and those of
	// removed exports count.
	MaxKeys = 100_000
	// MaxListedRemoved is the most removed exports that are listed for an agent, the newest first.
	MaxListedRemoved = 100
)

// ExportState says whether an export's keys are accepted.
type ExportState string

// The states of an export.
const (
	ExportActive ExportState = "ACTIVE"
	// ExportPaused is an export whose owner can resume it: its callers get export_paused.
	ExportPaused ExportState = "PAUSED"
	// ExportExpired is an export past its expiry; its keys work again if it gets a later one.
	ExportExpired ExportState = "EXPIRED"
	// ExportRemoved is an export that can never be restored.
	ExportRemoved ExportState = "REMOVED"
)

// Export is an API export: it lets external software reach an agent, with its own keys and rate.
type Export struct {
	ID            uuid.UUID
	AccountID     uuid.UUID
	AgentID       uuid.UUID
	Name          string
	RatePerMinute int
	// Version is the agent's version that its callers get; nil follows the published one.
	Version *int
	// RequireUserID refuses messages without an end user; so does a UserDailyMessageLimit.
	RequireUserID bool
	// DailyCreditLimit and MonthlyCreditLimit bound the cost of the export's turns in a UTC day and
	// calendar month; nil for no limit.
	DailyCreditLimit, MonthlyCreditLimit *int64
	// UserDailyMessageLimit bounds the messages of each end user in a UTC day, except failed ones; nil
	// for no limit.
	UserDailyMessageLimit *int
	// PausedAt is nil unless the export is paused.
	PausedAt *time.Time
	// ExpiresAt is the expiry of its keys; nil for never. Expired says whether it has passed, by the
	// database's clock.
	ExpiresAt *time.Time
	Expired   bool
	// CreatedBy is the user who created it; nil for the service itself, which creates the demo.
	CreatedBy *uuid.UUID
	CreatedAt time.Time
	// RemovedAt is nil while the export is in use; removing it also removes its keys.
	RemovedAt *time.Time
}

// State returns the export's state. If several apply, it is the one that is hardest to undo.
func (e Export) State() ExportState {
	switch {
	case e.RemovedAt != nil:
		return ExportRemoved
	case e.Expired:
		return ExportExpired
	case e.PausedAt != nil:
		return ExportPaused
	}
	return ExportActive
}

// ExportChanges are the changes to an export, or the fields of a new one. Check them before
// ApplyExport.
type ExportChanges struct {
	Name          Change[string]
	RatePerMinute Change[int]
	Version       Change[int]
	ExpiresAt     Change[time.Time]

	RequireUserID                        Change[bool]
	DailyCreditLimit, MonthlyCreditLimit Change[int64]
	UserDailyMessageLimit                Change[int]
}

// Check validates all fields and reports all problems at once. Fault: InvalidInput on name,
// rateLimitPerMinute, version, dailyCreditLimit, monthlyCreditLimit and userDailyMessageLimit.
func (c ExportChanges) Check() error {
	var found problems
	found.name(c.Name, "An export needs a name; it cannot be cleared.")
	if v := c.RatePerMinute.Value; v != nil && (*v < 1 || *v > MaxRatePerMinute) {
		found.add("rateLimitPerMinute", fault.OutOfRange, MaxRatePerMinute,
			"The rate must be a whole number from 1 to 1,000,000 requests a minute.")
	}
	if v := c.Version.Value; v != nil && *v < 1 {
		found.add("version", fault.OutOfRange, 0, "Versions are numbered from 1.")
	}
	found.creditLimit("dailyCreditLimit", c.DailyCreditLimit)
	found.creditLimit("monthlyCreditLimit", c.MonthlyCreditLimit)
	if v := c.UserDailyMessageLimit.Value; v != nil && (*v < 1 || *v > MaxUserDailyMessages) {
		found.add("userDailyMessageLimit", fault.OutOfRange, MaxUserDailyMessages,
			"The limit must be a whole number from 1 to 1,000,000 messages a day. To stop all messages, pause the export.")
	}
	return found.err()
}

func (p *problems) creditLimit(path string, c Change[int64]) {
	if v := c.Value; v != nil && (*v < 1 || *v > MaxCreditLimit) {
		p.add(path, fault.OutOfRange, MaxCreditLimit,
			"The limit must be at least 1 credit. To stop all messages, pause the export.")
	}
}

// ExpiresInThePast returns the fault for an expiry that has passed by the database's clock.
func ExpiresInThePast() error {
	return fault.Invalid(fault.Field{
		Path:    "expiresAt",
		Reason:  fault.OutOfRange,
		Message: "The export would expire in the past. Choose a later time, or pause the export.",
	})
}

// ApplyExport returns the export with checked changes. The name is trimmed; a cleared rate becomes
// the default.
func ApplyExport(e Export, c ExportChanges) Export {
	if c.Name.Value != nil {
		e.Name = strings.TrimSpace(*c.Name.Value)
	}
	e.RatePerMinute = c.RatePerMinute.or(e.RatePerMinute, DefaultRatePerMinute)
	c.Version.into(&e.Version)
	c.ExpiresAt.into(&e.ExpiresAt)
	e.RequireUserID = c.RequireUserID.or(e.RequireUserID, false)
	c.DailyCreditLimit.into(&e.DailyCreditLimit)
	c.MonthlyCreditLimit.into(&e.MonthlyCreditLimit)
	c.UserDailyMessageLimit.into(&e.UserDailyMessageLimit)
	return e
}

// NewExport returns an export of an agent with the fields, for the store to create. Fields that are
// not set or null, including the name, get their defaults. Fault: InvalidInput, see Check.
func NewExport(agentID uuid.UUID, c ExportChanges) (Export, error) {
	c.Name.Set = c.Name.Value != nil
	draft := Export{AgentID: agentID, Name: DefaultExportName, RatePerMinute: DefaultRatePerMinute}
	return ApplyExport(draft, c), c.Check()
}

package agent

import (
	"strings"

	"agentchat/internal/fault"
)

// Requirement is something that an agent needs before it can be completed.
type Requirement string

// The requirements, in the order in which Missing names them.
const (
	NeedsName         Requirement = "NAME"
	NeedsInstructions Requirement = "INSTRUCTIONS"
	NeedsModel        Requirement = "MODEL"
)

// Missing returns what the agent still needs before it can be completed, in the order of the constants, and never nil. Blank texts
// are missing. available says whether a model can be used now.
func Missing(a Agent, available func(model string) bool) []Requirement {
	missing := []Requirement{}
	if strings.TrimSpace(a.Name) == "" {
		missing = append(missing, NeedsName)
	}
	if strings.TrimSpace(a.Instructions) == "" {
		missing = append(missing, NeedsInstructions)
	}
	if a.Model == nil || !available(*a.Model) {
		missing = append(missing, NeedsModel)
	}
	return missing
}

// CheckComplete checks that nothing is missing. Fault: InvalidInput on name, instructions and model, for each that is missing.
func CheckComplete(a Agent, available func(model string) bool) error {
	var found problems
	for _, r := range Missing(a, available) {
		found.missing(a, r)
	}
	return found.err()
}

// CheckChange checks that a completed agent stays complete. A field that was missing before, such as a model that is no longer
// available, may stay as it is. Fault: InvalidInput on name, instructions and model, for each that the change made missing.
func CheckChange(before, after Agent, available func(model string) bool) error {
	if after.State != Completed {
		return nil
	}
	var found problems
	for _, r := range Missing(after, available) {
		if changed(before, after, r) {
			found.missing(after, r)
		}
	}
	return found.err()
}

func changed(before, after Agent, r Requirement) bool {
	switch r {
	case NeedsName:
		return before.Name != after.Name
	case NeedsInstructions:
		return before.Instructions != after.Instructions
	default:
		return before.Model == nil || after.Model == nil || *before.Model != *after.Model
	}
}

func (p *problems) missing(a Agent, r Requirement) {
	switch {
	case r == NeedsName:
		p.add("name", fault.Missing, 0, "A completed agent needs a name.")
	case r == NeedsInstructions:
		p.add("instructions", fault.Missing, 0, "A completed agent needs instructions.")
	case a.Model == nil:
		p.add("model", fault.Missing, 0, "A completed agent needs a model; choose one that is available.")
	default:
		p.add("model", fault.InvalidValue, 0, "The model is not available now. Choose another one.")
	}
}

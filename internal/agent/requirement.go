package agent

import (
	"strings"
	"unicode/utf8"

	"agentchat/internal/fault"
)

// Requirement is something that an agent needs before it can be published.
type Requirement string

// The requirements, in the order of Missing.
const (
	NeedsName         Requirement = "NAME"
	NeedsInstructions Requirement = "INSTRUCTIONS"
	NeedsModel        Requirement = "MODEL"
)

// Missing returns what the agent still needs before it can be published, in the order of the
// constants, and never nil. Blank texts are missing. available reports whether a model can be used
// now.
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

// CheckComplete checks that nothing is missing. Fault: InvalidInput on name, instructions and
// model, for each that is missing, and on variables if the instructions with the default values are
// too long.
func CheckComplete(a Agent, available func(model string) bool) error {
	var found problems
	for _, r := range Missing(a, available) {
		found.missing(a, r)
	}
	if utf8.RuneCountInString(Fill(a.Instructions, a.Variables, nil)) > MaxFilledInstructions {
		found.add("variables", fault.TooLong, MaxFilledInstructions,
			"With the default values, the instructions are longer than 131,072 characters. Shorten them.")
	}
	return found.err()
}

func (p *problems) missing(a Agent, r Requirement) {
	switch {
	case r == NeedsName:
		p.add("name", fault.Missing, 0, "The agent needs a name before it can be published.")
	case r == NeedsInstructions:
		p.add("instructions", fault.Missing, 0,
			"The agent needs instructions before it can be published.")
	case a.Model == nil:
		p.add("model", fault.Missing, 0,
			"The agent needs a model before it can be published. Choose one that is available.")
	default:
		p.add("model", fault.InvalidValue, 0,
			"The model is not available now. Choose another one before you publish.")
	}
}

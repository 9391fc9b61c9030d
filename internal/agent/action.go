package agent

import (
	"fmt"
	"regexp"
	"strings"

	"agentchat/internal/fault"
)

// Limits of actions.
const (
	// MaxActions is the most actions that an agent may declare.
	MaxActions = 16
	// MaxActionDescription is in code points. Some providers accept little more.
	MaxActionDescription = 1_000
	// MaxSchemas bounds the total size of an agent's schemas, those of its actions and of its replies,
	// in bytes.
	MaxSchemas = 64 << 10
)

// Action is something that callers can do for the agent. Its model requests it by name, and gets
// the result.
type Action struct {
	Name string `json:"name"`
	// Description explains the action to the model, so that it can choose.
	Description string `json:"description"`
	// Parameters is the JSON Schema of the arguments, an object, as its owner wrote it.
	Parameters string `json:"parameters"`
}

var actionName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,47}$`)

// IsActionName reports whether a text is a valid action name.
func IsActionName(name string) bool { return actionName.MatchString(name) }

// actions checks the actions of a draft.
func (p *problems) actions(c Change[[]Action]) {
	list := deref(c.Value)
	if len(list) > MaxActions {
		p.add("actions", fault.TooLong, MaxActions, "An agent can have at most 16 actions.")
		return
	}
	seen := map[string]bool{}
	for i, a := range list {
		path := fmt.Sprintf("actions.%d.", i)
		switch {
		case !IsActionName(a.Name):
			p.add(path+"name", fault.InvalidValue, 0,
				"An action's name starts with a lowercase letter and has up to 48 lowercase letters, digits and underscores.")
		case seen[a.Name]:
			p.add(path+"name", fault.InvalidValue, 0, "Another action has this name.")
		}
		seen[a.Name] = true
		if strings.TrimSpace(a.Description) == "" {
			p.add(path+"description", fault.Blank, 0,
				"Describe what the action does: the model chooses it by its description.")
		}
		p.text(path+"description", Change[string]{Set: true, Value: &a.Description}, MaxActionDescription,
			"The description is longer than 1,000 characters.")
		p.schema(path+"parameters", Change[string]{Set: true, Value: &a.Parameters})
	}
}

// CheckTogether validates rules that involve several settings; s are the settings after the
// changes. Fault: InvalidInput on actions or replySchema, and on model or fallbackModel, whichever
// has changed.
func (c Changes) CheckTogether(s Settings) error {
	var found problems
	path := "fallbackModel"
	if c.FallbackModel.Value == nil {
		path = "model"
	}
	if s.Model != nil && s.FallbackModel != nil && *s.Model == *s.FallbackModel {
		found.add(path, fault.InvalidValue, 0,
			"The model and the fallback model are the same. Choose another fallback model, or none.")
	}
	size := len(deref(s.ReplySchema))
	for _, a := range s.Actions {
		size += len(a.Parameters)
	}
	if path = "actions"; !c.Actions.Set {
		path = "replySchema"
	}
	if size > MaxSchemas && (c.Actions.Set || c.ReplySchema.Set) {
		found.add(path, fault.TooLong, MaxSchemas,
			"Together, the schemas of all actions and of the reply are larger than 64 KiB. Shorten them.")
	}
	return found.err()
}

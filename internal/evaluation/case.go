// Package evaluation defines the test cases of agents: their documents, the checks of a reply, the
// message to a judge, and the import formats. It does no I/O.
package evaluation

import (
	"encoding/json"

	"agentchat/internal/conversation"
)

// Limits of a case. Lengths of texts are in code points.
const (
	// MaxDocument is the size of the largest document, in bytes.
	MaxDocument  = 64 << 10
	MaxHistory   = 40
	MaxChecks    = 20
	MaxName      = 200
	MaxTexts     = 50
	MaxText      = 1_000
	MaxPattern   = 256
	MaxCriterion = 2_000
	// MaxModelMS is the highest limit of a max_ms check, in milliseconds: an hour.
	MaxModelMS = 3_600_000
)

// Case is a test case: a message with its history, and the checks of the reply.
type Case struct {
	Name string `json:"name"`
	// Enabled includes the case in whole runs. A document without this member is enabled.
	Enabled bool `json:"enabled"`
	// History is sent to the model as earlier turns.
	History []Exchange `json:"history,omitempty"`
	Message string     `json:"message"`
	// Variables has the values of the agent's variables, by name.
	Variables map[string]string `json:"variables,omitempty"`
	// ActionResults has the results to send when a reply requests actions, by the action's name.
	ActionResults map[string]ActionResult `json:"action_results,omitempty"`
	Checks        []Check                 `json:"checks"`
}

// Exchange is an earlier message with its reply.
type Exchange struct {
	Message string `json:"message"`
	Reply   string `json:"reply"`
}

// ActionResult is the result of an action, or its error.
type ActionResult struct {
	// Result is a JSON value; nil for an error.
	Result json.RawMessage `json:"result,omitempty"`
	// Error is empty for a result.
	Error string `json:"error,omitempty"`
}

// The types of checks.
const (
	Contains   = "contains"
	Equals     = "equals"
	Regex      = "regex"
	JSONEquals = "json_equals"
	Action     = "action"
	Cites      = "cites"
	MaxMS      = "max_ms"
	Judge      = "judge"
)

// Check is a condition that the final reply must meet. Its type determines which other fields it may
// have.
type Check struct {
	Type string `json:"type"`
	// Not inverts the check. MaxMS and Judge do not allow it.
	Not bool `json:"not,omitempty"`
	// Text is a single text for Equals. For Contains, the reply must have one of the texts. Exact
	// compares bytes, so that case and spacing matter.
	Text  Texts `json:"text,omitempty"`
	Exact bool  `json:"exact,omitempty"`
	// Pattern is a regular expression (RE2).
	Pattern string `json:"pattern,omitempty"`
	// Path is a JSON Pointer into the reply, empty for the whole reply, and Value the JSON value there.
	Path  string          `json:"path,omitempty"`
	Value json.RawMessage `json:"value,omitempty"`
	// Name is the name of an action. Arguments is a JSON object of arguments that the request must
	// have, besides any others; nil for any.
	Name      string          `json:"name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Source is the name of a source; empty for any.
	Source string `json:"source,omitempty"`
	// Most is the maximum model time, in milliseconds.
	Most int64 `json:"most,omitempty"`
	// Criterion describes a good reply to the judge.
	Criterion string `json:"criterion,omitempty"`
}

// Texts is a list of texts. In JSON, a list of one text is a string.
type Texts []string

// MarshalJSON implements json.Marshaler.
func (t Texts) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return []byte(conversation.EncodeJSON(t[0])), nil
	}
	return []byte(conversation.EncodeJSON([]string(t))), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Texts) UnmarshalJSON(data []byte) error {
	var one string
	if err := json.Unmarshal(data, &one); err == nil {
		*t = Texts{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

// Document returns the case as canonical JSON: equal cases have equal documents.
func (c *Case) Document() []byte {
	out := *c
	if out.Checks == nil {
		out.Checks = []Check{}
	}
	return []byte(conversation.EncodeJSON(out))
}

// JudgeChecks returns the positions of the judge checks, from 0.
func (c *Case) JudgeChecks() (at []int) {
	for i, check := range c.Checks {
		if check.Type == Judge {
			at = append(at, i)
		}
	}
	return at
}

// Reply is the final reply to a case, as the checks see it.
type Reply struct {
	Text string
	// Actions are the actions that the reply requests.
	Actions []Call
	// Sources are the names of the sources that the reply cites.
	Sources []string
	// ModelMS is the model time of the message with all its action results, in milliseconds; nil if
	// unknown.
	ModelMS *int64
}

// Call is a reply's request for an action.
type Call struct {
	Name string `json:"name"`
	// Arguments is a JSON object.
	Arguments json.RawMessage `json:"arguments"`
}

// Verdict is the outcome of a check.
type Verdict struct {
	// Check is the position of the check in its case, from 0, and Type its type.
	Check  int    `json:"check"`
	Type   string `json:"type"`
	Passed bool   `json:"passed"`
}

// Verdicts returns the outcomes of all checks except judge checks, in order.
func (c *Case) Verdicts(reply Reply) []Verdict {
	out := make([]Verdict, 0, len(c.Checks))
	for i, check := range c.Checks {
		if check.Type != Judge {
			out = append(out, Verdict{Check: i, Type: check.Type, Passed: check.passes(&reply)})
		}
	}
	return out
}

// Skipped describes what an import skipped in a line.
type Skipped struct {
	// Line is the number of the line in the file, from 1.
	Line int
	// Message is a sentence for the user.
	Message string
}

package conversation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/schema"
)

const (
	// MaxActionCalls is the most actions that one reply may request.
	MaxActionCalls = 8
	// MaxRounds is the most times that results may follow a message; the reply to the last ones
	// requests no actions.
	MaxRounds = 8
	// MaxActionResult is the size of the largest result, in bytes.
	MaxActionResult = 16 << 10
	// MaxChainResults bounds the total size of the results that follow a message, in bytes.
	MaxChainResults = 96 << 10
	// MaxActionError is the length of the longest error, in code points.
	MaxActionError = 2000
	// MaxActionID is the length of the longest id of a call, in code points.
	MaxActionID = 64
)

// ActionCall is a reply's request for an action by its caller.
type ActionCall struct {
	// ID is unique among all calls: see ActionCallID.
	ID   string `json:"id"`
	Name string `json:"name"`
	// Arguments is a compact JSON object that matches the action's parameters.
	Arguments json.RawMessage `json:"arguments"`
}

// CallsState is the state of the actions that a reply requests.
type CallsState string

// The states of a reply's calls. All calls of a reply have the same state, because all are answered
// at once.
const (
	// CallsOpen are calls that results can still answer: they belong to the latest reply.
	CallsOpen CallsState = "OPEN"
	// CallsAnswered are calls whose results the agent has used.
	CallsAnswered CallsState = "ANSWERED"
	// CallsNotRun are calls that a later message has closed.
	CallsNotRun CallsState = "NOT_RUN"
)

const callIDPrefix = "act_"

// ActionCallID returns the id of a turn's call, by its number from 1.
func ActionCallID(turn uuid.UUID, number int) string {
	return fmt.Sprintf("%s%s_%d", callIDPrefix, turn, number)
}

// ActionCallIDs returns the ids of all calls of a turn.
func ActionCallIDs(turn uuid.UUID, calls int) []string {
	ids := make([]string, calls)
	for i := range ids {
		ids[i] = ActionCallID(turn, i+1)
	}
	return ids
}

// turnOfCall returns the turn that requested a call, and the call's number; false if the id is
// invalid.
func turnOfCall(id string) (turn uuid.UUID, number int, ok bool) {
	text, n, _ := strings.Cut(strings.TrimPrefix(id, callIDPrefix), "_")
	turn, err := uuid.Parse(text)
	number, _ = strconv.Atoi(n)
	return turn, number, err == nil && ActionCallID(turn, number) == id
}

// ActionResult is the result of a call, or an error.
type ActionResult struct {
	ID string `json:"id"`
	// Result is a JSON value; nil for an error.
	Result json.RawMessage `json:"result,omitempty"`
	// Error is the error message; empty for a result.
	Error string `json:"error,omitempty"`
}

// Size returns the size of the result, in bytes.
func (r ActionResult) Size() int { return len(r.Result) + len(r.Error) }

// ActionResults are the results in a request without a message.
type ActionResults struct {
	// For is the turn that requested the actions, if the results answer all its calls from the first
	// to the last one given, each once; else uuid.Nil.
	For  uuid.UUID
	List []ActionResult
}

// GivenResult is an unchecked result from a request. nil means absent, but Result may also be the
// JSON null.
type GivenResult struct {
	ID     *string         `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *string         `json:"error"`
}

// CheckActionResults returns results in their canonical form, or the first problem with them. path
// names the list.
func CheckActionResults(path string, given []*GivenResult) (*ActionResults, *fault.Field) {
	switch {
	case len(given) == 0:
		return nil, &fault.Field{
			Path:    path,
			Reason:  fault.Empty,
			Message: path + " is empty. Send a result for each action of the last reply, or a message.",
		}
	case len(given) > MaxActionCalls:
		return nil, &fault.Field{
			Path:   path,
			Reason: fault.TooLong,
			Limit:  MaxActionCalls,
			Message: fmt.Sprintf("%s is too long. A reply asks for at most %d actions: send one result for each.", path,
				MaxActionCalls),
		}
	}
	list := make([]ActionResult, len(given))
	for i, g := range given {
		var problem *fault.Field
		if list[i], problem = g.check(fmt.Sprintf("%s.%d", path, i)); problem != nil {
			return nil, problem
		}
	}
	return NewActionResults(list), nil
}

func (g *GivenResult) check(path string) (ActionResult, *fault.Field) {
	switch {
	case g == nil:
		return ActionResult{}, &fault.Field{
			Path:    path,
			Reason:  fault.WrongType,
			Message: path + " must be an object.",
		}
	case g.ID == nil:
		return ActionResult{}, badOutcome(path+".id", fault.Missing,
			" is missing. Send the id of the action in the last reply.")
	case *g.ID == "":
		return ActionResult{}, badOutcome(path+".id", fault.Empty,
			" is empty. Send the id of the action in the last reply.")
	case utf8.RuneCountInString(*g.ID) > MaxActionID:
		return ActionResult{}, tooLong(path+".id", MaxActionID)
	}
	value, problem := g.CheckOutcome(path)
	if problem != nil {
		return ActionResult{}, problem
	}
	out := ActionResult{ID: *g.ID, Result: value}
	if g.Error != nil {
		out.Error = *g.Error
	}
	return out, nil
}

func badOutcome(path string, reason fault.Reason, message string) *fault.Field {
	return &fault.Field{Path: path, Reason: reason, Message: path + message}
}

// CheckOutcome returns the result in its canonical form, nil for an error, or the first problem with
// the result or the error. It does not check the id.
func (g *GivenResult) CheckOutcome(path string) (json.RawMessage, *fault.Field) {
	problem := func(name string, reason fault.Reason, message string) (json.RawMessage, *fault.Field) {
		return nil, badOutcome(path+name, reason, message)
	}
	switch {
	case g.Result == nil && g.Error == nil:
		return problem(".result", fault.Missing,
			" is missing. Send what the action returned, or error if it failed.")
	case g.Result != nil && g.Error != nil:
		return problem(".error", fault.InvalidValue,
			" is sent together with a result. Send one of them: what the action returned, or why it failed.")
	case g.Error == nil:
		return g.checkResult(path + ".result")
	case *g.Error == "":
		return problem(".error", fault.Empty, " is empty. Say what went wrong: the model reads it.")
	case utf8.RuneCountInString(*g.Error) > MaxActionError:
		return nil, tooLong(path+".error", MaxActionError)
	case strings.ContainsRune(*g.Error, 0):
		return problem(".error", fault.InvalidCharacter, " contains U+0000, which cannot be stored. Remove it.")
	}
	return nil, nil
}

func (g *GivenResult) checkResult(path string) (json.RawMessage, *fault.Field) {
	// Checks the size before schema.Canonical sorts names, which takes far more memory.
	var compact bytes.Buffer
	if err := json.Compact(&compact, g.Result); err == nil && compact.Len() > MaxActionResult {
		return nil, &fault.Field{
			Path:    path,
			Reason:  fault.TooLong,
			Limit:   MaxActionResult,
			Message: path + " is too long. It may have at most 16 KiB (16,384 bytes) of JSON, not counting white space.",
		}
	}
	value, err := schema.Canonical(compact.Bytes())
	if err != nil {
		return nil, &fault.Field{
			Path:    path,
			Reason:  fault.InvalidValue,
			Message: path + " must be one JSON value, without duplicate names in an object.",
		}
	}
	return value, nil
}

// NewActionResults puts results, each from schema.Canonical, in the order of their calls.
func NewActionResults(list []ActionResult) *ActionResults {
	out := &ActionResults{List: slices.Clone(list)}
	// Numbers have one digit.
	slices.SortStableFunc(out.List, func(a, b ActionResult) int { return strings.Compare(a.ID, b.ID) })
	for i, r := range out.List {
		turn, number, ok := turnOfCall(r.ID)
		if !ok || number != i+1 || i > 0 && turn != out.For {
			out.For = uuid.Nil
			return out
		}
		out.For = turn
	}
	return out
}

// Text returns the results as a JSON list; empty for a message.
func (r *ActionResults) Text() string {
	if r == nil || len(r.List) == 0 {
		return ""
	}
	return EncodeJSON(r.List)
}

// EncodeJSON returns a value as compact JSON. Raw JSON in it stays verbatim.
func EncodeJSON(value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // cannot happen: the service's own values, whose raw JSON was checked
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// ChainTurn is an answered turn of a chain: a message, and the results that followed it so far.
type ChainTurn struct {
	// Message is empty except in the first turn. Results are the results in the others, in the order
	// of the previous turn's calls.
	Message string
	Results []ActionResult
	Reply   string
	Calls   []ActionCall
	// Provider is the adapter's state for Calls, for Model.
	Provider string
	Model    string
	// Knowledge is the knowledge of the first turn; see Turn.
	Knowledge *string
}

// Calls returns the actions that the turn's reply requests. An error means that the stored JSON is
// invalid.
func (t Turn) Calls() ([]ActionCall, error) { return DecodeJSON[[]ActionCall](t.ActionCalls) }

// Results returns the results that the turn has instead of a message, each with the name of its
// action. An error means that the stored JSON is invalid.
func (t Turn) Results() ([]NamedResult, error) {
	results, err := DecodeJSON[[]ActionResult](t.ActionResults)
	asked, wrong := DecodeJSON[[]ActionCall](t.AskedCalls)
	out := make([]NamedResult, len(results))
	for i, r := range results {
		out[i].ActionResult = r
		for _, call := range asked {
			if call.ID == r.ID {
				out[i].Name = call.Name
			}
		}
	}
	return out, errors.Join(err, wrong)
}

// NamedResult is a result with the name of the action.
type NamedResult struct {
	ActionResult
	Name string
}

// DecodeJSON decodes JSON that this service has stored; the zero value for nil.
func DecodeJSON[T any](text *string) (value T, err error) {
	if text == nil {
		return value, nil
	}
	if err = json.Unmarshal([]byte(*text), &value); err != nil {
		err = fmt.Errorf("stored JSON: %w", err)
	}
	return value, err
}

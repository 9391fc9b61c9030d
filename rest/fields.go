package rest

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
)

// input is the body of a request before its fields are checked. A field that is absent or null is
// nil.
type input struct {
	Message    *string   `json:"message"`
	SessionID  *string   `json:"session_id"`
	UserID     *string   `json:"user_id"`
	Stream     *bool     `json:"stream"`
	Background *bool     `json:"background"`
	Variables  variables `json:"variables"`
	// ActionResults replace the message, and results are the checked ones; nil for a message.
	ActionResults *actionResults `json:"action_results"`
	results       *conversation.ActionResults
	// Rating is sent instead of a message; nil if there is a message.
	Rating *ratingInput `json:"rating"`
}

// variables are values by name. An empty array counts as none: PHP writes its empty arrays that
// way.
type variables map[string]*string

// UnmarshalJSONFrom reads an object of strings or an empty array.
func (v *variables) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != jsontext.KindBeginArray {
		return json.UnmarshalDecode(dec, (*map[string]*string)(v))
	}
	value, err := dec.ReadValue()
	if err == nil && !httpapi.IsEmptyArray(value) {
		err = errors.New("an array with elements")
	}
	return err
}

// actionResults are results of actions: at most one more than the limit.
type actionResults []*conversation.GivenResult

// UnmarshalJSONFrom reads an array. A body has room for tens of thousands of results, which would
// take twenty times its memory.
func (r *actionResults) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != jsontext.KindBeginArray {
		return json.UnmarshalDecode(dec, (*[]*conversation.GivenResult)(r))
	}
	*r = actionResults{}
	_, err := dec.ReadToken()
	for err == nil && dec.PeekKind() != jsontext.KindEndArray {
		if len(*r) > conversation.MaxActionCalls {
			err = dec.SkipValue()
			continue
		}
		var one *conversation.GivenResult
		err = json.UnmarshalDecode(dec, &one)
		*r = append(*r, one)
	}
	if err == nil {
		_, err = dec.ReadToken()
	}
	return err
}

// check returns the first problem with a field; nil without one.
func (in *input) check() *fault.Field {
	switch {
	case in.Rating != nil:
		return in.checkRating()
	case in.Message == nil && in.ActionResults == nil:
		return &fault.Field{Path: "message", Reason: fault.Missing, Message: "message is missing. Send a message, the results of the " +
			"last reply's actions as action_results, or a rating."}
	}
	return cmp.Or(
		in.checkFieldsWithResults(),
		checkText("message", in.Message, conversation.CheckMessage),
		checkText("session_id", in.SessionID, conversation.CheckSessionID),
		checkText("user_id", in.UserID, conversation.CheckUser),
		in.checkVariables(),
		in.checkResults(),
		in.checkBackground(),
	)
}

// checkFieldsWithResults returns the problem with a field that must or must not be sent along with
// results; nil without one.
func (in *input) checkFieldsWithResults() *fault.Field {
	switch {
	case in.ActionResults == nil:
	case in.Message != nil:
		return &fault.Field{Path: "message", Reason: fault.InvalidValue,
			Message: "message cannot be sent with action_results. Send one of them: results continue the message before them."}
	case in.SessionID == nil:
		return &fault.Field{Path: "session_id", Reason: fault.Missing,
			Message: "session_id is missing. Send the session_id of the reply that asked for these actions."}
	case len(in.Variables) > 0:
		return &fault.Field{Path: "variables", Reason: fault.InvalidValue,
			Message: "variables cannot be sent with action_results, which use those of the message before them. Leave them out."}
	}
	return nil
}

// checkBackground returns the problem with a stream in the background; nil without one. Accept does
// not count.
func (in *input) checkBackground() *fault.Field {
	if !in.inBackground() || in.Stream == nil || !*in.Stream {
		return nil
	}
	return &fault.Field{Path: "stream", Reason: fault.InvalidValue,
		Message: "stream cannot be sent with background."}
}

func (in *input) inBackground() bool { return in.Background != nil && *in.Background }

func (in *input) checkResults() (problem *fault.Field) {
	if in.ActionResults != nil {
		in.results, problem = conversation.CheckActionResults("action_results", *in.ActionResults)
	}
	return problem
}

// text returns the checked message; empty for results.
func (in *input) text() string {
	if in.Message == nil {
		return ""
	}
	return *in.Message
}

func checkText(path string, text *string, check func(path, text string) *fault.Field) *fault.Field {
	if text == nil {
		return nil
	}
	return check(path, *text)
}

func (in *input) checkVariables() *fault.Field {
	for _, name := range slices.Sorted(maps.Keys(in.Variables)) {
		path, value := cut("variables."+name), in.Variables[name]
		if !agent.IsVariableName(name) {
			problem := agent.NoSuchVariable(path)
			return &problem
		}
		if value == nil {
			return wrongType(path, reflect.String)
		}
		if problem := agent.CheckValue(path, *value); problem != nil {
			return problem
		}
	}
	return nil
}

// values returns the checked values of the variables.
func (in *input) values() map[string]string {
	values := make(map[string]string, len(in.Variables))
	for name, value := range in.Variables {
		values[name] = *value
	}
	return values
}

// wantsStream reports whether the caller asks for a stream: by the field or, without it, by the
// Accept header.
func (in *input) wantsStream(preferred bool) bool {
	if in.Stream != nil {
		return *in.Stream
	}
	return preferred && !in.inBackground()
}

// fieldFault names the field that json.Unmarshal could not read: it has the wrong type or does not
// exist. Fault: fault.InvalidInput.
func fieldFault(err error) error {
	at, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return err
	}
	path := cut(strings.Join(slices.Collect(at.JSONPointer.Tokens()), "."))
	if !errors.Is(err, json.ErrUnknownName) {
		return fault.Invalid(*wrongType(path, at.GoType.Kind()))
	}
	text := fmt.Sprintf("There is no field %q. Check the name, or leave it out.", path)
	for field := range at.GoType.Fields() {
		if known := field.Tag.Get("json"); strings.EqualFold(letters(at.JSONPointer.LastToken()), letters(known)) {
			text = fmt.Sprintf("There is no field %q. Did you mean %q?", path, known)
		}
	}
	return fault.Invalid(fault.Field{Path: path, Reason: fault.UnknownField, Message: text})
}

// letters drops the separators, so that session_id, session-id and sessionId differ only in case.
func letters(name string) string { return strings.NewReplacer("_", "", "-", "").Replace(name) }

var typeNames = map[reflect.Kind]string{
	reflect.String: "a string", reflect.Bool: "true or false", reflect.Slice: "an array", reflect.Struct: "an object",
	reflect.Int: "1, -1, or 0 to withdraw the rating", reflect.Map: `an object of strings, such as {"name": "value"}`,
}

func wrongType(path string, want reflect.Kind) *fault.Field {
	return &fault.Field{Path: path, Reason: fault.WrongType, Message: path + " must be " + typeNames[want] + "."}
}

// cut returns the first 100 characters of a path that an error repeats.
func cut(path string) string {
	characters := []rune(path)
	return string(characters[:min(len(characters), 100)])
}

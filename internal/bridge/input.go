package bridge

import (
	"fmt"
	"net/http"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// The models. Any other name means modelAgent.
const (
	modelAgent   = "agent"
	modelHistory = "agent-history"
)

// maxModel is the longest name of a model: every chunk of a stream repeats it.
const maxModel = 256

// kind says what an entry of the input is.
type kind int

const (
	userText kind = iota
	systemText
	agentText
	agentCall
	// agentRef is an earlier item of the agent by its id alone.
	agentRef
	result
	// other has no meaning for the agent, such as reasoning.
	other
)

// entry is a message or an item of the input.
type entry struct {
	kind kind
	// path is the client's own path to the entry, and contentPath to its content.
	path, contentPath string
	content           jsontext.Value
	// id is the echoed id, and idPath its path; of calls and results the call's.
	id, idPath string
}

// ofAgent reports whether the agent made the entry.
func (e entry) ofAgent() bool {
	return e.kind == agentText || e.kind == agentCall || e.kind == agentRef
}

// named is a text and the client's path to it.
type named struct{ text, path string }

// input is a request of either API.
type input struct {
	model string
	// entries are the messages or items, raw is their JSON, and listPath the path of the whole.
	entries  []entry
	raw      jsontext.Value
	listPath string
	// instructions is the field of Responses; nil if it is absent.
	instructions *string
	variables    fields
	stream       bool
	includeUsage bool
	// previous is the message that rule 1 names; nil without one. sessions are the sessions that rules 1
	// and 3 name.
	previous *reference
	sessions []named
	// user is the end user; nil for none.
	user *named
	// ignored are the names of the fields without effect.
	ignored string
	// The following are echoed by Responses.
	previousID *string
	metadata   jsontext.Value
	tools      []tool
	toolChoice toolChoice
}

// readInput reads what both APIs have in common. own reads the rest.
func readInput(h http.Header, f fields, own func(*input, fields) error) (*input, error) {
	in := &input{model: modelAgent}
	for _, read := range []func(fields) error{
		refuseUnsupported, in.readModel, in.readStream, in.readNamedSession,
		func(f fields) error { return in.readSessions(h, f) },
		func(f fields) error { return in.readUser(h, f) },
		in.readVariables,
		func(f fields) error { return own(in, f) },
	} {
		if err := read(f); err != nil {
			return nil, err
		}
	}
	in.ignored = f.ignored()
	return in, nil
}

func (in *input) readModel(f fields) error {
	model, err := f.text("model")
	if err != nil || model == nil {
		return err
	}
	if in.model = *model; utf8.RuneCountInString(in.model) > maxModel {
		return invalid("model", "has more than %d characters. Send a shorter name.", maxModel)
	}
	return nil
}

func (in *input) readStream(f fields) (err error) {
	if in.stream, err = f.isTrue("stream"); err != nil {
		return err
	}
	options, err := f.object("stream_options")
	if err == nil {
		in.includeUsage, err = options.isTrue("include_usage")
	}
	return err
}

func (in *input) readVariables(f fields) (err error) {
	in.variables, err = f.object("variables")
	return err
}

// readUser takes the first id of the end user.
func (in *input) readUser(h http.Header, f fields) error {
	if err := in.setUser(headerText(h, "X-User-Id")); err != nil {
		return err
	}
	for _, name := range []string{"user_id", "safety_identifier", "user"} {
		text, err := f.text(name)
		if err == nil && text != nil && (*text != "" || name == "user_id") { // SDKs may send ""
			err = in.setUser(&named{*text, name}, nil)
		}
		if err != nil {
			return err
		}
	}
	return in.setUser(headerText(h, "X-OpenWebUI-User-Id"))
}

func (in *input) setUser(user *named, err error) error {
	if in.user == nil {
		in.user = user
	}
	return err
}

// headerText returns a header as a text; nil if it is absent.
func headerText(h http.Header, name string) (*named, error) {
	values := h.Values(name)
	switch {
	case len(values) == 0:
		return nil, nil //nolint:nilnil // absent
	case len(values) > 1:
		return nil, invalid(name, "is sent more than once. Send it once.")
	case !utf8.ValidString(values[0]):
		return nil, invalid(name, "is not UTF-8. Send it as UTF-8.")
	}
	return &named{values[0], name}, nil
}

// isHistory reports whether the whole conversation is the message: rule 1 and results of tools name
// a session, which has it already.
func (in *input) isHistory() bool {
	return in.model == modelHistory && len(in.sessions) == 0 && len(in.newest(result)) == 0
}

// earlier returns the first entry of the agent; nil without one.
func (in *input) earlier() *entry {
	if i := slices.IndexFunc(in.entries, entry.ofAgent); i >= 0 {
		return &in.entries[i]
	}
	return nil
}

// newestFrom returns the index of the first entry after the agent's last one.
func (in *input) newestFrom() int {
	for i, e := range slices.Backward(in.entries) {
		if e.ofAgent() {
			return i + 1
		}
	}
	return 0
}

// newest returns the entries of a kind after the agent's last one.
func (in *input) newest(of kind) (found []entry) {
	for _, e := range in.entries[in.newestFrom():] {
		if e.kind == of {
			found = append(found, e)
		}
	}
	return found
}

// indexed returns the path of an element.
func indexed(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

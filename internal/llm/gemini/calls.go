package gemini

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"agentchat/internal/llm"
	"agentchat/internal/memory"
	"agentchat/internal/schema"
)

const (
	// maxCalls bounds the names and arguments of a reply's calls, and maxParts the parts that are
	// stored to be sent back, in bytes.
	maxCalls, maxParts = schema.MaxReply, 2 * schema.MaxReply
	// mostCalls bounds the number of calls in a reply. No agent takes nearly as many.
	mostCalls = 64
)

// keptCopies is the number of copies of a part in memory: raw, as a call, and in the list of parts.
const keptCopies = 3

// asked collects the calls of a reply, and its parts verbatim: Gemini requires the signatures of
// its thoughts back with the results.
type asked struct {
	hold  *memory.Hold
	calls []llm.Call
	parts []string
	// size and kept are in bytes; see maxCalls.
	size, kept int
}

// add stores a part. Its arguments stay text, because a number may be larger than any type.
func (a *asked) add(raw json.RawMessage) error {
	var part struct {
		FunctionCall *struct {
			ID   string          `json:"id"`
			Name string          `json:"name"`
			Args json.RawMessage `json:"args"`
		} `json:"functionCall"`
	}
	if err := json.Unmarshal(raw, &part); err != nil {
		return err
	}
	if err := a.hold.Grow(int64(len(raw)) * keptCopies); err != nil {
		return fmt.Errorf("%w: %w", llm.ErrAnswered, err)
	}
	if kept := compact(raw); kept != "null" && kept != `{"text":""}` { // Gemini refuses these two
		a.kept += len(kept)
		a.parts = append(a.parts, kept)
	}
	call := part.FunctionCall
	if call == nil || call.Name == "" && len(call.Args) == 0 {
		return nil
	}
	arguments := compact(call.Args)
	if arguments == "" || arguments == "null" {
		arguments = "{}"
	}
	a.size += len(call.Name) + len(arguments)
	a.calls = append(a.calls, llm.Call{Name: call.Name, Arguments: arguments, ProviderState: call.ID})
	return nil
}

// tooLong reports whether the calls are too long or too many.
func (a *asked) tooLong() bool { return a != nil && (a.size > maxCalls || len(a.calls) > mostCalls) }

// end returns the calls of a reply, and its parts as a JSON array, which is empty if it is too long
// to store.
func (a *asked) end(string) (calls []llm.Call, parts string) {
	switch {
	case a == nil || len(a.calls) == 0:
		return nil, ""
	case a.kept <= maxParts:
		return a.calls, "[" + strings.Join(a.parts, ",") + "]"
	}
	for i := range a.calls {
		a.calls[i].ProviderState = ""
	}
	return a.calls, ""
}

// compact returns valid JSON without its white space, as valid UTF-8.
func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	_ = json.Compact(&b, raw) // empty for an absent value
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

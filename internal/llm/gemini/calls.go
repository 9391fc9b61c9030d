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

// storedCopies is the number of copies of a part in memory: raw, as a call, and in the list of
// parts.
const storedCopies = 3

// replyCalls collects the calls of a reply, and its parts verbatim: Gemini requires the signatures
// of its thoughts back with the results.
type replyCalls struct {
	hold  *memory.Hold
	calls []llm.Call
	parts []string
	// size and stored are in bytes; see maxCalls.
	size, stored int
}

// add stores a part. Its arguments stay text, because a number may be larger than any type.
func (a *replyCalls) add(raw json.RawMessage) error {
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
	if err := a.hold.Grow(int64(len(raw)) * storedCopies); err != nil {
		return fmt.Errorf("%w: %w", llm.ErrAnswered, err)
	}
	// Gemini refuses these two.
	if stored := compact(raw); stored != "null" && stored != `{"text":""}` {
		a.stored += len(stored)
		a.parts = append(a.parts, stored)
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
func (a *replyCalls) tooLong() bool {
	return a != nil && (a.size > maxCalls || len(a.calls) > mostCalls)
}

// end returns the calls of a reply, and its parts as a JSON array, which is empty if it is too long
// to store.
func (a *replyCalls) end(string) (calls []llm.Call, parts string) {
	switch {
	case a == nil || len(a.calls) == 0:
		return nil, ""
	case a.stored <= maxParts:
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

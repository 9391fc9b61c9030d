package openai

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/llm"
	"agentchat/internal/memory"
	"agentchat/internal/schema"
)

const (
	// maxCalls bounds the names and arguments of a reply's calls, and maxExtra the rest of its
	// message, in bytes.
	maxCalls, maxExtra = schema.MaxReply, schema.MaxReply
	// mostCalls bounds the number of calls in a reply. No agent takes nearly as many.
	mostCalls = 64
)

// storedCopies is the number of copies of a message in memory: the parts, the assembled members,
// and the encoded message.
const storedCopies = 3

// replyCalls assembles the calls of a reply and the message that is sent back with their results,
// from the deltas of a stream or from a whole answer. Servers differ in how they separate calls;
// see call.isOver.
type replyCalls struct {
	hold *memory.Hold
	// before counts the calls in the request; used holds their ids.
	before int
	used   map[string]bool
	calls  []*call
	slots  map[int]*call
	// message holds all members except the standard ones, so that the model gets its reasoning back.
	message members
	// size and extra are in bytes; see maxCalls.
	size, extra int
}

func newReplyCalls(req llm.Request) *replyCalls {
	a := &replyCalls{
		hold:    req.Memory,
		used:    map[string]bool{},
		slots:   map[int]*call{},
		message: members{},
	}
	for _, s := range req.Steps {
		for _, c := range s.Calls {
			a.before++
			a.used[c.ProviderState] = true
		}
	}
	return a
}

// object is a JSON object whose members are not decoded.
type object map[string]json.RawMessage

// read adds a chunk of a stream, or a whole answer.
func (a *replyCalls) read(data []byte) error {
	var c struct {
		Choices []struct {
			Index   any    `json:"index"`
			Delta   object `json:"delta"`
			Message object `json:"message"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return err
	}
	for _, choice := range c.Choices {
		if choice.Index != nil && choice.Index != 0.0 {
			continue
		}
		delete(choice.Delta, "content") // the text of the reply is collected elsewhere
		if err := a.add(choice.Delta, false); err != nil {
			return err
		}
		if err := a.add(choice.Message, true); err != nil {
			return err
		}
	}
	return nil
}

// add adds a delta, or a whole message.
func (a *replyCalls) add(of object, whole bool) error {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		raw := of[name]
		if string(raw) == "null" || name == "role" || name == "refusal" {
			continue
		}
		if err := a.hold.Grow(int64(len(raw)) * storedCopies); err != nil {
			return fmt.Errorf("%w: %w", llm.ErrAnswered, err)
		}
		if name != "tool_calls" {
			a.extra += len(raw)
			a.message.add(name, raw)
			continue
		}
		var deltas []object
		if err := json.Unmarshal(raw, &deltas); err != nil {
			return err
		}
		for _, d := range deltas {
			if !a.tooLong() {
				a.addCall(d, whole)
			}
		}
	}
	return nil
}

// addCall adds a part of a call, or a whole one.
func (a *replyCalls) addCall(of object, whole bool) {
	var function object
	_ = json.Unmarshal(of["function"], &function) // a part may have none
	p := part{id: text(of["id"]), name: text(function["name"]), arguments: text(function["arguments"])}
	p.index, p.indexed = number(of["index"])
	c := a.slot(p)
	if c == nil || whole || c.isOver(p) {
		c = &call{others: object{}, inFunction: object{}}
		a.calls = append(a.calls, c)
		if p.indexed {
			a.slots[p.index] = c
		}
	}
	if c.id == "" {
		c.id = p.id
	}
	if c.name == "" {
		c.name = p.name
	}
	c.arguments.WriteString(p.arguments)
	c.end.read(p.arguments)
	a.size += len(p.name) + len(p.arguments)
	a.extra += len(p.id) + c.keep(of, function)
}

// slot returns the call that a part may belong to, or nil.
func (a *replyCalls) slot(p part) *call {
	if p.indexed {
		return a.slots[p.index]
	}
	for _, c := range slices.Backward(a.calls) {
		if p.id == "" || c.id == p.id {
			return c
		}
	}
	if len(a.calls) == 0 {
		return nil
	}
	return a.calls[len(a.calls)-1]
}

// any reports whether there are calls.
func (a *replyCalls) any() bool { return a != nil && len(a.calls) > 0 }

// tooLong reports whether the calls are too long or too many.
func (a *replyCalls) tooLong() bool {
	return a != nil && (a.size > maxCalls || len(a.calls) > mostCalls)
}

// isCut reports whether the arguments of a call have begun but not ended.
func (a *replyCalls) isCut() bool {
	return a != nil && slices.ContainsFunc(a.calls, func(c *call) bool { return c.end.depth > 0 })
}

// end returns the calls of a reply with a text, and the reply's message, which is empty if it is
// too long to store.
func (a *replyCalls) end(text string) (calls []llm.Call, message string) {
	if !a.any() {
		return nil, ""
	}
	var sent []any
	for _, c := range a.calls {
		arguments := strings.TrimSpace(c.arguments.String())
		if c.name == "" && arguments == "" {
			continue
		}
		id := c.id
		// Some servers send none, or repeat one.
		for n := a.before + len(calls) + 1; id == "" || a.used[id]; n += 1000 {
			id = idOf(n)
		}
		a.used[id] = true
		if arguments == "" {
			arguments = "{}"
		}
		calls = append(calls, llm.Call{Name: c.name, Arguments: arguments, ProviderState: id})
		sent = append(sent, c.message(id, arguments))
	}
	if a.extra <= maxExtra && len(calls) > 0 {
		message = a.encoded(text, sent)
	}
	if message == "" {
		for i := range calls {
			calls[i].ProviderState = ""
		}
	}
	return calls, message
}

// encoded returns the message with its calls as JSON, or "" if it cannot be encoded.
func (a *replyCalls) encoded(text string, calls []any) string {
	message := a.message.values()
	if _, whole := message["content"]; !whole {
		message["content"] = nil
		if text != "" {
			message["content"] = text
		}
	}
	message["role"], message["tool_calls"] = "assistant", calls
	data, err := jsonv2.Marshal(message, jsonv2.Deterministic(true), jsontext.AllowInvalidUTF8(true),
		jsontext.AllowDuplicateNames(true))
	if err != nil {
		return ""
	}
	return string(data)
}

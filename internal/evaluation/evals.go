package evaluation

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/fault"
)

// isEval reports whether a line has the format of OpenAI Evals rather than this service's.
func isEval(line []byte) bool {
	var members map[string]jsontext.Value
	return unmarshal("", line, &members) == nil && members["message"] == nil &&
		(members["input"] != nil || members["item"] != nil)
}

// readEval adds the case of a line of OpenAI Evals: its last user message, the earlier pairs as
// history, and a check that the reply contains the ideal one.
func (in *importer) readEval(number int, line []byte) *fault.Field {
	e := eval{}
	if problem := checkTokens(line); problem != nil {
		return problem
	}
	if problem := e.readMembers("", line); problem != nil {
		return problem
	}
	c, problem := e.toCase()
	if problem == nil {
		problem = in.unsupported(number, e.unsupported)
	}
	if problem != nil {
		return problem
	}
	return in.build(c)
}

// eval is a line of OpenAI Evals.
type eval struct {
	messages []evalMessage
	ideal    Texts
	// unsupported has the paths of members that a case cannot have.
	unsupported []string
}

type evalMessage struct {
	path, role, text string
}

// readMembers reads the object at a path: the line, or its member item.
func (e *eval) readMembers(path string, object []byte) *fault.Field {
	var members map[string]jsontext.Value
	if problem := unmarshal(path, object, &members); problem != nil {
		return problem
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		at, problem := join(path, name), (*fault.Field)(nil)
		switch {
		case name == "item" && path == "":
			problem = e.readMembers(at, members[name])
		case name == "input":
			problem = e.readInput(at, members[name])
		case name == "ideal":
			problem = unmarshal(at, members[name], &e.ideal)
		default:
			e.unsupported = append(e.unsupported, cut(at))
		}
		if problem != nil {
			return problem
		}
	}
	return nil
}

// readInput reads a message, or a list of messages.
func (e *eval) readInput(path string, input jsontext.Value) *fault.Field {
	if input.Kind() == '"' {
		m := evalMessage{path: path, role: "user"}
		problem := unmarshal(path, input, &m.text)
		e.messages = append(e.messages, m)
		return problem
	}
	var list []map[string]jsontext.Value
	if problem := unmarshal(path, input, &list); problem != nil {
		return problem
	}
	for i, members := range list {
		m := evalMessage{path: fmt.Sprintf("%s.%d", path, i)}
		if problem := unmarshal(m.path+".role", orNull(members["role"]), &m.role); problem != nil {
			return problem
		}
		switch m.role {
		case "user", "assistant":
		case "":
			return bad(m.path+".role", fault.Missing, " is missing. Write user or assistant.")
		default:
			e.unsupported = append(e.unsupported, cut(m.path+" with the role "+m.role))
			continue
		}
		if problem := unmarshal(m.path+".content", orNull(members["content"]), &m.text); problem != nil {
			return problem
		}
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if name != "role" && name != "content" {
				e.unsupported = append(e.unsupported, cut(m.path+"."+name))
			}
		}
		e.messages = append(e.messages, m)
	}
	return nil
}

// orNull returns the value of a member, or null if it is absent.
func orNull(value jsontext.Value) jsontext.Value {
	if value == nil {
		return jsontext.Value("null")
	}
	return value
}

// toCase returns the case, which is not validated yet.
func (e *eval) toCase() (c Case, problem *fault.Field) {
	for i, m := range e.messages {
		want := "user"
		if i%2 == 1 {
			want = "assistant"
		}
		if m.role != want {
			return c, bad(m.path, fault.InvalidValue,
				" must be a message of the role "+want+": user and assistant take turns. Correct the order.")
		}
	}
	n := len(e.messages)
	if n%2 == 0 {
		return c, bad("input", fault.Missing, " must end with a message of the role user. Add it.")
	}
	for i := 0; i+1 < n; i += 2 {
		c.History = append(c.History, Exchange{e.messages[i].text, e.messages[i+1].text})
	}
	c.Message = e.messages[n-1].text
	if len(e.ideal) > 0 {
		c.Checks = []Check{{Type: Contains, Text: e.ideal}}
	}
	return c, nil
}

package foreign

import (
	"regexp"
	"strings"
)

// theMessage replaces references to the user's message.
const theMessage = "the user's message"

var (
	// reference is a reference of Dify, such as {{#start.city#}}.
	reference = regexp.MustCompile(`\{\{#([^#{}]{1,200})#\}\}`)
	// placeholder is a place for a value, such as {{ city }}.
	placeholder = regexp.MustCompile(`\{\{[ \t]*([^#{}\s][^#{}\n]{0,200}?)[ \t]*\}\}`)
)

// texts turns Dify's texts into instructions.
type texts struct {
	*draft

	// start is the id of the start node, and knowledge that of a knowledge node; empty for none.
	start, knowledge string
	// message is the input that is the message; empty for Dify's own.
	message string
}

// only returns the reference if the text consists of nothing else, otherwise an empty string.
func only(raw string) string {
	raw = strings.TrimSpace(raw)
	if found := reference.FindStringSubmatch(raw); found != nil && found[0] == raw {
		return found[1]
	}
	return ""
}

func isQuery(ref string) bool { return ref == "sys.query" || ref == "query" }

// input returns the name of the input that a reference means; empty for others.
func (t *texts) input(ref string) string {
	id, name, _ := strings.Cut(ref, ".")
	if t.start != "" && (id == t.start || id == "start") {
		return name
	}
	return ""
}

// convert replaces the references in a text. It notes the references that have no meaning here.
func (t *texts) convert(n *node, raw string) string {
	return reference.ReplaceAllStringFunc(raw, func(found string) string {
		ref := strings.Trim(found, "{}#")
		name := t.input(ref)
		id, _, _ := strings.Cut(ref, ".")
		switch {
		case isQuery(ref), name != "" && name == t.message:
			return theMessage
		case ref == "context", ref == "histories", t.knowledge != "" && id == t.knowledge:
			return ""
		case t.names[name] != "":
			return "{{" + t.names[name] + "}}"
		}
		t.leftOut(n, "The text refers to “%s”. The reference is removed.", short(ref))
		return ""
	})
}

// system adds the text of a system message to the instructions.
func (t *texts) system(n *node, raw string) { t.instruct(t.convert(n, raw)) }

// user adds the text around the user's message to the instructions, unless it is only the message.
func (t *texts) user(n *node, raw string) {
	ref := only(raw)
	switch name := t.input(ref); {
	case strings.TrimSpace(raw) == "", isQuery(ref), name != "" && name == t.message:
		return
	}
	if converted := strings.TrimSpace(t.convert(n, raw)); converted != "" && converted != theMessage {
		t.instruct(converted)
		t.changed(n, "The text of the user's message is added to the instructions.")
	}
}

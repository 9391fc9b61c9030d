package foreign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"agentchat/internal/agent"
	"agentchat/internal/schema"
)

// anyObject is the schema of an action whose parameters are not known.
const anyObject = `{"type":"object"}`

// addAction declares a tool as an action. parameters is a JSON Schema. n is where notes point.
func (d *draft) addAction(n *node, name, description, parameters string) {
	if len(d.head.Actions) == agent.MaxActions {
		d.leftOut(n, "The tool “%s” is left out: an agent can have at most 16 actions.", short(name))
		return
	}
	own := d.actionName(name)
	d.changed(n, "The tool “%s” is the action “%s”. Your program must run it.", short(name), own)
	if strings.TrimSpace(description) == "" {
		description = name
	}
	if strings.TrimSpace(description) == "" {
		description = own
	}
	if !d.fits(parameters) {
		d.changed(n, "The action “%s” takes any object: its parameters use unsupported features.", own)
		parameters = anyObject
	}
	var indented bytes.Buffer
	if parameters != anyObject && json.Indent(&indented, []byte(parameters), "", "  ") == nil && d.fits(indented.String()) {
		parameters = indented.String()
	}
	d.head.Actions = append(d.head.Actions, agent.Action{
		Name:        own,
		Description: d.cut(n, description, "The action's description", agent.MaxActionDescription),
		Parameters:  parameters,
	})
}

// fits reports whether a schema is supported, and small enough next to the others.
func (d *draft) fits(text string) bool {
	size := len(text)
	for _, a := range d.head.Actions {
		size += len(a.Parameters)
	}
	if d.head.ReplySchema != nil {
		size += len(*d.head.ReplySchema)
	}
	if size > agent.MaxSchemas {
		return false
	}
	_, err := schema.Parse(text)
	return err == nil
}

// camel matches the border of two words in a name such as findOrder.
var camel = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// actionName turns the name of a tool into a free name of an action.
func (d *draft) actionName(tool string) string {
	name := replaceOthers(strings.ToLower(camel.ReplaceAllString(tool, "${1}_$2")), func(c rune) bool {
		return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z'
	})
	name = strings.Trim(name, "_")
	if name == "" || name[0] < 'a' {
		name = strings.TrimSuffix("tool_"+name, "_")
	}
	name = name[:min(len(name), 44)] // room for a number
	for n, first := 2, name; d.hasAction(name); n++ {
		name = fmt.Sprintf("%s_%d", first, n)
	}
	return name
}

func (d *draft) hasAction(name string) bool {
	for _, a := range d.head.Actions {
		if a.Name == name {
			return true
		}
	}
	return false
}

// setReplySchema sets the schema of replies.
func (d *draft) setReplySchema(n *node) {
	text := n.json()
	if !d.fits(text) {
		d.leftOut(n, "The schema of replies is left out: it uses unsupported features.")
		return
	}
	d.head.ReplySchema = &text
}

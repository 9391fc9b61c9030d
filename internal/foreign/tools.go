package foreign

import (
	"fmt"
	"slices"
	"strings"
)

// readAgentTool reads a tool of an app in agent mode. The file does not contain the types of its parameters.
func (d *draft) readAgentTool(tool *node) {
	if tool == nil || tool.kind != objectKind {
		return
	}
	if set := tool.get("dataset"); set != nil {
		if set.get("enabled").isTrue() {
			d.noDocuments(set)
		}
		return
	}
	name := tool.get("tool_name").text()
	if name == "" && len(tool.names) == 1 { // of early versions
		name, tool = tool.names[0], tool.children[0]
	}
	if d.isOff(tool, name) {
		return
	}
	d.addAction(tool, name, tool.get("tool_label").text(), anyObject)
	d.leaveOutFixed(tool.get("tool_parameters"))
}

// isOff notes a tool that its app does not use.
func (d *draft) isOff(tool *node, name string) bool {
	enabled := tool.get("enabled")
	if enabled == nil || enabled.isTrue() {
		return false
	}
	d.leftOut(tool, "The tool “%s” is off, so it is left out.", short(name))
	return true
}

// leaveOutFixed notes the fixed values of a tool by their names.
func (d *draft) leaveOutFixed(values *node) {
	if values == nil || values.kind != objectKind {
		return
	}
	for i, value := range values.children {
		if value.kind == objectKind {
			if value.get("auto").text() == "1" {
				continue // the model chooses it
			}
			value = first(value.get("value"), value)
		}
		if value.isOn() {
			d.leftOut(values.children[i], "The fixed value of “%s” is left out.", short(values.names[i]))
		}
	}
}

// readNodeTool reads a tool of an agent node.
func (t *texts) readNodeTool(tool *node) {
	if tool == nil || tool.kind != objectKind {
		return
	}
	name := tool.get("tool_name").text()
	if t.isOff(tool, name) {
		return
	}
	description := ""
	for _, n := range []*node{
		tool.get("extra", "description"), tool.get("tool_description"), tool.get("tool_label"),
	} {
		if description == "" && n.isOn() {
			description = n.text()
		}
	}
	t.addAction(tool, name, description, parametersOf(tool))
	t.leaveOutFixed(tool.get("parameters"))
	t.leaveOutFixed(tool.get("settings"))
}

// parametersOf returns the JSON Schema of the parameters that a tool lets the model choose. It is
// invalid if a parameter has no JSON type.
func parametersOf(tool *node) string {
	var properties, required []string
	for _, p := range tool.get("schemas").items() {
		name := p.get("name").text()
		chosen := tool.get("parameters", name, "auto")
		if p.get("form").text() != "llm" || chosen != nil && chosen.text() != "1" {
			continue
		}
		member := quoted(name) + ":" + parameter(p)
		if slices.Contains(properties, member) {
			continue
		}
		properties = append(properties, member)
		if p.get("required").isTrue() {
			required = append(required, quoted(name))
		}
	}
	if len(properties) == 0 {
		return anyObject
	}
	out := fmt.Sprintf(`{"type":"object","properties":{%s}`, strings.Join(properties, ","))
	if len(required) > 0 {
		out += fmt.Sprintf(`,"required":[%s]`, strings.Join(required, ","))
	}
	return out + "}"
}

// parameter returns the JSON Schema of a parameter.
func parameter(p *node) string {
	var parts []string
	switch kind := p.get("type").text(); kind {
	case "select":
		var options []string
		for _, option := range p.get("options").items() {
			options = append(options, quoted(option.get("value").text()))
		}
		parts = []string{`"type":"string"`}
		if len(options) > 0 {
			parts = append(parts, `"enum":[`+strings.Join(options, ",")+"]")
		}
	case "text-input":
		parts = []string{`"type":"string"`}
	default:
		parts = []string{`"type":` + quoted(kind)}
	}
	description := p.get("llm_description")
	if !description.isOn() {
		description = p.get("human_description", "en_US")
	}
	if description.isOn() {
		parts = append(parts, `"description":`+quoted(description.text()))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

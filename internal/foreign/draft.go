package foreign

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/internal/agent"
	"agentchat/internal/agentfile"
)

// noName is the name of an agent whose file has none.
const noName = "Imported agent"

// draft is a draft that is being read from a file.
type draft struct {
	head  agentfile.Head
	notes []Note
	// names are the variables' names in the draft, by those in the file.
	names map[string]string
	// pieces are the parts of the instructions.
	pieces []string
}

func newDraft() *draft {
	return &draft{
		head:  agentfile.Head{Settings: agent.DefaultSettings()},
		names: map[string]string{},
	}
}

func (d *draft) changed(n *node, format string, args ...any) {
	d.note(n, Changed, format, args...)
}

func (d *draft) leftOut(n *node, format string, args ...any) {
	d.note(n, LeftOut, format, args...)
}

func (d *draft) note(n *node, kind NoteKind, format string, args ...any) {
	d.notes = append(d.notes, Note{
		Line:    n.line,
		Path:    n.path(),
		Kind:    kind,
		Message: fmt.Sprintf(format, args...),
	})
}

// leaveOutByName notes each value of an object that is on and whose name is not known.
func (d *draft) leaveOutByName(n *node, known map[string]bool) {
	if n == nil || n.kind != objectKind {
		return
	}
	for i, name := range n.names {
		if !known[name] && n.children[i].isOn() {
			d.leftOut(n.children[i], "“%s” is left out.", short(name))
		}
	}
}

// cut returns at most limit characters of a text, and notes what it cuts.
func (d *draft) cut(n *node, text, what string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	d.changed(n, "%s is cut to %s characters.", what, thousands(limit))
	return string([]rune(text)[:limit])
}

// thousands writes a number below a million with a comma.
func thousands(n int) string {
	if n < 1_000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d,%03d", n/1_000, n%1_000)
}

// setName sets the agent's name and description.
func (d *draft) setName(name, description *node) {
	line := strings.Join(strings.FieldsFunc(name.text(), func(c rune) bool {
		return unicode.IsControl(c) || unicode.IsSpace(c)
	}), " ")
	if line == "" {
		line = noName
	}
	d.head.Name = strings.TrimSpace(d.cut(name, line, "The name", agent.MaxName))
	d.head.Description = d.cut(description, description.text(), "The description",
		agent.MaxDescription)
}

// instruct adds a part of the instructions.
func (d *draft) instruct(text string) {
	if text = strings.TrimSpace(text); text != "" {
		d.pieces = append(d.pieces, text)
	}
}

// finish sets the instructions from their parts. n is where they end.
func (d *draft) finish(n *node) {
	d.head.Instructions = d.cut(n, strings.Join(d.pieces, "\n\n"), "The text of the instructions",
		agent.MaxInstructions)
}

// setModel sets the model as provider/name.
func (d *draft) setModel(n *node, provider, name string) {
	provider = provider[strings.LastIndexByte(provider, '/')+1:] // a plugin's is author/plugin/provider
	model := strings.TrimSpace(provider) + "/" + strings.TrimSpace(name)
	if strings.HasPrefix(model, "/") || strings.HasSuffix(model, "/") {
		return
	}
	if !agentfile.IsModelName(model) {
		d.leftOut(n, "The model is left out: its name is too long or has control characters.")
		return
	}
	d.head.Model = &model
}

// setTemperature and setMaxTokens set numbers that are within our limits.
func (d *draft) setTemperature(n *node) {
	if !n.isOn() {
		return
	}
	value, err := strconv.ParseFloat(n.text(), 64)
	if err != nil || math.IsNaN(value) || value < 0 || value > agent.MaxTemperature {
		d.leftOut(n, "The temperature is left out: it is not a number from 0 to 2.")
		return
	}
	d.head.Temperature = &value
}

func (d *draft) setMaxTokens(n *node) {
	if !n.isOn() {
		return
	}
	value, err := strconv.ParseFloat(n.text(), 64)
	if err != nil || value != math.Trunc(value) || value < 1 || value > agent.MaxMaxOutputTokens {
		d.leftOut(n, "The maximum number of output tokens is left out: it is not from 1 to 1,000,000.")
		return
	}
	d.head.MaxOutputTokens = new(int(value))
}

// addVariable declares a variable. n is its name in the file.
func (d *draft) addVariable(n *node, description string, required bool, value *node) {
	name := n.text()
	if _, known := d.names[name]; known || strings.TrimSpace(name) == "" {
		return
	}
	if len(d.head.Variables) == agent.MaxVariables {
		d.leftOut(n, "The variable “%s” is left out: an agent can have at most 32.", short(name))
		return
	}
	own := d.freeName(variableName(name))
	if own != name {
		d.changed(n, "The variable “%s” is now “%s”.", short(name), short(own))
	}
	d.names[name] = own
	v := agent.Variable{
		Name:        own,
		Description: d.cut(n, description, "The variable's description", agent.MaxVariableDescription),
		Required:    required,
	}
	switch used := value.text(); {
	case !value.isOn():
	case utf8.RuneCountInString(used) > agent.MaxVariableValue:
		d.leftOut(value, "The default value is left out: it is longer than 4,000 characters.")
	default:
		v.Default, v.Required = &used, false
	}
	d.head.Variables = append(d.head.Variables, v)
}

// freeName returns a name of a variable that no other one has.
func (d *draft) freeName(name string) string {
	for n, first := 2, name; ; n++ {
		taken := false
		for _, v := range d.head.Variables {
			taken = taken || v.Name == name
		}
		if !taken {
			return name
		}
		name = fmt.Sprintf("%.58s_%d", first, n)
	}
}

// variableName turns a text into the name of a variable.
func variableName(text string) string {
	name := replaceOthers(text, func(c rune) bool {
		return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	})
	if !agent.IsVariableName(name) {
		name = "_" + name
	}
	return name[:min(len(name), 64)]
}

// replaceOthers replaces each run of other characters by an underscore.
func replaceOthers(text string, keep func(c rune) bool) string {
	var out strings.Builder
	replaced := false
	for _, c := range text {
		switch {
		case keep(c):
			out.WriteRune(c)
			replaced = false
		case !replaced:
			out.WriteByte('_')
			replaced = true
		}
	}
	return out.String()
}

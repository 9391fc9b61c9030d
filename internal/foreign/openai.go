package foreign

import (
	"math"
	"strconv"
	"strings"

	"agentchat/internal/agent"
)

// wholeNumber reads a whole number.
func wholeNumber(text string) (int, bool) {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || value != math.Trunc(value) || math.Abs(value) > math.MaxInt32 {
		return 0, false
	}
	return int(value), true
}

// Names of an assistant and of a request that are read, or that mean nothing here.
var (
	assistantNames = map[string]bool{
		"id": true, "object": true, "created_at": true, "name": true, "description": true,
		"instructions": true, "model": true, "temperature": true, "tools": true,
		"response_format": true,
	}
	promptNames = map[string]bool{
		"name": true, "description": true, "instructions": true, "model": true, "temperature": true,
		"max_output_tokens": true, "tools": true, "text": true, "input": true, "prompt": true,
		"stream": true, "store": true,
	}
)

// readAssistant reads an OpenAI assistant, as its API returns it.
func (d *draft) readAssistant(root *node) error {
	if object := root.get("object"); object.text() != "assistant" {
		return refused(first(object, root).line, "This is not an OpenAI assistant: its “object” is not “assistant”.")
	}
	d.setName(root.get("name"), root.get("description"))
	d.setOpenAIModel(root.get("model"))
	d.setTemperature(root.get("temperature"))
	d.readFunctions(root.get("tools"))
	d.readReplyFormat(root.get("response_format"))
	d.leaveOutByName(root, assistantNames)
	d.instruct(root.get("instructions").text())
	d.finish(root)
	return nil
}

// readPrompt reads the body of a request to OpenAI's Responses API.
func (d *draft) readPrompt(root *node) error {
	prompt, input := root.get("prompt"), root.get("input")
	if !root.get("instructions").isOn() && !input.isOn() && prompt.get("id").isOn() {
		return refused(prompt.line, "The file names a prompt but does not contain it.")
	}
	d.setName(root.get("name"), root.get("description"))
	d.setOpenAIModel(root.get("model"))
	d.setTemperature(root.get("temperature"))
	d.setMaxTokens(root.get("max_output_tokens"))
	d.readFunctions(root.get("tools"))
	d.readReplyFormat(root.get("text", "format"))
	if prompt != nil && prompt.kind == textKind {
		d.readInstructions(prompt, prompt.text())
	} else if prompt.isOn() {
		d.leftOut(prompt, "The file names a prompt but does not contain it.")
	}
	d.readInstructions(root.get("instructions"), root.get("instructions").text())
	if input != nil && input.kind == textKind {
		d.readTemplate(input, input.text())
	}
	for _, message := range input.items() {
		d.readMessage(message)
	}
	d.leaveOutByName(root, promptNames)
	d.finish(root)
	if len(d.pieces) == 0 {
		return refused(root.line, "The file has no instructions.")
	}
	return nil
}

// setOpenAIModel sets a model whose name has no provider.
func (d *draft) setOpenAIModel(n *node) {
	if name := n.text(); strings.Contains(name, "/") {
		provider, model, _ := strings.Cut(name, "/")
		d.setModel(n, provider, model)
	} else {
		d.setModel(n, "openai", name)
	}
}

// readInstructions adds a text to the instructions, and declares each {{x}} of it as a variable.
func (d *draft) readInstructions(n *node, raw string) {
	for _, found := range placeholder.FindAllStringSubmatch(raw, -1) {
		name := found[1]
		if _, known := d.names[name]; !known && agent.IsVariableName(name) {
			d.addVariable(&node{kind: textKind, line: n.line, scalar: name, parent: n.parent, at: n.at},
				"", true, nil)
		}
	}
	d.instruct(d.renamed(raw))
}

// readTemplate reads the text of a user's message: a text that is only a placeholder is the message,
// and a text without a placeholder is an example.
func (d *draft) readTemplate(n *node, raw string) {
	raw = strings.TrimSpace(raw)
	found := placeholder.FindString(raw)
	switch {
	case raw == "", found == raw:
	case found == "":
		d.leftOut(n, "The user's message is left out: your program sends its own.")
	default:
		d.readInstructions(n, raw)
		d.changed(n, "The text of the user's message is added to the instructions.")
	}
}

// readMessage reads an item of the input.
func (d *draft) readMessage(message *node) {
	content := message.get("content")
	parts := content.items()
	if content != nil && content.kind == textKind {
		parts = []*node{content}
	}
	role := message.get("role").text()
	if role == "" {
		d.leftOut(message, "This item of the input is left out: it is not a message.")
	}
	for _, part := range parts {
		n := part
		if part.kind == objectKind {
			n = part.get("text")
		}
		switch {
		case n == nil:
			d.leftOut(part, "This part of the message is left out: it is not text.")
		case role == "system" || role == "developer":
			d.readInstructions(n, n.text())
		case role == "user":
			d.readTemplate(n, n.text())
		case role != "":
			d.leftOut(n, "The assistant's text is left out.")
		}
	}
}

// readFunctions reads the tools: functions become actions.
func (d *draft) readFunctions(tools *node) {
	for _, tool := range tools.items() {
		if kind := tool.get("type"); kind.text() != "function" {
			d.leftOut(tool, "The tool “%s” is left out.", short(kind.text()))
			continue
		}
		function := first(tool.get("function"), tool) // an assistant's is nested
		parameters := anyObject
		if p := function.get("parameters"); p.isOn() {
			parameters = p.json()
		}
		d.addAction(tool, function.get("name").text(), function.get("description").text(), parameters)
	}
}

// readReplyFormat reads the format of replies: a schema, or text.
func (d *draft) readReplyFormat(n *node) {
	kind := n.get("type").text()
	if n != nil && n.kind == textKind {
		kind = n.text()
	}
	switch kind {
	case "", "text", "auto":
	case "json_schema":
		// an assistant's is nested
		if schema := first(n.get("json_schema", "schema"), n.get("schema")); schema.isOn() {
			d.setReplySchema(schema)
			return
		}
		d.leftOut(n, "The format of replies is left out: it has no schema.")
	default:
		d.leftOut(n, "The format of replies is left out: it has no schema.")
	}
}

package foreign

import (
	"fmt"
	"strings"

	"agentchat/internal/agent"
)

// straight is the advice for graphs with more than one model call.
const straight = "Only a straight line with one model call becomes an agent."

// chain is a graph that is one model call: its nodes by role. knowledge is nil for none.
type chain struct{ start, knowledge, model, end *node }

// readWorkflow reads an app with a graph. Fault: InvalidInput, see chainOf.
func (d *draft) readWorkflow(root *node) error {
	workflow := root.get("workflow")
	graph := workflow.get("graph")
	if len(graph.get("nodes").items()) == 0 {
		return refused(root.get("app").line, "The app has no graph with nodes.")
	}
	c, err := chainOf(graph)
	if err != nil {
		return err
	}
	d.leaveOutVariables(workflow, "conversation")
	d.leaveOutVariables(workflow, "environment")
	d.leaveOutFeatures(workflow.get("features"))
	if c.knowledge != nil {
		d.noDocuments(c.knowledge.get("data"))
	}
	t := &texts{draft: d, start: c.start.get("id").text(), knowledge: c.knowledge.get("id").text()}
	data := c.model.get("data")
	user := userTexts(data, root.get("app", "mode").text() == "advanced-chat")
	t.message = t.messageOf(user)
	for _, input := range c.start.get("data", "variables").items() {
		if name := input.get("variable"); t.message != "" && name.text() == t.message {
			d.changed(name, "The input “%s” is the message.", short(t.message))
			continue
		}
		d.readInput(input, input.get("type").text())
	}
	if data.get("type").text() == "agent" {
		t.readAgentNode(data)
	} else {
		t.readModelNode(data)
	}
	d.readMemory(data.get("memory"))
	d.finish(data)
	return nil
}

func typeOf(n *node) string { return n.get("data", "type").text() }

// chainOf returns the parts of a graph that is one model call: start, knowledge-retrieval if there is
// one, llm or agent, and answer or end with only its text. Fault: InvalidInput for other graphs.
func chainOf(graph *node) (c chain, err error) {
	var extra []*node
	for _, n := range graph.get("nodes").items() {
		role := c.role(typeOf(n))
		switch {
		case n.get("type").text() == "custom-note" || typeOf(n) == "":
		case role == nil || *role != nil:
			extra = append(extra, n)
		default:
			*role = n
		}
	}
	switch {
	case len(extra) > 0:
		return c, refused(extra[0].get("data").line, "This app also has %s. %s", counted(extra), straight)
	case c.start == nil:
		return c, refused(graph.line, "This app has no start node. %s", straight)
	case c.model == nil:
		return c, refused(graph.line, "This app has no llm or agent node. %s", straight)
	case c.end == nil:
		return c, refused(graph.line, "This app has no answer or end node. %s", straight)
	case !c.connected(graph.get("edges")):
		return c, refused(graph.line, "The nodes are not connected in a straight line. %s", straight)
	}
	if n := c.otherText(); n != nil {
		return c, refused(n.line, "This app answers with more than the model's text. %s", straight)
	}
	return c, nil
}

// role returns the field for nodes of a type; nil for other types.
func (c *chain) role(kind string) **node {
	switch kind {
	case "start":
		return &c.start
	case "knowledge-retrieval":
		return &c.knowledge
	case "llm", "agent":
		return &c.model
	case "answer", "end":
		return &c.end
	}
	return nil
}

// counted lists nodes by type, such as "3 if-else and 2 code nodes".
func counted(nodes []*node) string {
	const most = 5 // types
	var types []string
	count := map[string]int{}
	for _, n := range nodes {
		name := short(typeOf(n))
		if count[name]++; count[name] == 1 {
			types = append(types, name)
		}
	}
	var parts []string
	for i, name := range types {
		if i == most {
			parts = append(parts, "other")
			break
		}
		parts = append(parts, fmt.Sprintf("%d %s", count[name], name))
	}
	if last := len(parts) - 1; last > 0 {
		parts = []string{strings.Join(parts[:last], ", "), parts[last]}
	}
	if len(nodes) == 1 {
		return parts[0] + " node"
	}
	return strings.Join(parts, " and ") + " nodes"
}

// connected reports whether the edges lead from the start through all nodes to the end, and nowhere
// else.
func (c *chain) connected(edges *node) bool {
	ids := []string{c.start.get("id").text()}
	if c.knowledge != nil {
		ids = append(ids, c.knowledge.get("id").text())
	}
	ids = append(ids, c.model.get("id").text(), c.end.get("id").text())
	next := map[string]string{}
	for i := range len(ids) - 1 {
		next[ids[i]] = ids[i+1]
	}
	found := map[string]bool{}
	for _, edge := range edges.items() {
		source := edge.get("source").text()
		if next[source] == "" || next[source] != edge.get("target").text() {
			return false
		}
		found[source] = true
	}
	return len(found) == len(next)
}

// otherText returns the place where a graph ends with more than the model's text; nil if it does not.
func (c *chain) otherText() *node {
	data, model := c.end.get("data"), c.model.get("id").text()
	if typeOf(c.end) == "answer" {
		if answer := data.get("answer"); only(answer.text()) != model+".text" {
			return first(answer, data)
		}
		return nil
	}
	outputs := data.get("outputs").items()
	if len(outputs) == 1 {
		if s := outputs[0].get("value_selector").items(); len(s) == 2 && s[0].text() == model &&
			s[1].text() == "text" {
			return nil
		}
	}
	return first(data.get("outputs"), data)
}

// first returns the first value that is not nil.
func first(nodes ...*node) *node {
	for _, n := range nodes {
		if n != nil {
			return n
		}
	}
	return nil
}

// userTexts returns the texts of a model node that make up the user's message. In a chat, a node with
// memory sends the user's message unless it has another text.
func userTexts(data *node, chat bool) (out []string) {
	for _, prompt := range data.get("prompt_template").items() {
		if prompt.get("role").text() == "user" {
			out = append(out, prompt.get("text").text())
		}
	}
	memory := data.get("memory")
	template := memory.get("query_prompt_template").text()
	if chat && memory.isOn() && strings.TrimSpace(template) == "" {
		template = "{{#sys.query#}}"
	}
	return append(out, template, data.get("agent_parameters", "query", "value").text())
}

// messageOf returns the input that is the message: the first one that is a whole text, unless Dify's
// own message is one.
func (t *texts) messageOf(user []string) (input string) {
	for _, raw := range user {
		ref := only(raw)
		if isQuery(ref) {
			return ""
		}
		if name := t.input(ref); input == "" {
			input = name
		}
	}
	return input
}

// readModelNode reads an llm node.
func (t *texts) readModelNode(data *node) {
	t.readModel(data.get("model"), "name")
	if prompts := data.get("prompt_template"); prompts != nil && prompts.kind == objectKind {
		n, raw := t.promptText(prompts)
		t.system(n, raw)
	} else {
		t.readPrompts(prompts)
	}
	if template := data.get("memory", "query_prompt_template"); template.isOn() {
		t.user(template, template.text())
	}
	for _, part := range []struct {
		n        *node
		sentence string
	}{
		{data.get("vision", "enabled"), "Images are left out: messages have no files."},
		{
			data.get("structured_output_enabled"),
			"The structured output is left out. Set a format of replies.",
		},
	} {
		if part.n.isTrue() {
			t.leftOut(part.n, "%s", part.sentence)
		}
	}
}

// agentParameters are the parameters of an agent node that are read, or that only limit its own loop.
var agentParameters = map[string]bool{
	"instruction": true, "query": true, "model": true, "tools": true, "maximum_iterations": true,
}

// readAgentNode reads an agent node.
func (t *texts) readAgentNode(data *node) {
	params := data.get("agent_parameters")
	t.readModel(params.get("model", "value"), "model")
	instruction := params.get("instruction", "value")
	t.system(instruction, t.renamed(instruction.text()))
	query := params.get("query", "value")
	t.user(query, query.text())
	for _, tool := range params.get("tools", "value").items() {
		t.readNodeTool(tool)
	}
	t.leaveOutByName(params, agentParameters)
}

// readMemory sets the number of earlier messages that the model gets: none without a memory, and all of them
// without a window.
func (d *draft) readMemory(memory *node) {
	window := memory.get("window")
	switch {
	case !memory.isOn(), memory.get("enabled").text() == "false":
		d.head.ContextTurns = 0
	case window.get("enabled").isTrue():
		size := window.get("size")
		turns, ok := wholeNumber(size.text())
		switch {
		case !ok || turns < 0:
		case turns > agent.MaxContextTurns:
			d.changed(size, "The agent gets 40 earlier turns, the maximum.")
		default:
			d.head.ContextTurns = turns
		}
	}
}

// leaveOutVariables notes the variables of one kind.
func (d *draft) leaveOutVariables(workflow *node, kind string) {
	for _, v := range workflow.get(kind + "_variables").items() {
		d.leftOut(v, "The %s variable “%s” is left out.", kind, short(v.get("name").text()))
	}
}

package foreign

import "strings"

// readDify reads a Dify app. Fault: InvalidInput for an app that is more than one model call.
func (d *draft) readDify(root *node) error {
	app := root.get("app")
	if app == nil || app.kind != objectKind {
		return refused(root.line, "This is not a Dify app: it has no “app”.")
	}
	d.setName(app.get("name"), app.get("description"))
	switch mode := app.get("mode"); mode.text() {
	case "workflow", "advanced-chat":
		return d.readWorkflow(root)
	case "chat", "agent-chat", "completion":
		return d.readChat(root, mode.text() == "agent-chat")
	}
	return refused(app.line, "Only apps of the modes chat, agent-chat, completion, advanced-chat and workflow are read.")
}

// readChat reads an app without a graph.
func (d *draft) readChat(root *node, hasTools bool) error {
	config := root.get("model_config")
	if config == nil || config.kind != objectKind {
		return refused(root.get("app").line, "The app has no “model_config”.")
	}
	for _, entry := range config.get("user_input_form").items() {
		for i, kind := range entry.names { // one
			d.readInput(entry.children[i], kind)
		}
	}
	d.readModel(config.get("model"), "name")
	t := texts{draft: d}
	if prompts := config.get("chat_prompt_config", "prompt"); config.get("prompt_type").text() ==
		"advanced" && len(prompts.items()) > 0 {
		t.readPrompts(prompts)
	} else if config.get("prompt_type").text() == "advanced" {
		prompt := config.get("completion_prompt_config", "prompt", "text")
		t.system(prompt, t.renamed(prompt.text()))
	} else {
		prompt := config.get("pre_prompt")
		t.system(prompt, t.renamed(prompt.text()))
	}
	agentMode := config.get("agent_mode")
	if hasTools || agentMode.get("enabled").isTrue() {
		for _, tool := range agentMode.get("tools").items() {
			d.readAgentTool(tool)
		}
	}
	if sets := config.get("dataset_configs", "datasets", "datasets"); sets.isOn() {
		d.noDocuments(sets)
	}
	if tools := config.get("external_data_tools"); tools.isOn() {
		d.leftOut(tools, "Tools for external data are left out.")
	}
	d.leaveOutFeatures(config)
	d.finish(config)
	return nil
}

func (d *draft) noDocuments(n *node) {
	d.leftOut(n, "The knowledge base is left out. Add the documents under Knowledge.")
}

// renamed replaces placeholders {{x}} of variables that have another name in the draft.
func (d *draft) renamed(raw string) string {
	return placeholder.ReplaceAllStringFunc(raw, func(found string) string {
		if own := d.names[strings.Trim(found, "{} \t")]; own != "" {
			return "{{" + own + "}}"
		}
		return found
	})
}

// readPrompts reads a list of prompts with roles.
func (t *texts) readPrompts(prompts *node) {
	for _, prompt := range prompts.items() {
		n, raw := t.promptText(prompt)
		switch prompt.get("role").text() {
		case "assistant":
			if n.isOn() {
				t.leftOut(n, "The assistant's text is left out.")
			}
		case "user":
			t.user(n, raw)
		default:
			t.system(n, raw)
		}
	}
}

// promptText returns the text of a prompt, and where it is.
func (t *texts) promptText(prompt *node) (n *node, raw string) {
	n = prompt.get("text")
	if prompt.get("edition_type").text() == "jinja2" {
		n = prompt.get("jinja2_text")
		if n.isOn() {
			t.changed(n, "This is a Jinja template. Its tags are now plain text.")
		}
	}
	return n, t.renamed(n.text())
}

// readInput declares an input of an app as a variable. Its kind is spelt text-input or text_input.
func (d *draft) readInput(input *node, kind string) {
	name := input.get("variable")
	if !name.isOn() {
		return
	}
	description := input.get("label").text()
	if description == name.text() {
		description = ""
	}
	switch strings.ReplaceAll(kind, "_", "-") {
	case "text-input", "paragraph", "":
	case "number", "checkbox":
		d.changed(name, "The input “%s” is now text.", short(name.text()))
	case "select":
		var options []string
		for _, option := range input.get("options").items() {
			options = append(options, option.text())
		}
		description = strings.TrimPrefix(description+": "+strings.Join(options, ", "), ": ")
		d.changed(name, "The options of “%s” are in its description, and any text is accepted.",
			short(name.text()))
	default:
		d.leftOut(name, "The input “%s” is left out: it is not text.", short(name.text()))
		return
	}
	d.addVariable(name, description, input.get("required").isTrue(), input.get("default"))
}

// readModel reads the model with its parameters. name is the field that holds its name.
func (d *draft) readModel(model *node, name string) {
	d.setModel(model, model.get("provider").text(), model.get(name).text())
	params := model.get("completion_params")
	d.setTemperature(params.get("temperature"))
	d.setMaxTokens(params.get("max_tokens"))
	d.leaveOutByName(params, map[string]bool{"temperature": true, "max_tokens": true})
}

// features are the features of an app that are left out if they are on.
var features = []struct {
	path     []string
	sentence string
}{
	{[]string{"opening_statement"}, "The opening statement is left out."},
	{[]string{"suggested_questions"}, "The suggested questions are left out."},
	{
		[]string{"suggested_questions_after_answer", "enabled"},
		"Questions after an answer are left out.",
	},
	{[]string{"speech_to_text", "enabled"}, "Speech is left out."},
	{[]string{"text_to_speech", "enabled"}, "Speech is left out."},
	{[]string{"sensitive_word_avoidance", "enabled"}, "Moderation is left out."},
	{[]string{"annotation_reply", "enabled"}, "Annotations are left out."},
	{[]string{"more_like_this", "enabled"}, "Further answers are left out."},
	{[]string{"file_upload", "enabled"}, "Uploads are left out: messages have no files."},
	{[]string{"file_upload", "image", "enabled"}, "Uploads are left out: messages have no files."},
}

func (d *draft) leaveOutFeatures(n *node) {
	said := map[string]bool{}
	for _, f := range features {
		if found := n.get(f.path...); found.isOn() && !said[f.sentence] {
			said[f.sentence] = true
			d.leftOut(found, "%s", f.sentence)
		}
	}
}

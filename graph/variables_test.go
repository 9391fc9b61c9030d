package graph_test

import (
	"strings"
	"testing"
)

const (
	variableFields = `variables { name description required defaultValue }`
	setVariables   = `mutation($input: UpdateAgentInput!) { updateAgent(input: $input) { agent {
		hasUnpublishedChanges ` + variableFields + ` } } }`
	sayWith = `mutation($input: SendTestMessageInput!) { sendTestMessage(input: $input) { conversation { userId }
		turn { reply userId variables { name value } } } }`
)

func TestVariables(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	mine := u.world(t)
	set := func(list any) answer {
		return u.do(t, setVariables, vars{"input": vars{"id": mine["agent"],
			"instructions": "Plan {{plan}}, name {{name}}.", "variables": list}})
	}
	set([]vars{{"name": "ok"}, {"name": "1a"}}).
		wantFields(t, "a digit first", "variables.1.name invalid_value")
	set([]vars{{"name": "a", "description": strings.Repeat("x", 501), "required": true, "defaultValue": ""}}).
		wantFields(t, "two fields", "variables.0.description too_long", "variables.0.defaultValue not_supported")
	set([]vars{{"name": "plan", "defaultValue": "standard"}, {"name": "name", "description": "Who",
		"required": true}}).wantValues(t, "declared",
		map[string]any{"updateAgent.agent.hasUnpublishedChanges": true, "updateAgent.agent.variables.0.name": "plan",
			"updateAgent.agent.variables.0.defaultValue": "standard", "updateAgent.agent.variables.0.required": false,
			"updateAgent.agent.variables.1.description": "Who", "updateAgent.agent.variables.1.required": true,
			"updateAgent.agent.variables.1.defaultValue": nil})
	u.do(t, `mutation($id: ID!) { publishAgent(input: {id: $id}) { version { `+variableFields+` } } }`,
		vars{"id": mine["agent"]}).
		wantValues(t, "published", map[string]any{"publishAgent.version.variables.1.name": "name"})

	say := func(more vars) answer {
		input := vars{"agentId": mine["agent"], "message": "hello"}
		for k, v := range more {
			input[k] = v
		}
		return u.do(t, sayWith, vars{"input": input})
	}
	for name, c := range map[string]struct {
		more vars
		want string
	}{
		"missing": {nil, "variables.name missing"},
		"undeclared": {vars{"variables": []vars{{"name": "name", "value": "A"}, {
			"name": "other", "value": ""}}}, "variables.other unknown_field"},
		"twice": {vars{"variables": []vars{{"name": "name", "value": "A"}, {
			"name": "name", "value": "B"}}}, "variables.name invalid_value"},
		"no name": {vars{"variables": []vars{{"name": "my name", "value": "A"}}}, "variables invalid_value"},
		"long":    {vars{"variables": []vars{{"name": "name", "value": strings.Repeat("x", 4001)}}}, "variables.name too_long"},
		"no user": {vars{"userId": ""}, "userId empty"},
	} {
		say(c.more).wantFields(t, name, c.want)
	}
	for i, value := range []string{"Ada", "{{plan}} {{name}}", "Chloe"} { // nothing sticks, and nothing is filled in twice
		session := vars{"sessionId": "one", "userId": "u-1", "variables": []vars{{"name": "name", "value": value}}}
		a := say(session).wantNone(t, value)
		a.wantValues(t, value, map[string]any{"sendTestMessage.turn.variables.0.name": "name",
			"sendTestMessage.turn.variables.0.value": value,
			"sendTestMessage.turn.userId":            "u-1", "sendTestMessage.conversation.userId": "u-1"})
		if want := "Plan standard, name " + value + "."; !strings.Contains(a.text(t, "sendTestMessage.turn.reply"), want) {
			t.Errorf("message %d: %s, want %q", i, a.body, want)
		}
	}
	say(vars{"sessionId": "one", "userId": "u-2", "variables": []vars{{"name": "name", "value": "x"}}}).
		wantFields(t, "another end user", "userId invalid_value")
	set(nil).wantValues(t, "removed", map[string]any{"updateAgent.agent.variables.0": nil})
}

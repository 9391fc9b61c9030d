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
	u := newTester(t, newBench(t))
	id := u.draft
	set := func(list any) answer {
		return u.do(t, setVariables, vars{"input": vars{
			"id": id, "instructions": "Plan {{plan}}, name {{name}}.", "variables": list}})
	}
	set([]vars{{"name": "ok"}, {"name": "1a"}}).
		wantFields(t, "a digit first", "variables.1.name invalid_value")
	set([]vars{{"name": "a", "description": strings.Repeat("x", 501), "required": true, "defaultValue": ""}}).
		wantFields(t, "two fields", "variables.0.description too_long", "variables.0.defaultValue not_supported")
	plan := vars{"name": "plan", "defaultValue": "standard"}
	set([]vars{plan, {"name": "name", "required": true}}).wantValues(t, "declared", map[string]any{
		"updateAgent.agent.variables.0.name":         "plan",
		"updateAgent.agent.variables.0.defaultValue": "standard",
		"updateAgent.agent.variables.0.required":     false,
		"updateAgent.agent.variables.1.required":     true,
		"updateAgent.agent.variables.1.defaultValue": nil,
	})
	say := func(more vars) answer {
		more["agentId"], more["message"] = id, "hello"
		return u.do(t, sayWith, vars{"input": more})
	}
	named := func(name, value string) vars { return vars{"name": name, "value": value} }
	for want, list := range map[string][]vars{
		"variables.name missing":        nil,
		"variables.other unknown_field": {named("name", "A"), named("other", "")},
		"variables.name invalid_value":  {named("name", "A"), named("name", "B")},
		"variables invalid_value":       {named("my name", "A")},
		"variables.name too_long":       {named("name", strings.Repeat("x", 4001))},
	} {
		say(vars{"variables": list}).wantFields(t, want, want)
	}
	say(vars{"userId": ""}).wantFields(t, "no user", "userId empty")
	for _, value := range []string{"Ada", "{{plan}}"} { // an earlier value does not stay
		a := say(vars{"sessionId": "one", "userId": "u-1", "variables": []vars{named("name", value)}})
		a.wantValues(t, value, map[string]any{
			"sendTestMessage.turn.variables.0.value": value,
			"sendTestMessage.turn.userId":            "u-1",
			"sendTestMessage.conversation.userId":    "u-1",
		})
		if want := "Plan standard, name " + value + "."; !strings.Contains(a.text(t, "sendTestMessage.turn.reply"), want) {
			t.Errorf("%s, want %q", a.body, want)
		}
	}
	say(vars{"sessionId": "one", "userId": "u-2", "variables": []vars{named("name", "x")}}).
		wantFields(t, "another end user", "userId invalid_value")
	set(nil).wantValues(t, "removed", map[string]any{"updateAgent.agent.variables.0": nil})
}
